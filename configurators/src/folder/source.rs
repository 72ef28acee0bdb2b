//! Reads the folder that a plugin is installed from: all of it into memory, and only when it held still.
//!
//! Never follows a link, never opens what is no regular file or directory, never writes.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use hubkit_contract::limits::{PLUGIN_ENTRIES, REPLACE_ATTEMPTS};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, fstat, openat, statat};
use rustix::io::Errno;

use super::contents::{Budget, Contents, Entry, OPEN, PLAIN};
use super::directory::list;
use super::error::FolderError;
use super::probe::{Probe, Step};
use crate::file::{FileError, Reader, kind_of, names_of};

/// The pause after the first reading that somebody's change spoilt; doubled after each further one.
const PAUSE: Duration = Duration::from_millis(2);

/// Reads the folder at `path`.
///
/// # Errors
/// When there is none, it holds something else than files and directories, a limit is passed, or it kept
/// changing.
pub(super) fn read(path: &Path, probe: &dyn Probe) -> Result<Contents<'static>, FolderError> {
    let reader = Reader::of(path).map_err(|error| match error {
        FileError::System { why: Errno::NOENT | Errno::NOTDIR, .. }
        | FileError::Dangling { .. }
        | FileError::NotAFile { .. } => FolderError::NoFolder { path: path.to_owned() },
        error => error.into(),
    })?;
    let mut pause = PAUSE;
    for _ in 0..REPLACE_ATTEMPTS {
        match reader.run(path, || attempt(path, probe))? {
            Ok(contents) => return Ok(contents),
            Err(Trouble::Failed(error)) => return Err(error),
            Err(Trouble::Changed) => std::thread::sleep(pause),
        }
        pause *= 2;
    }
    Err(FolderError::KeepsChanging { path: path.to_owned(), attempts: REPLACE_ATTEMPTS })
}

/// Why one reading gave nothing.
enum Trouble {
    Changed,
    Failed(FolderError),
}

impl From<FolderError> for Trouble {
    fn from(error: FolderError) -> Self {
        Self::Failed(error)
    }
}

fn attempt(path: &Path, probe: &dyn Probe) -> Result<Contents<'static>, Trouble> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let root = match openat(CWD, path, flags, Mode::empty()) {
        Ok(root) => root,
        Err(Errno::NOENT | Errno::NOTDIR) => {
            return Err(FolderError::NoFolder { path: path.to_owned() }.into());
        }
        Err(why) => return Err(FolderError::system("read", path, why).into()),
    };
    let mut look = Look { root: path, probe, budget: Budget::default(), stamps: Vec::new(), again: false };
    let contents = look.directory(&root, path, 0)?;
    probe.at(Step::CheckSource).map_err(|why| FolderError::system("read", path, why))?;
    let first = std::mem::take(&mut look.stamps);
    look.budget = Budget::default();
    look.again = true;
    look.directory(&root, path, 0)?;
    // Each file was the same from its reading to this second look, so all of them were as read at one instant.
    if look.stamps == first { Ok(contents) } else { Err(Trouble::Changed) }
}

/// Who a file or directory is and when it was last changed, with the name under which it was met.
#[derive(PartialEq, Eq)]
struct Stamp {
    name: OsString,
    who: (u64, u64, u32, u64),
    size: i64,
    changed: [(i64, i64); 2],
}

impl Stamp {
    fn of(name: &OsStr, stat: &Stat) -> Self {
        // The fields' widths are the architecture's choice.
        fn wide(part: impl TryInto<i64>) -> i64 {
            part.try_into().unwrap_or(i64::MAX)
        }
        Self {
            name: name.to_owned(),
            who: (stat.st_dev, stat.st_ino, stat.st_mode, names_of(stat)),
            size: stat.st_size,
            changed: [
                (wide(stat.st_mtime), wide(stat.st_mtime_nsec)),
                (wide(stat.st_ctime), wide(stat.st_ctime_nsec)),
            ],
        }
    }
}

struct Look<'a> {
    root: &'a Path,
    probe: &'a dyn Probe,
    budget: Budget,
    stamps: Vec<Stamp>,
    /// Whether this is the second look, which reads no file.
    again: bool,
}

