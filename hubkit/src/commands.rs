//! One file per command: from its arguments to the crate that does the work, and its outcome to output.

pub(crate) mod bootstrap;
pub(crate) mod configure;
#[cfg(feature = "demo")]
pub(crate) mod demo;
mod report;
