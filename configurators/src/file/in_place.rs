//! Writing into the file itself, where nothing can be put in its place: a mount point of its own, a file with
//! several names, a directory in which nothing can be created.
//!
//! A reader can see a part of the old content and a part of the new, and a kill can leave the file so. So a
//! backup of both is on the disk first, and goes when the new content is on the disk and was read back.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::fs::{Mode, OFlags, fchmod, fstat, fsync, ftruncate, openat};
use rustix::io::Errno;

use super::backup::Backup;
use super::error::FileError;
use super::lock::lock;
use super::probe::{Probe, Step};
use super::replace::Replacement;
use super::snapshot::{Snapshot, untouched};
use super::state::{State, Store};
use super::target::Recovered;
use super::temp::PIECE;
use super::trouble::Trouble;

/// The fail points of the pieces, the length and the way to the disk.
struct Steps {
    write: Step,
    truncate: Step,
    sync: Step,
}

const WRITE: Steps = Steps { write: Step::WriteFile, truncate: Step::TruncateFile, sync: Step::SyncFile };
const RESTORE: Steps = Steps { write: Step::Restore, truncate: Step::Restore, sync: Step::Restore };

impl Replacement<'_> {
    /// Writes `bytes` over `old` in the same file, because of `why`. What became of a backup that could not
    /// simply go is put into `recovered`.
    ///
    /// # Errors
    /// The file is as it was, or as another program made it; or it is [`FileError::HalfWritten`].
    pub(super) fn write_in_place(
        &self,
        old: &Snapshot,
        bytes: &[u8],
        state: State<'_>,
        lock_wait: Duration,
        why: FileError,
        recovered: &mut Option<Recovered>,
    ) -> Result<(), Trouble> {
        self.check_size(bytes)?;
        self.check(Some(old))?;
        let file = match self.open_to_write(old) {
            // Neither the directory nor the file: the first is what a person expects to be told.
            Err(Trouble::File(FileError::Denied { .. } | FileError::ReadOnly { .. }))
                if matches!(why, FileError::Denied { .. } | FileError::ReadOnly { .. }) =>
            {
                return Err(why.into());
            }
            result => result?,
        };
        self.lock_file(&file, lock_wait)?;
        let store = state.open().map_err(|trouble| self.no_backup(trouble))?;
        let backup = Backup { inode: old.stat.st_ino, path: self.path, old: &old.bytes, new: bytes };
        store.write(&backup.encode()).map_err(|trouble| self.no_backup(trouble))?;
        let same = self.read(Step::CompareFile).map(|now| untouched(now.as_ref(), Some(old)));
        if !matches!(same, Ok(true)) {
            store.remove()?;
            return Err(same.err().unwrap_or(Trouble::Changed));
        }
        if let Err(why) = self.overwrite(&file, bytes, old, &WRITE) {
            let cause = FileError::system("write", self.path, why);
            return Err(match self.overwrite(&file, &old.bytes, old, &RESTORE) {
                Ok(()) => {
                    store.remove()?;
                    cause
                }
                Err(_) => {
                    let backup = store.backup.to_owned();
                    store.keep();
                    FileError::HalfWritten { path: self.path.to_owned(), backup, cause: Box::new(cause) }
                }
            }
            .into());
        }
        match self.read(Step::ReadBack)? {
            Some(now) if now.bytes == bytes => store.remove()?,
            // Another program wrote at the same time; what it made of the file decides what becomes of ours.
            _ => {
                *recovered = self.settle(&store)?;
                store.keep();
                return Err(Trouble::Changed);
            }
        }
        store.keep();
        Ok(())
    }

    /// Puts the old content of a backup back over `now`, a mix.
    pub(super) fn put_back(
        &self,
        backup: &Backup<'_>,
        now: &Snapshot,
        store: &Store<'_>,
    ) -> Result<(), Trouble> {
        let half_written = |cause: FileError| FileError::HalfWritten {
            path: self.path.to_owned(),
            backup: store.backup.to_owned(),
            cause: Box::new(cause),
        };
        let file = match self.open_to_write(now) {
            Err(Trouble::File(error)) => return Err(half_written(error).into()),
            result => result?,
        };
        self.overwrite(&file, backup.old, now, &RESTORE)
            .map_err(|why| half_written(FileError::system("write", self.path, why)))?;
        match self.read(Step::ReadBack)? {
            Some(now) if now.bytes == backup.old => Ok(store.remove()?),
            _ => Err(Trouble::Changed),
        }
    }

    /// Opens the file that was read as `seen`, without changing anything about it.
    fn open_to_write(&self, seen: &Snapshot) -> Result<File, Trouble> {
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let open = || {
            self.probe.at(Step::OpenFile)?;
            let handle = openat(self.directory, self.name, flags, Mode::empty())?;
            Ok((fstat(&handle)?, File::from(handle)))
        };
        let (stat, file) = match open() {
            Ok(opened) => opened,
            Err(Errno::NOENT | Errno::LOOP | Errno::NXIO | Errno::NODEV | Errno::ISDIR) => {
                return Err(Trouble::Changed);
            }
            Err(why) => return Err(FileError::system("write", self.path, why).into()),
        };
        if (stat.st_dev, stat.st_ino) == (seen.stat.st_dev, seen.stat.st_ino) {
            Ok(file)
        } else {
            Err(Trouble::Changed)
        }
    }

    /// Locks the file itself: it may have other names, in directories with other locks.
    pub(super) fn lock_file(&self, file: &File, wait: Duration) -> Result<(), FileError> {
        self.probe.at(Step::LockFile).map_err(|why| FileError::system("lock", self.path, why))?;
        match lock(file, self.path, wait) {
            // A file system without locks; the directory's lock is all there is.
            Err(FileError::System { why: Errno::NOLCK | Errno::NOTSUP | Errno::NOSYS, .. }) => Ok(()),
            result => result,
        }
    }

    /// Makes `bytes` the content of `file`, piece by piece from its start; never shorter than the shorter of
    /// the two in between. The mode stays that of `old`: a write takes set-id bits away.
    fn overwrite(&self, file: &File, bytes: &[u8], old: &Snapshot, steps: &Steps) -> Result<(), Errno> {
        let probe: &dyn Probe = self.probe;
        let mut at = 0;
        for piece in bytes.chunks(PIECE) {
            probe.at(steps.write)?;
            file.write_all_at(piece, at)
                .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
            at += piece.len() as u64;
        }
        let stat = fstat(file)?;
        if u64::try_from(stat.st_size) != Ok(at) {
            probe.at(steps.truncate)?;
            ftruncate(file, at)?;
        }
        let mode = old.stat.st_mode & 0o7777;
        if fstat(file)?.st_mode & 0o7777 != mode {
            fchmod(file, Mode::from_raw_mode(mode))?;
        }
        probe.at(steps.sync)?;
        fsync(file)
    }

    fn no_backup(&self, trouble: Trouble) -> Trouble {
        match trouble {
            Trouble::Changed => Trouble::Changed,
            Trouble::File(error) | Trouble::NotAtomic(error) => self.without_backup(error).into(),
        }
    }

    /// What to say where the file could be written in place but for the backup.
    pub(super) fn without_backup(&self, cause: FileError) -> FileError {
        let uid = rustix::process::geteuid().as_raw();
        FileError::NoBackup { path: self.path.to_owned(), uid, cause: Box::new(cause) }
    }
}
