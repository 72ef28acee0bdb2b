//! The temporary file: made beside the target, dressed like it, gone again whatever happens.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rustix::fs::{AtFlags, Gid, Mode, OFlags, Stat, Uid, fchmod, fchown, fstat, fsync, openat, unlinkat};
use rustix::io::Errno;

use super::attributes;
use super::error::FileError;
use super::listing::temp_name;
use super::probe::{Probe, Step};
use super::snapshot::Snapshot;
use super::trouble::Trouble;

/// How many names are tried; each is random, so that the second is hardly ever needed.
const NAMES: usize = 8;
/// Bytes written between two fail points.
pub(super) const PIECE: usize = 64 * 1024;

/// A temporary file. Its name is removed when this is dropped, unless it was [left](Temp::leave).
#[derive(Debug)]
pub(super) struct Temp<'a> {
    directory: BorrowedFd<'a>,
    name: OsString,
    file: File,
    armed: bool,
}

impl<'a> Temp<'a> {
    /// Creates an empty file beside `name`, for its owner alone.
    pub(super) fn create(
        directory: BorrowedFd<'a>,
        name: &OsStr,
        directory_path: &Path,
        probe: &dyn Probe,
    ) -> Result<Self, Trouble> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut tries = 0;
        loop {
            tries += 1;
            let temp = temp_name(name, std::process::id(), RandomState::new().hash_one(tries));
            let opened = probe
                .at(Step::CreateTemp)
                .and_then(|()| openat(directory, &temp, flags, Mode::RUSR | Mode::WUSR));
            match opened {
                Ok(handle) => return Ok(Self { directory, name: temp, file: handle.into(), armed: true }),
                Err(Errno::EXIST) if tries < NAMES => {}
                // The directory itself is gone.
                Err(Errno::NOENT) => return Err(Trouble::Changed),
                Err(why) => {
                    let error = FileError::system("create a file in", directory_path, why);
                    return Err(match why {
                        Errno::ACCESS | Errno::PERM | Errno::ROFS => Trouble::NotAtomic(error),
                        _ => Trouble::File(error),
                    });
                }
            }
        }
    }

    /// Its name in the directory.
    pub(super) fn name(&self) -> &OsStr {
        &self.name
    }

    /// What the handle says about it.
    pub(super) fn stat(&self) -> Result<Stat, Errno> {
        fstat(&self.file)
    }

    /// Writes the whole content. `path` is the target's, for messages.
    pub(super) fn write(&self, bytes: &[u8], path: &Path, probe: &dyn Probe) -> Result<(), FileError> {
        for piece in bytes.chunks(PIECE) {
            probe
                .at(Step::Write)
                .and_then(|()| {
                    (&self.file).write_all(piece).map_err(|e| Errno::from_io_error(&e).unwrap_or(Errno::IO))
                })
                .map_err(|why| FileError::system("write a new version of", path, why))?;
        }
        Ok(())
    }

    /// Gives it the owner, mode and attributes of `old`; a new file gets the owner of its `directory`, where
    /// that can be given, and mode 0600.
    pub(super) fn dress(
        &self,
        old: Option<&Snapshot>,
        directory: &Stat,
        path: &Path,
        probe: &dyn Probe,
    ) -> Result<(), FileError> {
        let mine = self.stat().map_err(|why| FileError::system("look at a new version of", path, why))?;
        let (uid, gid) =
            old.map_or((directory.st_uid, directory.st_gid), |old| (old.stat.st_uid, old.stat.st_gid));
        let owner = (mine.st_uid != uid).then(|| Uid::from_raw(uid));
        let group = (mine.st_gid != gid).then(|| Gid::from_raw(gid));
        let chown = || match (owner, group) {
            (None, None) => Ok(()),
            _ => fchown(&self.file, owner, group),
        };
        match (probe.at(Step::SetOwner).and_then(|()| chown()), old) {
            (Ok(()), _) => {}
            // A new file in a directory of somebody else's, such as /tmp: it stays the writer's.
            (Err(Errno::PERM), None) => {}
            (Err(Errno::PERM | Errno::INVAL), Some(_)) => {
                let us = rustix::process::geteuid().as_raw();
                return Err(FileError::Group { path: path.to_owned(), gid, uid: us });
            }
            (Err(why), _) => return Err(FileError::system("give its owner to a new version of", path, why)),
        }
        // After the owner: changing that takes the set-id bits away.
        let mode = old.map_or(0o600, |old| old.stat.st_mode & 0o7777);
        let set = || {
            fchmod(&self.file, Mode::from_raw_mode(mode))?;
            // Some file systems, and some set-id bits, are refused without an error.
            if self.stat()?.st_mode & 0o7777 == mode { Ok(()) } else { Err(Errno::NOTSUP) }
        };
        probe.at(Step::SetMode).and_then(|()| set()).map_err(|why| FileError::Attribute {
            path: path.to_owned(),
            what: format!("mode {mode:04o}"),
            why,
        })?;
        probe.at(Step::SetAttributes).map_err(|why| FileError::Attribute {
            path: path.to_owned(),
            what: "extended attributes".to_owned(),
            why,
        })?;
        match old {
            Some(old) => attributes::copy(old.handle.as_fd(), self.file.as_fd(), path),
            None => Ok(()),
        }
    }

    /// Brings content and attributes to the disk.
    pub(super) fn sync(&self, path: &Path, probe: &dyn Probe) -> Result<(), FileError> {
        probe
            .at(Step::SyncTemp)
            .and_then(|()| fsync(&self.file))
            .map_err(|why| FileError::system("synchronise a new version of", path, why))
    }

    /// Removes the name now, with whatever stands there.
    pub(super) fn remove(mut self, directory_path: &Path, probe: &dyn Probe) -> Result<(), FileError> {
        self.armed = false;
        match probe.at(Step::RemoveTemp).and_then(|()| unlinkat(self.directory, &self.name, AtFlags::empty()))
        {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(why) => Err(FileError::system("remove a temporary file from", directory_path, why)),
        }
    }

    /// The name is gone, or what stands there must stay.
    pub(super) fn leave(mut self) {
        self.armed = false;
    }
}

impl Drop for Temp<'_> {
    fn drop(&mut self) {
        if self.armed {
            // What cannot be removed now is swept by a later run.
            let _ = unlinkat(self.directory, &self.name, AtFlags::empty());
        }
    }
}
