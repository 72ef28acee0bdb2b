//! The file as a tree of nodes with byte ranges, kept flat: nodes stand in document order in one vector, so
//! that no walk, comparison or drop needs the stack. Never interprets a scalar. Built in `build`.

use std::borrow::Cow;
use std::ops::Range;

use super::events::{Style, Tag};
use super::mended;
use crate::Refusal;

/// A node's index in its tree.
pub(super) type Id = usize;

/// What a node is.
#[derive(Debug, PartialEq)]
pub(super) enum Kind<'a> {
    Scalar(Cow<'a, str>, Style),
    /// The number of the anchor it refers to.
    Alias(usize),
    Sequence {
        flow: bool,
    },
    /// Its children are keys and values in turn.
    Mapping {
        flow: bool,
    },
}

/// One node.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) kind: Kind<'a>,
    /// First byte of the content. Of a block scalar: after its header.
    pub(super) start: usize,
    /// First byte of its tag or anchor, or of the content.
    pub(super) props: usize,
    /// After the last byte of the content, descendants included. A block scalar ends at a line start, unless
    /// the file ends in it; blank lines behind it belong to it only where they are part of its value.
    pub(super) end: usize,
    pub(super) tag: Tag,
    /// The anchor's number, 0 for none.
    pub(super) anchor: usize,
    /// The node after its last descendant.
    pub(super) after: Id,
}

/// A key and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: Id,
    pub(super) value: Id,
}

/// A parsed file.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub(super) text: &'a str,
    pub(super) nodes: Vec<Node<'a>>,
    /// The node that carries anchor `n`, at `n`; 0 is unused.
    pub(super) anchored: Vec<Id>,
    pub(super) aliases: Vec<Id>,
    pub(super) comments: Vec<Range<usize>>,
    /// Where `---` begins the document.
    pub(super) document_start: Option<usize>,
    /// Where `...` ends the document.
    pub(super) document_end: Option<usize>,
}

impl<'a> Tree<'a> {
    /// Parses one document.
    ///
    /// # Errors
    /// The text is no YAML, holds a second document or an anchor twice, or is nested past the limit.
    pub(super) fn parse(text: &'a str) -> Result<Self, Refusal> {
        mended::parse(text)
    }

    /// The root, if the file holds a document.
    pub(super) fn root(&self) -> Option<Id> {
        (!self.nodes.is_empty()).then_some(0)
    }

    /// A node by its id.
    pub(super) fn node(&self, id: Id) -> &Node<'a> {
        &self.nodes[id]
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The children of a collection; nothing for other nodes.
    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        let after = self.nodes[id].after;
        let first = Some(id + 1).filter(|first| *first < after);
        std::iter::successors(first, move |child| Some(self.nodes[*child].after).filter(|next| *next < after))
    }

    /// The entries of a mapping; nothing for other nodes.
    pub(super) fn entries(&self, id: Id) -> impl Iterator<Item = Entry> {
        let mut children = self.is_mapping(id).then(|| self.children(id)).into_iter().flatten();
        std::iter::from_fn(move || Some(Entry { key: children.next()?, value: children.next()? }))
    }

    /// The node itself, or what the alias refers to.
    pub(super) fn follow(&self, id: Id) -> Id {
        match self.nodes[id].kind {
            Kind::Alias(anchor) => self.anchored.get(anchor).copied().unwrap_or(id),
            _ => id,
        }
    }

    /// Whether the node is written as a mapping.
    pub(super) fn is_mapping(&self, id: Id) -> bool {
        matches!(self.nodes[id].kind, Kind::Mapping { .. })
    }

    /// Whether nothing stands where the node is: no content, no tag, no anchor.
    pub(super) fn is_implied(&self, id: Id) -> bool {
        let node = &self.nodes[id];
        self.is_empty_plain(id) && node.props == node.start && node.anchor == 0
    }

    /// Whether the node is a plain scalar without content; a tag or an anchor may stand there.
    pub(super) fn is_empty_plain(&self, id: Id) -> bool {
        let node = &self.nodes[id];
        matches!(node.kind, Kind::Scalar(_, Style::Plain)) && node.start == node.end
    }

    /// The first node from `id` on through its descendants whose anchor is used from outside of them.
    pub(super) fn used_from_outside(&self, id: Id) -> Option<Id> {
        let inside = id..self.nodes[id].after;
        if inside.clone().all(|id| self.nodes[id].anchor == 0) {
            return None;
        }
        self.aliases.iter().find_map(|alias| {
            let target = self.follow(*alias);
            (inside.contains(&target) && !inside.contains(alias)).then_some(target)
        })
    }

    /// Whether an alias refers to this very node.
    pub(super) fn is_aliased(&self, id: Id) -> bool {
        self.nodes[id].anchor != 0 && self.aliases.iter().any(|alias| self.follow(*alias) == id)
    }
}
