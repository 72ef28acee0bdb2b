//! The wanted difference between a document and what it should be.

use crate::Value;

/// One wanted change: what should stand at `path` afterwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Mapping keys from the root. Never empty.
    pub path: Vec<String>,
    /// What to do there.
    pub action: Action,
}

/// What a [`Change`] does at its path.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// The value at the path is this afterwards. Missing mappings on the way are created; `null`, `''` and
    /// `{}` on the way count as empty mappings and are filled.
    Set(Value),
    /// The key is gone afterwards, with the comment behind it on the same line and nothing else. A key
    /// that is not there is no change.
    Remove,
}

impl Change {
    /// A change that sets `value` at `path`.
    pub fn set(path: &[&str], value: Value) -> Self {
        Self { path: owned(path), action: Action::Set(value) }
    }

    /// A change that removes the key at `path`.
    pub fn remove(path: &[&str]) -> Self {
        Self { path: owned(path), action: Action::Remove }
    }
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|key| (*key).to_owned()).collect()
}
