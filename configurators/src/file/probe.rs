//! Fail points: a probe is asked before every system call of an edit.
//!
//! Production passes [`NoProbe`]. Drills pass probes that kill the process, change the file behind our
//! back, or pretend that a call failed. A probe decides nothing else.

use rustix::io::Errno;

/// A system call, or a small group of them, that is about to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// A missing parent directory is made.
    MakeDirectory,
    /// The directory that holds the new one is synchronised.
    SyncParent,
    /// The directory is opened for locking and listing.
    OpenDirectory,
    /// The directory is locked.
    Lock,
    /// Leftovers of killed runs are listed and removed.
    Sweep,
    /// The file is read again, now under the lock.
    Reread,
    /// The temporary file is created.
    CreateTemp,
    /// A piece of the new content is written to it.
    Write,
    /// It gets the owner and group.
    SetOwner,
    /// It gets the mode.
    SetMode,
    /// It gets the extended attributes.
    SetAttributes,
    /// It is synchronised.
    SyncTemp,
    /// The file is compared once more with what was planned from.
    Recheck,
    /// The temporary file and the file change places.
    Exchange,
    /// What the exchange displaced is compared with what was planned from.
    CheckDisplaced,
    /// It was something else, so they change back.
    ExchangeBack,
    /// The file system cannot exchange: the temporary file is renamed over the file.
    Rename,
    /// A new file: the temporary file gets its name unless the name was taken meanwhile.
    Create,
    /// The file system cannot rename without replacing: a hard link does the same.
    Link,
    /// A file that should go: it gets the temporary name.
    MoveAway,
    /// It was something else than what should go, so it gets its name back.
    MoveBack,
    /// The temporary name, with whatever stands there, is removed.
    RemoveTemp,
    /// The directory is synchronised.
    SyncDirectory,
    /// The file is read back.
    ReadBack,
    /// Everything is done; the lock is about to be released.
    Done,
}

impl Step {
    /// All steps, roughly in the order in which a replacement takes them.
    pub const ALL: &[Self] = &[
        Self::MakeDirectory,
        Self::SyncParent,
        Self::OpenDirectory,
        Self::Lock,
        Self::Sweep,
        Self::Reread,
        Self::CreateTemp,
        Self::Write,
        Self::SetOwner,
        Self::SetMode,
        Self::SetAttributes,
        Self::SyncTemp,
        Self::Recheck,
        Self::Exchange,
        Self::CheckDisplaced,
        Self::ExchangeBack,
        Self::Rename,
        Self::Create,
        Self::Link,
        Self::MoveAway,
        Self::MoveBack,
        Self::RemoveTemp,
        Self::SyncDirectory,
        Self::ReadBack,
        Self::Done,
    ];

    /// The name in drill reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MakeDirectory => "make-directory",
            Self::SyncParent => "sync-parent",
            Self::OpenDirectory => "open-directory",
            Self::Lock => "lock",
            Self::Sweep => "sweep",
            Self::Reread => "reread",
            Self::CreateTemp => "create-temp",
            Self::Write => "write",
            Self::SetOwner => "set-owner",
            Self::SetMode => "set-mode",
            Self::SetAttributes => "set-attributes",
            Self::SyncTemp => "sync-temp",
            Self::Recheck => "recheck",
            Self::Exchange => "exchange",
            Self::CheckDisplaced => "check-displaced",
            Self::ExchangeBack => "exchange-back",
            Self::Rename => "rename",
            Self::Create => "create",
            Self::Link => "link",
            Self::MoveAway => "move-away",
            Self::MoveBack => "move-back",
            Self::RemoveTemp => "remove-temp",
            Self::SyncDirectory => "sync-directory",
            Self::ReadBack => "read-back",
            Self::Done => "done",
        }
    }
}

/// Is asked before every system call of an edit.
pub trait Probe: Sync {
    /// Called before `step`.
    ///
    /// # Errors
    /// An error makes the replacement behave as if the call had failed with it.
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