impl Look<'_> {
    fn directory(
        &mut self,
        directory: &OwnedFd,
        path: &Path,
        depth: usize,
    ) -> Result<Contents<'static>, Trouble> {
        let cannot = |why| FolderError::system("read", path, why);
        self.budget.level(depth, self.root)?;
        if !self.again {
            self.probe.at(Step::ReadSource).map_err(cannot)?;
        }
        let stat = fstat(directory).map_err(cannot)?;
        self.stamps.push(Stamp::of(OsStr::new(""), &stat));
        let mut contents = Contents::default();
        // One more than there may be, which the budget then refuses.
        for name in list(directory, PLUGIN_ENTRIES + 1).map_err(cannot)? {
            self.budget.entry(self.root)?;
            let entry = self.entry(directory, &name, &path.join(&name), depth)?;
            contents.0.insert(name, entry);
        }
        Ok(contents)
    }

    fn entry(
        &mut self,
        directory: &OwnedFd,
        name: &OsStr,
        path: &Path,
        depth: usize,
    ) -> Result<Entry<'static>, Trouble> {
        let stat = match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Err(Trouble::Changed),
            Err(why) => return Err(FolderError::system("look at", path, why).into()),
        };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                let inner = open(directory, name, path, OFlags::DIRECTORY)?;
                Ok(Entry::Directory(self.directory(&inner, path, depth + 1)?))
            }
            FileType::RegularFile if self.again => {
                self.stamps.push(Stamp::of(name, &stat));
                Ok(Entry::File { bytes: Cow::Borrowed(&[]), mode: PLAIN })
            }
            FileType::RegularFile => self.file(open(directory, name, path, OFlags::NONBLOCK)?, name, path),
            _ => {
                let kind = kind_of(stat.st_mode);
                Err(FolderError::NotPlain { path: path.to_owned(), kind }.into())
            }
        }
    }

    fn file(&mut self, handle: OwnedFd, name: &OsStr, path: &Path) -> Result<Entry<'static>, Trouble> {
        let cannot = |why| FolderError::system("read", path, why);
        self.probe.at(Step::ReadSource).map_err(cannot)?;
        let before = fstat(&handle).map_err(cannot)?;
        if FileType::from_raw_mode(before.st_mode) != FileType::RegularFile {
            return Err(Trouble::Changed);
        }
        // Whoever can make links could otherwise have a file of root's copied to where they can read it.
        if names_of(&before) > 1 {
            let count = names_of(&before);
            return Err(FolderError::SecondName { path: path.to_owned(), count }.into());
        }
        let size = usize::try_from(before.st_size).unwrap_or(usize::MAX);
        if size > self.budget.room() {
            self.budget.bytes(size, self.root)?;
        }
        let file = File::from(handle);
        let mut bytes = Vec::with_capacity(size + 1);
        let limit = u64::try_from(self.budget.room()).unwrap_or(u64::MAX).saturating_add(1);
        // The size is only a hint: a writer may be at work.
        (&file)
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|error| cannot(Errno::from_io_error(&error).unwrap_or(Errno::IO)))?;
        self.budget.bytes(bytes.len(), self.root)?;
        let after = fstat(&file).map_err(cannot)?;
        self.stamps.push(Stamp::of(name, &after));
        if Stamp::of(name, &before) != Stamp::of(name, &after) {
            return Err(Trouble::Changed);
        }
        let mode = if after.st_mode & 0o100 == 0 { PLAIN } else { OPEN };
        Ok(Entry::File { bytes: Cow::Owned(bytes), mode })
    }
}

fn open(directory: &OwnedFd, name: &OsStr, path: &Path, more: OFlags) -> Result<OwnedFd, Trouble> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC | more;
    match openat(directory, name, flags, Mode::empty()) {
        Ok(handle) => Ok(handle),
        // Something else stands there since the look at it.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO | Errno::NODEV) => Err(Trouble::Changed),
        Err(why) => Err(FolderError::system("read", path, why).into()),
    }
}
