//! Elements that go.

use super::items::slots;
use crate::json5::removal::take_out;
use crate::json5::tree::{Node, Tree};
use crate::splice::{Splice, ordered};

/// The splices that take the items at `gone` (ascending indices) out of `list`.
pub(super) fn out(text: &str, tree: &Tree<'_>, list: &Node<'_>, gone: &[usize]) -> Vec<Splice> {
    if gone.is_empty() {
        return Vec::new();
    }
    // Deletions never stand in one another's way.
    ordered(take_out(text, tree, list, &slots(text, tree, list), gone)).unwrap_or_default()
}
