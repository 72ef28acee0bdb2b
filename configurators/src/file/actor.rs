//! Acting as somebody else: a thread that gives its own powers away for the time of one piece of work.
//!
//! The process keeps being root, because it still has to start the agent; no other thread is touched.

use std::path::Path;

use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Gid, Uid, set_dumpable_behavior};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, set_capabilities, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};

use super::error::{FileError, Owner};

/// Whom file work is done as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Actor {
    /// The effective user and group.
    pub(super) owner: Owner,
    /// Supplementary groups.
    pub(super) groups: Vec<u32>,
}

/// Runs `work` as `actor`, or as we are where there is none. A panic in `work` goes on in the caller.
///
/// # Errors
/// [`FileError::CannotAct`] about `path` when the powers cannot be given away completely; `work` was not run.
pub(super) fn run_as<R: Send>(
    actor: Option<&Actor>,
    path: &Path,
    work: impl FnOnce() -> R + Send,
) -> Result<R, FileError> {
    let Some(actor) = actor else { return Ok(work()) };
    let cannot = |why| FileError::CannotAct { path: path.to_owned(), owner: actor.owner, why };
    // Kernels do this themselves at a change of credentials unless `fs.suid_dumpable` says otherwise: nobody
    // else, the agent least of all, may look into a process that holds secrets and is half somebody else.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(cannot)?;
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new().name("hubkit-actor".into()).spawn_scoped(scope, || {
            become_actor(actor).map_err(cannot)?;
            Ok(work())
        });
        let thread = spawned.map_err(|error| cannot(Errno::from_io_error(&error).unwrap_or(Errno::AGAIN)))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Gives the powers of the calling thread away: groups, group, user, then every capability.
///
/// Only the effective ids change, and with them the ones that file access is judged by. The real and saved
/// ones stay root's, without any capability behind them: they are what the kernel asks when somebody wants
/// to signal or trace the thread, and the agent must not be able to.
fn become_actor(actor: &Actor) -> Result<(), Errno> {
    let groups: Vec<Gid> = actor.groups.iter().map(|gid| Gid::from_raw(*gid)).collect();
    set_thread_groups(&groups)?;
    set_thread_res_gid(None, Gid::from_raw(actor.owner.gid), None)?;
    set_thread_res_uid(None, Uid::from_raw(actor.owner.uid), None)?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let left = capabilities(None)?;
    let became = rustix::process::geteuid().as_raw() == actor.owner.uid
        && rustix::process::getegid().as_raw() == actor.owner.gid
        && left.effective.is_empty()
        && left.permitted.is_empty();
    if became { Ok(()) } else { Err(Errno::PERM) }
}
