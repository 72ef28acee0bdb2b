//! One concern of a host's file, such as the Hub's MCP entry or the model: what it wants to stand there.
//!
//! Never writes and never prints; a secret passes through into the new text alone.

use std::path::Path;

use crate::recipe::{Reader, SecretStyle};
use crate::{Change, Refusal};

/// What is known about the file beside its bytes.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The directory of the file.
    pub directory: &'a Path,
    /// Whether everybody on the machine may read the file.
    pub world_readable: bool,
    /// Names of backups that stand beside it.
    pub backups: &'a [String],
}

/// A concern that wants something of a host's file.
pub trait Part: Send + Sync {
    /// What must change in this document, if anything.
    ///
    /// # Errors
    /// The document or the environment does not allow it. The other parts of the same file go on.
    fn plan(&self, document: &dyn Reader, surroundings: Surroundings<'_>) -> Result<Intent, Stop>;
}

/// What a part wants, and what it found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Intent {
    /// The wanted difference; changes that hold already cost nothing.
    pub changes: Vec<Change>,
    /// The entries that are this part's own, by path: what an undo takes away again.
    pub entries: Vec<Vec<String>>,
    /// How the file gives the agent the part's credential.
    pub secrets: Option<SecretStyle>,
    /// Whether the user switched the entry off, which is respected.
    pub disabled: bool,
    /// Why nothing was wanted of this document: a sentence fragment.
    pub skipped: Option<String>,
    /// What a person should know, one sentence each, with line numbers.
    pub notices: Vec<String>,
}

impl Intent {
    /// Nothing is wanted, and why.
    #[must_use]
    pub fn skip(why: impl Into<String>) -> Self {
        Self { skipped: Some(why.into()), ..Self::default() }
    }
}

/// Why a part cannot be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The document does not allow it.
    Content(Refusal),
    /// The environment does not allow it: what is wrong, and what to do.
    Environment(String),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Content(refusal)
    }
}
