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
    /// It is looked whether the file is a mount point of its own. A failure counts as not knowing.
    LookForMount,
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
    /// In place: the file is opened for writing.
    OpenFile,
    /// In place: the file itself is locked.
    LockFile,
    /// The state directory is opened.
    OpenState,
    /// A piece of the backup is written.
    WriteBackup,
    /// The backup is synchronised.
    SyncBackup,
    /// The state directory is synchronised.
    SyncState,
    /// The file is compared once more with what was planned from, and with what was opened.
    CompareFile,
    /// A piece of the new content is written into the file.
    WriteFile,
    /// What is longer than the new content is cut off.
    TruncateFile,
    /// The file is synchronised.
    SyncFile,
    /// The backup is removed.
    RemoveBackup,
    /// A backup that was found is read.
    ReadBackup,
    /// The old content is put back: one of its pieces, its length, or its way to the disk.
    Restore,
    /// A backup that somebody else has overtaken gets its lasting name.
    SetAside,
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
        Self::LookForMount,
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
        Self::OpenFile,
        Self::LockFile,
        Self::OpenState,
        Self::WriteBackup,
        Self::SyncBackup,
        Self::SyncState,
        Self::CompareFile,
        Self::WriteFile,
        Self::TruncateFile,
        Self::SyncFile,
        Self::RemoveBackup,
        Self::ReadBackup,
        Self::Restore,
        Self::SetAside,
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
            Self::LookForMount => "look-for-mount",
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
            Self::OpenFile => "open-file",
            Self::LockFile => "lock-file",
            Self::OpenState => "open-state",
            Self::WriteBackup => "write-backup",
            Self::SyncBackup => "sync-backup",
            Self::SyncState => "sync-state",
            Self::CompareFile => "compare-file",
            Self::WriteFile => "write-file",
            Self::TruncateFile => "truncate-file",
            Self::SyncFile => "sync-file",
            Self::RemoveBackup => "remove-backup",
            Self::ReadBackup => "read-backup",
            Self::Restore => "restore",
            Self::SetAside => "set-aside",
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
