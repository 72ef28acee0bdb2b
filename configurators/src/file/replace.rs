//! One replacement of one file, in an open and locked directory.

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Stat, StatxAttributes, StatxFlags, fsync, statx};

use super::error::{FileError, Owner};
use super::probe::{Probe, Step};
use super::snapshot::{Snapshot, names, untouched};
use super::switch::Switch;
use super::temp::Temp;
use super::trouble::Trouble;

/// What is replaced, and where.
pub(super) struct Replacement<'a> {
    /// The directory, open for reading and locked.
    pub(super) directory: BorrowedFd<'a>,
    /// What its handle says about it.
    pub(super) directory_stat: Stat,
    pub(super) directory_path: &'a Path,
    pub(super) name: &'a OsStr,
    pub(super) path: &'a Path,
    /// Whether it is a file of hubkit's own, which is never dressed like the one before it.
    pub(super) own: bool,
    /// More than this is neither read nor written, bytes.
    pub(super) limit: usize,
    pub(super) probe: &'a dyn Probe,
}

impl Replacement<'_> {
    /// Puts `bytes` in the place of `old`, or of nothing, in one instant.
    ///
    /// # Errors
    /// [`Trouble::NotAtomic`] where that is impossible but writing in place may not be. In every case the file is as it was, or as somebody else made it, and no temporary file is left.
    pub(super) fn run(&self, old: Option<&Snapshot>, bytes: &[u8]) -> Result<(), Trouble> {
        self.check_size(bytes)?;
        self.check(old)?;
        self.check_names(old).map_err(Trouble::NotAtomic)?;
        if old.is_some() && self.is_mount_point() {
            return Err(Trouble::NotAtomic(FileError::Mounted { path: self.path.to_owned() }));
        }
        let temp = Temp::create(self.directory, self.name, self.directory_path, self.probe)?;
        temp.write(bytes, self.path, self.probe)?;
        temp.dress(old.filter(|_| !self.own), &self.directory_stat, self.path, self.probe)?;
        temp.sync(self.path, self.probe)?;
        if !untouched(self.read(Step::Recheck)?.as_ref(), old) {
            return Err(Trouble::Changed);
        }
        let Self { directory, directory_path, name, path, limit, probe, .. } = *self;
        Switch { directory, directory_path, name, path, limit, probe }.run(temp, old)?;
        probe
            .at(Step::SyncDirectory)
            .and_then(|()| fsync(directory))
            .map_err(|why| FileError::system("synchronise", directory_path, why))?;
        match self.read(Step::ReadBack)? {
            Some(now) if now.bytes == bytes => Ok(()),
            _ => Err(Trouble::Changed),
        }
    }

    /// Reads the file once more.
    pub(super) fn read(&self, step: Step) -> Result<Option<Snapshot>, Trouble> {
        self.probe.at(step).map_err(|why| FileError::system("read", self.path, why))?;
        Snapshot::take(self.directory, self.name, self.path, self.limit)
    }

    /// Whether `bytes` are few enough.
    pub(super) fn check_size(&self, bytes: &[u8]) -> Result<(), FileError> {
        if bytes.len() <= self.limit {
            return Ok(());
        }
        let (path, limit) = (self.path.to_owned(), self.limit);
        Err(FileError::TooLarge { path, limit, planned: true })
    }

    /// Whether `old` may be touched at all.
    pub(super) fn check(&self, old: Option<&Snapshot>) -> Result<(), FileError> {
        let uid = rustix::process::geteuid().as_raw();
        let Some(stat) = old.map(|old| old.stat).filter(|stat| stat.st_uid != uid) else { return Ok(()) };
        // What is advised about another owner's file must not be advised about one with a second name.
        self.check_names(old)?;
        let owner = Owner { uid: stat.st_uid, gid: stat.st_gid };
        Err(FileError::NotOurs { path: self.path.to_owned(), owner, uid })
    }

    /// Whether `old` has one name.
    pub(super) fn check_names(&self, old: Option<&Snapshot>) -> Result<(), FileError> {
        match old.map_or(1, |old| names(&old.stat)) {
            0 | 1 => Ok(()),
            count => Err(FileError::HardLinks { path: self.path.to_owned(), count }),
        }
    }

    /// Whether the file is known to be a mount point. Where the kernel does not say (before Linux 5.8), the
    /// switch finds out.
    fn is_mount_point(&self) -> bool {
        let look = || {
            self.probe.at(Step::LookForMount)?;
            statx(self.directory, self.name, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty())
        };
        look().is_ok_and(|found| {
            (found.stx_attributes & found.stx_attributes_mask).contains(StatxAttributes::MOUNT_ROOT)
        })
    }
}
