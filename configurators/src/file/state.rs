//! The state directory as the place of a backup: found by the same walk as a file of hubkit's own, and used
//! only when it belongs to whom the work is done as and nobody else can write in it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, fstat, fsync, openat, renameat_with, statat, unlinkat};
use rustix::io::Errno;

use super::backup;
use super::directories::Made;
use super::error::{FileError, Owner};
use super::listing::Listing;
use super::probe::{Probe, Step};
use super::resolve::{Place, resolve};
use super::snapshot::{Snapshot, names};
use super::temp::{PIECE, Temp};
use super::trouble::Trouble;

/// How many backups of one file can be set aside.
const ASIDE: usize = 1000;

/// Finds the place of the backup of `file` in the state directory `state`.
///
/// # Errors
/// When there can be none, or the directory is in somebody else's tree than the file.
pub(super) fn find(state: &Path, file: &Place) -> Result<Place, FileError> {
    let place = resolve(&state.join(backup::name(&file.path)), true)?;
    let us = Owner { uid: rustix::process::geteuid().as_raw(), gid: rustix::process::getegid().as_raw() };
    let [owner, worker] = [&place, file].map(|place| place.actor.as_ref().map_or(us, |actor| actor.owner));
    if owner.uid == worker.uid {
        return Ok(place);
    }
    Err(FileError::StateOwner { path: state.to_owned(), owner, uid: worker.uid })
}

/// The place of one file's backup.
#[derive(Clone, Copy)]
pub(super) struct State<'a> {
    pub(super) place: &'a Place,
    pub(super) probe: &'a dyn Probe,
}

impl<'a> State<'a> {
    /// Whether something stands where the backup would.
    pub(super) fn has_backup(&self) -> bool {
        self.place.missing.is_empty()
            && statat(&self.place.directory, &self.place.name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Opens the directory, and makes it if need be.
    pub(super) fn open(&self) -> Result<Store<'a>, Trouble> {
        let Self { place, probe } = *self;
        let made = Made::all(place, probe)?;
        let path = place.path.parent().unwrap_or(&place.directory_path);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let open = || {
            probe.at(Step::OpenState)?;
            let handle = openat(made.handle(place), ".", flags, Mode::empty())?;
            Ok((fstat(&handle)?, File::from(handle)))
        };
        let (stat, directory) = open().map_err(|why| FileError::system("open the directory", path, why))?;
        let uid = rustix::process::geteuid().as_raw();
        if stat.st_uid != uid {
            let owner = Owner { uid: stat.st_uid, gid: stat.st_gid };
            return Err(FileError::StateOwner { path: path.to_owned(), owner, uid }.into());
        }
        // With an access control list the group's bits are the most that any entry grants.
        if stat.st_mode & 0o022 != 0 {
            let mode = stat.st_mode & 0o7777;
            return Err(FileError::StateOpen { path: path.to_owned(), mode }.into());
        }
        Ok(Store { directory, path, made, name: &place.name, backup: &place.path, probe })
    }
}

/// The open state directory. Dropped without [`Store::keep`], a directory that was made and is empty goes.
pub(super) struct Store<'a> {
    directory: File,
    path: &'a Path,
    made: Made,
    name: &'a OsStr,
    /// The path of the backup.
    pub(super) backup: &'a Path,
    probe: &'a dyn Probe,
}

impl Store<'_> {
    /// Writes a backup, whole and on the disk once this returns. After a failure there is none.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), Trouble> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = self
            .probe
            .at(Step::WriteBackup)
            .and_then(|()| openat(&self.directory, self.name, flags, Mode::RUSR | Mode::WUSR));
        let mut file = match opened {
            Ok(handle) => File::from(handle),
            // Another run left one meanwhile, which has to be looked at first.
            Err(Errno::EXIST) => return Err(Trouble::Changed),
            Err(why) => return Err(FileError::system("create a file in", self.path, why).into()),
        };
        let mut write = || {
            for piece in bytes.chunks(PIECE) {
                self.probe.at(Step::WriteBackup)?;
                file.write_all(piece).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
            }
            self.probe.at(Step::SyncBackup)?;
            fsync(&file)?;
            self.sync()
        };
        write().map_err(|why| {
            // What cannot be removed is known for torn, or for one of a file that was not touched.
            let _ = unlinkat(&self.directory, self.name, AtFlags::empty());
            FileError::system("keep a backup in", self.path, why).into()
        })
    }

    /// Reads the backup; `None` where there is none.
    pub(super) fn read(&self) -> Result<Option<Vec<u8>>, Trouble> {
        self.probe.at(Step::ReadBackup).map_err(|why| FileError::system("read", self.backup, why))?;
        let Some(found) = Snapshot::take(&self.directory, self.name, self.backup, backup::LARGEST)? else {
            return Ok(None);
        };
        let path = self.backup.to_owned();
        let (stat, uid) = (&found.stat, rustix::process::geteuid().as_raw());
        if names(stat) > 1 {
            return Err(FileError::HardLinks { path, count: names(stat) }.into());
        }
        if stat.st_uid != uid {
            let owner = Owner { uid: stat.st_uid, gid: stat.st_gid };
            return Err(FileError::NotOwn { path, owner, uid }.into());
        }
        Ok(Some(found.bytes))
    }

    /// Removes the backup, for good once this returns.
    pub(super) fn remove(&self) -> Result<(), FileError> {
        let remove = || {
            self.probe.at(Step::RemoveBackup)?;
            match unlinkat(&self.directory, self.name, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => self.sync(),
                Err(why) => Err(why),
            }
        };
        remove().map_err(|why| FileError::system("remove a backup from", self.path, why))
    }

    /// Keeps `old`, the content before the write that the backup is of, under a name that no run looks at,
    /// and removes the backup. Returns the path.
    pub(super) fn set_aside(&self, old: &[u8]) -> Result<PathBuf, Trouble> {
        let cannot = |why| FileError::system("keep a backup in", self.path, why);
        let base = Path::new(self.name).with_extension("kept");
        let base = base.as_os_str();
        // Leftovers of a run that was killed in here. The file's locks are held, so that nobody is now.
        Listing::of(&self.directory, base)
            .and_then(|found| found.sweep(&self.directory, rustix::process::geteuid().as_raw()))
            .map_err(cannot)?;
        let temp = Temp::create(self.directory.as_fd(), base, self.path, self.probe)?;
        temp.write(old, self.backup, self.probe)?;
        temp.sync(self.backup, self.probe)?;
        for number in 1..=ASIDE {
            let mut name = OsString::from(base);
            name.push(format!("-{number}"));
            let renamed = self.probe.at(Step::SetAside).and_then(|()| {
                renameat_with(&self.directory, temp.name(), &self.directory, &name, RenameFlags::NOREPLACE)
            });
            match renamed {
                Ok(()) => {
                    temp.leave();
                    self.remove()?;
                    return Ok(self.path.join(name));
                }
                Err(Errno::EXIST) => {}
                Err(why) => return Err(cannot(why).into()),
            }
        }
        Err(cannot(Errno::EXIST).into())
    }

    /// A directory that was made stays.
    pub(super) fn keep(self) {
        self.made.keep();
    }

    fn sync(&self) -> Result<(), Errno> {
        self.probe.at(Step::SyncState)?;
        fsync(&self.directory)
    }
}
