//! Making a mapping of what only holds its place: nothing, `null`, `~`, an empty string, `{}`.

use super::lines::Lines;
use super::place::{Alternatives, after_colon, fill_braces, insert_lines, past_comments};
use super::style::Habits;
use super::tree::{Entry, Id, Kind, Tree};
use super::write::{Layout, block_members, flow_members};
use crate::Value;
use crate::splice::Splice;

/// Ways to give the empty section of `entry`, a member of `map`, these members.
pub(super) fn section(
    tree: &Tree<'_>,
    habits: &Habits,
    map: Id,
    entry: Entry,
    members: &[(String, Value)],
) -> Alternatives {
    let lines = Lines { text: tree.text };
    let key = tree.node(entry.key);
    let step = habits.step_in(tree, map);
    let mut alternatives = Vec::new();
    let in_block = matches!(tree.node(map).kind, Kind::Mapping { flow: false });
    let colon = after_colon(lines, key.end);
    if let (true, Some(outer), Some(colon)) = (in_block, lines.indentation(key.props), colon) {
        alternatives.extend(below(
            tree,
            entry.value,
            colon,
            |at| Layout { indent: outer + step, step, ending: lines.ending(at), pen: habits.quotes.into() },
            outer,
            members,
        ));
    }
    let flow = flow_members(members, habits.quotes);
    alternatives.extend(inside(tree, entry.value, colon, key.end, &flow));
    alternatives
}

/// Ways to give an empty document these members.
pub(super) fn document(tree: &Tree<'_>, habits: &Habits, members: &[(String, Value)]) -> Alternatives {
    let lines = Lines { text: tree.text };
    let layout =
        |at| Layout { indent: 0, step: habits.step(), ending: lines.ending(at), pen: habits.quotes.into() };
    let written = tree.root().filter(|root| !tree.is_empty_plain(*root));
    let mut alternatives = Vec::new();
    if let Some(root) = written {
        let node = tree.node(root);
        if lines.indentation(node.props) == Some(0) && node.props == node.start {
            alternatives.extend(on_lines_of(lines, node.start..node.end, layout, members));
        }
        alternatives.extend(inside(tree, root, None, node.start, &flow_members(members, habits.quotes)));
    } else {
        let ends = [tree.document_end, Some(tree.text.len())];
        for at in ends.into_iter().flatten() {
            alternatives.push(vec![insert_lines(lines, at, &block_members(members, layout(at)))]);
        }
    }
    alternatives
}

/// As a block below the key's line; a value in that line or on one of its own goes.
fn below(
    tree: &Tree<'_>,
    value: Id,
    colon: usize,
    layout: impl Fn(usize) -> Layout,
    outer: usize,
    members: &[(String, Value)],
) -> Option<Vec<Splice>> {
    let lines = Lines { text: tree.text };
    let node = tree.node(value);
    let behind = if tree.is_implied(value) { colon } else { node.end.max(colon) };
    if !lines.only_trivia_after(behind) {
        return None;
    }
    let mut splices = Vec::new();
    if node.start < node.end {
        let content = &tree.text[node.start..node.end];
        if content.contains(['\n', '\r', '#']) {
            return None;
        }
        if lines.indentation(node.props).is_some() && node.props > colon {
            return (node.props == node.start)
                .then(|| on_lines_of(lines, node.start..node.end, layout, members))?;
        }
        // An anchor or a tag before the value stays where it is.
        let from =
            if node.props < node.start { node.start } else { lines.back_over_blanks(node.start).max(colon) };
        splices.push(Splice::delete(from..node.end));
    }
    let at = past_comments(lines, lines.end(behind), outer + 1);
    splices.push(insert_lines(lines, at, &block_members(members, layout(at))));
    Some(splices)
}

/// Replaces a value that has its line for itself by lines; a comment behind it keeps a line above them.
fn on_lines_of(
    lines: Lines<'_>,
    value: std::ops::Range<usize>,
    layout: impl Fn(usize) -> Layout,
    members: &[(String, Value)],
) -> Option<Vec<Splice>> {
    if !lines.only_trivia_after(value.end) || lines.text[value.clone()].contains(['\n', '\r', '#']) {
        return None;
    }
    let body = block_members(members, layout(value.end));
    if lines.is_blank(value.end) {
        return Some(vec![Splice::replace(lines.start(value.start)..value.end, body)]);
    }
    let comment = lines.skip_blanks(value.end);
    Some(vec![Splice::delete(value.start..comment), insert_lines(lines, lines.end(comment), &body)])
}

/// On one line, in braces.
fn inside(tree: &Tree<'_>, value: Id, colon: Option<usize>, key_end: usize, body: &str) -> Alternatives {
    let node = tree.node(value);
    if matches!(node.kind, Kind::Mapping { .. }) {
        return vec![fill_braces(tree, value, body)];
    }
    if node.start < node.end {
        return vec![vec![Splice::replace(node.start..node.end, format!("{{{body}}}"))]];
    }
    match colon {
        Some(colon) if tree.is_implied(value) => vec![vec![Splice::insert(colon, format!(" {{{body}}}"))]],
        Some(colon) => vec![vec![Splice::insert(node.end.max(colon), format!(" {{{body}}}"))]],
        None => vec![vec![Splice::insert(key_end, format!(": {{{body}}}"))]],
    }
}
