//! One replacement of one file, in an open and locked directory.

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;
use std::path::Path;

use rustix::fs::{Stat, fsync};

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
    /// Puts `bytes` in the place of `old`, or of nothing.
    ///
    /// # Errors
    /// In every case the file is as it was, or as somebody else made it, and no temporary file is left.
    pub(super) fn run(&self, old: Option<&Snapshot>, bytes: &[u8]) -> Result<(), Trouble> {
        if bytes.len() > self.limit {
            let (path, limit) = (self.path.to_owned(), self.limit);
            return Err(FileError::TooLarge { path, limit, planned: true }.into());
        }
        self.check(old)?;
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

    /// Whether `old` may be touched at all.
    pub(super) fn check(&self, old: Option<&Snapshot>) -> Result<(), FileError> {
        let Some(stat) = old.map(|old| old.stat) else { return Ok(()) };
        let path = self.path.to_owned();
        if names(&stat) > 1 {
            return Err(FileError::HardLinks { path, count: names(&stat) });
        }
        let uid = rustix::process::geteuid().as_raw();
        if stat.st_uid != uid {
            let owner = Owner { uid: stat.st_uid, gid: stat.st_gid };
            return Err(FileError::NotOurs { path, owner, uid });
        }
        Ok(())
    }
}
