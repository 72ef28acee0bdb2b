//! A folder of root's in an agent's tree, as an image build or an old script leaves it: root hands its
//! directories to the tree's owner, who can then replace the folder.
//!
//! Never a file: one may have a second name elsewhere. Whoever owns the directories can remove what is in them.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rustix::fs::{Gid, Uid, fchown, fstat};
use rustix::io::Errno;

use super::directory::{enter, list};
use super::error::FolderError;
use crate::file::Owner;

/// Names in one directory that are looked at; there are fewer in any plugin.
const NAMES: usize = 65_536;
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
    hand_over(extensions.as_fd(), OsStr::new(id), tree, 0)
        .map_err(|why| FolderError::system("hand over the directories of", path, why))
}

fn hand_over(inside: BorrowedFd<'_>, name: &OsStr, tree: Owner, depth: usize) -> Result<(), Errno> {
    let folder = match enter(inside, name) {
        Ok(folder) => folder,
        // Not a directory, not any more, or something that is mounted there.
        Err(Errno::NOTDIR | Errno::LOOP | Errno::NOENT | Errno::XDEV) => return Ok(()),
        Err(why) => return Err(why),
    };
    if fstat(&folder)?.st_uid != 0 || depth == LEVELS {
        return Ok(());
    }
    // The inner ones first: while the outer one is root's, nobody moves anything in it.
    for name in list(&folder, NAMES)? {
        hand_over(folder.as_fd(), &name, tree, depth + 1)?;
    }
    fchown(&folder, Some(Uid::from_raw(tree.uid)), Some(Gid::from_raw(tree.gid)))
}
