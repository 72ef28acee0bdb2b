//! The file at one instant: its bytes and who it is.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags, Stat, fstat, openat};
use rustix::io::Errno;

use super::error::FileError;
use super::trouble::Trouble;

/// A file as it was read.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) bytes: Vec<u8>,
    pub(super) stat: Stat,
    /// The handle that was read; keeps the inode's number from being used again.
    pub(super) handle: OwnedFd,
}

impl Snapshot {
    /// Reads the regular file `name` in `directory`; `None` where there is none. Never follows a link, never
    /// waits for a fifo's other end, never reads more than `limit`
    /// bytes.
    ///
    /// # Errors
    /// [`Trouble::Changed`] when something else than a regular file stands there: the walk saw a regular
    /// file or nothing.
    pub(super) fn take(
        directory: impl AsFd,
        name: &OsStr,
        path: &Path,
        limit: usize,
    ) -> Result<Option<Self>, Trouble> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let handle = match openat(directory, name, flags, Mode::empty()) {
            Ok(handle) => handle,
            Err(Errno::NOENT) => return Ok(None),
            // A link (ELOOP), a socket (ENXIO), a device without a driver (ENXIO, ENODEV).
            Err(Errno::LOOP | Errno::NXIO | Errno::NODEV) => return Err(Trouble::Changed),
            Err(why) => return Err(FileError::system("read", path, why).into()),
        };
        let look = |handle: &OwnedFd| fstat(handle).map_err(|why| FileError::system("look at", path, why));
        let before = look(&handle)?;
        if FileType::from_raw_mode(before.st_mode) != FileType::RegularFile {
            return Err(Trouble::Changed);
        }
        let too_large = || FileError::TooLarge { path: path.to_owned(), limit, planned: false };
        if u64::try_from(before.st_size).is_ok_and(|size| size > limit as u64) {
            return Err(too_large().into());
        }
        let file = File::from(handle);
        let mut bytes = Vec::with_capacity(usize::try_from(before.st_size).unwrap_or_default() + 1);
        // The size is only a hint: a writer may be at work.
        (&file).take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|error| {
            FileError::system("read", path, Errno::from_io_error(&error).unwrap_or(Errno::IO))
        })?;
        if bytes.len() > limit {
            return Err(too_large().into());
        }
        let handle = OwnedFd::from(file);
        // Taken after reading, so that a later change always shows in the times.
        let stat = look(&handle)?;
        Ok(Some(Self { bytes, stat, handle }))
    }

    /// Whether `other` is the same file with the same bytes, owner, mode and number of names.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        let who =
            |stat: &Stat| (stat.st_dev, stat.st_ino, stat.st_mode, stat.st_uid, stat.st_gid, stat.st_nlink);
        who(&self.stat) == who(&other.stat) && self.bytes == other.bytes
    }

    /// Whether, beyond that, nothing at all was done to it in between, attributes included.
    pub(super) fn is_untouched_since(&self, earlier: &Self) -> bool {
        let when = |stat: &Stat| (stat.st_mtime, stat.st_mtime_nsec, stat.st_ctime, stat.st_ctime_nsec);
        self.is_same_file(earlier) && when(&self.stat) == when(&earlier.stat)
    }
}

/// [`Snapshot::is_untouched_since`] where either may be missing.
pub(super) fn untouched(now: Option<&Snapshot>, earlier: Option<&Snapshot>) -> bool {
    match (now, earlier) {
        (Some(now), Some(earlier)) => now.is_untouched_since(earlier),
        (None, None) => true,
        _ => false,
    }
}

/// How many names the file has.
pub(super) fn names(stat: &Stat) -> u64 {
    // The field's width is the architecture's choice.
    fn widened(count: impl Into<u64>) -> u64 {
        count.into()
    }
    widened(stat.st_nlink)
}
