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
    /// The key is gone afterwards, with the comment behind it on the same line and nothing else. (In YAML comments
    /// indented like its members go too, where a text above would swallow them.) A key that is not there is no
    /// change.
    Remove,
    /// The list at the path contains this value afterwards: where no element is equal to it, it stands behind
    /// the last one. A missing list, `null`, `''` and `[]` become a list of this one value; missing mappings on
    /// the way are created as for [`Action::Set`]. Anything else at the path is refused with its position.
    Append(Value),
    /// The list at the path contains no element that is equal to this value afterwards. The element goes with
    /// the comment behind it on the same line and nothing else. Where there is no such element, or no list, it
    /// is no change.
    Drop(Value),
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

    /// A change that puts `value` into the list at `path`.
    pub fn append(path: &[&str], value: Value) -> Self {
        Self { path: owned(path), action: Action::Append(value) }
    }

    /// A change that takes `value` out of the list at `path`.
    pub fn drop(path: &[&str], value: Value) -> Self {
        Self { path: owned(path), action: Action::Drop(value) }
    }
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|key| (*key).to_owned()).collect()
}
