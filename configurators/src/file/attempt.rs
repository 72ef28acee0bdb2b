//! One attempt at an edit, made with the powers of the tree's owner: read, plan, and write if need be.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{Mode as Bits, OFlags, fstat, openat};

use super::directories::Made;
use super::error::{EditError, FileError, Owner};
use super::listing::Listing;
use super::lock::lock;
use super::probe::{Probe, Step};
use super::replace::Replacement;
use super::resolve::Place;
use super::snapshot::{Snapshot, names, untouched};
use super::target::{Current, Mode, Outcome, Plan, Target, Written};
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
            Trouble::File(error) => Self::Failed(EditError::File(error)),
        }
    }
}

impl<E> From<FileError> for Stop<E> {
    fn from(error: FileError) -> Self {
        Self::Failed(EditError::File(error))
    }
}

/// The mode of a file of hubkit's own.
const OWN_MODE: u32 = 0o600;

/// What is to be done to a file that is not to stay as it is.
enum Change {
    /// It should hold these bytes.
    Put(Vec<u8>),
    /// It should be gone.
    Remove,
}

/// A planner, as [`super::edit`] takes it.
pub(super) type Planner<'p, T, E> = dyn FnMut(Current<'_>) -> Result<Plan<T>, E> + Send + 'p;

/// One attempt at the file of one place.
pub(super) struct Attempt<'a> {
    pub(super) target: &'a Target,
    pub(super) place: &'a Place,
    pub(super) probe: &'a dyn Probe,
}

impl Attempt<'_> {
    pub(super) fn run<T, E>(&self, planner: &mut Planner<'_, T, E>) -> Result<Outcome<T>, Stop<E>> {
        let place = self.place;
        let (seen, listing) = if place.missing.is_empty() {
            let seen = Snapshot::take(&place.directory, &place.name, &place.path, self.target.limit)?;
            (seen, self.list())
        } else {
            (None, Listing::default())
        };
        let (change, note) = self.ask(planner, seen.as_ref(), &listing)?;
        match change {
            None => {
                let swept = self.sweep_in_passing(&listing);
                Ok(self.outcome(Written::Unchanged, note, seen, None, swept))
            }
            Some(change) if self.target.mode == Mode::CheckOnly => {
                Ok(self.outcome(Written::WouldChange, note, seen, Some(change), 0))
            }
            Some(change) => self.write(planner, seen, change, note),
        }
    }

    fn write<T, E>(
        &self,
        planner: &mut Planner<'_, T, E>,
        seen: Option<Snapshot>,
        change: Change,
        note: T,
    ) -> Result<Outcome<T>, Stop<E>> {
        let (place, probe) = (self.place, self.probe);
        let made = Made::all(place, probe)?;
        let directory_path = place.path.parent().unwrap_or(&place.directory_path);
        let cannot = |doing| move |why| FileError::system(doing, directory_path, why);
        let open = || {
            probe.at(Step::OpenDirectory)?;
            openat(
                made.handle(place),
                ".",
                OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
                Bits::empty(),
            )
        };
        let directory = File::from(open().map_err(cannot("open the directory"))?);
        probe.at(Step::Lock).map_err(cannot("lock"))?;
        lock(&directory, directory_path, self.target.lock_wait)?;
        let directory_stat = fstat(&directory).map_err(cannot("look at"))?;
        let sweep = || {
            probe.at(Step::Sweep)?;
            let listing = Listing::of(&directory, &place.name)?;
            let swept = listing.sweep(&directory, rustix::process::geteuid().as_raw())?;
            Ok((listing, swept))
        };
        let (listing, swept) = sweep().map_err(cannot("sweep"))?;
        let replacement = Replacement {
            directory: std::os::fd::AsFd::as_fd(&directory),
            directory_stat,
            directory_path,
            name: &place.name,
            path: &place.path,
            own: self.target.own,
            limit: self.target.limit,
            probe,
        };
        let now = replacement.read(Step::Reread)?;
        let (change, note) = if untouched(now.as_ref(), seen.as_ref()) {
            (Some(change), note)
        } else {
            self.ask(planner, now.as_ref(), &listing)?
        };
        let written = match (&change, &now) {
            (None, _) => Written::Unchanged,
            (Some(Change::Put(bytes)), _) => {
                replacement.run(now.as_ref(), bytes)?;
                if now.is_some() { Written::Replaced } else { Written::Created }
            }
            (Some(Change::Remove), None) => Written::Unchanged,
            (Some(Change::Remove), Some(old)) => {
                replacement.remove(old)?;
                Written::Removed
            }
        };
        if written != Written::Unchanged {
            // The work is done and on the disk; nothing that a probe says can undo it.
            let _ = probe.at(Step::Done);
        }
        let mut outcome = self.outcome(written, note, now, change, swept);
        outcome.created_directories = made.keep();
        Ok(outcome)
    }

    fn outcome<T>(
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

    /// Asks the planner; what changes nothing is no change.
    fn ask<T, E>(
        &self,
        planner: &mut Planner<'_, T, E>,
        seen: Option<&Snapshot>,
        listing: &Listing,
    ) -> Result<(Option<Change>, T), Stop<E>> {
        let own = self.target.own;
        if let Some(seen) = seen.filter(|_| own) {
            check_own(seen, &self.place.path)?;
        }
        let bytes = seen.map(|snapshot| &snapshot.bytes[..]);
        let current = Current {
            bytes,
            others_can_read: !listing.closed_to_others
                && seen.is_some_and(|snapshot| snapshot.stat.st_mode & 0o004 != 0),
            backups: &listing.backups,
        };
        // The mode of an own file is part of what it should be.
        let misfit = own && seen.is_some_and(|snapshot| snapshot.stat.st_mode & 0o7777 != OWN_MODE);
        match planner(current).map_err(|error| Stop::Failed(EditError::Plan(error)))? {
            Plan::Keep(note) => Ok((bytes.filter(|_| misfit).map(|bytes| Change::Put(bytes.to_vec())), note)),
            Plan::Replace { bytes: planned, note } if Some(&planned[..]) == bytes && !misfit => {
                Ok((None, note))
            }
            Plan::Replace { bytes: planned, note } => Ok((Some(Change::Put(planned)), note)),
            Plan::Remove { note } => Ok((bytes.map(|_| Change::Remove), note)),
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

/// Whether a file may be one of hubkit's own.
fn check_own(seen: &Snapshot, path: &Path) -> Result<(), FileError> {
    let (stat, path) = (&seen.stat, path.to_owned());
    let uid = rustix::process::geteuid().as_raw();
    if names(stat) > 1 {
        return Err(FileError::HardLinks { path, count: names(stat) });
    }
    if stat.st_uid != uid {
        let owner = Owner { uid: stat.st_uid, gid: stat.st_gid };
        return Err(FileError::NotOwn { path, owner, uid });
    }
    Ok(())
}
