//! Why a folder was not installed or removed: what, where, and what helps. Never a byte of any file in it.

use std::path::{Path, PathBuf};

use hubkit_contract::exit;
use rustix::io::Errno;

use crate::file::{FileError, Owner, cannot};

/// Why a folder was not installed or removed. What stood there stands there still, unless the notice of an
/// earlier run said otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderError {
    /// The way to a directory, its lock, or a call of the operating system.
    File(FileError),
    /// The id is not one plain word, so that it can be no folder's name.
    BadId {
        /// The id.
        id: String,
    },
    /// There is no folder to install from.
    NoFolder {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The source holds something else than files and directories.
    NotPlain {
        /// What.
        path: PathBuf,
        /// What it is: "a symbolic link", "a fifo", …
        kind: &'static str,
    },
    /// A file of the source has several names, so that it may be somebody else's as well.
    SecondName {
        /// The file.
        path: PathBuf,
        /// How many names it has.
        count: u64,
    },
    /// A path inside an embedded source leads nowhere or out of it.
    BadPath {
        /// The path.
        path: PathBuf,
    },
    /// The source is past a limit.
    TooMuch {
        /// The source.
        path: PathBuf,
        /// The limit.
        limit: usize,
        /// What of: "files and directories", "bytes", "levels of directories".
        unit: &'static str,
    },
    /// The source changed under every attempt to read it, or the destination under every attempt to write it.
    KeepsChanging {
        /// The folder.
        path: PathBuf,
        /// How many attempts there were.
        attempts: usize,
    },
    /// The folder has no manifest.
    NoManifest {
        /// Where it should be.
        path: PathBuf,
    },
    /// The manifest is none that the host takes.
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Something else than a folder stands where the plugin should.
    Occupied {
        /// Where.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
        /// Whose it is.
        owner: Owner,
    },
    /// A folder of somebody else's stands where we work.
    Foreign {
        /// The folder.
        path: PathBuf,
        /// Whose it is.
        owner: Owner,
        /// Whose it should be.
        tree: Owner,
    },
    /// The extensions are somebody else's, whose host would not load what we make there.
    NotOurs {
        /// The directory.
        path: PathBuf,
        /// Whose it is.
        owner: Owner,
        /// Who we are.
        uid: u32,
    },
    /// Others may write into the directory in which the new folder is made ready.
    Shared {
        /// The directory.
        path: PathBuf,
        /// Whose it is.
        owner: Owner,
        /// Its mode.
        mode: u32,
    },
    /// The folder is a mount point of its own.
    Mounted {
        /// The folder.
        path: PathBuf,
    },
    /// The file system does not keep owner and mode as they are set, so that the host would refuse the plugin.
    Unkept {
        /// The file or directory.
        path: PathBuf,
        /// What it has.
        is: (Owner, u32),
        /// What it should have.
        should: (Owner, u32),
    },
}

impl From<FileError> for FolderError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl FolderError {
    /// The exit code of the command that fails with this.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::File(error) => error.exit_code(),
            Self::BadId { .. }
            | Self::NoFolder { .. }
            | Self::NotPlain { .. }
            | Self::SecondName { .. }
            | Self::BadPath { .. }
            | Self::TooMuch { .. }
            | Self::NoManifest { .. }
            | Self::Manifest { .. } => exit::CONTENT_REFUSED,
            Self::KeepsChanging { .. } => exit::TRY_AGAIN,
            Self::Occupied { .. }
            | Self::Foreign { .. }
            | Self::NotOurs { .. }
            | Self::Shared { .. }
            | Self::Mounted { .. }
            | Self::Unkept { .. } => exit::CANNOT_WRITE,
        }
    }

    /// A failed system call.
    pub(super) fn system(doing: &'static str, path: &Path, why: Errno) -> Self {
        Self::File(cannot(doing, path, why))
    }
}
