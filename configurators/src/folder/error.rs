//! Why a folder was not installed or removed: what, where, and what helps. Never a byte of any file in it.

use std::fmt;
use std::path::{Path, PathBuf};

use hubkit_contract::exit;
use rustix::io::Errno;

use crate::file::{FileError, Owner, cannot, shown};

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

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::BadId { id } => write!(
                f,
                "{} cannot be the name of a plugin's folder; an id begins with a small letter or a digit, goes \
                 on with those and `.`, `_`, `-`, and has at most {} of them: change it in the manifest",
                shown(Path::new(id)),
                super::id::LONGEST
            ),
            Self::NoFolder { path } => write!(
                f,
                "there is no folder {}; name the folder of a plugin, look with `ls -ld {}`",
                shown(path),
                shown(path)
            ),
            Self::NotPlain { path, kind } => write!(
                f,
                "{} is {kind}, and a plugin's folder may hold regular files and directories alone; \
                 replace it with a copy of what is meant, or remove it",
                shown(path)
            ),
            Self::SecondName { path, count } => write!(
                f,
                "{} has {count} hard links, so that it may belong to something else; \
                 install from a copy made with `cp -r --no-preserve=links`",
                shown(path)
            ),
            Self::BadPath { path } => write!(
                f,
                "{} is no path inside a plugin's folder, or stands there twice; use plain relative paths",
                shown(path)
            ),
            Self::TooMuch { path, limit, unit } => write!(
                f,
                "{} holds more than {limit} {unit}; leave out what the plugin does not run with, \
                 look with `du -a {}`",
                shown(path),
                shown(path)
            ),
            Self::KeepsChanging { path, attempts } => write!(
                f,
                "{} was changed by somebody else during each of {attempts} attempts; \
                 try again when its other writer is quiet",
                shown(path)
            ),
            Self::NoManifest { path } => {
                write!(f, "there is no manifest {}; name the folder that holds it, or add one", shown(path))
            }
            Self::Manifest { path, what } => write!(f, "{}: {what}", shown(path)),
            Self::Occupied { path, kind, owner } => write!(
                f,
                "{} is {kind} of {owner}, where the folder of a plugin should stand; \
                 look at it with `ls -ln {}` and remove it with `rm {}`",
                shown(path),
                shown(path),
                shown(path)
            ),
            Self::Foreign { path, owner, tree } if owner.uid == 0 => write!(
                f,
                "{} belongs to {owner} and uid {} cannot replace it; run hubkit as root once, \
                 or remove the folder as root with `rm -r {}`",
                shown(path),
                tree.uid,
                shown(path)
            ),
            Self::Foreign { path, owner, tree } => write!(
                f,
                "{} belongs to {owner}, which is neither {tree}, whose tree it stands in, nor root; \
                 look at it with `ls -ln {}` and, if nobody needs it, remove it with `rm -r {}`",
                shown(path),
                shown(path),
                shown(path)
            ),
            Self::NotOurs { path, owner, uid } => write!(
                f,
                "{} belongs to {owner}, whose agent would not load a plugin of uid {uid}; \
                 run hubkit as uid {} or as root",
                shown(path),
                owner.uid
            ),
            Self::Shared { path, owner, mode } => write!(
                f,
                "{} of {owner} has mode {mode:04o}, so that others could swap what is made ready there; \
                 run `chmod go-w {}`",
                shown(path),
                shown(path)
            ),
            Self::Mounted { path } => write!(
                f,
                "{} is a mount point of its own and cannot be replaced; change what is mounted there, \
                 or mount the directory around it instead; look with `findmnt -T {}`",
                shown(path),
                shown(path)
            ),
            Self::Unkept { path, is: (owner, mode), should: (wanted, wanted_mode) } => write!(
                f,
                "{} has owner {owner} and mode {mode:04o} whatever is set, and the host wants {wanted} and \
                 {wanted_mode:04o}; put the extensions on a file system that keeps them, look with \
                 `findmnt -T {}`",
                shown(path),
                shown(path)
            ),
        }
    }
}

impl std::error::Error for FolderError {}
