//! Secrets, and the one seam through which anything is printed or stored.
//!
//! A [`Secret`] never shows itself; a [`Redactor`] takes every known secret out of text that is about to
//! leave the process. Both are deliberately dumb: no knowledge of who uses them.

mod redactor;
mod secret;

pub use redactor::{Redactor, SHORTEST};
pub use secret::Secret;
