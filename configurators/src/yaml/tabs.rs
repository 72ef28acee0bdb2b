//! Tabs where libyaml takes none: as indentation, alone in a line, behind the indicators `-` and `?`.
//!
//! The parser accepts some of them. Inside scalars, comments and flow collections a tab is welcome.

use super::events::Style;
use super::lines::Lines;
use super::refuse;
use super::tree::{Id, Kind, Tree};
use crate::Refusal;

/// Whether white space behind byte `solid` (`None` at the beginning of the text) could stand for indentation:
/// nothing is before it in its line, or an indicator after which a key could follow.
pub(super) fn is_suspect(bytes: &[u8], solid: Option<usize>) -> bool {
    let Some(solid) = solid else { return true };
    match bytes[solid] {
        b'\n' | b'\r' | b'-' | b'?' => true,
        // The colon of an explicit value begins its line.
        b':' => {
            let before = bytes[..solid].iter().rev().find(|byte| **byte != b' ');
            before.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
        }
        // The end of a byte order mark.
        _ => solid == 2 && bytes.starts_with(b"\xef\xbb\xbf"),
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
    // The last scalar that begins before the tab, with the start of the block collection it stands in.
    let mut last: Option<(Id, Option<usize>)> = None;
    // Up to where nothing but white space is known to follow that scalar.
    let mut blank_until = 0;
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
                    blank_until = node.end;
                    last = Some((next, block.map(|block| block.start)));
                }
            }
            next += 1;
        }
        let in_comment = tree.comments[..tree.comments.partition_point(|comment| comment.start <= *at)]
            .last()
            .is_some_and(|comment| comment.contains(at));
        let in_scalar =
            last.is_some_and(|(id, _)| *at < tree.node(id).end && !begins_block_scalar(tree, id, *at));
        let in_flow = open.iter().any(|collection| collection.flow && *at < collection.end);
        if in_comment || in_scalar {
            continue;
        }
        // Behind a plain scalar the line could go on with the scalar, so deeper tabs pass for folding.
        let is_blank = |from: usize| tree.text[from..*at].bytes().all(|byte| byte.is_ascii_whitespace());
        let runs_on = last.filter(|(id, _)| is_plain(tree, *id) && is_blank(blank_until));
        let fits = match runs_on {
            Some((_, block)) => {
                blank_until = *at;
                block.is_none_or(|block| lines.column(*at) > lines.column(block))
            }
            None => in_flow,
        };
        if !fits {
            let what = "a tab stands here, where only spaces may";
            return Err(refuse::syntax(tree.text, *at, what));
        }
    }
    Ok(())
}

/// Whether the tab is the first character of a block scalar whose indentation is to be found out.
fn begins_block_scalar(tree: &Tree<'_>, id: Id, at: usize) -> bool {
    let node = tree.node(id);
    let is_block = matches!(node.kind, Kind::Scalar(_, Style::Literal | Style::Folded));
    if !is_block || tree.text.get(node.start..at).is_some_and(|before| !before.trim().is_empty()) {
        return false;
    }
    let header_end = tree.text[..node.start.min(at)].trim_end().len();
    let header = &tree.text[Lines { text: tree.text }.start(header_end)..header_end];
    let indicators = header.rsplit(['|', '>']).next().unwrap_or_default();
    let mut first = indicators.chars().take(2);
    !first.any(|c| c.is_ascii_digit())
}

/// Whether the node is a plain scalar that is written out.
fn is_plain(tree: &Tree<'_>, id: Id) -> bool {
    let node = tree.node(id);
    matches!(node.kind, Kind::Scalar(_, Style::Plain)) && node.start < node.end
}

#[cfg(test)]
mod tests {
    use super::super::readable;
    use super::*;

    #[track_caller]
    fn takes(text: &str, expected: bool) {
        assert_eq!(readable::check(&Tree::parse(text).unwrap()).is_ok(), expected, "{text:?}");
    }

    #[test]
    fn tabs_between_tokens_and_inside_scalars_pass() {
        for text in [
            "a:\tx\t# c\n",
            "a: x\n \t\nb: 1\n",
            "a: \"x\n\ty\"\n",
            "a: |\n  x\n  \ty\n",
            "# -\tx\n#\ty\na: 1\n",
            "a: [1,\t2]\n",
        ] {
            takes(text, true);
        }
    }

    #[test]
    fn tabs_in_place_of_indentation_do_not() {
        for text in [
            "\t\na: 1\n",
            "a: x\n\t\nb: 1\n",
            "a:\n  b: x\n  \t\nc: 1\n",
            "a: 'x'\n \t\nb: 1\n",
            "a: x # c\n \t# d\n",
            "-\ta\n",
            "?\ta\n",
            "a: |\n  \tx\n",
        ] {
            takes(text, false);
        }
    }
}
