//! Reads a file that an agent may have put there: a small regular file or nothing. Never follows a link in the
//! last place, never waits for the other end of a pipe, never reads past its limit.

use std::fs::OpenOptions;
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

/// What stands there instead of a small regular file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// Nothing.
    Missing,
    /// A link.
    Link,
    /// A directory, a pipe, a socket, a device.
    NoFile,
    /// A file past the limit.
    TooLarge,
    /// A file that may not be read, or whose reading failed.
    Failed,
}

/// The content of the file at `path`, at most `limit` bytes.
///
/// # Errors
/// Why nothing was read.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Unread> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let flags = i32::try_from(flags.bits()).map_err(|_| Unread::Failed)?;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(|error| of(&error))?;
    if !file.metadata().map_err(|error| of(&error))?.is_file() {
        return Err(Unread::NoFile);
    }
    let mut bytes = Vec::new();
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|error| of(&error))?;
    if bytes.len() > limit { Err(Unread::TooLarge) } else { Ok(bytes) }
}

fn of(error: &io::Error) -> Unread {
    match Errno::from_io_error(error) {
        Some(Errno::NOENT | Errno::NOTDIR) => Unread::Missing,
        Some(Errno::LOOP) => Unread::Link,
        Some(Errno::NXIO | Errno::NODEV) => Unread::NoFile,
        _ => Unread::Failed,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    /// A directory that goes with the value.
    pub(crate) struct Scratch(pub(crate) PathBuf);

    impl Scratch {
        pub(crate) fn new() -> Self {
            static COUNT: AtomicUsize = AtomicUsize::new(0);
            let name =
                format!("hubkit-hosts-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            let path = std::env::temp_dir().join(name);
            std::fs::create_dir(&path).unwrap();
            Self(path)
        }

        pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
            let path = self.0.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, bytes).unwrap();
            path
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn only_small_regular_files_are_read() {
        let scratch = Scratch::new();
        let file = scratch.write("file", "12345");
        assert_eq!(read(&file, 5), Ok(b"12345".to_vec()));
        assert_eq!(read(&file, 4), Err(Unread::TooLarge));
        assert_eq!(read(&scratch.0, 5), Err(Unread::NoFile));
        assert_eq!(read(&scratch.0.join("none"), 5), Err(Unread::Missing));
        assert_eq!(read(&file.join("below"), 5), Err(Unread::Missing));
        let link = scratch.0.join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(read(&link, 5), Err(Unread::Link));
        let pipe = scratch.0.join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR, 0).unwrap();
        assert_eq!(read(&pipe, 5), Err(Unread::NoFile), "and nobody waited for a writer");
    }
}
