//! Opening and listing directories that others may have a hand in.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{Dir, Mode, OFlags, ResolveFlags, fstat, openat, openat2};
use rustix::io::Errno;

/// Opens a directory on the same mount: what somebody mounted into the folder is not the folder's.
pub(super) fn enter(directory: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
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

/// The names in an open directory, sorted, but not more than `most` of them: however many somebody makes, they
/// must not fill our memory.
pub(super) fn list(directory: impl AsFd, most: usize) -> Result<Vec<OsString>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            if names.len() == most {
                break;
            }
            names.push(OsStr::from_bytes(name).to_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}
