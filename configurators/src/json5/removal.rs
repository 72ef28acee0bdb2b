//! Taking members out of an object, or items out of a list: each with one comma, the comment behind it on its
//! line, and the line itself where nothing else is left on it. Never a line break that ends a comment which
//! stays.

use std::ops::Range;

use super::chars::is_break;
use super::layout::{after_blanks, before_blanks, break_length, line_start};
use super::tree::{Member, Node, Tree};
use crate::splice::Splice;

/// What stands between two commas: a member, or an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the comma behind it stands, if there is one.
    pub(super) comma: Option<usize>,
}

/// The splices that take the members at `gone` (ascending indices) out of `object`.
pub(super) fn remove(text: &str, tree: &Tree<'_>, object: &Node<'_>, gone: &[usize]) -> Vec<Splice> {
    let slot = |member: &Member<'_>| Slot {
        start: member.key.start,
        end: member.value.span.end,
        comma: member.comma,
    };
    let slots: Vec<Slot> = object.members().iter().map(slot).collect();
    take_out(text, tree, object, &slots, gone)
}

/// The splices that take the slots at `gone` (ascending indices) out of `node`, which holds all of `slots`.
pub(super) fn take_out(
    text: &str,
    tree: &Tree<'_>,
    node: &Node<'_>,
    slots: &[Slot],
    gone: &[usize],
) -> Vec<Splice> {
    let mut leaves = vec![false; slots.len()];
    for index in gone {
        leaves[*index] = true;
    }
    let inside = node.span.start + 1..node.close();
    let comments = tree.last_comment_end(inside.clone()).is_some();
    if leaves.iter().all(|leaves| *leaves) && !comments {
        return vec![Splice::delete(inside)];
    }
    let removal = Removal { text, tree, slots, keeps_comma: kept_commas(text, slots, &leaves) };
    let last_kept = leaves.iter().rposition(|leaves| !leaves);
    let mut splices = Vec::new();
    for (index, slot) in slots.iter().enumerate() {
        if leaves[index] {
            splices.push(Splice::delete(removal.range(index, last_kept.is_none_or(|last| last < index))));
        }
        if let Some(comma) = slot.comma.filter(|_| !removal.keeps_comma[index]) {
            splices.push(Splice::delete(comma..comma + 1));
        }
    }
    splices
}

/// For each slot, whether the comma behind it stays.
///
/// Between two neighbours that stay exactly one comma stays: the one that leads the second one's line, in
/// files written that way, else the first one's own. The last one that stays keeps its comma if there
/// was a trailing one.
fn kept_commas(text: &str, slots: &[Slot], leaves: &[bool]) -> Vec<bool> {
    let mut keeps = vec![false; slots.len()];
    let mut previous: Option<usize> = None;
    for (index, _) in leaves.iter().enumerate().filter(|(_, leaves)| !**leaves) {
        if let Some(previous) = previous {
            let leading = leading_comma(text, slots, index).is_some();
            keeps[if leading { index - 1 } else { previous }] = true;
        }
        previous = Some(index);
    }
    let trailing = slots.last().is_some_and(|last| last.comma.is_some());
    if let Some(last) = previous.filter(|_| trailing) {
        keeps[last] = true;
    }
    keeps
}

/// The comma before slot `index`, if it stands first on the line of that slot.
fn leading_comma(text: &str, slots: &[Slot], index: usize) -> Option<usize> {
    let comma = slots.get(index.checked_sub(1)?)?.comma?;
    let same_line = before_blanks(text, slots[index].start) == comma + 1;
    (same_line && line_start(text, comma).is_some()).then_some(comma)
}

struct Removal<'t, 'a> {
    text: &'a str,
    tree: &'t Tree<'a>,
    slots: &'t [Slot],
    keeps_comma: Vec<bool>,
}

/// What stands behind a removed slot on its line.
enum Behind {
    LineEnd,
    Close,
    More,
}

impl Removal<'_, '_> {
    /// The bytes that go with slot `index`; `tail`: no slot behind it stays.
    fn range(&self, index: usize, tail: bool) -> Range<usize> {
        let text = self.text;
        let leading = leading_comma(text, self.slots, index).filter(|_| !self.keeps_comma[index - 1]);
        let begin = leading.unwrap_or(self.slots[index].start);
        let (end, behind) = self.end(index);
        match (line_start(text, begin), behind) {
            (Some(line), Behind::LineEnd) => line..end + break_length(text, end),
            (Some(line), Behind::Close) => line..end,
            (None, Behind::LineEnd | Behind::Close) => before_blanks(text, begin)..end,
            (None, Behind::More) if tail => before_blanks(text, begin)..end,
            (_, Behind::More) => begin..end,
        }
    }

    /// Where the removal of slot `index` ends and what stands there.
    fn end(&self, index: usize) -> (usize, Behind) {
        let slot = self.slots[index];
        let mut end = slot.end;
        if let Some(comma) = slot.comma.filter(|_| !self.keeps_comma[index]) {
            // A comma further down is taken out on its own.
            if !self.text[end..comma].contains(is_break) {
                end = comma + 1;
            }
        }
        let behind_comments = self.skip_comments(end);
        match self.text[behind_comments..].chars().next() {
            None => (behind_comments, Behind::LineEnd),
            Some(c) if is_break(c) => (behind_comments, Behind::LineEnd),
            Some('}' | ']') => (before_blanks(self.text, behind_comments), Behind::Close),
            Some(_) => (after_blanks(self.text, end), Behind::More),
        }
    }

    /// Past white space and whole comments on this line.
    fn skip_comments(&self, from: usize) -> usize {
        let mut at = after_blanks(self.text, from);
        while let Some(comment) = self.tree.comment_at(at) {
            if self.text[comment.clone()].contains(is_break) {
                break;
            }
            at = after_blanks(self.text, comment.end);
        }
        at
    }
}
