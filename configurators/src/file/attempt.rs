//! One attempt at an edit, made with the powers of the tree's owner: read, plan, and write if need be.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{Mode as Bits, OFlags, fstat, openat};

use super::error::{EditError, FileError};
use super::listing::Listing;
use super::lock::lock;
use super::planning::{Change, Planner};
use super::probe::Probe;
use super::replace::Replacement;
use super::resolve::Place;
use super::snapshot::{Snapshot, untouched};
use super::state::State;
use super::target::{Mode, Outcome, Recovered, Target, Written};
use super::trouble::Trouble;

/// Why an attempt gave no outcome.
pub(super) enum Stop<E> {
    /// Resolve, read and plan anew.
    Changed,
    /// It failed for good.
    Failed(EditError<E>),
}

impl<E> From<Trouble> for Stop<E> {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Changed => Self::Changed,
            Trouble::File(error) | Trouble::NotAtomic(error) => Self::Failed(EditError::File(error)),
        }
    }
}

impl<E> From<FileError> for Stop<E> {
    fn from(error: FileError) -> Self {
        Self::Failed(EditError::File(error))
    }
}

/// One attempt at the file of one place.
pub(super) struct Attempt<'a> {
    pub(super) target: &'a Target,
    pub(super) place: &'a Place,
    /// Where the backup of a write in place would be, or why there can be none; `None` without a state
    /// directory.
    pub(super) state: Option<&'a Result<Place, FileError>>,
    pub(super) probe: &'a dyn Probe,
}

impl<'a> Attempt<'a> {
    /// What became of an earlier write in place is put into `recovered`, also when the attempt fails.
    pub(super) fn run<T, E>(
        &self,
        planner: &mut Planner<'_, T, E>,
        recovered: &mut Option<Recovered>,
    ) -> Result<Outcome<T>, Stop<E>> {
        let mut seen = self.take()?;
        let state = self.state().and_then(Result::ok);
        let mut foreseen = false;
        if let Some(state) = state.filter(State::has_backup) {
            if self.target.mode == Mode::CheckOnly {
                *recovered = self.foresee(state, seen.as_mut())?;
                foreseen = recovered.is_some();
            } else {
                if let Some(found) = self.recover(state)? {
                    *recovered = Some(found);
                }
                seen = self.take()?;
            }
        }
        let listing = if self.place.missing.is_empty() { self.list() } else { Listing::default() };
        let asked = self.ask(planner, seen.as_ref(), &listing);
        // Another run may be writing in place. It has a backup as long as it does, and there was none after
        // the file was read: when the file has not changed since either, then what was read was whole.
        if state.is_some() && !foreseen && !matches!(asked, Ok((Some(_), _))) {
            let now = self.take()?;
            if !untouched(now.as_ref(), seen.as_ref()) {
                return Err(Stop::Changed);
            }
        }
        let (change, note) = asked?;
        match change {
            None if foreseen => Ok(self.outcome(Written::WouldChange, note, seen, None, 0)),
            None => {
                let swept = self.sweep_in_passing(&listing);
                Ok(self.outcome(Written::Unchanged, note, seen, None, swept))
            }
            Some(change) if self.target.mode == Mode::CheckOnly => {
                Ok(self.outcome(Written::WouldChange, note, seen, Some(change), 0))
            }
            Some(change) => self.write(planner, seen, change, note, recovered),
        }
    }

    /// The place of the backup, or why there is none.
    pub(super) fn state(&self) -> Option<Result<State<'a>, &'a FileError>> {
        let probe = self.probe;
        self.state.map(|state| state.as_ref().map(|place| State { place, probe }))
    }

    pub(super) fn directory_path(&self) -> &'a Path {
        self.place.path.parent().unwrap_or(&self.place.directory_path)
    }

    /// The work on the file in the open `directory`.
    pub(super) fn replacement<'b>(&self, directory: BorrowedFd<'b>) -> Result<Replacement<'b>, FileError>
    where
        'a: 'b,
    {
        let directory_path = self.directory_path();
        Ok(Replacement {
            directory,
            directory_stat: fstat(directory)
                .map_err(|why| FileError::system("look at", directory_path, why))?,
            directory_path,
            name: &self.place.name,
            path: &self.place.path,
            own: self.target.own,
            limit: self.target.limit,
            probe: self.probe,
        })
    }

    /// Reads the file; `None` where there is none.
    fn take(&self) -> Result<Option<Snapshot>, Trouble> {
        let place = self.place;
        if !place.missing.is_empty() {
            return Ok(None);
        }
        Snapshot::take(&place.directory, &place.name, &place.path, self.target.limit)
    }

    /// Settles what an earlier write in place left, under the locks that such a write holds.
    fn recover(&self, state: State<'_>) -> Result<Option<Recovered>, Trouble> {
        let directory = self.open_directory();
        if let Some(directory) = &directory {
            lock(directory, self.directory_path(), self.target.lock_wait)?;
        }
        let handle = directory.as_ref().map_or_else(|| self.place.directory.as_fd(), AsFd::as_fd);
        let replacement = self.replacement(handle)?;
        let file = self.take()?.map(|found| File::from(found.handle));
        if let Some(file) = &file {
            replacement.lock_file(file, self.target.lock_wait)?;
        }
        match state.open() {
            Ok(store) => replacement.settle(&store),
            // A backup that others could have made says nothing about the file.
            Err(Trouble::File(FileError::StateOwner { .. } | FileError::StateOpen { .. })) => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }

    /// Says what [`Attempt::recover`] would do, and shows `seen` as it would be afterwards. Takes no lock: a
    /// write in place that is going on looks like one that was cut short.
    fn foresee(&self, state: State<'_>, seen: Option<&mut Snapshot>) -> Result<Option<Recovered>, Trouble> {
        match state.open() {
            Ok(store) => self.replacement(self.place.directory.as_fd())?.foresee(&store, seen),
            Err(Trouble::File(_)) => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }

    pub(super) fn outcome<T>(
        &self,
        written: Written,
        note: T,
        before: Option<Snapshot>,
        change: Option<Change>,
        swept: usize,
    ) -> Outcome<T> {
        let before = before.map(|snapshot| snapshot.bytes);
        let after = match change {
            None => before.clone(),
            Some(Change::Put(bytes)) => Some(bytes),
            Some(Change::Remove) => None,
        };
        let path = self.place.path.clone();
        Outcome {
            written,
            note,
            before,
            after,
            path,
            swept,
            created_directories: Vec::new(),
            recovered: None,
        }
    }

    /// What stands beside the file, as far as we may see it.
    fn list(&self) -> Listing {
        self.open_directory()
            .and_then(|directory| Listing::of(&directory, &self.place.name).ok())
            .unwrap_or_default()
    }

    fn open_directory(&self) -> Option<File> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        openat(&self.place.directory, ".", flags, Bits::empty()).ok().map(File::from)
    }

    /// Removes leftovers when there is nothing to write. Whatever stands in the way of that, such as a lock or
    /// a read-only file system, is no reason to fail.
    fn sweep_in_passing(&self, seen: &Listing) -> usize {
        if seen.leftovers.is_empty() || self.target.mode == Mode::CheckOnly {
            return 0;
        }
        let Some(directory) = self.open_directory() else { return 0 };
        if lock(&directory, &self.place.directory_path, Duration::ZERO).is_err() {
            return 0;
        }
        let uid = rustix::process::geteuid().as_raw();
        Listing::of(&directory, &self.place.name)
            .and_then(|now| now.sweep(&directory, uid))
            .unwrap_or_default()
    }
}
