//! Why one attempt at an edit ended early.

use super::error::FileError;

/// Why one attempt ended early.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The file, or the way to it, changed under us: resolve, read and plan anew.
    Changed,
    /// It cannot be done in one instant, for this reason; perhaps in place.
    NotAtomic(FileError),
    /// It cannot be done.
    File(FileError),
}

impl From<FileError> for Trouble {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}
