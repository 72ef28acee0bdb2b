//! What is asked of an edit and what it answers: target, plan, outcome.

use std::path::PathBuf;
use std::time::Duration;

use hubkit_contract::limits;

/// The file to edit.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its path as the user gave it; symbolic links are followed under the rule for owners.
    pub path: PathBuf,
    /// Whether anything may be written.
    pub mode: Mode,
    /// How long the directory's lock is waited for.
    pub lock_wait: Duration,
}

/// Whether an edit may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Read and plan alone. Nothing is written, created or removed; no lock is taken. Whether the file
    /// could be written is not looked into.
    CheckOnly,
    /// Write when the plan asks for it.
    Write,
}

impl Target {
    /// The file at `path`, waiting for the lock as long as the contract says.
    pub fn new(path: impl Into<PathBuf>, mode: Mode) -> Self {
        Self { path: path.into(), mode, lock_wait: Duration::from_millis(limits::LOCK_WAIT_MS) }
    }
}

/// What a planner is shown. It may be called again when the file changed in between.
#[derive(Debug, Clone, Copy)]
pub struct Current<'a> {
    /// The file's bytes; `None` where there is no file.
    pub bytes: Option<&'a [u8]>,
    /// Whether the modes of the file and of its directory let every user of the machine read the file.
    /// `false` where there is none, because new files are for their owner alone.
    pub others_can_read: bool,
    /// Names of backups beside it, sorted: `<name>.bak*` and `<name>.last-good`. Empty as well where the
    /// directory cannot be listed.
    pub backups: &'a [String],
}

/// What a planner answers about the bytes it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan<T> {
    /// The file is right as it is.
    Keep(T),
    /// The file should hold these bytes. The same bytes as before count as [`Plan::Keep`].
    Replace {
        /// The whole new content.
        bytes: Vec<u8>,
        /// The planner's own words about it, handed back in the outcome.
        note: T,
    },
}

/// What happened to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// Nothing was to be done.
    Unchanged,
    /// [`Mode::CheckOnly`]: something would have been written.
    WouldChange,
    /// There was no file; now there is.
    Created,
    /// The file holds the new content.
    Replaced,
}

impl Written {
    /// The stable name in machine output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::WouldChange => "would_change",
            Self::Created => "created",
            Self::Replaced => "replaced",
        }
    }

    /// How the content got there, for machine output: `atomic` means that at every instant the path named
    /// either all of the old content or all of the new. `None` when nothing was written.
    #[must_use]
    pub fn how(self) -> Option<&'static str> {
        matches!(self, Self::Created | Self::Replaced).then_some("atomic")
    }
}

/// The result of an edit.
#[derive(Debug, Clone)]
pub struct Outcome<T> {
    /// What happened.
    pub written: Written,
    /// The note of the plan that was carried out.
    pub note: T,
    /// The content that the plan was made from; `None` where there was no file.
    pub before: Option<Vec<u8>>,
    /// The content afterwards (or, with [`Mode::CheckOnly`], the content that would be there); `None` where
    /// there is no file.
    pub after: Option<Vec<u8>>,
    /// The file's physical path, without symbolic links.
    pub path: PathBuf,
    /// How many leftovers of killed runs were removed.
    pub swept: usize,
    /// Directories that were created for the file, outermost first.
    pub created_directories: Vec<PathBuf>,
}
