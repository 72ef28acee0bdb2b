//! Removes a whole folder, on handles, never through a link and never out of it.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, chmodat, fchmod, unlinkat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::directory::{enter, list};

/// Names that are removed before the next are listed.
const NAMES: usize = 4_096;
/// How often that is done: somebody who makes names faster than we remove them must not keep us for ever.
const PASSES: usize = 4_096;
/// Directories nested deeper are left: no plugin has them, and our own memory is not theirs to fill.
const LEVELS: usize = 64;

/// Removes `name` from `directory` with all that it holds.
///
/// # Errors
/// The first thing that cannot be removed; what can be is.
pub(super) fn clear(directory: impl AsFd, name: &OsStr) -> Result<(), Errno> {
    clear_at(directory.as_fd(), name, 0)
}

fn clear_at(directory: BorrowedFd<'_>, name: &OsStr, depth: usize) -> Result<(), Errno> {
    let folder = match open(directory, name) {
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
    for _ in 0..PASSES {
        let names = list(&folder, NAMES)?;
        if names.is_empty() || result.is_err() {
            break;
        }
        for name in names {
            let removed = match unlinkat(&folder, &name, AtFlags::empty()) {
                // Directories answer with either, by file system.
                Err(Errno::ISDIR | Errno::PERM) => clear_at(folder.as_fd(), &name, depth + 1),
                Err(Errno::NOENT) => Ok(()),
                other => other,
            };
            result = result.and(removed);
        }
    }
    match unlinkat(directory, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => result,
        Err(why) => result.and(Err(why)),
    }
}

fn open(directory: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Errno> {
    match enter(directory, name) {
        Err(Errno::ACCESS) if !geteuid().is_root() => {
            // A directory of ours that even we may not list. Through a link that was swapped in, this changes
            // something else of ours, and root is not at work.
            chmodat(directory, name, Mode::RWXU, AtFlags::empty())?;
            enter(directory, name)
        }
        other => other,
    }
}
