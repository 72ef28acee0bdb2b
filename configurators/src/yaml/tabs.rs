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
        b'\n' | b'\r' | b'?' => true,
        // The last dash of `---` is no indicator of an entry, nor is that of a block scalar's `|-`.
        b'-' => {
            let before = &bytes[..solid];
            before.last().is_none_or(u8::is_ascii_whitespace) || before == b"\xef\xbb\xbf"
        }
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
        // A line inside a plain scalar begins like one behind it.
        let continues = last
            .filter(|(id, _)| is_plain(tree, *id) && *at < tree.node(*id).end && lines.lead(*at).is_some());
        let in_scalar = continues.is_none() && last.is_some_and(|(id, _)| is_content(tree, id, *at));
        let in_flow = open.iter().any(|collection| collection.flow && *at < collection.end);
        if in_comment || in_scalar {
            continue;
        }
        // Behind a plain scalar the line could go on with the scalar, so deeper tabs pass for folding.
        let is_blank =
            |from: usize| tree.text[from.min(*at)..*at].bytes().all(|byte| byte.is_ascii_whitespace());
        let runs_on = continues.or(last.filter(|(id, _)| is_plain(tree, *id) && is_blank(blank_until)));
        let fits = match runs_on {
            Some((_, block)) => {
                blank_until = blank_until.max(*at);
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

/// Whether the tab is part of a scalar. In a block scalar it must not stand before the content's column, nor
/// begin the content where libyaml has to find that column out.
fn is_content(tree: &Tree<'_>, id: Id, at: usize) -> bool {
    let (lines, node) = (Lines { text: tree.text }, tree.node(id));
    if at >= node.end || !matches!(node.kind, Kind::Scalar(_, Style::Literal | Style::Folded)) {
        return at < node.end;
    }
    if lines.column(at) < lines.column(node.start) {
        return false;
    }
    if !tree.text[node.start..at].trim().is_empty() {
        return true;
    }
    let header_end = tree.text[..node.start].trim_end().len();
    let header = &tree.text[lines.start(header_end)..header_end];
    let indicators = header.rsplit(['|', '>']).next().unwrap_or_default();
    indicators.chars().take(2).any(|c| c.is_ascii_digit())
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
            "a: >2-\n  \tx\n",
            "--- \t# c\na: 1\n",
            "a: |-\t# c\nb: 1\n",
            "a: >2-\t# c\n  text\n",
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
            "m:\n a:\n  b: |\n   x\n\n\t  c: >\n   y\nd: 1\n",
            "a: x\n\t\n y\n",
        ] {
            takes(text, false);
        }
    }
}
