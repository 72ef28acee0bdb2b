//! A whole directory that another part of this crate works in, found and judged like the directory of a file.

use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

use super::account::groups_of;
use super::actor::{Actor, run_as};
use super::directories::Made;
use super::error::{FileError, Owner};
use super::lock::lock;
use super::probe::NoProbe;
use super::resolve::{Place, kind_name, resolve};
use super::shown::Shown;
use super::trouble::Trouble;

/// A directory, there or not.
#[derive(Debug)]
pub(crate) struct Site {
    place: Place,
    path: PathBuf,
}

impl Site {
    /// Finds the directory at `path`, judging owners when we are root.
    ///
    /// # Errors
    /// When there cannot be a directory, or the rule for owners is broken.
    pub(crate) fn find(path: &Path) -> Result<Self, FileError> {
        // The walk leads to a file; one that nobody can have put there is in the directory that is looked for.
        let nothing = format!(".hubkit-{:016x}", RandomState::new().hash_one(std::process::id()));
        let place = resolve(&path.join(nothing), true)?;
        let path = place.path.parent().unwrap_or(&place.directory_path).to_owned();
        Ok(Self { place, path })
    }

    /// The physical path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A path handle; `None` where there is no such directory.
    pub(crate) fn handle(&self) -> Option<BorrowedFd<'_>> {
        self.place.missing.is_empty().then(|| self.place.directory.as_fd())
    }

    /// A path handle of the directory, or of the nearest one around it that exists.
    pub(crate) fn nearest(&self) -> BorrowedFd<'_> {
        self.place.directory.as_fd()
    }

    /// Whose powers [`Site::run`] works with; `None` for ours.
    pub(crate) fn actor(&self) -> Option<Owner> {
        self.place.actor.as_ref().map(|actor| actor.owner)
    }

    /// Runs `work` with the powers of the tree's owner.
    ///
    /// # Errors
    /// When root cannot act as that user.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, FileError> {
        run_as(self.place.actor.as_ref(), &self.path, work)
    }

    /// Opens the directory for listing and locking; makes it, and what is missing around it, with mode 0700.
    /// `None` when the way to it changed meanwhile.
    ///
    /// # Errors
    /// When it can be neither opened nor made.
    pub(crate) fn open(&self) -> Result<Option<Opened>, FileError> {
        let made = match Made::all(&self.place, &NoProbe) {
            Ok(made) => made,
            Err(Trouble::File(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match openat(made.handle(&self.place), ".", flags, Mode::empty()) {
            Ok(handle) => Ok(Some(Opened { file: handle.into(), path: self.path.clone(), made })),
            Err(Errno::NOENT) => Ok(None),
            Err(why) => Err(cannot("open the directory", &self.path, why)),
        }
    }
}

/// An open directory. When this is dropped without [`Opened::keep`], what was made for it goes again if it is
/// empty.
#[derive(Debug)]
pub(crate) struct Opened {
    /// Open for listing.
    pub(crate) file: File,
    /// The physical path.
    pub(crate) path: PathBuf,
    made: Made,
}

impl Opened {
    /// Locks the directory, trying for `wait` in all. The lock ends when this is dropped.
    ///
    /// # Errors
    /// When somebody else still holds it then.
    pub(crate) fn lock(&self, wait: Duration) -> Result<(), FileError> {
        lock(&self.file, &self.path, wait)
    }

    /// It stays. Closes it, and so ends the lock.
    pub(crate) fn keep(self) {
        self.made.keep();
    }
}

/// Whom a directory is read as, when nothing is written there.
#[derive(Debug)]
pub(crate) struct Reader(Option<Actor>);

impl Reader {
    /// As ourselves. As root, where the way leads through the hands of a user, as that user: what they put on
    /// the way must not make root read for them what they cannot read. Unlike where something is written, it
    /// is fine that some of it is root's.
    ///
    /// # Errors
    /// When there cannot be a directory.
    pub(crate) fn of(path: &Path) -> Result<Self, FileError> {
        let hand = |owner: Owner| Self(Some(Actor { owner, groups: groups_of(owner.uid) }));
        match Site::find(path) {
            Ok(site) => Ok(Self(site.place.actor)),
            Err(FileError::StrangeOwner { tree, .. } | FileError::Roundabout { tree, .. }) => Ok(hand(tree)),
            Err(FileError::LinkAway { owner, .. }) if owner.uid != 0 => Ok(hand(owner)),
            Err(error) => Err(error),
        }
    }

    /// Runs `work` as that user.
    ///
    /// # Errors
    /// When root cannot act as that user.
    pub(crate) fn run<R: Send>(&self, path: &Path, work: impl FnOnce() -> R + Send) -> Result<R, FileError> {
        run_as(self.0.as_ref(), path, work)
    }
}

/// A failed system call, sorted by what a person can do about it.
pub(crate) fn cannot(doing: &'static str, path: &Path, why: Errno) -> FileError {
    FileError::system(doing, path, why)
}

/// A path as one word of a shell.
pub(crate) fn shown(path: &Path) -> impl fmt::Display {
    Shown(path)
}

/// What a person calls a kind of file.
pub(crate) fn kind_of(mode: rustix::fs::RawMode) -> &'static str {
    kind_name(rustix::fs::FileType::from_raw_mode(mode))
}

/// How many names a file has.
pub(crate) fn names_of(stat: &rustix::fs::Stat) -> u64 {
    super::snapshot::names(stat)
}
