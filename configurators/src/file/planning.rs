//! The planner's answer about what stands there, reduced to what is to be done.

use std::path::Path;

use super::attempt::{Attempt, Stop};
use super::error::{EditError, FileError, Owner};
use super::listing::Listing;
use super::snapshot::{Snapshot, names};
use super::target::{Current, Plan};

/// The mode of a file of hubkit's own.
const OWN_MODE: u32 = 0o600;

/// What is to be done to a file that is not to stay as it is.
pub(super) enum Change {
    /// It should hold these bytes.
    Put(Vec<u8>),
    /// It should be gone.
    Remove,
}

/// A planner, as [`super::edit`] takes it.
pub(super) type Planner<'p, T, E> = dyn FnMut(Current<'_>) -> Result<Plan<T>, E> + Send + 'p;

impl Attempt<'_> {
    /// Asks the planner; what changes nothing is no change.
    pub(super) fn ask<T, E>(
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
