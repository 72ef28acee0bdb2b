//! Whole edits, text in and text out.
