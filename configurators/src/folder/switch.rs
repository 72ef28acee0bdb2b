//! The instant at which the folder changes: by one rename where the file system can.
//!
//! Three ways, each for where the one before is impossible. The first two lose nothing at a kill:
//! 1. old and new change places, or the new one gets a name that nothing has;
//! 2. the old folder is moved out of the extensions and the new one in: between the two renames there is none;
//! 3. nothing can be moved out (an old folder in the lower layer of an overlay): it is removed where it is, and
//!    the new one moved in. A kill in between leaves a part of it, or none, until the next run.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rustix::fs::{AtFlags, Mode, RenameFlags, chmodat, fsync, renameat, renameat_with, statat};
use rustix::io::Errno;

use super::clear::clear;
use super::error::FolderError;
use super::probe::{Probe, Step};
use super::staged::{Staged, us};
use super::staging::{Staging, temp_name};
use super::standing::Standing;
use super::trouble::Trouble;

/// What a switch works on.
pub(super) struct Switch<'a> {
    pub(super) extensions: BorrowedFd<'a>,
    pub(super) staging: &'a Staging,
    /// Whether the staging directory is inside the extensions already.
    pub(super) inside: bool,
    pub(super) id: &'a str,
    pub(super) path: &'a Path,
    pub(super) probe: &'a dyn Probe,
}

/// How the folder changed.
pub(super) struct Switched {
    /// Whether at every instant the path named all of the old folder or all of the new.
    pub(super) atomic: bool,
    /// Whether the displaced folder could not be removed from the staging directory.
    pub(super) left: Option<Errno>,
}

impl Switch<'_> {
    /// Puts `staged` in the place of `old`, or of nothing.
    pub(super) fn put(&self, staged: Staged<'_>, old: Option<Standing>) -> Result<Switched, Trouble> {
        let identity = staged.identity().map_err(|why| self.failed(why))?;
        let (atomic, displaced) = match old {
            None => (self.create(staged)?, None),
            Some(old) => self.replace(staged, old)?,
        };
        self.probe.at(Step::CheckPlaced).map_err(|why| self.failed(why))?;
        let now = statat(self.extensions, self.id, AtFlags::SYMLINK_NOFOLLOW);
        if now.map(|stat| (stat.st_dev, stat.st_ino)) != Ok(identity) {
            // Somebody else's is there now. Ours went to where they moved it.
            return Err(Trouble::Changed);
        }
        self.finish(atomic, displaced)
    }

    /// Takes `old` out of the extensions.
    pub(super) fn take_out(&self, old: Standing) -> Result<Switched, Trouble> {
        self.open_up(old);
        let aside = temp_name();
        let moved = self
            .probe
            .at(Step::MoveAside)
            .and_then(|()| renameat(self.extensions, self.id, self.staging.handle(), &aside));
        let (atomic, displaced) = match moved {
            Ok(()) => (true, Some(aside)),
            Err(Errno::XDEV) if !self.inside => return Err(Trouble::Elsewhere),
            Err(Errno::XDEV) => {
                self.empty()?;
                (false, None)
            }
            Err(why) => return Err(self.failed(why)),
        };
        self.finish(atomic, displaced)
    }

    fn finish(&self, atomic: bool, displaced: Option<OsString>) -> Result<Switched, Trouble> {
        self.probe
            .at(Step::SyncExtensions)
            .and_then(|()| fsync(self.extensions))
            .map_err(|why| FolderError::system("synchronise the directory of", self.path, why))?;
        // Last: until the switch is on the disk, the old folder may be what a crash brings back.
        let left = displaced.and_then(|name| self.discard(&name).err());
        Ok(Switched { atomic, left })
    }

    fn create(&self, staged: Staged<'_>) -> Result<bool, Trouble> {
        let create = || {
            self.probe.at(Step::Create)?;
            let flags = RenameFlags::NOREPLACE;
            renameat_with(self.staging.handle(), staged.name(), self.extensions, self.id, flags)
        };
        match create() {
            Ok(()) => {}
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => self.move_in(staged.name())?,
            Err(why) => return Err(self.moved(why)),
        }
        staged.leave();
        Ok(true)
    }

    /// Returns whether the path always named a whole folder, and under which staging name the old one is.
    fn replace(&self, staged: Staged<'_>, old: Standing) -> Result<(bool, Option<OsString>), Trouble> {
        self.open_up(old);
        let exchange = || {
            self.probe.at(Step::Exchange)?;
            let flags = RenameFlags::EXCHANGE;
            renameat_with(self.staging.handle(), staged.name(), self.extensions, self.id, flags)
        };
        match exchange() {
            Ok(()) => Ok((true, Some(staged.leave()))),
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                let aside = temp_name();
                self.probe
                    .at(Step::MoveAside)
                    .and_then(|()| renameat(self.extensions, self.id, self.staging.handle(), &aside))
                    .map_err(|why| self.moved(why))?;
                if let Err(trouble) = self.move_in(staged.name()) {
                    // Where even that fails the old folder stays in the staging directory until it is swept.
                    let _ = renameat(self.staging.handle(), &aside, self.extensions, self.id);
                    return Err(trouble);
                }
                staged.leave();
                Ok((false, Some(aside)))
            }
            Err(Errno::XDEV) if self.inside => {
                self.empty()?;
                self.move_in(staged.name())?;
                staged.leave();
                Ok((false, None))
            }
            Err(why) => Err(self.moved(why)),
        }
    }

    /// Moves a folder to where nothing stands. An empty folder that somebody put there would be replaced.
    fn move_in(&self, name: &OsStr) -> Result<(), Trouble> {
        self.probe
            .at(Step::MoveIn)
            .and_then(|()| renameat(self.staging.handle(), name, self.extensions, self.id))
            .map_err(|why| self.moved(why))
    }

    fn empty(&self) -> Result<(), Trouble> {
        self.probe
            .at(Step::Empty)
            .and_then(|()| clear(self.extensions, OsStr::new(self.id)))
            .map_err(|why| FolderError::system("remove the old", self.path, why).into())
    }

    /// A folder that its owner may not write cannot be moved to another directory by its owner.
    fn open_up(&self, old: Standing) {
        let us = us().uid;
        if us != 0 && old.owner.uid == us && old.mode & 0o200 == 0 {
            let mode = Mode::from_raw_mode(old.mode | 0o200);
            // Through a link that was swapped in, this changes something else of ours, and root is not at work.
            let _ = chmodat(self.extensions, self.id, mode, AtFlags::empty());
        }
    }

    fn discard(&self, name: &OsStr) -> Result<(), Errno> {
        self.probe.at(Step::RemoveOld)?;
        clear(self.staging.handle().as_fd(), name)
    }

    fn moved(&self, why: Errno) -> Trouble {
        if why == Errno::XDEV && !self.inside { Trouble::Elsewhere } else { self.failed(why) }
    }

    fn failed(&self, why: Errno) -> Trouble {
        match why {
            // It went, or came, or became something else.
            Errno::NOENT | Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR => Trouble::Changed,
            Errno::BUSY => FolderError::Mounted { path: self.path.to_owned() }.into(),
            why => FolderError::system("replace", self.path, why).into(),
        }
    }
}
