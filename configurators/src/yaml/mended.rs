//! What libyaml takes and the parser does not is blanked out, byte for byte, in a copy that is parsed instead:
//! comments directly behind a token, and tabs before the lines of a flow collection. Offsets stay the same, so
//! the tree is one of the original. Whether the tabs may stand where they do is for `tabs` to say.

use std::borrow::Cow;
use std::ops::Range;

use super::build::build;
use super::events::Obstacle;
use super::lines::Lines;
use super::tree::{Kind, Node, Tree};
use crate::Refusal;

/// Each obstacle costs a parse; past this many bytes in total the first one left is refused.
const PARSED_AGAIN: usize = 16 * 1024 * 1024;

/// Parses a text, past what the parser alone would stop at.
///
/// # Errors
/// The first place where the parser stops for another reason.
pub(super) fn parse(text: &str) -> Result<Tree<'_>, Refusal> {
    let mut stop = match build(text) {
        Ok(tree) => return Ok(tree),
        Err(stop) => stop,
    };
    let mut mended = text.to_owned();
    let mut comments = Vec::new();
    let mut left = PARSED_AGAIN;
    loop {
        let (Some(obstacle), Some(rest)) = (stop.obstacle, left.checked_sub(text.len())) else {
            return Err(stop.refusal);
        };
        left = rest;
        let blanked = match obstacle {
            Obstacle::Comment(at) => {
                let comment = at..Lines { text }.content_end(at);
                comments.push(comment.clone());
                vec![comment]
            }
            Obstacle::Tabs(at) => leading_tabs(text, at),
        };
        for range in &blanked {
            mended.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        match build(&mended) {
            Ok(tree) => return Ok(of_original(tree, text, comments)),
            // No progress: the same would be blanked again.
            Err(next) if same_place(next.obstacle, obstacle) => return Err(stop.refusal),
            Err(next) => stop = next,
        }
    }
}

fn same_place(next: Option<Obstacle>, last: Obstacle) -> bool {
    match (next, last) {
        (Some(Obstacle::Comment(next)), Obstacle::Comment(last))
        | (Some(Obstacle::Tabs(next)), Obstacle::Tabs(last)) => next == last,
        _ => false,
    }
}

/// The white space that begins the line of `at`, and that of the lines below it that begin with a tab as well:
/// they are most likely of the same collection.
fn leading_tabs(text: &str, at: usize) -> Vec<Range<usize>> {
    let lines = Lines { text };
    let mut found = Vec::new();
    let mut start = lines.start(at);
    loop {
        found.push(start..lines.skip_blanks(start));
        start = lines.end(start);
        if !text[start..].starts_with('\t') {
            return found;
        }
    }
}

/// The tree of the blanked text as one of the original.
fn of_original<'a>(tree: Tree<'_>, text: &'a str, mut glued: Vec<Range<usize>>) -> Tree<'a> {
    let kind = |kind: Kind<'_>| match kind {
        Kind::Scalar(text, style) => Kind::Scalar(Cow::Owned(text.into_owned()), style),
        Kind::Alias(anchor) => Kind::Alias(anchor),
        Kind::Sequence { flow } => Kind::Sequence { flow },
        Kind::Mapping { flow } => Kind::Mapping { flow },
    };
    let node = |node: Node<'_>| Node { kind: kind(node.kind), ..node };
    glued.extend(tree.comments);
    glued.sort_by_key(|comment| comment.start);
    Tree {
        text,
        nodes: tree.nodes.into_iter().map(node).collect(),
        anchored: tree.anchored,
        aliases: tree.aliases,
        comments: glued,
        document_start: tree.document_start,
        document_end: tree.document_end,
    }
}

#[cfg(test)]
mod tests {
    use super::super::readable;
    use super::*;

    #[test]
    fn glued_comments_are_comments() {
        let text = "a: \"x\"#é\nb: [1]# d\nc: 'y' # e\n";
        let tree = parse(text).unwrap();
        let comments: Vec<&str> = tree.comments.iter().map(|comment| &text[comment.clone()]).collect();
        assert_eq!(comments, ["#é", "# d", "# e"]);
        assert_eq!(tree.entries(0).count(), 3);
    }

    #[test]
    fn tabs_pass_inside_a_flow_collection_alone() {
        let flow = parse("a: {\n\t\"b\": 1,\n\t\t\"c\": [\n\t1]\n}\n").unwrap();
        assert!(readable::check(&flow).is_ok());
        let block = parse("a:\n\tb: 1\n").unwrap();
        assert!(readable::check(&block).is_err());
    }

    #[test]
    fn other_errors_keep_their_place() {
        let refusal = parse("a: \"x\"#é\nb: @\n").unwrap_err();
        assert_eq!(refusal.at, Some(crate::Position { line: 2, column: 4 }));
    }
}
