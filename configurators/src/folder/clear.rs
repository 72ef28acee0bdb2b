//! Removes a whole folder, on handles, never through a link and never out of it.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags, ResolveFlags, chmodat, fchmod, fstat, openat, openat2, unlinkat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::source::list;

/// Directories nested deeper are left: no plugin has them, and our own memory is not theirs to fill.
const LEVELS: usize = 64;

/// Removes `name` from `directory` with all that it holds.
///
/// # Errors
/// The first thing that cannot be removed; what can be is.
pub(super) fn clear(directory: impl AsFd, name: &OsStr) -> Result<(), Errno> {
    clear_at(directory.as_fd(), name, 0)
}

fn clear_at(directory: impl AsFd, name: &OsStr, depth: usize) -> Result<(), Errno> {
    let folder = match open(&directory, name) {
        Ok(folder) => folder,
        Err(Errno::NOENT) => return Ok(()),
        // A file, a link, or anything else that is no directory.
        Err(Errno::NOTDIR | Errno::LOOP) => return unlinkat(directory, name, AtFlags::empty()),
        Err(why) => return Err(why),
    };
    if depth == LEVELS {
        return Err(Errno::NAMETOOLONG);
    }
    // Without write permission for us nothing in it can be removed. Where we may not give it, that shows below.
    let _ = fchmod(&folder, Mode::RWXU);
    let mut result = Ok(());
    for name in list(&folder)? {
        let removed = match unlinkat(&folder, &name, AtFlags::empty()) {
            // Directories answer with either, by file system.
            Err(Errno::ISDIR | Errno::PERM) => clear_at(&folder, &name, depth + 1),
            Err(Errno::NOENT) => Ok(()),
            other => other,
        };
        result = result.and(removed);
    }
    match unlinkat(directory, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => result,
        Err(why) => result.and(Err(why)),
    }
}

fn open(directory: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    match enter(&directory, name) {
        Err(Errno::ACCESS) if !geteuid().is_root() => {
            // A directory of ours that even we may not list. Through a link that was swapped in, this changes
            // something else of ours, and root is not at work.
            chmodat(&directory, name, Mode::RWXU, AtFlags::empty())?;
            enter(directory, name)
        }
        other => other,
    }
}

/// Opens a directory on the same mount: what somebody mounted into the folder is not the folder's.
fn enter(directory: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat2(&directory, name, flags, Mode::empty(), ResolveFlags::NO_XDEV) {
        // Kernels before 5.6, and filters that do not know the call.
        Err(Errno::NOSYS | Errno::PERM) => {
            let folder = openat(&directory, name, flags, Mode::empty())?;
            let is_inside = fstat(&folder)?.st_dev == fstat(&directory)?.st_dev;
            if is_inside { Ok(folder) } else { Err(Errno::XDEV) }
        }
        other => other,
    }
}
