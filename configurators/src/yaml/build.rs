//! From the parser's events to the tree. Corrects the spans where the parser's are not what an edit needs.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use hubkit_contract::limits::CONFIG_NESTING;

use super::events::{Event, Events, Properties, Stop, Style, Tag};
use super::refuse;
use super::tree::{Id, Kind, Node, Tree};
use crate::Refusal;

/// Builds the tree of one document.
///
/// # Errors
/// Where and why it stopped.
pub(super) fn build(text: &str) -> Result<Tree<'_>, Stop> {
    let mut builder = Builder {
        tree: Tree {
            text,
            nodes: Vec::new(),
            anchored: vec![0],
            aliases: Vec::new(),
            comments: Vec::new(),
            document_start: None,
            document_end: None,
        },
        open: Vec::new(),
        names: HashSet::new(),
        documents: 0,
    };
    for item in Events::new(text) {
        let (event, range) = item?;
        builder.take(event, range)?;
    }
    Ok(builder.tree)
}

struct Builder<'a> {
    tree: Tree<'a>,
    /// The collections that are not over yet.
    open: Vec<Id>,
    /// The anchors so far.
    names: HashSet<Cow<'a, str>>,
    documents: usize,
}

impl<'a> Builder<'a> {
    fn take(&mut self, event: Event<'a>, mut range: Range<usize>) -> Result<(), Refusal> {
        let text = self.tree.text;
        match event {
            Event::DocumentStart => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(refuse::several_documents(text, range.start));
                }
                self.tree.document_start = Some(range.start).filter(|at| text[*at..].starts_with("---"));
            }
            Event::DocumentEnd => {
                if text[range.start..].starts_with("...") {
                    self.tree.document_end = Some(range.start);
                }
            }
            Event::Comment => self.tree.comments.push(range),
            Event::Anchor(name) => {
                // PyYAML takes an anchor's name once in a document.
                if !self.names.insert(name) {
                    return Err(refuse::syntax(text, range.start, "found duplicate anchor"));
                }
                if let Some(node) = self.tree.nodes.last_mut() {
                    node.props = node.props.min(range.start);
                }
            }
            Event::Alias(anchor) => {
                self.tree.aliases.push(self.tree.nodes.len());
                let properties = Properties { anchor: 0, tag: Tag::None, tag_start: None };
                self.push(Kind::Alias(anchor), range, properties)?;
            }
            Event::Scalar(value, style, properties) => {
                if matches!(style, Style::Literal | Style::Folded) {
                    range.end = block_scalar_end(text, &range, &value);
                    range.start = range.start.min(range.end);
                }
                self.push(Kind::Scalar(value, style), range, properties)?;
            }
            Event::SequenceStart { flow, properties } => {
                if !flow {
                    range.start = dash_before(text, range.start);
                }
                self.open.push(self.tree.nodes.len());
                self.push(Kind::Sequence { flow }, range, properties)?;
            }
            Event::MappingStart { flow, properties } => {
                self.open.push(self.tree.nodes.len());
                self.push(Kind::Mapping { flow }, range, properties)?;
            }
            Event::CollectionEnd => self.close(range.end),
        }
        Ok(())
    }

    fn push(&mut self, kind: Kind<'a>, range: Range<usize>, properties: Properties) -> Result<(), Refusal> {
        if self.open.len() > CONFIG_NESTING {
            return Err(refuse::too_deep(self.tree.text, range.start));
        }
        let id = self.tree.nodes.len();
        if properties.anchor != 0 {
            self.tree.anchored.resize(self.tree.anchored.len().max(properties.anchor + 1), 0);
            self.tree.anchored[properties.anchor] = id;
        }
        if let Some(parent) = self.open.last().filter(|parent| **parent != id) {
            let parent = &mut self.tree.nodes[*parent];
            parent.end = parent.end.max(range.end);
        }
        self.tree.nodes.push(Node {
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

    fn close(&mut self, end: usize) {
        let Some(id) = self.open.pop() else { return };
        let after = self.tree.nodes.len();
        let node = &mut self.tree.nodes[id];
        node.after = after;
        if matches!(node.kind, Kind::Sequence { flow: true } | Kind::Mapping { flow: true }) {
            node.end = end;
        }
        let end = node.end;
        if let Some(parent) = self.open.last() {
            let parent = &mut self.tree.nodes[*parent];
            parent.end = parent.end.max(end);
        }
    }
}

/// The parser lets a list that is not indented below its key begin behind its first dash.
fn dash_before(text: &str, start: usize) -> usize {
    let before = text[..start].trim_end_matches([' ', '\t']);
    if text[start..].starts_with('-') || !before.ends_with('-') { start } else { before.len() - 1 }
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
