//! Tabs where libyaml takes none: as indentation, alone in a line, behind the indicators `-` and `?`.
//!
//! The parser accepts some of them. Inside scalars, comments and flow collections a tab is welcome.

use super::events::Style;
use super::lines::Lines;
use super::refuse;
use super::tree::{Id, Kind, Tree};
use crate::Refusal;

/// Whether the tab at `at` begins white space that could stand for indentation: nothing is before it in its
/// line, or an indicator after which a key could follow.
pub(super) fn is_suspect(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].iter().rposition(|byte| !matches!(byte, b' ' | b'\t'));
    match before.map(|index| (index, bytes[index])) {
        None | Some((_, b'\n' | b'\r' | b'-' | b'?')) => true,
        Some((index, b':')) => bytes[..index]
            .iter()
            .rev()
            .find(|byte| **byte != b' ')
            .is_none_or(|byte| matches!(byte, b'\n' | b'\r')),
        _ => false,
    }
}

/// A collection that is not over yet.
struct Open {
    after: Id,
    start: usize,
    end: usize,
    flow: bool,
}

/// Refuses the first of the suspects, ascending, that libyaml would not take.
///
/// # Errors
/// There is one.
pub(super) fn check(tree: &Tree<'_>, suspects: &[usize]) -> Result<(), Refusal> {
    let lines = Lines { text: tree.text };
    let mut open: Vec<Open> = Vec::new();
    // The last scalar that begins before the tab, with the column of the block collection it stands in.
    let mut last: Option<(Id, Option<usize>)> = None;
    let mut next = 0;
    for at in suspects {
        while next < tree.len() && tree.node(next).start <= *at {
            let node = tree.node(next);
            while open.pop_if(|collection| collection.after <= next).is_some() {}
            match node.kind {
                Kind::Sequence { flow } | Kind::Mapping { flow } => {
                    open.push(Open { after: node.after, start: node.start, end: node.end, flow });
                }
                Kind::Scalar(..) | Kind::Alias(_) => {
                    let block = open.iter().rev().find(|collection| !collection.flow);
                    last = Some((next, block.map(|block| lines.column(block.start))));
                }
            }
            next += 1;
        }
        let in_comment = tree.comments[..tree.comments.partition_point(|comment| comment.start <= *at)]
            .last()
            .is_some_and(|comment| comment.contains(at));
        let in_scalar = last.is_some_and(|(id, _)| *at < tree.node(id).end);
        let in_flow = open.iter().any(|collection| collection.flow && *at < collection.end);
        if in_comment || in_scalar {
            continue;
        }
        // Behind a plain scalar the line could go on with the scalar, so deeper tabs pass for folding.
        let fits = match last.filter(|(id, _)| runs_on(tree, *id, *at)) {
            Some((_, block)) => block.is_none_or(|block| lines.column(*at) > block),
            None => in_flow,
        };
        if !fits {
            let what = "a tab stands here, where only spaces may";
            return Err(refuse::syntax(tree.text, *at, what));
        }
    }
    Ok(())
}

/// Whether nothing but white space stands between the end of a plain scalar and `at`.
fn runs_on(tree: &Tree<'_>, id: Id, at: usize) -> bool {
    let node = tree.node(id);
    matches!(node.kind, Kind::Scalar(_, Style::Plain))
        && node.start < node.end
        && tree.text[node.end..at].bytes().all(|byte| byte.is_ascii_whitespace())
}
