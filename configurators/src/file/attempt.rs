//! One attempt at an edit, made with the powers of the tree's owner: read, plan, and write if need be.

use std::fs::File;
use std::time::Duration;

use rustix::fs::{Mode as Bits, OFlags, fstat, openat};

use super::directories::Made;
use super::error::{EditError, FileError};
use super::listing::Listing;
use super::lock::lock;
use super::probe::{Probe, Step};
use super::replace::Replacement;
use super::resolve::Place;
use super::snapshot::{Snapshot, untouched};
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
            let seen = Snapshot::take(&place.directory, &place.name, &place.path)?;
            (seen, self.list())
        } else {
            (None, Listing::default())
        };
        match ask(planner, seen.as_ref(), &listing)? {
            Plan::Keep(note) => {
                let swept = self.sweep_in_passing(&listing);
                Ok(self.outcome(Written::Unchanged, note, seen, None, swept))
            }
            Plan::Replace { bytes, note } if self.target.mode == Mode::CheckOnly => {
                Ok(self.outcome(Written::WouldChange, note, seen, Some(bytes), 0))
            }
            Plan::Replace { bytes, note } => self.write(planner, seen, bytes, note),
        }
    }

    fn write<T, E>(
        &self,
        planner: &mut Planner<'_, T, E>,
        seen: Option<Snapshot>,
        bytes: Vec<u8>,
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
            probe,
        };
        let now = replacement.read(Step::Reread)?;
        let (bytes, note) = if untouched(now.as_ref(), seen.as_ref()) {
            (bytes, note)
        } else {
            match ask(planner, now.as_ref(), &listing)? {
                Plan::Replace { bytes, note } => (bytes, note),
                Plan::Keep(note) => {
                    let mut outcome = self.outcome(Written::Unchanged, note, now, None, swept);
                    outcome.created_directories = made.keep();
                    return Ok(outcome);
                }
            }
        };
        replacement.run(now.as_ref(), &bytes)?;
        // The work is done and on the disk; nothing that a probe says can undo it.
        let _ = probe.at(Step::Done);
        let written = if now.is_some() { Written::Replaced } else { Written::Created };
        let mut outcome = self.outcome(written, note, now, Some(bytes), swept);
        outcome.created_directories = made.keep();
        Ok(outcome)
    }

    fn outcome<T>(
        &self,
        written: Written,
        note: T,
        before: Option<Snapshot>,
        after: Option<Vec<u8>>,
        swept: usize,
    ) -> Outcome<T> {
        let before = before.map(|snapshot| snapshot.bytes);
        let after = after.or_else(|| before.clone());
        let path = self.place.path.clone();
        Outcome { written, note, before, after, path, swept, created_directories: Vec::new() }
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

/// Asks the planner; the same bytes again are no replacement.
fn ask<T, E>(
    planner: &mut Planner<'_, T, E>,
    seen: Option<&Snapshot>,
    listing: &Listing,
) -> Result<Plan<T>, Stop<E>> {
    let bytes = seen.map(|snapshot| &snapshot.bytes[..]);
    let current = Current {
        bytes,
        others_can_read: !listing.closed_to_others
            && seen.is_some_and(|snapshot| snapshot.stat.st_mode & 0o004 != 0),
        backups: &listing.backups,
    };
    match planner(current).map_err(|error| Stop::Failed(EditError::Plan(error)))? {
        Plan::Replace { bytes: planned, note } if Some(&planned[..]) == bytes => Ok(Plan::Keep(note)),
        plan => Ok(plan),
    }
}
