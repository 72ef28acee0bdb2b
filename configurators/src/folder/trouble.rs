//! Why one attempt at an installation ended early.

use super::error::FolderError;
use crate::file::FileError;

/// Why one attempt ended early.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Something changed under us: look and try again.
    Changed,
    /// The folder that stands is root's and its place is not: root must hand it over first.
    Roots,
    /// Nothing can be moved between the staging directory and the extensions: stage inside them.
    Elsewhere,
    /// It cannot be done.
    Failed(FolderError),
}

impl From<FolderError> for Trouble {
    fn from(error: FolderError) -> Self {
        Self::Failed(error)
    }
}

impl From<FileError> for Trouble {
    fn from(error: FileError) -> Self {
        Self::Failed(error.into())
    }
}
