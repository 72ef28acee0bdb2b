//! What stands where the plugin's folder should: whether it may be replaced, and whether it is right already.
//!
//! Reads alone.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, Stat, StatxAttributes, StatxFlags, fstat, openat, statat, statx,
};
use rustix::io::Errno;

use super::contents::{Contents, Entry, OPEN};
use super::directory::list;
use super::error::FolderError;
use crate::file::{Owner, kind_of, names_of};

/// Bytes compared at once.
const PIECE: usize = 64 * 1024;

/// A folder in the place of the plugin's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    /// Its owner.
    pub(super) owner: Owner,
    /// Its mode.
    pub(super) mode: u32,
    /// Whether it is a mount point, as far as the kernel tells (since 5.8).
    pub(super) is_mount: bool,
}

impl Standing {
    /// Looks at `id` in `extensions`, which are `tree`'s. `None` where nothing stands.
    ///
    /// # Errors
    /// When what stands there is no folder, or a folder that is neither `tree`'s nor root's.
    pub(super) fn look(
        extensions: impl AsFd,
        id: &str,
        path: &Path,
        tree: Owner,
    ) -> Result<Option<Self>, FolderError> {
        let stat = match statat(&extensions, id, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Ok(None),
            Err(why) => return Err(FolderError::system("look at", path, why)),
        };
        let owner = owner_of(&stat);
        let path = path.to_owned();
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
            return Err(FolderError::Occupied { path, kind: kind_of(stat.st_mode), owner });
        }
        if owner.uid != tree.uid && owner.uid != 0 {
            return Err(FolderError::Foreign { path, owner, tree });
        }
        let is_mount = statx(extensions, id, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty())
            .is_ok_and(|stat| stat.stx_attributes.contains(StatxAttributes::MOUNT_ROOT));
        Ok(Some(Self { owner, mode: stat.st_mode & 0o7777, is_mount }))
    }
}

/// Who owns what a look found.
pub(super) fn owner_of(stat: &Stat) -> Owner {
    Owner { uid: stat.st_uid, gid: stat.st_gid }
}

/// Whether the folder `name` in `directory` holds exactly `contents`, with the modes and for an owner that the
/// host takes: `tree` or root.
///
/// # Errors
/// When that cannot be seen for a reason that a new folder would not mend.
pub(super) fn holds(
    directory: impl AsFd,
    name: &OsStr,
    contents: &Contents<'_>,
    tree: Owner,
) -> Result<bool, Errno> {
    match is_right(directory, name, contents, tree) {
        // It went, it is something else, or the agent itself could not read it.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::ACCESS | Errno::NXIO | Errno::NODEV) => {
            Ok(false)
        }
        other => other,
    }
}

fn is_right(directory: impl AsFd, name: &OsStr, contents: &Contents<'_>, tree: Owner) -> Result<bool, Errno> {
    let folder = open(directory, name, OFlags::DIRECTORY)?;
    if !is_dressed(&fstat(&folder)?, OPEN, tree) {
        return Ok(false);
    }
    if !list(&folder, contents.0.len() + 1)?.iter().eq(contents.0.keys()) {
        return Ok(false);
    }
    for (name, entry) in &contents.0 {
        let right = match entry {
            Entry::Directory(inner) => is_right(&folder, name, inner, tree)?,
            Entry::File { bytes, mode } => is_file(&folder, name, bytes, *mode, tree)?,
        };
        if !right {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_file(directory: &OwnedFd, name: &OsStr, bytes: &[u8], mode: u32, tree: Owner) -> Result<bool, Errno> {
    // Asked before it is opened: opening a device may do something.
    let stat = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let is_plain = |stat: &Stat| {
        FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
            && names_of(stat) == 1
            && stat.st_size == size
            && is_dressed(stat, mode, tree)
    };
    if !is_plain(&stat) {
        return Ok(false);
    }
    let handle = open(directory, name, OFlags::NONBLOCK | OFlags::NOCTTY)?;
    if !is_plain(&fstat(&handle)?) {
        return Ok(false);
    }
    same(&mut File::from(handle), bytes).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))
}

fn same(file: &mut File, bytes: &[u8]) -> std::io::Result<bool> {
    let mut piece = vec![0; PIECE.min(bytes.len() + 1)];
    let mut left = bytes;
    loop {
        let read = file.read(&mut piece)?;
        match left.split_at_checked(read) {
            Some((expected, rest)) if expected == &piece[..read] => left = rest,
            _ => return Ok(false),
        }
        if read == 0 {
            return Ok(left.is_empty());
        }
    }
}

fn is_dressed(stat: &Stat, mode: u32, tree: Owner) -> bool {
    stat.st_mode & 0o7777 == mode && (stat.st_uid == tree.uid || stat.st_uid == 0)
}

fn open(directory: impl AsFd, name: &OsStr, more: OFlags) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | more;
    openat(directory, name, flags, Mode::empty())
}
