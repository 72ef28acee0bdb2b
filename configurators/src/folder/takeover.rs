//! A folder of root's in an agent's tree, as an image build or an old script leaves it: root hands its
//! directories to the tree's owner, who can then replace the folder.
//!
//! Never a file: one may have a second name elsewhere. Whoever owns the directories can remove what is in them.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Gid, Mode, OFlags, Uid, fchown, fstat, openat};
use rustix::io::Errno;

use super::error::FolderError;
use super::source::list;
use crate::file::Owner;

/// Directories nested deeper stay root's.
const LEVELS: usize = 64;

/// Hands the folder `id` in `extensions` to `tree`. The contents, and what anybody may read, stay as they are.
///
/// # Errors
/// When a directory of it cannot be handed over.
pub(super) fn take_over(
    extensions: impl AsFd,
    id: &str,
    path: &Path,
    tree: Owner,
) -> Result<(), FolderError> {
    hand_over(extensions, OsStr::new(id), tree, 0)
        .map_err(|why| FolderError::system("hand over the directories of", path, why))
}

fn hand_over(inside: impl AsFd, name: &OsStr, tree: Owner, depth: usize) -> Result<(), Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder: OwnedFd = match openat(&inside, name, flags, Mode::empty()) {
        Ok(folder) => folder,
        // Not a directory, or not any more.
        Err(Errno::NOTDIR | Errno::LOOP | Errno::NOENT) => return Ok(()),
        Err(why) => return Err(why),
    };
    let stat = fstat(&folder)?;
    let is_ours_to_give = stat.st_uid == 0 && stat.st_dev == fstat(inside)?.st_dev;
    if !is_ours_to_give || depth == LEVELS {
        return Ok(());
    }
    // The inner ones first: while the outer one is root's, nobody moves anything in it.
    for name in list(&folder)? {
        hand_over(&folder, &name, tree, depth + 1)?;
    }
    fchown(&folder, Some(Uid::from_raw(tree.uid)), Some(Gid::from_raw(tree.gid)))
}
