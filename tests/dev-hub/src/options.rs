//! What a development Hub is started with.

use hubkit_redaction::Secret;

use crate::inference::Inference;
use crate::memory::Memory;

/// What a key allows, each level including the ones before it. The Hub evaluates it on every request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Capability {
    /// Tools that only look.
    Read,
    /// Tools that change something but destroy nothing; what the Hub gives an app's managed key.
    #[default]
    Write,
    /// Everything.
    Full,
}

impl Capability {
    /// The Hub's word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Full => "full",
        }
    }

    /// The capability that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Read, Self::Write, Self::Full].into_iter().find(|capability| capability.word() == word)
    }
}

/// How a development Hub is started.
#[derive(Debug, Clone)]
pub struct Options {
    /// The one key that `/api/mcp` and the memory state accept, without `Bearer`.
    pub key: Secret,
    /// TCP port on 127.0.0.1; 0 lets the system choose.
    pub port: u16,
    /// What the key allows.
    pub capability: Capability,
    /// What is handed out for inference, and what the stub of a model says of itself.
    pub inference: Inference,
    /// How every app stands to the memory server.
    pub memory: Memory,
}

impl Options {
    /// A port chosen by the system, the capability of a managed key, and a model that works for every app.
    #[must_use]
    pub fn new(key: Secret) -> Self {
        Self {
            key,
            port: 0,
            capability: Capability::default(),
            inference: Inference::default(),
            memory: Memory::default(),
        }
    }
}
