//! Elements that go: each with the comment behind it on its line, nothing else. Layouts in which that is no
//! clean cut yield no way at all.

use super::items::{back_over_trivia, comma, dash, end, next_line};
use crate::splice::Splice;
use crate::yaml::lines::Lines;
use crate::yaml::place::Alternatives;
use crate::yaml::tree::{Id, Kind, Tree};

/// Ways to take the items in `gone`, in their order, out of a list. One that is left empty is written as `[]`.
pub(super) fn ways(tree: &Tree<'_>, list: Id, gone: &[Id]) -> Alternatives {
    match tree.node(list).kind {
        Kind::Sequence { flow: true } => vec![from_flow(tree, list, gone)],
        _ => from_block(tree, list, gone).unwrap_or_default(),
    }
}

fn from_block(tree: &Tree<'_>, list: Id, gone: &[Id]) -> Option<Alternatives> {
    let lines = Lines { text: tree.text };
    let (mut exact, mut with_blank_lines) = (Vec::new(), Vec::new());
    for item in gone {
        let dash = dash(tree, *item)?;
        lines.indentation(dash)?;
        let (from, to) = (lines.start(dash), next_line(tree, *item)?);
        let mut past_blank = to;
        while past_blank < tree.text.len() && lines.is_blank(past_blank) {
            past_blank = lines.end(past_blank);
        }
        exact.push(Splice::delete(from..to));
        with_blank_lines.push(Splice::delete(from..past_blank));
    }
    if tree.children(list).count() == gone.len() {
        // Behind the key, or behind the anchor or the tag there.
        let first = dash(tree, tree.children(list).next()?)?;
        let brackets = Splice::insert(back_over_trivia(tree, first), " []");
        exact.push(brackets.clone());
        with_blank_lines.push(brackets);
    }
    // Blank lines behind a removed item would become part of a block scalar before it that keeps them.
    Some(vec![exact, with_blank_lines])
}

fn from_flow(tree: &Tree<'_>, list: Id, gone: &[Id]) -> Vec<Splice> {
    let lines = Lines { text: tree.text };
    let node = tree.node(list);
    let all: Vec<Id> = tree.children(list).collect();
    let has_comments =
        tree.comments.iter().any(|comment| node.start < comment.start && comment.end < node.end);
    if gone.len() == all.len() && !has_comments {
        return vec![Splice::delete(node.start + 1..node.end - 1)];
    }
    let goes = |item: &Id| gone.binary_search(item).is_ok();
    let last_kept = all.iter().rposition(|item| !goes(item));
    let kept_end = last_kept.map(|index| end(tree, all[index]));
    let kept_line_end = kept_end.map(|end| lines.content_end(end));
    let mut splices = Vec::new();
    for (index, item) in all.iter().enumerate().filter(|(_, item)| goes(item)) {
        let start = tree.node(*item).props;
        let comma = comma(tree, *item);
        let behind = comma.map_or_else(|| end(tree, *item), |comma| comma + 1);
        let is_tail = last_kept.is_none_or(|kept| kept < index);
        let ends_line = ends_line(lines, behind);
        let range = match (lines.lead(start), ends_line) {
            // Its lines for itself; the comma before it may stay.
            (Some(_), true) if comma.is_some() || is_tail => lines.start(start)..lines.end(behind),
            // The line break behind it stays, and so do the comments below.
            (None, true) if comma.is_some() => lines.back_over_blanks(start)..lines.content_end(behind),
            _ => match kept_end {
                Some(kept_end) if is_tail && comma.is_none() && kept_line_end > Some(start) => {
                    kept_end..behind
                }
                _ => start..lines.skip_blanks(behind),
            },
        };
        splices.push(Splice::delete(range));
    }
    splices
}

/// Whether nothing but a comment follows in the line; looks no further than the blanks before it.
fn ends_line(lines: Lines<'_>, at: usize) -> bool {
    let rest = &lines.text[lines.skip_blanks(at)..];
    rest.is_empty() || rest.starts_with(['\n', '\r', '#'])
}
