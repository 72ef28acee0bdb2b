//! The one instant at which the file changes, and what is done when somebody else was faster.
//!
//! Where the file system can, old and new change places, so that what was displaced can be looked at: when
//! it is not what was planned from, another program wrote it in the last instant, and it goes back. Two
//! windows remain, both the size of a system call: a program that writes into the old file in place after
//! that look, and a SIGKILL between the exchange and the way back.

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;
use std::path::Path;

use rustix::fs::{AtFlags, RenameFlags, linkat, renameat, renameat_with, statat};
use rustix::io::Errno;

use super::error::FileError;
use super::probe::{Probe, Step};
use super::snapshot::Snapshot;
use super::temp::Temp;
use super::trouble::Trouble;

/// How often files change places back and forth while another program keeps writing.
const EXCHANGES: usize = 16;

/// What a switch works on.
pub(super) struct Switch<'a> {
    pub(super) directory: BorrowedFd<'a>,
    pub(super) directory_path: &'a Path,
    pub(super) name: &'a OsStr,
    pub(super) path: &'a Path,
    /// More than this is not read, bytes.
    pub(super) limit: usize,
    pub(super) probe: &'a dyn Probe,
}

impl Switch<'_> {
    /// Puts `temp` in the place of `old`, or of nothing. Afterwards the temporary name is gone.
    ///
    /// # Errors
    /// [`Trouble::Changed`] when something else than `old` was there; it is there again.
    pub(super) fn run(&self, temp: Temp<'_>, old: Option<&Snapshot>) -> Result<(), Trouble> {
        match old {
            Some(old) => self.exchange(temp, old),
            None => self.create(temp),
        }
    }

    fn exchange(&self, temp: Temp<'_>, old: &Snapshot) -> Result<(), Trouble> {
        match self.probe.at(Step::Exchange).and_then(|()| self.swap(temp.name())) {
            Ok(()) => {}
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => return self.rename(temp),
            Err(why) => return Err(self.failed(why)),
        }
        // From here on the temporary name may stand for the only copy of somebody else's content.
        let displaced = self
            .probe
            .at(Step::CheckDisplaced)
            .map_err(|why| FileError::system("read", self.path, why).into())
            .and_then(|()| Snapshot::take(self.directory, temp.name(), self.path, self.limit));
        match displaced {
            Ok(Some(displaced)) if displaced.is_same_file(old) => {
                Ok(temp.remove(self.directory_path, self.probe)?)
            }
            // Somebody removed it: nothing is left to give back.
            Ok(None) => {
                temp.leave();
                Err(Trouble::Changed)
            }
            Ok(Some(_)) | Err(Trouble::Changed) => {
                self.give_back(temp)?;
                Err(Trouble::Changed)
            }
            Err(Trouble::File(error) | Trouble::NotAtomic(error)) => {
                self.give_back(temp)?;
                Err(error.into())
            }
        }
    }

    /// Exchanges until the newest foreign version has the file's name. Whatever comes to the temporary name
    /// without having been put into the file's place by the exchange before is newer than what was put.
    fn give_back(&self, temp: Temp<'_>) -> Result<(), Trouble> {
        let mut put = match temp.stat() {
            Ok(stat) => (stat.st_dev, stat.st_ino),
            Err(why) => return Err(self.stranded(temp, why)),
        };
        for _ in 0..EXCHANGES {
            let round = || {
                self.probe.at(Step::ExchangeBack)?;
                let going = self.identity(temp.name())?;
                self.swap(temp.name())?;
                Ok((going, self.identity(temp.name())?))
            };
            match round() {
                Ok((_, back)) if back == put => return Ok(temp.remove(self.directory_path, self.probe)?),
                Ok((going, _)) => put = going,
                Err(why) => return Err(self.stranded(temp, why)),
            }
        }
        // The other program will not be outrun: its newest version wins over its own newer ones.
        match renameat(self.directory, temp.name(), self.directory, self.name) {
            Ok(()) => {
                temp.leave();
                Ok(())
            }
            Err(why) => Err(self.stranded(temp, why)),
        }
    }

    fn rename(&self, temp: Temp<'_>) -> Result<(), Trouble> {
        let renamed = self
            .probe
            .at(Step::Rename)
            .and_then(|()| renameat(self.directory, temp.name(), self.directory, self.name));
        renamed.map_err(|why| self.failed(why))?;
        temp.leave();
        Ok(())
    }

    fn create(&self, temp: Temp<'_>) -> Result<(), Trouble> {
        let create = || {
            self.probe.at(Step::Create)?;
            renameat_with(self.directory, temp.name(), self.directory, self.name, RenameFlags::NOREPLACE)
        };
        match create() {
            Ok(()) => {
                temp.leave();
                Ok(())
            }
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                let link = || {
                    self.probe.at(Step::Link)?;
                    linkat(self.directory, temp.name(), self.directory, self.name, AtFlags::empty())
                };
                link().map_err(|why| self.failed(why))?;
                Ok(temp.remove(self.directory_path, self.probe)?)
            }
            Err(why) => Err(self.failed(why)),
        }
    }

    fn swap(&self, temp: &OsStr) -> Result<(), Errno> {
        renameat_with(self.directory, temp, self.directory, self.name, RenameFlags::EXCHANGE)
    }

    fn identity(&self, name: &OsStr) -> Result<(u64, u64), Errno> {
        let stat = statat(self.directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok((stat.st_dev, stat.st_ino))
    }

    fn failed(&self, why: Errno) -> Trouble {
        match why {
            // The file went, or came, or became a directory.
            Errno::NOENT | Errno::EXIST | Errno::ISDIR => Trouble::Changed,
            Errno::BUSY | Errno::XDEV => {
                Trouble::NotAtomic(FileError::Mounted { path: self.path.to_owned() })
            }
            why => FileError::system("replace", self.path, why).into(),
        }
    }

    fn stranded(&self, temp: Temp<'_>, why: Errno) -> Trouble {
        let error = strand(self.directory, self.directory_path, temp.name(), self.path, why);
        temp.leave();
        error.into()
    }
}

/// Takes what stands at the temporary name out of reach of the next run's sweep, and says where it is.
pub(super) fn strand(
    directory: BorrowedFd<'_>,
    directory_path: &Path,
    temp: &OsStr,
    target: &Path,
    why: Errno,
) -> FileError {
    let mut safe = temp.to_owned();
    safe.push(".theirs");
    let moved = renameat_with(directory, temp, directory, &safe, RenameFlags::NOREPLACE)
        .or_else(|_| renameat(directory, temp, directory, &safe));
    let path = directory_path.join(if moved.is_ok() { &safe } else { temp });
    FileError::Stranded { path, target: target.to_owned(), why }
}
