//! The wanted changes as one tree of keys, so that each mapping of the file is visited once.

use super::lookup::{is_plain_mapping, member};
use super::refuse;
use super::tree::{Id, Tree};
use super::value;
use crate::{Action, Change, Refusal, Value};

/// What should stand somewhere.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Wanted {
    /// This value: a scalar, a list, or an empty mapping.
    Leaf(Value),
    /// Nothing.
    Gone,
    /// A mapping with these members beside its own.
    Inside(Vec<(String, Wanted)>),
}

impl Wanted {
    /// The changes as one tree. A later change wins over an earlier one at the same path.
    ///
    /// # Errors
    /// A change of the root that is no mapping, or a value that cannot be written.
    pub(super) fn of(changes: &[Change]) -> Result<Self, Refusal> {
        let mut root = Self::Inside(Vec::new());
        for change in changes {
            let wanted = match &change.action {
                Action::Remove => Self::Gone,
                Action::Set(value) => Self::value(value),
                // Changes of lists are turns of their own and never come here.
                Action::Append(_) | Action::Drop(_) => continue,
            };
            if matches!(&change.action, Action::Set(value) if !is_writable(value)) {
                let what =
                    format!("{} should be a value that cannot be written", refuse::named(&change.path));
                return Err(refuse::unproven("", None, what));
            }
            root.put(&change.path, wanted);
        }
        match root {
            Self::Inside(_) => Ok(root),
            Self::Leaf(_) | Self::Gone => {
                Err(refuse::unproven("", None, "the whole document should be replaced or removed"))
            }
        }
    }

    fn value(value: &Value) -> Self {
        match value {
            Value::Map(members) if !members.is_empty() => {
                Self::Inside(members.iter().map(|(key, value)| (key.clone(), Self::value(value))).collect())
            }
            _ => Self::Leaf(value.clone()),
        }
    }

    fn put(&mut self, path: &[String], wanted: Self) {
        let Some((key, rest)) = path.split_first() else {
            match (self, wanted) {
                (Self::Inside(members), Self::Inside(more)) => {
                    let mut merged = Self::Inside(std::mem::take(members));
                    for (key, wanted) in more {
                        merged.put(&[key], wanted);
                    }
                    if let Self::Inside(merged) = merged {
                        *members = merged;
                    }
                }
                (place, wanted) => *place = wanted,
            }
            return;
        };
        if !matches!(self, Self::Inside(_)) {
            *self = Self::Inside(Vec::new());
        }
        let Self::Inside(members) = self else { return };
        let index = members.iter().position(|(found, _)| found == key).unwrap_or_else(|| {
            members.push((key.clone(), Self::Inside(Vec::new())));
            members.len() - 1
        });
        members[index].1.put(rest, wanted);
    }

    /// A tree that wants `members` in the mapping at `path` and nothing else.
    pub(super) fn at(path: &[String], members: Vec<(String, Self)>) -> Self {
        path.iter().rev().fold(Self::Inside(members), |inside, key| Self::Inside(vec![(key.clone(), inside)]))
    }

    /// What to write where nothing stands; `None` where nothing is to be written.
    pub(super) fn to_value(&self) -> Option<Value> {
        match self {
            Self::Leaf(value) => Some(value.clone()),
            Self::Gone => None,
            Self::Inside(members) => {
                let members: Vec<_> = members
                    .iter()
                    .filter_map(|(key, wanted)| Some((key.clone(), wanted.to_value()?)))
                    .collect();
                (!members.is_empty()).then_some(Value::Map(members))
            }
        }
    }

    /// Whether the host reads what is wanted at `key` of the mapping `map`; of no mapping where it is `None`.
    pub(super) fn holds(&self, tree: &Tree<'_>, map: Option<Id>, key: &str) -> bool {
        let found = map.and_then(|map| member(tree, map, key));
        match self {
            Self::Gone => found.is_none(),
            Self::Leaf(wanted) => found.is_some_and(|found| value::equals(tree, found, wanted)),
            Self::Inside(members) => {
                let inside = found.filter(|found| is_plain_mapping(tree, *found));
                members.iter().all(|(key, wanted)| wanted.holds(tree, inside, key))
            }
        }
    }
}

/// Whether a value can be printed.
pub(super) fn is_writable(value: &Value) -> bool {
    match value {
        Value::Other(_) => false,
        Value::List(items) => items.iter().all(is_writable),
        Value::Map(members) => members.iter().all(|(_, value)| is_writable(value)),
        _ => true,
    }
}
