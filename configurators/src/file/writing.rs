//! The writing part of an attempt: lock, read again, plan again if need be, and put the change into effect.

use std::fs::File;
use std::os::fd::AsFd;

use rustix::fs::{Mode as Bits, OFlags, openat};

use super::attempt::{Attempt, Stop};
use super::directories::Made;
use super::error::FileError;
use super::listing::Listing;
use super::lock::lock;
use super::planning::{Change, Planner};
use super::probe::Step;
use super::snapshot::{Snapshot, untouched};
use super::target::{Outcome, Recovered, Written};
use super::trouble::Trouble;

impl Attempt<'_> {
    /// Puts `change`, which was planned from `seen`, into effect.
    pub(super) fn write<T, E>(
        &self,
        planner: &mut Planner<'_, T, E>,
        seen: Option<Snapshot>,
        change: Change,
        note: T,
        recovered: &mut Option<Recovered>,
    ) -> Result<Outcome<T>, Stop<E>> {
        let (place, probe) = (self.place, self.probe);
        let made = Made::all(place, probe)?;
        let (directory, closed) = match self.open_to_lock(&made) {
            // Without the directory a file can still be written in place.
            Err(error @ FileError::Denied { .. }) if seen.is_some() && self.state.is_some() => {
                (None, Some(error))
            }
            result => (Some(result?), None),
        };
        let (listing, swept) = match &directory {
            Some(directory) => self.lock_and_sweep(directory)?,
            None => (Listing::default(), 0),
        };
        let handle = directory.as_ref().map_or_else(|| made.handle(place), AsFd::as_fd);
        let replacement = self.replacement(handle)?;
        let now = replacement.read(Step::Reread)?;
        let (change, note) = if untouched(now.as_ref(), seen.as_ref()) {
            (Some(change), note)
        } else {
            self.ask(planner, now.as_ref(), &listing)?
        };
        let written = match (&change, &now) {
            (None, _) | (Some(Change::Remove), None) => Written::Unchanged,
            (Some(Change::Remove), Some(old)) => {
                closed.map_or(Ok(()), Err)?;
                replacement.remove(old)?;
                Written::Removed
            }
            (Some(Change::Put(bytes)), _) => {
                let atomic = match closed {
                    None => replacement.run(now.as_ref(), bytes),
                    Some(why) => Err(Trouble::NotAtomic(why)),
                };
                match (atomic, &now, self.state()) {
                    (Err(Trouble::NotAtomic(why)), Some(old), Some(state)) => {
                        let state = state.map_err(|cause| replacement.without_backup(cause.clone()))?;
                        replacement.write_in_place(
                            old,
                            bytes,
                            state,
                            self.target.lock_wait,
                            why,
                            recovered,
                        )?;
                        Written::ReplacedInPlace
                    }
                    (atomic, old, _) => {
                        atomic?;
                        if old.is_some() { Written::Replaced } else { Written::Created }
                    }
                }
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

    fn open_to_lock(&self, made: &Made) -> Result<File, FileError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let open = || {
            self.probe.at(Step::OpenDirectory)?;
            openat(made.handle(self.place), ".", flags, Bits::empty())
        };
        let opened =
            open().map_err(|why| FileError::system("open the directory", self.directory_path(), why));
        opened.map(File::from)
    }

    fn lock_and_sweep(&self, directory: &File) -> Result<(Listing, usize), FileError> {
        let path = self.directory_path();
        self.probe.at(Step::Lock).map_err(|why| FileError::system("lock", path, why))?;
        lock(directory, path, self.target.lock_wait)?;
        let sweep = || {
            self.probe.at(Step::Sweep)?;
            let listing = Listing::of(directory, &self.place.name)?;
            let swept = listing.sweep(directory, rustix::process::geteuid().as_raw())?;
            Ok((listing, swept))
        };
        sweep().map_err(|why| FileError::system("sweep", path, why))
    }
}
