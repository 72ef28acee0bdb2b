//! The value that the host reads at a node: last duplicate, aliases followed, merge keys applied.
//!
//! Bounded against alias bombs and circles: past the bounds a value is [`Value::Other`]. Members whose key is
//! no string are left out of a mapping; nobody can ask for them.

use std::collections::HashMap;

use super::lookup::{is_merge, is_plain_mapping, key_text, merge_sources, resolved};
use super::scalar::Resolved;
use super::tree::{Id, Kind, Tree};
use crate::Value;

/// How many nodes one value may hold beyond those that the file itself holds.
const EXPANSION: usize = 100_000;
/// How deep a value may be nested, alias targets and merged mappings counted where they appear.
const DEPTH: usize = 256;

/// The value at `id`.
pub(super) fn of(tree: &Tree<'_>, id: Id) -> Value {
    Reader { tree, budget: tree.len() + EXPANSION }.value(id, 0)
}

/// Whether the host reads exactly `wanted` at `id`. An empty mapping is satisfied by every mapping, because
/// mappings are merged and not replaced.
pub(super) fn equals(tree: &Tree<'_>, id: Id, wanted: &Value) -> bool {
    match (wanted, &tree.node(tree.follow(id)).kind) {
        (Value::Map(members), _) if members.is_empty() => is_plain_mapping(tree, id),
        // What a scalar should be, no collection is; building its value would be in vain.
        (Value::Map(_), Kind::Mapping { .. }) | (Value::List(_), Kind::Sequence { .. }) => {
            of(tree, id) == *wanted
        }
        (Value::Map(_) | Value::List(_), _) => false,
        (_, Kind::Scalar(..)) => of(tree, id) == *wanted,
        _ => false,
    }
}

struct Reader<'t, 'a> {
    tree: &'t Tree<'a>,
    budget: usize,
}

impl Reader<'_, '_> {
    fn value(&mut self, written: Id, depth: usize) -> Value {
        let id = self.tree.follow(written);
        let node = self.tree.node(id);
        if depth > DEPTH || !self.spend() {
            return self.other(written);
        }
        match (&node.kind, resolved(self.tree, id)) {
            (Kind::Scalar(text, _), Some(resolved)) => match resolved {
                Resolved::Null => Value::Null,
                Resolved::Bool(value) => Value::Bool(value),
                Resolved::Int(number) => Value::Int(number),
                Resolved::Float(number) => Value::Float(number),
                Resolved::Str => Value::Str(text.clone().into_owned()),
                Resolved::Other | Resolved::Merge | Resolved::Default | Resolved::Unreadable => {
                    self.other(written)
                }
            },
            (Kind::Mapping { .. }, _) if is_plain_mapping(self.tree, id) => self.mapping(id, depth),
            (Kind::Sequence { .. }, _) => {
                Value::List(self.tree.children(id).map(|item| self.value(item, depth + 1)).collect())
            }
            _ => self.other(written),
        }
    }

    fn mapping(&mut self, id: Id, depth: usize) -> Value {
        let mut live: HashMap<&str, usize> = HashMap::new();
        let mut members: Vec<(&str, Id)> = Vec::new();
        let mut flat = Vec::new();
        if !self.flatten(id, depth, &mut flat) {
            return self.other(id);
        }
        for (key, value) in flat {
            let Some(text) = key_text(self.tree, key) else { continue };
            match live.get(text) {
                Some(index) => members[*index].1 = value,
                None => {
                    live.insert(text, members.len());
                    members.push((text, value));
                }
            }
        }
        let member = |(key, value): (&str, Id)| (key.to_owned(), self.value(value, depth + 1));
        Value::Map(members.into_iter().map(member).collect())
    }

    /// The entries of a mapping with those of its merge keys before them, as PyYAML flattens it. False past
    /// the bounds.
    fn flatten(&mut self, id: Id, depth: usize, into: &mut Vec<(Id, Id)>) -> bool {
        if depth > DEPTH {
            return false;
        }
        for source in merge_sources(self.tree, id) {
            if !self.spend() || !self.flatten(source, depth + 1, into) {
                return false;
            }
        }
        for entry in self.tree.entries(id).filter(|entry| !is_merge(self.tree, entry.key)) {
            if !self.spend() {
                return false;
            }
            into.push((entry.key, entry.value));
        }
        true
    }

    /// Takes one node off the budget; false if it is used up.
    fn spend(&mut self) -> bool {
        let left = self.budget.checked_sub(1);
        self.budget = left.unwrap_or(0);
        left.is_some()
    }

    fn other(&self, id: Id) -> Value {
        let node = self.tree.node(id);
        Value::Other(self.tree.text.get(node.start..node.end).unwrap_or_default().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::tree::Tree;

    fn root(text: &str) -> Value {
        of(&Tree::parse(text).unwrap(), 0)
    }

    fn map(members: &[(&str, Value)]) -> Value {
        Value::Map(members.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
    }

    #[test]
    fn the_last_duplicate_counts_at_the_place_of_the_first() {
        let value = root("a: 1\nb: 2\na: 3\n");
        assert_eq!(value, map(&[("a", Value::Int(3)), ("b", Value::Int(2))]));
    }

    #[test]
    fn merge_keys_come_first_and_lose() {
        let text = "d: &d {x: 1, y: 2}\ne: &e {x: 3, z: 4}\nm:\n  y: 5\n  <<: [*d, *e]\n";
        let value = root(text);
        let expected = map(&[("x", Value::Int(1)), ("z", Value::Int(4)), ("y", Value::Int(5))]);
        assert_eq!(value.get("m"), Some(&expected));
    }

    #[test]
    fn a_bomb_ends_in_other() {
        let mut text = String::from("a0: &a0 [x, x]\n");
        for i in 1..40 {
            text.push_str(&format!("a{i}: &a{i} [*a{}, *a{}]\n", i - 1, i - 1));
        }
        assert!(matches!(root(&text), Value::Map(_)));
        assert!(matches!(root("a: &a [*a]\n"), Value::Map(_)));
        assert!(matches!(root("a: &a\n  <<: *a\n  x: 1\n"), Value::Map(_)));
    }

    #[test]
    fn members_without_a_string_key_are_left_out() {
        assert_eq!(root("on: 1\n'on': 2\n3: 4\n"), map(&[("on", Value::Int(2))]));
    }
}
