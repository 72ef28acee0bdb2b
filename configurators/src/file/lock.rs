//! The lock under which every replacement in a directory is made.
//!
//! It lies on the directory's own handle: it leaves no file behind, it ends with the process, and a rename
//! does not replace it. It keeps our own runs apart; other programs do not know of it.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use rustix::io::Errno;

use super::error::FileError;

/// Between two tries.
const PAUSE: Duration = Duration::from_millis(10);

/// Locks `directory`, trying for `wait` in all. The lock ends when the handle is closed.
///
/// # Errors
/// [`FileError::Locked`] about `path` when somebody else still holds it then.
pub(super) fn lock(directory: &File, path: &Path, wait: Duration) -> Result<(), FileError> {
    let mut waited = Duration::ZERO;
    loop {
        match directory.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if waited < wait => {
                std::thread::sleep(PAUSE);
                waited += PAUSE;
            }
            Err(TryLockError::WouldBlock) => return Err(FileError::Locked { path: path.to_owned(), waited }),
            Err(TryLockError::Error(error)) => {
                let why = Errno::from_io_error(&error).unwrap_or(Errno::NOLCK);
                return Err(FileError::system("lock", path, why));
            }
        }
    }
}
