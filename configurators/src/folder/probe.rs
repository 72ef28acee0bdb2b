//! Fail points: a probe is asked before every step of an installation.
//!
//! Production passes [`NoProbe`]. Drills pass probes that kill the process, change something behind our back,
//! or pretend that a call failed. A probe decides nothing else.

use rustix::io::Errno;

/// A system call, or a small group of them, that is about to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// A file or directory of the source is read.
    ReadSource,
    /// The source is looked through once more, to see that it held still.
    CheckSource,
    /// The extensions directory is made.
    MakeExtensions,
    /// It is opened.
    OpenExtensions,
    /// It is locked.
    Lock,
    /// Leftovers of killed runs are removed.
    Sweep,
    /// The staging directory is opened, or made.
    OpenStaging,
    /// It is locked.
    LockStaging,
    /// The new folder, or a directory in it, is made.
    MakeFolder,
    /// A file in it is made.
    MakeFile,
    /// A piece of a file is written.
    Write,
    /// A file or directory gets its mode.
    SetMode,
    /// A file or directory is synchronised.
    Sync,
    /// A new plugin: the folder gets its name unless that was taken meanwhile.
    Create,
    /// The old folder and the new one change places.
    Exchange,
    /// The file system cannot exchange: the old folder is moved out of the extensions.
    MoveAside,
    /// After that, the new folder gets its name.
    MoveIn,
    /// The file system can move nothing into or out of the extensions: the old folder is removed where it is.
    Empty,
    /// The folder in place is compared with the one that was made.
    CheckPlaced,
    /// The extensions directory is synchronised.
    SyncExtensions,
    /// What was displaced is removed.
    RemoveOld,
    /// Everything is done; the locks are about to be released.
    Done,
}

impl Step {
    /// All steps, roughly in the order in which an installation takes them.
    pub const ALL: &[Self] = &[
        Self::ReadSource,
        Self::CheckSource,
        Self::MakeExtensions,
        Self::OpenExtensions,
        Self::Lock,
        Self::Sweep,
        Self::OpenStaging,
        Self::LockStaging,
        Self::MakeFolder,
        Self::MakeFile,
        Self::Write,
        Self::SetMode,
        Self::Sync,
        Self::Create,
        Self::Exchange,
        Self::MoveAside,
        Self::MoveIn,
        Self::Empty,
        Self::CheckPlaced,
        Self::SyncExtensions,
        Self::RemoveOld,
        Self::Done,
    ];

    /// The name in drill reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadSource => "read-source",
            Self::CheckSource => "check-source",
            Self::MakeExtensions => "make-extensions",
            Self::OpenExtensions => "open-extensions",
            Self::Lock => "lock",
            Self::Sweep => "sweep",
            Self::OpenStaging => "open-staging",
            Self::LockStaging => "lock-staging",
            Self::MakeFolder => "make-folder",
            Self::MakeFile => "make-file",
            Self::Write => "write",
            Self::SetMode => "set-mode",
            Self::Sync => "sync",
            Self::Create => "create",
            Self::Exchange => "exchange",
            Self::MoveAside => "move-aside",
            Self::MoveIn => "move-in",
            Self::Empty => "empty",
            Self::CheckPlaced => "check-placed",
            Self::SyncExtensions => "sync-extensions",
            Self::RemoveOld => "remove-old",
            Self::Done => "done",
        }
    }
}

/// Is asked before every step of an installation.
pub trait Probe: Sync {
    /// Called before `step`.
    ///
    /// # Errors
    /// An error makes the installation behave as if the call had failed with it.
    fn at(&self, step: Step) -> Result<(), Errno>;
}

/// The probe of production: does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    fn at(&self, _: Step) -> Result<(), Errno> {
        Ok(())
    }
}
