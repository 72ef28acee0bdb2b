//! Files of hubkit's own: read and removed under the same rule under which [`Target::own`] is written.

use std::convert::Infallible;
use std::path::Path;

use super::error::{EditError, FileError};
use super::probe::NoProbe;
use super::target::{Current, Mode, Plan, Target, Written};

/// Reads the file of hubkit's own at `path`, at most `limit` bytes; `None` where there is none. When we are
/// root and the tree is somebody else's, it is read with that user's powers alone.
///
/// # Errors
/// [`FileError::TooLarge`] past the limit; otherwise when something else than [`Target::own`] allows stands
/// there, or it cannot be read.
pub fn read_own(path: &Path, limit: usize) -> Result<Option<Vec<u8>>, FileError> {
    let target = Target { limit, ..Target::own(path, Mode::CheckOnly) };
    plain(super::edit(&target, &NoProbe, |_| Ok(Plan::Keep(())))).map(|outcome| outcome.before)
}

/// Removes the file of hubkit's own at `path`, for good once this returns. Says whether there was one.
///
/// # Errors
/// When something else than [`Target::own`] allows stands there, or it cannot be removed.
pub fn remove_own(path: &Path) -> Result<bool, FileError> {
    let plan = |current: Current<'_>| {
        Ok(if current.bytes.is_some() { Plan::Remove { note: () } } else { Plan::Keep(()) })
    };
    plain(super::edit(&Target::own(path, Mode::Write), &NoProbe, plan))
        .map(|outcome| outcome.written == Written::Removed)
}

fn plain<T>(result: Result<T, EditError<Infallible>>) -> Result<T, FileError> {
    result.map_err(|error| match error {
        EditError::File(error) => error,
        EditError::Plan(never) => match never {},
    })
}
