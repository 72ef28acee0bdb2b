//! The shape of a JSON5 text: what stands where, in bytes. Scalars stay source text until somebody asks.

use std::borrow::Cow;
use std::ops::Range;

/// A scanned text.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    /// The one value of the text; `None` where it holds only white space and comments.
    pub(super) root: Option<Node<'a>>,
    /// Every comment, in order, without the line break that ends a `//` one.
    pub(super) comments: Vec<Range<usize>>,
    /// Where strings hold `\uXXXX` escapes of half a surrogate pair, in order. They decode to U+FFFD.
    pub(super) halves: Vec<usize>,
}

/// One value.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) span: Range<usize>,
}

/// What kind of value stands there, and what is in it.
#[derive(Debug)]
pub(super) enum Kind<'a> {
    Null,
    Bool(bool),
    Number,
    Text,
    List(Vec<Node<'a>>),
    Object(Vec<Member<'a>>),
}

/// One member of an object.
#[derive(Debug)]
pub(super) struct Member<'a> {
    /// The key, decoded.
    pub(super) name: Cow<'a, str>,
    /// Where the key stands, quotes included.
    pub(super) key: Range<usize>,
    pub(super) value: Node<'a>,
    /// Where the comma behind it stands, if there is one.
    pub(super) comma: Option<usize>,
}

impl<'a> Node<'a> {
    /// The members of an object; none for every other kind.
    pub(super) fn members(&self) -> &[Member<'a>] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    /// The member that the host reads under `name`: the last one of that name.
    pub(super) fn live(&self, name: &str) -> Option<&Member<'a>> {
        self.members().iter().rev().find(|member| member.name == name)
    }

    /// The value at `path`, through live members.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Node<'a>> {
        path.iter().try_fold(self, |node, name| node.live(name).map(|member| &member.value))
    }

    /// Where the closing bracket of an object or list stands.
    pub(super) fn close(&self) -> usize {
        self.span.end - 1
    }
}

impl Tree<'_> {
    /// Where the last comment that starts in `within` ends.
    pub(super) fn last_comment_end(&self, within: Range<usize>) -> Option<usize> {
        let before = self.comments.partition_point(|comment| comment.start < within.end);
        let comment = self.comments.get(before.checked_sub(1)?)?;
        (comment.start >= within.start).then_some(comment.end)
    }

    /// The comment that starts at `at`.
    pub(super) fn comment_at(&self, at: usize) -> Option<&Range<usize>> {
        let index = self.comments.binary_search_by_key(&at, |comment| comment.start).ok()?;
        self.comments.get(index)
    }
}
