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
    /// Whether it is a file of hubkit's own, see [`Target::own`].
    pub own: bool,
    /// More than this is neither read nor written, bytes.
    pub limit: usize,
    /// hubkit's state directory, where a backup is kept while the file is written in place. Without one,
    /// nothing is written in place.
    pub state: Option<PathBuf>,
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
        Self {
            path: path.into(),
            mode,
            lock_wait: Duration::from_millis(limits::LOCK_WAIT_MS),
            own: false,
            limit: limits::CONFIG_FILE_BYTES,
            state: None,
        }
    }

    /// The same with `directory` as hubkit's state directory. It need not exist; it is made, 0700, when a
    /// backup is to be kept in it. It must belong to whom the work is done as (the owner of the file's tree,
    /// when we are root), and nobody else may be able to write in it.
    #[must_use]
    pub fn with_state(self, directory: impl Into<PathBuf>) -> Self {
        Self { state: Some(directory.into()), ..self }
    }

    /// A file of hubkit's own at `path`, such as one that stands beside the host's files and holds secrets.
    ///
    /// Nobody else has a reason to shape it, so it must be a regular file with one name that belongs to whom
    /// the work is done as. A link in its place is refused and not replaced: whoever put it there meant
    /// something by it, and who did not can remove it. Its mode is 0600, and a file with the right content
    /// and another mode is replaced. It is never written in place, where a program that has it open could
    /// read along. Links among the directories on the way are followed as ever.
    pub fn own(path: impl Into<PathBuf>, mode: Mode) -> Self {
        Self { own: true, ..Self::new(path, mode) }
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
    /// There should be no file. Where there is none, this counts as [`Plan::Keep`].
    Remove {
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
    /// The file holds the new content, which was written into the same file: an atomic switch was impossible.
    ReplacedInPlace,
    /// The file is gone.
    Removed,
}

impl Written {
    /// The stable name in machine output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::WouldChange => "would_change",
            Self::Created => "created",
            Self::Replaced | Self::ReplacedInPlace => "replaced",
            Self::Removed => "removed",
        }
    }

    /// How it was done, for machine output: `atomic` means that at every instant the path named either all of
    /// the old content or all of the new (or nothing), `in_place` that a reader could see a part of both.
    /// `None` when nothing was written.
    #[must_use]
    pub fn how(self) -> Option<&'static str> {
        match self {
            Self::Unchanged | Self::WouldChange => None,
            Self::Created | Self::Replaced | Self::Removed => Some("atomic"),
            Self::ReplacedInPlace => Some("in_place"),
        }
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
    /// What became of an earlier write into the file that was interrupted.
    pub recovered: Option<Recovered>,
}

impl<T> Outcome<T> {
    /// The same with another note.
    pub fn with_note<U>(self, note: U) -> Outcome<U> {
        let Self { written, note: _, before, after, path, swept, created_directories, recovered } = self;
        Outcome { written, note, before, after, path, swept, created_directories, recovered }
    }
}

/// What was found of a write into the file in place that was cut short.
///
/// Shown, it is a sentence about the file for whoever reads the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovered {
    /// The file was a mix of the content before that run and the content it was writing. The content before
    /// is there again, and the edit started from it.
    Restored,
    /// [`Mode::CheckOnly`]: the file is such a mix; the plan was made as if it were restored.
    WouldRestore,
    /// Somebody else has written to the file since, or while this run did. That was left alone, and the
    /// content before is kept.
    SetAside {
        /// Where that content is now. Nothing looks at it again.
        backup: PathBuf,
    },
    /// [`Mode::CheckOnly`]: the content before would be kept.
    WouldSetAside {
        /// Where the backup with it is.
        backup: PathBuf,
    },
}
