//! Why a file was not edited: what, where, and the command that helps. Never a byte of any content.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hubkit_contract::exit;
use rustix::io::Errno;

/// Why an edit failed: the file, or the planner's own reason.
#[derive(Debug)]
pub enum EditError<E> {
    /// The file could not be read or replaced.
    File(FileError),
    /// The planner refused; nothing was written.
    Plan(E),
}

impl<E> From<FileError> for EditError<E> {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl<E: fmt::Display> fmt::Display for EditError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Plan(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for EditError<E> {}

/// A user and a group, shown the way `chown` takes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// User id.
    pub uid: u32,
    /// Group id.
    pub gid: u32,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.uid, self.gid)
    }
}

/// Why a file was not read or replaced.
///
/// Its bytes are untouched, unless the failure came after the switch (removing what was displaced,
/// synchronising the directory, reading back, removing the backup): then the new content is in place and the
/// error says what is not certain about it. The exception is [`FileError::HalfWritten`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileError {
    /// A symbolic link leads to nothing.
    Dangling {
        /// The link.
        path: PathBuf,
        /// What it leads to.
        target: PathBuf,
    },
    /// Symbolic links lead in a circle, or there are too many of them.
    LinkLoop {
        /// The path whose resolution was given up.
        path: PathBuf,
        /// How many links were followed.
        links: usize,
    },
    /// The path leads to something else than a regular file.
    NotAFile {
        /// The physical path.
        path: PathBuf,
        /// What it is: "a directory", "a fifo", …
        kind: &'static str,
    },
    /// Something on the way belongs to somebody else than the tree it stands in. Only root checks this.
    StrangeOwner {
        /// What deviates.
        path: PathBuf,
        /// Whose it is.
        owner: Owner,
        /// Whose the tree is.
        tree: Owner,
    },
    /// A link leads out of the tree of its owner. Only root checks this.
    LinkAway {
        /// The link.
        path: PathBuf,
        /// Its owner.
        owner: Owner,
        /// Where it led.
        target: PathBuf,
        /// Whose that is.
        target_owner: Owner,
    },
    /// The way leads into somebody's tree and out of it again. Only root checks this.
    Roundabout {
        /// Where it leads.
        path: PathBuf,
        /// Whose that is.
        owner: Owner,
        /// Whose tree it leads through.
        tree: Owner,
    },
    /// The file belongs to somebody else, and who is not root cannot give it back.
    NotOurs {
        /// The file.
        path: PathBuf,
        /// Whose it is.
        owner: Owner,
        /// Who we are.
        uid: u32,
    },
    /// A file of hubkit's own belongs to somebody else.
    NotOwn {
        /// The file.
        path: PathBuf,
        /// Whose it is.
        owner: Owner,
        /// Who we are.
        uid: u32,
    },
    /// A symbolic link stands where a file of hubkit's own should.
    OwnLink {
        /// The link.
        path: PathBuf,
    },
    /// The file's group cannot be kept.
    Group {
        /// The file.
        path: PathBuf,
        /// Its group.
        gid: u32,
        /// Who we are.
        uid: u32,
    },
    /// The file's mode, or one of its extended attributes, cannot be kept.
    Attribute {
        /// The file.
        path: PathBuf,
        /// What was to be kept: "mode 4755", "extended attribute user.x".
        what: String,
        /// Why not.
        why: Errno,
    },
    /// The file has several names. A replacement would split them, and a file of hubkit's own has one.
    HardLinks {
        /// The file.
        path: PathBuf,
        /// How many names it has.
        count: u64,
    },
    /// The file, or its new content, is past the limit.
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit, bytes.
        limit: usize,
        /// Whether it is the new content that is too large.
        planned: bool,
    },
    /// The file is a mount point of its own.
    Mounted {
        /// The file.
        path: PathBuf,
    },
    /// The file system is mounted read-only.
    ReadOnly {
        /// The file or directory.
        path: PathBuf,
        /// Who we are.
        uid: u32,
    },
    /// No space, or no quota, is left.
    Full {
        /// The file or directory.
        path: PathBuf,
        /// Who we are.
        uid: u32,
        /// Which of the two.
        why: Errno,
    },
    /// Permission was denied.
    Denied {
        /// What was tried: "create a file in", "read", …
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// Who we are.
        uid: u32,
        /// Whose that is, with its mode; `None` where even that could not be seen.
        owner: Option<(Owner, u32)>,
        /// EACCES or EPERM.
        why: Errno,
    },
    /// Root cannot act as the owner of the tree.
    CannotAct {
        /// The file.
        path: PathBuf,
        /// As whom.
        owner: Owner,
        /// Why not.
        why: Errno,
    },
    /// Another process holds the directory's lock.
    Locked {
        /// The directory.
        path: PathBuf,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The file changed under every attempt.
    KeepsChanging {
        /// The file.
        path: PathBuf,
        /// How many attempts there were.
        attempts: usize,
    },
    /// A foreign writer's content could not be put back after a failed exchange.
    Stranded {
        /// Where it is now.
        path: PathBuf,
        /// The file it belongs to.
        target: PathBuf,
        /// Why it could not be put back.
        why: Errno,
    },
    /// The file can only be written in place, and there is no safe place for the backup that this needs.
    NoBackup {
        /// The file.
        path: PathBuf,
        /// Who we are.
        uid: u32,
        /// Why not.
        cause: Box<FileError>,
    },
    /// The state directory belongs to somebody else than whom the work is done as.
    StateOwner {
        /// The directory.
        path: PathBuf,
        /// Whose it is.
        owner: Owner,
        /// Who we are.
        uid: u32,
    },
    /// Others can write in the state directory.
    StateOpen {
        /// The directory.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// Writing in place failed half-way, and so did putting the old content back.
    HalfWritten {
        /// The file.
        path: PathBuf,
        /// The backup, from which the next run restores it.
        backup: PathBuf,
        /// Why.
        cause: Box<FileError>,
    },
    /// Any other failure of the operating system.
    System {
        /// What was tried: "read", "synchronise", …
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        why: Errno,
    },
}

impl FileError {
    /// The exit code of the command that fails with this.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::TooLarge { .. } => exit::CONTENT_REFUSED,
            Self::Locked { .. } | Self::KeepsChanging { .. } => exit::TRY_AGAIN,
            _ => exit::CANNOT_WRITE,
        }
    }

    /// Sorts a failed system call by what a person can do about it.
    pub(super) fn system(doing: &'static str, path: &Path, why: Errno) -> Self {
        let path = path.to_owned();
        let uid = rustix::process::geteuid().as_raw();
        match why {
            Errno::ROFS => Self::ReadOnly { path, uid },
            Errno::NOSPC | Errno::DQUOT => Self::Full { path, uid, why },
            Errno::ACCESS | Errno::PERM => {
                let owner = rustix::fs::lstat(&path)
                    .ok()
                    .map(|stat| (Owner { uid: stat.st_uid, gid: stat.st_gid }, stat.st_mode & 0o7777));
                Self::Denied { doing, path, uid, owner, why }
            }
            _ => Self::System { doing, path, why },
        }
    }
}
