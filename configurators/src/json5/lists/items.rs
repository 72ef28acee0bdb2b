//! A list as items between commas.

use crate::json5::chars::{is_blank, is_break};
use crate::json5::removal::Slot;
use crate::json5::tree::{Kind, Node, Tree};

/// The items of a list with their commas; none for every other kind.
pub(super) fn slots(text: &str, tree: &Tree<'_>, list: &Node<'_>) -> Vec<Slot> {
    let Kind::List(items) = &list.kind else { return Vec::new() };
    let slot = |item: &Node<'_>| {
        let (start, end) = (item.span.start, item.span.end);
        Slot { start, end, comma: comma_behind(text, tree, end) }
    };
    items.iter().map(slot).collect()
}

/// The comma that follows the value ending at `end`, past white space and comments.
fn comma_behind(text: &str, tree: &Tree<'_>, end: usize) -> Option<usize> {
    let mut at = end;
    loop {
        at = text.len() - text[at..].trim_start_matches(|c| is_blank(c) || is_break(c)).len();
        match tree.comment_at(at) {
            Some(comment) => at = comment.end,
            None => return text[at..].starts_with(',').then_some(at),
        }
    }
}
