//! The only room that knows the parser crate: its events, reduced to what the tree needs.
//!
//! Set up as libyaml behaves. Never builds anything and never judges what PyYAML would say.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser as granit;
use hubkit_contract::limits::CONFIG_NESTING;

use super::refuse;
use crate::Refusal;

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

/// A node's explicit tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    None,
    /// A lone `!`: a list, a mapping, or what a bare scalar of that text is.
    NonSpecific,
    Null,
    Bool,
    Int,
    Float,
    Str,
    Binary,
    Timestamp,
    Merge,
    Seq,
    Map,
    /// `!!set`: a mapping that PyYAML constructs as something else.
    Set,
    /// `!!omap`, `!!pairs`: a list of mappings with one entry each, likewise.
    Ordered,
    /// PyYAML's safe loader has no constructor for it.
    Custom,
}

/// What a node carries beside its content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Properties {
    /// The anchor's number, 0 for none.
    pub(super) anchor: usize,
    pub(super) tag: Tag,
    /// Where the tag begins.
    pub(super) tag_start: Option<usize>,
}

/// One step through the file.
#[derive(Debug)]
pub(super) enum Event<'a> {
    DocumentStart,
    DocumentEnd,
    Scalar(Cow<'a, str>, Style, Properties),
    Alias(usize),
    SequenceStart {
        flow: bool,
        properties: Properties,
    },
    MappingStart {
        flow: bool,
        properties: Properties,
    },
    CollectionEnd,
    /// The anchor of the node just begun, with its name.
    Anchor(Cow<'a, str>),
    Comment,
}

/// What libyaml takes and the parser does not.
#[derive(Debug, Clone, Copy)]
pub(super) enum Obstacle {
    /// A comment begins here, directly behind a token.
    Comment(usize),
    /// The line of this byte begins with tabs, which are welcome inside a flow collection.
    Tabs(usize),
}

/// Why there are no further events.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) refusal: Refusal,
    /// What stands in the way, if the host would not mind.
    pub(super) obstacle: Option<Obstacle>,
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self { refusal, obstacle: None }
    }
}

/// The events of `text` with their byte ranges.
pub(super) struct Events<'a> {
    text: &'a str,
    parser: granit::Parser<'a, granit::StrInput<'a>>,
}

impl<'a> Events<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let options = granit::options! {
            block_scalar_eof_without_line_feed: true,
            bom_inside_document_as_content: true,
            emit_anchor_events: true,
            // Long commented-out blocks are normal in configuration files.
            max_buffered_comment_events: usize::MAX,
            flow_nesting_limit: CONFIG_NESTING,
            block_nesting_limit: CONFIG_NESTING,
        };
        Self { text, parser: granit::Parser::new_from_str_with_options(text, options) }
    }

    fn stop(&self, error: &granit::ScanError) -> Stop {
        let at = error.marker().byte_offset().unwrap_or(self.text.len());
        let obstacle = match error.kind() {
            granit::ErrorKind::RecursionLimitExceeded => return refuse::too_deep(self.text, at).into(),
            granit::ErrorKind::CommentNotSeparated => Some(Obstacle::Comment(at)),
            granit::ErrorKind::TabInBlockIndentation => Some(Obstacle::Tabs(at)),
            _ => None,
        };
        let what = match error.kind() {
            // The parser would quote it, and it could be part of a secret.
            granit::ErrorKind::UnexpectedCharacter { .. } => "an unexpected character stands here".to_owned(),
            _ => error.info(),
        };
        Stop { refusal: refuse::syntax(self.text, at, what), obstacle }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<(Event<'a>, Range<usize>), Stop>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (event, span) = match self.parser.next_event()? {
                Ok(event) => event,
                Err(error) => return Some(Err(self.stop(&error))),
            };
            // Every span of a text input carries byte offsets; one without would make splices impossible.
            let Some(range) = span.byte_range() else {
                return Some(Err(refuse::syntax(self.text, 0, "the parser lost its place").into()));
            };
            let properties = |anchor, tag: Option<Cow<'_, granit::Tag>>| Properties {
                anchor,
                tag: tag.as_deref().map_or(Tag::None, tag_of),
                tag_start: span.tag_start().and_then(|marker| marker.byte_offset()),
            };
            let flow = |style| style == granit::StructureStyle::Flow;
            let event = match event {
                granit::Event::DocumentStart(..) => Event::DocumentStart,
                granit::Event::DocumentEnd => Event::DocumentEnd,
                granit::Event::Scalar(text, style, anchor, tag) => {
                    Event::Scalar(text, style_of(style), properties(anchor, tag))
                }
                granit::Event::Alias(anchor) => Event::Alias(anchor),
                granit::Event::SequenceStart(style, anchor, tag) => {
                    Event::SequenceStart { flow: flow(style), properties: properties(anchor, tag) }
                }
                granit::Event::MappingStart(style, anchor, tag) => {
                    Event::MappingStart { flow: flow(style), properties: properties(anchor, tag) }
                }
                granit::Event::SequenceEnd | granit::Event::MappingEnd => Event::CollectionEnd,
                granit::Event::Anchor(_, name) => Event::Anchor(name),
                granit::Event::Comment(..) => Event::Comment,
                granit::Event::StreamStart | granit::Event::StreamEnd => continue,
                // Nothing else is emitted with these options; a new kind of event must not be skipped.
                _ => {
                    return Some(Err(
                        refuse::syntax(self.text, range.start, "nothing known stands here").into()
                    ));
                }
            };
            return Some(Ok((event, range)));
        }
    }
}

fn style_of(style: granit::ScalarStyle) -> Style {
    match style {
        granit::ScalarStyle::Plain => Style::Plain,
        granit::ScalarStyle::SingleQuoted => Style::Single,
        granit::ScalarStyle::DoubleQuoted => Style::Double,
        granit::ScalarStyle::Literal => Style::Literal,
        granit::ScalarStyle::Folded => Style::Folded,
    }
}

fn tag_of(tag: &granit::Tag) -> Tag {
    let full = [tag.handle(), tag.suffix()].concat();
    if full == "!" {
        return Tag::NonSpecific;
    }
    match full.strip_prefix("tag:yaml.org,2002:") {
        Some("null") => Tag::Null,
        Some("bool") => Tag::Bool,
        Some("int") => Tag::Int,
        Some("float") => Tag::Float,
        Some("str") => Tag::Str,
        Some("binary") => Tag::Binary,
        Some("timestamp") => Tag::Timestamp,
        Some("merge") => Tag::Merge,
        Some("seq") => Tag::Seq,
        Some("map") => Tag::Map,
        Some("set") => Tag::Set,
        Some("omap" | "pairs") => Tag::Ordered,
        _ => Tag::Custom,
    }
}
