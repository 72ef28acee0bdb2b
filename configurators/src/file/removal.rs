//! A file goes: it is moved to a temporary name, looked at there, and only then removed.
//!
//! Whatever another program wrote in the last instant is thereby seen and gets its name back. Between the
//! move and the way back the path names nothing; a program that creates the file anew in that instant keeps
//! what it created, and what was there before stays beside it under a name that the error says.

use std::ffi::OsStr;
use std::hash::{BuildHasher, RandomState};

use rustix::fs::{AtFlags, RenameFlags, fsync, linkat, renameat, renameat_with, unlinkat};
use rustix::io::Errno;

use super::error::FileError;
use super::listing::temp_name;
use super::probe::Step;
use super::replace::Replacement;
use super::snapshot::{Snapshot, untouched};
use super::switch::strand;
use super::trouble::Trouble;

impl Replacement<'_> {
    /// Removes `old`.
    ///
    /// # Errors
    /// [`Trouble::Changed`] when something else than `old` was there; it is there again.
    pub(super) fn remove(&self, old: &Snapshot) -> Result<(), Trouble> {
        self.check(Some(old))?;
        self.check_names(Some(old))?;
        if !untouched(self.read(Step::Recheck)?.as_ref(), Some(old)) {
            return Err(Trouble::Changed);
        }
        let temp = temp_name(self.name, std::process::id(), RandomState::new().hash_one(0));
        let moved = self
            .probe
            .at(Step::MoveAway)
            .and_then(|()| renameat(self.directory, self.name, self.directory, &temp));
        match moved {
            Ok(()) => {}
            Err(Errno::NOENT | Errno::ISDIR) => return Err(Trouble::Changed),
            Err(Errno::BUSY | Errno::XDEV) => {
                return Err(FileError::Mounted { path: self.path.to_owned() }.into());
            }
            Err(why) => return Err(FileError::system("remove", self.path, why).into()),
        }
        let displaced = self
            .probe
            .at(Step::CheckDisplaced)
            .map_err(|why| FileError::system("read", self.path, why).into())
            .and_then(|()| Snapshot::take(self.directory, &temp, self.path, self.limit));
        match displaced {
            Ok(Some(displaced)) if displaced.is_same_file(old) => self
                .probe
                .at(Step::RemoveTemp)
                .and_then(|()| unlinkat(self.directory, &temp, AtFlags::empty()))
                .map_err(|why| FileError::system("remove a temporary file from", self.directory_path, why))?,
            // Somebody removed it: nothing is left to give back.
            Ok(None) => return Err(Trouble::Changed),
            Ok(Some(_)) | Err(Trouble::Changed) => {
                self.give_back(&temp)?;
                return Err(Trouble::Changed);
            }
            Err(Trouble::File(error) | Trouble::NotAtomic(error)) => {
                self.give_back(&temp)?;
                return Err(error.into());
            }
        }
        self.probe
            .at(Step::SyncDirectory)
            .and_then(|()| fsync(self.directory))
            .map_err(|why| FileError::system("synchronise", self.directory_path, why))?;
        match self.read(Step::ReadBack)? {
            None => Ok(()),
            Some(_) => Err(Trouble::Changed),
        }
    }

    /// Gives what was moved away its name back, unless the name was taken meanwhile.
    fn give_back(&self, temp: &OsStr) -> Result<(), FileError> {
        let back = || {
            self.probe.at(Step::MoveBack)?;
            match renameat_with(self.directory, temp, self.directory, self.name, RenameFlags::NOREPLACE) {
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                    linkat(self.directory, temp, self.directory, self.name, AtFlags::empty())?;
                    unlinkat(self.directory, temp, AtFlags::empty())
                }
                result => result,
            }
        };
        back().map_err(|why| strand(self.directory, self.directory_path, temp, self.path, why))
    }
}
