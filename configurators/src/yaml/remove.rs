//! Taking members out of a mapping: the key, its value and the comment behind it in the same line, nothing
//! else where that can be proven. Layouts in which that is no clean cut yield no way at all.

use super::lines::Lines;
use super::place::{Alternatives, after_colon, end_of, next_line, past_comments};
use super::tree::{Entry, Id, Kind, Tree};
use crate::splice::Splice;

/// Ways to take `entries` out of `map`, the value of `parent` or the root. With `leaves_empty` nothing is left
/// in it afterwards, and it is written as `{}`.
pub(super) fn entries(
    tree: &Tree<'_>,
    map: Id,
    parent: Option<Entry>,
    entries: &[Entry],
    leaves_empty: bool,
) -> Alternatives {
    match tree.node(map).kind {
        Kind::Mapping { flow: true } => from_flow(tree, map, entries, leaves_empty),
        _ => from_block(tree, map, parent, entries, leaves_empty),
    }
    .unwrap_or_default()
}

fn from_block(
    tree: &Tree<'_>,
    map: Id,
    parent: Option<Entry>,
    entries: &[Entry],
    leaves_empty: bool,
) -> Option<Alternatives> {
    let lines = Lines { text: tree.text };
    let past_blank_lines = |mut at: usize| {
        while at < tree.text.len() && lines.is_blank(at) {
            at = lines.end(at);
        }
        at
    };
    let mut exact = Vec::new();
    let mut with_blank_lines = Vec::new();
    let mut with_comments = Vec::new();
    for entry in entries {
        let key = tree.node(entry.key);
        let indent = lines.indentation(key.props)?;
        after_colon(lines, key.end)?;
        let from = lines.start(key.props);
        let to = next_line(tree, *entry)?;
        exact.push(Splice::delete(from..to));
        with_blank_lines.push(Splice::delete(from..past_blank_lines(to)));
        with_comments.push(Splice::delete(from..past_blank_lines(past_comments(lines, to, indent + 1))));
    }
    if leaves_empty {
        let braces = match parent {
            Some(parent) => {
                let colon = after_colon(lines, tree.node(parent.key).end)?;
                let at = if tree.node(map).props < tree.node(map).start {
                    behind_properties(tree, map)
                } else {
                    colon
                };
                Splice::insert(at, " {}")
            }
            None => Splice::insert(exact.first()?.range.start, format!("{{}}{}", lines.ending(0))),
        };
        for way in [&mut exact, &mut with_blank_lines, &mut with_comments] {
            way.push(braces.clone());
        }
    }
    // Blank lines behind a removed entry would become part of a block scalar before it that keeps them; so would
    // comments below it that are indented like its members, and with it they lose what they are about.
    Some(vec![exact, with_blank_lines, with_comments])
}

/// Behind the anchor and the tag of a mapping in block style, which begins on a later line than they do.
fn behind_properties(tree: &Tree<'_>, map: Id) -> usize {
    let lines = Lines { text: tree.text };
    let line = tree.node(map).props..lines.content_end(tree.node(map).props);
    let comment = tree.comments.iter().map(|comment| comment.start).find(|start| line.contains(start));
    lines.back_over_blanks(comment.unwrap_or(line.end))
}

fn from_flow(tree: &Tree<'_>, map: Id, entries: &[Entry], leaves_empty: bool) -> Option<Alternatives> {
    let lines = Lines { text: tree.text };
    let node = tree.node(map);
    let is_inside = |at: &usize| node.start < *at && *at < node.end;
    let is_removed = |at: &usize| {
        entries.iter().any(|entry| (tree.node(entry.key).props..tree.node(entry.value).end).contains(at))
    };
    let comments: Vec<usize> = tree.comments.iter().map(|comment| comment.start).filter(is_inside).collect();
    if leaves_empty && comments.iter().all(is_removed) {
        return Some(vec![vec![Splice::delete(node.start + 1..node.end - 1)]]);
    }
    let all: Vec<Entry> = tree.entries(map).collect();
    let mut splices = Vec::new();
    for entry in entries {
        let index = all.binary_search_by_key(&entry.key, |found| found.key).ok()?;
        let key_at = tree.node(entry.key).props;
        let end = end_of(tree, *entry);
        let comma = Some(lines.skip_blanks(end)).filter(|at| lines.text[*at..].starts_with(','));
        let behind = comma.map_or(end, |comma| comma + 1);
        let has_lines = lines.lead(key_at).is_some() && lines.only_trivia_after(behind);
        let splice = if has_lines && (comma.is_some() || index + 1 == all.len()) {
            // It has its lines for itself. Without a comma it is the last one; the comma before it may stay.
            Splice::delete(lines.start(key_at)..lines.end(behind))
        } else if let Some(next) = all.get(index + 1) {
            Splice::delete(key_at..tree.node(next.key).props)
        } else if let Some(previous) = index.checked_sub(1).and_then(|previous| all.get(previous)) {
            Splice::delete(end_of(tree, *previous)..end)
        } else {
            Splice::delete(key_at..behind)
        };
        splices.push(splice);
    }
    Some(vec![splices])
}
