//! The new folder while it is made: in the staging directory, for its owner alone, on the disk before anybody
//! can see it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, Stat, fchmod, fstat, fsync, mkdirat, openat};
use rustix::io::Errno;

use super::clear::clear;
use super::contents::{Contents, Entry, OPEN};
use super::error::FolderError;
use super::probe::{Probe, Step};
use super::staging::{Staging, temp_name};
use super::standing::owner_of;
use super::trouble::Trouble;
use crate::file::Owner;

/// Bytes written between two fail points.
const PIECE: usize = 64 * 1024;

/// A complete new folder under a name of ours. It is removed when this is dropped, unless it was [`Staged::leave`]d.
pub(super) struct Staged<'s> {
    staging: &'s Staging,
    name: OsString,
    handle: OwnedFd,
    armed: bool,
}

impl<'s> Staged<'s> {
    /// Makes the folder.
    ///
    /// # Errors
    /// When it cannot be written whole, or would not keep its modes; nothing is left of it then.
    pub(super) fn make(
        staging: &'s Staging,
        contents: &Contents<'_>,
        probe: &dyn Probe,
    ) -> Result<Self, Trouble> {
        let name = temp_name();
        let path = staging.path().join(&name);
        let work = Work { probe, us: us() };
        let handle = work.directory(staging.handle(), &name, &path)?;
        let staged = Self { staging, name, handle, armed: true };
        work.fill(&staged.handle, contents, &path)?;
        Ok(staged)
    }

    /// Its name in the staging directory.
    pub(super) fn name(&self) -> &OsStr {
        &self.name
    }

    /// Which folder it is, whatever its name.
    pub(super) fn identity(&self) -> Result<(u64, u64), Errno> {
        fstat(&self.handle).map(|stat| (stat.st_dev, stat.st_ino))
    }

    /// The name now stands for something else, or nothing.
    pub(super) fn leave(mut self) -> OsString {
        self.armed = false;
        std::mem::take(&mut self.name)
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if self.armed {
            // What cannot be removed now is swept by a later run.
            let _ = clear(self.staging.handle(), &self.name);
        }
    }
}

/// Who makes files here.
pub(super) fn us() -> Owner {
    Owner { uid: rustix::process::geteuid().as_raw(), gid: rustix::process::getegid().as_raw() }
}

struct Work<'a> {
    probe: &'a dyn Probe,
    us: Owner,
}

impl Work<'_> {
    fn directory(&self, inside: impl AsFd, name: &OsStr, path: &Path) -> Result<OwnedFd, Trouble> {
        let cannot = |why| Trouble::of_ours("make the directory", path, why);
        self.probe.at(Step::MakeFolder).map_err(cannot)?;
        mkdirat(&inside, name, Mode::RWXU).map_err(cannot)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(inside, name, flags, Mode::empty()).map_err(cannot)
    }

    fn fill(&self, folder: &OwnedFd, contents: &Contents<'_>, path: &Path) -> Result<(), Trouble> {
        for (name, entry) in &contents.0 {
            let path = path.join(name);
            match entry {
                Entry::Directory(inner) => {
                    self.fill(&self.directory(folder, name, &path)?, inner, &path)?;
                }
                Entry::File { bytes, mode } => self.file(folder, name, bytes, *mode, &path)?,
            }
        }
        // Last, so that nobody else can look in before it is complete.
        self.finish(folder, OPEN, path)
    }

    fn file(
        &self,
        folder: &OwnedFd,
        name: &OsStr,
        bytes: &[u8],
        mode: u32,
        path: &Path,
    ) -> Result<(), Trouble> {
        let cannot = |why| Trouble::of_ours("write", path, why);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        self.probe.at(Step::MakeFile).map_err(cannot)?;
        let file = openat(folder, name, flags, Mode::RUSR | Mode::WUSR).map(File::from).map_err(cannot)?;
        for piece in bytes.chunks(PIECE) {
            self.probe.at(Step::Write).map_err(cannot)?;
            let write = (&file).write_all(piece);
            write.map_err(|error| cannot(Errno::from_io_error(&error).unwrap_or(Errno::IO)))?;
        }
        self.finish(&file, mode, path)
    }

    /// Gives the mode, sees that it is kept, and brings all of it to the disk.
    fn finish(&self, made: impl AsFd, mode: u32, path: &Path) -> Result<(), Trouble> {
        let cannot = |doing| move |why| Trouble::of_ours(doing, path, why);
        let set = || {
            self.probe.at(Step::SetMode)?;
            fchmod(&made, Mode::from_raw_mode(mode))
        };
        set().map_err(cannot("change the mode of"))?;
        let stat: Stat = fstat(&made).map_err(cannot("look at"))?;
        let is = (owner_of(&stat), stat.st_mode & 0o7777);
        if is.0.uid != self.us.uid || is.1 != mode {
            let path: PathBuf = path.to_owned();
            return Err(FolderError::Unkept { path, is, should: (self.us, mode) }.into());
        }
        self.probe.at(Step::Sync).and_then(|()| fsync(&made)).map_err(cannot("synchronise"))
    }
}
