//! The file as a tree of nodes with byte ranges, kept flat: nodes stand in document order in one vector, so
//! that no walk, comparison or drop needs the stack. Never interprets a scalar.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use hubkit_contract::limits::CONFIG_NESTING;

use super::events::{Event, Events, Properties, Style, Tag};
use super::refuse;
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
    nodes: Vec<Node<'a>>,
    /// The node that carries anchor `n`, at `n`; 0 is unused.
    anchored: Vec<Id>,
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
        let mut tree = Self {
            text,
            nodes: Vec::new(),
            anchored: vec![0],
            aliases: Vec::new(),
            comments: Vec::new(),
            document_start: None,
            document_end: None,
        };
        let mut open: Vec<Id> = Vec::new();
        let mut names = HashSet::new();
        let mut documents = 0;
        for item in Events::new(text) {
            let (event, range) = item?;
            match event {
                Event::DocumentStart => {
                    documents += 1;
                    if documents > 1 {
                        return Err(refuse::several_documents(text, range.start));
                    }
                    tree.document_start = Some(range.start).filter(|at| text[*at..].starts_with("---"));
                }
                Event::DocumentEnd => {
                    if text[range.start..].starts_with("...") {
                        tree.document_end = Some(range.start);
                    }
                }
                Event::Comment => tree.comments.push(range),
                Event::Anchor(name) => {
                    // PyYAML takes an anchor's name once in a document.
                    if !names.insert(name) {
                        return Err(refuse::syntax(text, range.start, "found duplicate anchor"));
                    }
                    if let Some(node) = tree.nodes.last_mut() {
                        node.props = node.props.min(range.start);
                    }
                }
                Event::Alias(anchor) => {
                    tree.aliases.push(tree.nodes.len());
                    let properties = Properties { anchor: 0, tag: Tag::None, tag_start: None };
                    tree.push(&mut open, Kind::Alias(anchor), range, properties)?;
                }
                Event::Scalar(value, style, properties) => {
                    let mut range = range;
                    if matches!(style, Style::Literal | Style::Folded) {
                        range.end = block_scalar_end(text, &range, &value);
                        range.start = range.start.min(range.end);
                    }
                    tree.push(&mut open, Kind::Scalar(value, style), range, properties)?;
                }
                Event::SequenceStart { flow, properties } => {
                    open.push(tree.nodes.len());
                    tree.push(&mut open, Kind::Sequence { flow }, range, properties)?;
                }
                Event::MappingStart { flow, properties } => {
                    open.push(tree.nodes.len());
                    tree.push(&mut open, Kind::Mapping { flow }, range, properties)?;
                }
                Event::CollectionEnd => tree.close(&mut open, range.end),
            }
        }
        Ok(tree)
    }

    fn push(
        &mut self,
        open: &mut [Id],
        kind: Kind<'a>,
        range: Range<usize>,
        properties: Properties,
    ) -> Result<(), Refusal> {
        if open.len() > CONFIG_NESTING {
            return Err(refuse::too_deep(self.text, range.start));
        }
        let id = self.nodes.len();
        if properties.anchor != 0 {
            self.anchored.resize(self.anchored.len().max(properties.anchor + 1), 0);
            self.anchored[properties.anchor] = id;
        }
        if let Some(parent) = open.last().filter(|parent| **parent != id) {
            let parent = &mut self.nodes[*parent];
            parent.end = parent.end.max(range.end);
        }
        self.nodes.push(Node {
            kind,
            start: range.start,
            props: properties.tag_start.unwrap_or(range.start).min(range.start),
            end: range.end,
            tag: properties.tag,
            anchor: properties.anchor,
            after: id + 1,
        });
        Ok(())
    }

    fn close(&mut self, open: &mut Vec<Id>, end: usize) {
        let Some(id) = open.pop() else { return };
        let after = self.nodes.len();
        let node = &mut self.nodes[id];
        node.after = after;
        if matches!(node.kind, Kind::Sequence { flow: true } | Kind::Mapping { flow: true }) {
            node.end = end;
        }
        let end = node.end;
        if let Some(parent) = open.last() {
            let parent = &mut self.nodes[*parent];
            parent.end = parent.end.max(end);
        }
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

/// The parser's span of a block scalar runs into the indentation of the next line, and over blank lines that
/// are no part of a value that is not chomped with `+`.
fn block_scalar_end(text: &str, range: &Range<usize>, value: &str) -> usize {
    let bytes = text.as_bytes();
    let floor = |from: usize| {
        let mut at = from;
        while at > 0 && matches!(bytes[at - 1], b' ' | b'\t') {
            at -= 1;
        }
        at
    };
    let is_break = |at: usize| at > 0 && matches!(bytes[at - 1], b'\n' | b'\r');
    let line = floor(range.end);
    if !is_break(line) {
        return range.end;
    }
    let kept = value.ends_with("\n\n") || value.trim_end_matches('\n').is_empty();
    if kept || value.trim_end_matches('\n').ends_with([' ', '\t']) {
        return line;
    }
    let mut end = line;
    loop {
        // The line before `end` is blank if nothing but blanks stands between its break and the one before.
        let mut previous = end - 1;
        if previous > range.start && bytes[previous] == b'\n' && bytes[previous - 1] == b'\r' {
            previous -= 1;
        }
        let before = floor(previous);
        if before <= range.start || !is_break(before) {
            return end;
        }
        end = before;
    }
}
