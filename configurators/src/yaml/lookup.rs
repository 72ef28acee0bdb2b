//! Finding a key: as it is written out (the last duplicate), and as the host reads it (aliases and merge keys
//! followed, as PyYAML's `flatten_mapping` does). Never changes and never prints anything.

use std::collections::HashSet;

use super::events::{Style, Tag};
use super::scalar::{Resolved, resolve};
use super::tree::{Entry, Id, Kind, Tree};

/// What a scalar node is to the host; `None` for collections. Aliases are followed.
pub(super) fn resolved(tree: &Tree<'_>, id: Id) -> Option<Resolved> {
    let id = tree.follow(id);
    let node = tree.node(id);
    match &node.kind {
        Kind::Scalar(text, style) => Some(resolve(node.tag, *style, text, tree.is_empty_plain(id))),
        _ => None,
    }
}

/// The text of a key that is a string to the host.
pub(super) fn key_text<'t>(tree: &'t Tree<'_>, key: Id) -> Option<&'t str> {
    let Kind::Scalar(text, _) = &tree.node(tree.follow(key)).kind else { return None };
    matches!(resolved(tree, key)?, Resolved::Str | Resolved::Default).then_some(text)
}

/// Whether a key is a string to the host and is `text`.
pub(super) fn is_key(tree: &Tree<'_>, key: Id, text: &str) -> bool {
    // Comparing first spares the resolution of nearly all keys.
    matches!(&tree.node(tree.follow(key)).kind, Kind::Scalar(found, _) if found == text)
        && key_text(tree, key).is_some()
}

/// Whether a key is the merge key.
pub(super) fn is_merge(tree: &Tree<'_>, key: Id) -> bool {
    resolved(tree, key) == Some(Resolved::Merge)
}

/// All entries of `key` written out in a mapping.
pub(super) fn occurrences<'t>(tree: &'t Tree<'_>, map: Id, key: &'t str) -> impl Iterator<Item = Entry> + 't {
    tree.entries(map).filter(move |entry| is_key(tree, entry.key, key))
}

/// The entry of `key` written out in a mapping that the host reads: the last one.
pub(super) fn live(tree: &Tree<'_>, map: Id, key: &str) -> Option<Entry> {
    occurrences(tree, map, key).last()
}

/// The value that the host reads at `path`, an alias followed.
pub(super) fn effective(tree: &Tree<'_>, path: &[&str]) -> Option<Id> {
    path.iter().try_fold(tree.follow(tree.root()?), |node, key| member(tree, node, key))
}

/// The value that the host reads at `key` of a mapping, written out or merged, an alias followed.
pub(super) fn member(tree: &Tree<'_>, map: Id, key: &str) -> Option<Id> {
    first_with(tree, vec![map], key, HashSet::new())
}

/// The value of `key` that comes through the merge keys of a mapping.
pub(super) fn merged(tree: &Tree<'_>, map: Id, key: &str) -> Option<Id> {
    first_with(tree, merge_sources(tree, map), key, HashSet::from([map]))
}

/// Searches the mappings in the order in which they win, the first of `candidates` last in the vector. One that
/// was searched in vain is not searched again, which also ends circles.
fn first_with(tree: &Tree<'_>, mut candidates: Vec<Id>, key: &str, mut visited: HashSet<Id>) -> Option<Id> {
    while let Some(map) = candidates.pop() {
        if !visited.insert(map) {
            continue;
        }
        if let Some(entry) = live(tree, map, key) {
            return Some(tree.follow(entry.value));
        }
        candidates.extend(merge_sources(tree, map));
    }
    None
}

/// The mappings that the merge keys of a mapping name, aliases followed, in the order in which the host lays
/// them over one another: the last wins. In a list the first mapping wins, so it comes last.
pub(super) fn merge_sources(tree: &Tree<'_>, map: Id) -> Vec<Id> {
    let mut sources = Vec::new();
    for entry in tree.entries(map).filter(|entry| is_merge(tree, entry.key)) {
        let source = tree.follow(entry.value);
        if tree.is_mapping(source) {
            sources.push(source);
        } else {
            let from = sources.len();
            sources.extend(tree.children(source).map(|item| tree.follow(item)));
            sources[from..].reverse();
        }
    }
    sources
}

/// Whether the host reads a mapping here: a mapping, or one that an alias refers to.
pub(super) fn is_plain_mapping(tree: &Tree<'_>, id: Id) -> bool {
    let id = tree.follow(id);
    tree.is_mapping(id) && matches!(tree.node(id).tag, Tag::None | Tag::NonSpecific | Tag::Map)
}

/// Whether the node holds the place of a mapping: `null`, `~`, nothing, an empty string in quotes, `{}`.
pub(super) fn is_empty_section(tree: &Tree<'_>, id: Id) -> bool {
    match &tree.node(id).kind {
        Kind::Scalar(_, Style::Literal | Style::Folded) => false,
        Kind::Scalar(text, _) => match resolved(tree, id) {
            Some(Resolved::Null) => true,
            Some(Resolved::Str) => text.is_empty(),
            _ => false,
        },
        Kind::Mapping { .. } => tree.node(id).after == id + 1,
        _ => false,
    }
}
