//! Why one attempt at an installation ended early.

use std::path::Path;

use rustix::io::Errno;

use super::error::FolderError;
use crate::file::FileError;

/// Why one attempt ended early.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Something changed under us: look and try again.
    Changed,
    /// Nothing can be moved between the staging directory and the extensions: stage inside them.
    Elsewhere,
    /// It cannot be done.
    Failed(FolderError),
}

impl Trouble {
    /// A failed system call on something that we made and that only goes when somebody else takes it.
    pub(super) fn of_ours(doing: &'static str, path: &Path, why: Errno) -> Self {
        if why == Errno::NOENT { Self::Changed } else { FolderError::system(doing, path, why).into() }
    }
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
