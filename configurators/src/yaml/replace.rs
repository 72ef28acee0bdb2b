//! Putting a scalar or a list where another value stands.

use super::events::Style;
use super::lines::Lines;
use super::place::{Alternatives, after_colon, end_of};
use super::style::{Habits, Quotes};
use super::tree::{Entry, Kind, Node, Tree};
use super::write::inline;
use crate::Value;
use crate::splice::Splice;

/// Ways to make `wanted` the value of an entry.
pub(super) fn value(tree: &Tree<'_>, habits: &Habits, entry: Entry, wanted: &Value) -> Alternatives {
    let lines = Lines { text: tree.text };
    let (key, node) = (tree.node(entry.key), tree.node(entry.value));
    let written = inline(wanted, quotes_like(&node.kind, habits.quotes));
    let colon = after_colon(lines, key.end);
    if is_token(node) {
        // A tag says what the old value was; an anchor may stay.
        let from =
            if tree.node(entry.value).tag == super::events::Tag::None { node.start } else { node.props };
        let blank = if lines.text[..from].ends_with(':') { " " } else { "" };
        // A comment directly behind the old value would become part of a bare new one.
        let apart = if lines.text[node.end..].starts_with('#') { " " } else { "" };
        return vec![vec![Splice::replace(from..node.end, format!("{blank}{written}{apart}"))]];
    }
    // The parser places a value that is not written anywhere up to the next token; behind an anchor or a tag
    // it is where it belongs.
    let behind = if tree.is_implied(entry.value) { 0 } else { node.end };
    let Some(colon) = colon else {
        return vec![vec![Splice::insert(key.end.max(behind), format!(": {written}"))]];
    };
    if node.start == node.end && !is_block_scalar(node) {
        return vec![vec![Splice::insert(colon.max(behind), format!(" {written}"))]];
    }
    let mut alternatives = Vec::new();
    let end = end_of(tree, entry);
    let ends_line = lines.is_start(end);
    // A comment behind the key stays; the lines of the old value go.
    let below = lines.end(colon);
    if lines.only_trivia_after(colon) && below <= end {
        let mut splices = vec![Splice::insert(colon, format!(" {written}"))];
        if ends_line {
            splices.push(Splice::delete(below..end));
        } else if lines.only_trivia_after(end) {
            splices.push(Splice::delete(lines.content_end(colon)..lines.content_end(end)));
        }
        if splices.len() == 2 {
            alternatives.push(splices);
        }
    }
    let ending = if ends_line { lines.ending(end) } else { "" };
    alternatives.push(vec![Splice::replace(colon..end, format!(" {written}{ending}"))]);
    alternatives
}

/// Whether the node's own bytes can be exchanged where they stand.
fn is_token(node: &Node<'_>) -> bool {
    match node.kind {
        Kind::Scalar(..) => node.start < node.end && !is_block_scalar(node),
        Kind::Alias(_) => true,
        Kind::Sequence { flow } | Kind::Mapping { flow } => flow,
    }
}

fn is_block_scalar(node: &Node<'_>) -> bool {
    matches!(node.kind, Kind::Scalar(_, Style::Literal | Style::Folded))
}

/// A quoted string is replaced in its own quotes.
fn quotes_like(kind: &Kind<'_>, habit: Quotes) -> Quotes {
    match kind {
        Kind::Scalar(_, Style::Single) => Quotes::Single,
        Kind::Scalar(_, Style::Double) => Quotes::Double,
        _ => habit,
    }
}
