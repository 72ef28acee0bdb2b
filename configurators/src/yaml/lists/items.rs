//! Where the items of a list begin and end in the text.

use crate::yaml::events::Style;
use crate::yaml::lines::Lines;
use crate::yaml::place::after_colon;
use crate::yaml::tree::{Id, Kind, Tree};

/// Before the blanks, line breaks and comments in front of `at`.
pub(super) fn back_over_trivia(tree: &Tree<'_>, at: usize) -> usize {
    let mut at = at;
    loop {
        at = tree.text[..at].trim_end_matches([' ', '\t', '\n', '\r']).len();
        let before = tree.comments.partition_point(|comment| comment.start < at);
        match before.checked_sub(1).map(|index| &tree.comments[index]) {
            Some(comment) if at <= comment.end => at = comment.start,
            _ => return at,
        }
    }
}

/// The dash of an item in block style.
pub(super) fn dash(tree: &Tree<'_>, item: Id) -> Option<usize> {
    let node = tree.node(item);
    let mut behind = back_over_trivia(tree, node.props);
    if matches!(node.kind, Kind::Scalar(_, Style::Literal | Style::Folded)) {
        // The parser lets one that holds something begin behind its header.
        let header = tree.text[..behind]
            .trim_end_matches(['+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        if let Some(before) = header.strip_suffix(['|', '>']) {
            behind = back_over_trivia(tree, before.len());
        }
    }
    let dash = behind.checked_sub(1)?;
    tree.text[dash..].starts_with('-').then_some(dash)
}

/// After the last byte of an item.
pub(super) fn end(tree: &Tree<'_>, item: Id) -> usize {
    let last = tree.node(item).after - 1;
    if !tree.is_implied(last) {
        return tree.node(item).end;
    }
    // The parser places what is not written anywhere from the key on up to the next token. It ends where the
    // token before it does: a dash, or a colon.
    let before = back_over_trivia(tree, tree.node(last).props);
    after_colon(Lines { text: tree.text }, before).unwrap_or(before)
}

/// Where the line after an item in block style begins; `None` where something else stands behind the item.
pub(super) fn next_line(tree: &Tree<'_>, item: Id) -> Option<usize> {
    let lines = Lines { text: tree.text };
    let end = end(tree, item);
    if lines.is_start(end) {
        return Some(end);
    }
    lines.only_trivia_after(end).then(|| lines.end(end))
}

/// The comma behind an item in flow style, in the same line.
pub(super) fn comma(tree: &Tree<'_>, item: Id) -> Option<usize> {
    let lines = Lines { text: tree.text };
    let at = lines.skip_blanks(end(tree, item));
    lines.text[at..].starts_with(',').then_some(at)
}
