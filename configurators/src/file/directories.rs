//! Missing parent directories: made when something is about to be written into them, taken back otherwise.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Gid, Mode, OFlags, chownat, fstat, fsync, mkdirat, openat, unlinkat};
use rustix::io::Errno;

use super::error::{FileError, Owner};
use super::probe::{Probe, Step};
use super::resolve::Place;
use super::trouble::Trouble;

/// Directories that were made for a file. Dropped without [`Made::keep`], those that are empty go again.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// The innermost directory, a path handle; `None` when nothing was missing.
    innermost: Option<OwnedFd>,
    /// Each with the directory around it, outermost first.
    made: Vec<(OwnedFd, OsString, PathBuf)>,
}

impl Made {
    /// Makes what is missing on the way to `place`: mode 0700, owner and group of the directory around it.
    pub(super) fn all(place: &Place, probe: &dyn Probe) -> Result<Self, Trouble> {
        let mut made = Self::default();
        let mut path = place.directory_path.clone();
        for name in &place.missing {
            let outer_path = path.clone();
            path.push(name);
            let outer = made.handle(place).try_clone_to_owned().map_err(|error| {
                let why = Errno::from_io_error(&error).unwrap_or(Errno::MFILE);
                FileError::system("open", &outer_path, why)
            })?;
            match probe.at(Step::MakeDirectory).and_then(|()| mkdirat(&outer, name, Mode::RWXU)) {
                Ok(()) => {}
                // Somebody made it meanwhile, or took the directory around it away.
                Err(Errno::EXIST | Errno::NOENT) => return Err(Trouble::Changed),
                Err(why) => return Err(FileError::system("create a directory in", &outer_path, why).into()),
            }
            let inner = enter(&outer, name, &path)?;
            let synced = probe.at(Step::SyncParent).and_then(|()| sync(&outer));
            made.made.push((outer, name.clone(), path.clone()));
            synced.map_err(|why| FileError::system("synchronise", &outer_path, why))?;
            made.innermost = Some(inner);
        }
        Ok(made)
    }

    /// The directory that holds the file.
    pub(super) fn handle<'a>(&'a self, place: &'a Place) -> BorrowedFd<'a> {
        self.innermost.as_ref().unwrap_or(&place.directory).as_fd()
    }

    /// They stay. Returns them, outermost first.
    pub(super) fn keep(mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.made).into_iter().map(|(_, _, path)| path).collect()
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for (outer, name, _) in self.made.iter().rev() {
            // A directory that somebody put something into stays.
            let _ = unlinkat(outer, name, AtFlags::REMOVEDIR);
        }
    }
}

/// Opens the directory that was just made, checks that it is ours, and gives it the group of `outer`.
fn enter(outer: &OwnedFd, name: &OsStr, path: &Path) -> Result<OwnedFd, Trouble> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let inner = match openat(outer, name, flags, Mode::empty()) {
        Ok(inner) => inner,
        // Somebody swapped it.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Err(Trouble::Changed),
        Err(why) => return Err(FileError::system("open", path, why).into()),
    };
    let look = |handle: &OwnedFd| fstat(handle).map_err(|why| FileError::system("look at", path, why));
    let stat = look(&inner)?;
    let us = Owner { uid: rustix::process::geteuid().as_raw(), gid: rustix::process::getegid().as_raw() };
    if stat.st_uid != us.uid {
        let owner = Owner { uid: stat.st_uid, gid: stat.st_gid };
        return Err(FileError::StrangeOwner { path: path.to_owned(), owner, tree: us }.into());
    }
    let gid = look(outer)?.st_gid;
    if stat.st_gid != gid {
        // With mode 0700 the group is of no consequence, and who is no member of it cannot give it.
        let _ = chownat(outer, name, None, Some(Gid::from_raw(gid)), AtFlags::SYMLINK_NOFOLLOW);
    }
    Ok(inner)
}

fn sync(directory: &OwnedFd) -> Result<(), Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match openat(directory, ".", flags, Mode::empty()) {
        Ok(handle) => fsync(handle),
        // A directory that its user may enter and write but not read cannot be synchronised by that user.
        Err(Errno::ACCESS) => Ok(()),
        Err(why) => Err(why),
    }
}
