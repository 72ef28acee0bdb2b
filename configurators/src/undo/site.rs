//! A place in a file as an undo sees it, whatever the format: what stands there, in bytes, and what may be done
//! to it with proof. Never decides what is to go.

use std::ops::Range;

use crate::Document;
use crate::splice::Splice;

/// The value at a path, written out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// Behind its key; for the root, where the file begins.
    pub(crate) open: usize,
    /// What the value is.
    pub(crate) held: Held,
    /// A place behind the value where other text begins, whatever is added to the value.
    pub(crate) close: usize,
    /// Comments that begin here belong to the value.
    pub(crate) reach: Range<usize>,
}

/// What a value is to an undo.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// A mapping with something in it.
    Members(Vec<Member>),
    /// What holds the place of a mapping: nothing, `null`, `''`, `{}`.
    Nothing(Range<usize>),
    /// Anything else.
    Other(Range<usize>),
}

/// One member of a mapping.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// The key; `None` where it is no string.
    pub(crate) name: Option<String>,
    /// From its key to the end of its value.
    pub(crate) span: Range<usize>,
}

impl Site {
    /// The members; none where the value is no mapping.
    pub(crate) fn members(&self) -> &[Member] {
        match &self.held {
            Held::Members(members) => members,
            Held::Nothing(_) | Held::Other(_) => &[],
        }
    }

    /// The member that the host reads under `name`: the last of that name.
    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.members().iter().rposition(|member| member.is(name))
    }

    /// The end of the member before the one at `index`, or where the value begins.
    pub(crate) fn anchor(&self, index: usize) -> usize {
        let before = index.checked_sub(1).and_then(|before| self.members().get(before));
        before.map_or(self.open, |member| member.span.end)
    }

    /// The start of the member at `index`, or where the value is over.
    pub(crate) fn start_or_close(&self, index: usize) -> usize {
        self.members().get(index).map_or(self.close, |member| member.span.start)
    }

    /// All that stands in the place of nothing.
    pub(crate) fn content(&self) -> Option<Range<usize>> {
        match &self.held {
            Held::Members(members) => Some(members.first()?.span.start..members.last()?.span.end),
            Held::Nothing(_) => None,
            Held::Other(value) => Some(value.clone()),
        }
    }
}

impl Member {
    /// Whether this is its key.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.as_deref() == Some(name)
    }
}

/// A document whose edits can be taken back.
pub(crate) trait Ground<'a>: Document<'a> {
    /// The live value at `path`; `None` where it is not written out there.
    fn site(&self, path: &[&str]) -> Option<Site>;

    /// All comments, in order.
    fn comments(&self) -> &[Range<usize>];

    /// The text after `splices`, if it is proven to be the same file without the key at `path`.
    fn without(&self, path: &[&str], splices: &[Splice]) -> Option<String>;

    /// The text after `splices`, if it is proven to be the same file with nothing in the place of the value at
    /// `path`.
    fn vacated(&self, path: &[&str], splices: &[Splice]) -> Option<String>;
}
