//! Changes taken apart into single wishes: one value at one path, or one key gone.

use super::decode::{means, string, value};
use super::tree::{Kind, Node};
use crate::{Action, Change, Value};

/// What is wanted at one path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wish<'c> {
    /// This value stands there. A mapping is always an empty one here: "some mapping stands there".
    Set(&'c Value),
    /// No such key stands there.
    Remove,
}

/// One wish with its path.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Leaf<'c> {
    pub(super) path: Vec<&'c str>,
    pub(super) wish: Wish<'c>,
}

impl Wish<'_> {
    /// Whether the value at `node` is what is wanted.
    pub(super) fn holds(&self, text: &str, node: &Node<'_>) -> bool {
        match self {
            Wish::Remove => false,
            Wish::Set(Value::Map(_)) => matches!(node.kind, Kind::Object(_)),
            Wish::Set(wanted) => means(&value(text, node), wanted),
        }
    }

    /// Whether a mapping is wanted.
    pub(super) fn is_mapping(&self) -> bool {
        matches!(self, Wish::Set(Value::Map(_)))
    }
}

/// Whether `node` counts as a mapping with nothing in it: `null` or an empty string.
pub(super) fn is_vacant(text: &str, node: &Node<'_>) -> bool {
    match node.kind {
        Kind::Null => true,
        Kind::Text => string(&text[node.span.clone()]).is_empty(),
        _ => false,
    }
}

/// Takes changes apart. Of several wishes for one path the last one counts. `None` where one wish is for
/// something inside what another one sets or removes: their order matters, so they cannot be done together.
pub(super) fn leaves(changes: &[Change]) -> Option<Vec<Leaf<'_>>> {
    let mut leaves: Vec<Leaf<'_>> = Vec::new();
    for change in changes {
        let path: Vec<&str> = change.path.iter().map(String::as_str).collect();
        match &change.action {
            Action::Remove => leaves.push(Leaf { path, wish: Wish::Remove }),
            Action::Set(value) => spread(path, value, &mut leaves),
            // Changes of lists are turns of their own and never come here.
            Action::Append(_) | Action::Drop(_) => {}
        }
    }
    // Sorted by path (and, for equal paths, by position), a path is followed by all that begin with it.
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    order.sort_by(|a, b| leaves[*a].path.cmp(&leaves[*b].path).then(a.cmp(b)));
    let mut superseded = vec![false; leaves.len()];
    for pair in order.windows(2) {
        let (shorter, longer) = (&leaves[pair[0]].path, &leaves[pair[1]].path);
        if shorter == longer {
            superseded[pair[0]] = true;
        } else if longer.starts_with(shorter) {
            return None;
        }
    }
    let mut superseded = superseded.into_iter();
    leaves.retain(|_| !superseded.next().unwrap_or(false));
    Some(leaves)
}

fn spread<'c>(path: Vec<&'c str>, value: &'c Value, leaves: &mut Vec<Leaf<'c>>) {
    match value {
        Value::Map(members) if !members.is_empty() => {
            for (key, value) in members {
                let mut path = path.clone();
                path.push(key);
                spread(path, value, leaves);
            }
        }
        _ => leaves.push(Leaf { path, wish: Wish::Set(value) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(members: &[(&str, i64)]) -> Value {
        Value::Map(members.iter().map(|(key, n)| ((*key).to_owned(), Value::Int(*n))).collect())
    }

    #[test]
    fn mappings_come_apart_and_the_last_wish_for_a_path_counts() {
        let changes = [
            Change::set(&["a"], map(&[("x", 1), ("y", 2)])),
            Change::remove(&["b"]),
            Change::set(&["a", "x"], Value::Int(3)),
        ];
        let leaves = leaves(&changes).unwrap();
        let paths: Vec<_> = leaves.iter().map(|leaf| leaf.path.join(".")).collect();
        assert_eq!(paths, ["a.y", "b", "a.x"]);
        assert_eq!(leaves[2].wish, Wish::Set(&Value::Int(3)));
    }

    #[test]
    fn a_wish_inside_another_is_a_conflict() {
        let inside = [Change::remove(&["a"]), Change::set(&["a", "b"], Value::Int(1))];
        assert_eq!(leaves(&inside), None);
        assert!(leaves(&[Change::remove(&["a"]), Change::remove(&["ab"])]).is_some());
    }
}
