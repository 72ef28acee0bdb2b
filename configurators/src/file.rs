//! Replacing a file safely: links, owners, locks, temporary files, fsync.
//!
//! [`edit`] reads a file, lets a planner say what should stand there, and puts that in the file's place in
//! one instant: whoever reads the path sees all of the old content or all of the new, and owner, mode and
//! attributes stay. Only where that is impossible, and a backup can be kept, is the file itself written to.
//! When root edits in a tree of somebody else's, all of it is done with that user's powers.
//!
//! Never here: a look at what the bytes mean, a write into a file that somebody can see without a backup, a
//! file removed that was not made here (or that a planner does not want gone), a change of a host's file's
//! owner or mode.

mod account;
mod actor;
mod attempt;
mod attributes;
mod backup;
mod directories;
mod error;
mod in_place;
mod listing;
mod lock;
mod message;
mod mix;
mod own;
mod planning;
mod probe;
mod recovery;
mod removal;
mod replace;
mod resolve;
mod shown;
mod site;
mod snapshot;
mod state;
mod switch;
mod target;
mod temp;
mod tree;
mod trouble;
mod writing;

use std::time::Duration;

use hubkit_contract::limits::REPLACE_ATTEMPTS;

pub use error::{EditError, FileError, Owner};
pub use own::{read_own, remove_own};
pub use probe::{NoProbe, Probe, Step};
pub(crate) use site::{Opened, Reader, Site, cannot, kind_of, names_of, shown};
pub use target::{Current, Mode, Outcome, Plan, Recovered, Target, Written};

use attempt::{Attempt, Stop};

/// The pause after the first attempt that somebody else's change spoilt; doubled after each further one.
const PAUSE: Duration = Duration::from_millis(2);

/// Edits `target` as `planner` says.
///
/// The planner is shown what stands there and may be asked again, about something newer, when the file
/// changed in between; only its last answer counts. `probe` is [`NoProbe`] but for drills.
///
/// # Errors
/// [`EditError::Plan`] with the planner's own error, [`EditError::File`] when the file cannot be read or
/// replaced. The file is then as it was, or as another program made it meanwhile.
pub fn edit<T: Send, E: Send>(
    target: &Target,
    probe: &dyn Probe,
    mut planner: impl FnMut(Current<'_>) -> Result<Plan<T>, E> + Send,
) -> Result<Outcome<T>, EditError<E>> {
    let mut pause = PAUSE;
    let mut path = target.path.clone();
    let mut recovered = None;
    for _ in 0..REPLACE_ATTEMPTS {
        let place = resolve::resolve(&target.path, target.own)?;
        path.clone_from(&place.path);
        let state = target.state.as_deref().filter(|_| !target.own).map(|state| state::find(state, &place));
        let attempt = Attempt { target, place: &place, state: state.as_ref(), probe };
        let work = || attempt.run(&mut planner, &mut recovered);
        match actor::run_as(place.actor.as_ref(), &place.path, work)? {
            Ok(outcome) => return Ok(Outcome { recovered, ..outcome }),
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Changed) => std::thread::sleep(pause),
        }
        pause *= 2;
    }
    Err(FileError::KeepsChanging { path, attempts: REPLACE_ATTEMPTS }.into())
}
