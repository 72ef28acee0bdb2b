//! Whole edits, case by case.
