//! What PyYAML's safe loader rejects although the parser accepts it. Never builds a value.
//!
//! Rules of YAML 1.1 that 1.2 dropped (line separators), of libyaml's reader (control characters) and of the
//! constructors (unknown tags, impossible dates, keys that Python cannot hash, merges of non-mappings).

use super::events::{Style, Tag};
use super::lookup::resolved;
use super::refuse;
use super::scalar::Resolved;
use super::tree::{Id, Kind, Tree};
use crate::Refusal;

/// Refuses what the host's parser would not read.
///
/// # Errors
/// The first such place.
pub(super) fn check(tree: &Tree<'_>) -> Result<(), Refusal> {
    characters(tree)?;
    for id in 0..tree.len() {
        node(tree, id)?;
    }
    Ok(())
}

/// Control characters anywhere, and the line separators and byte order marks that the two versions of YAML
/// read differently.
fn characters(tree: &Tree<'_>) -> Result<(), Refusal> {
    let text = tree.text;
    let bytes = text.as_bytes();
    let mut suspects = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        let rest = &bytes[at..];
        match byte {
            b'\t' | b'\n' | b'\r' => {}
            0..=0x1f | 0x7f => return Err(control(text, at)),
            0xc2 if rest[1] == 0x85 => suspects.push(at),
            0xc2 if rest[1] < 0xa0 => return Err(control(text, at)),
            0xe2 if matches!(rest, [_, 0x80, 0xa8 | 0xa9, ..]) => suspects.push(at),
            0xef if matches!(rest, [_, 0xbb, 0xbf, ..]) && at > 0 => suspects.push(at),
            0xef if matches!(rest, [_, 0xbf, 0xbe | 0xbf, ..]) => return Err(control(text, at)),
            _ => {}
        }
    }
    if suspects.is_empty() { Ok(()) } else { separators(tree, &suspects) }
}

fn control(text: &str, at: usize) -> Refusal {
    refuse::syntax(text, at, "a control character stands here, which YAML does not allow")
}

/// A line separator ends a line for the host and not for our parser. Inside quotes the difference is harmless;
/// a byte order mark is harmless inside any scalar or comment.
fn separators(tree: &Tree<'_>, suspects: &[usize]) -> Result<(), Refusal> {
    let text = tree.text;
    let scalars: Vec<(usize, usize, bool)> = (0..tree.len())
        .filter_map(|id| {
            let node = tree.node(id);
            let Kind::Scalar(_, style) = node.kind else { return None };
            (node.start < node.end).then_some((
                node.start,
                node.end,
                matches!(style, Style::Single | Style::Double),
            ))
        })
        .collect();
    for at in suspects {
        let is_mark = text[*at..].starts_with('\u{feff}');
        let scalar = scalars[..scalars.partition_point(|(start, ..)| start <= at)].last();
        let in_scalar = scalar.is_some_and(|(_, end, quoted)| at < end && (is_mark || *quoted));
        let comment = tree.comments[..tree.comments.partition_point(|comment| comment.start <= *at)].last();
        let in_comment = comment.filter(|comment| comment.contains(at)).is_some_and(|comment| {
            let rest = text[*at..comment.end].trim_start_matches(['\u{85}', '\u{2028}', '\u{2029}', ' ']);
            is_mark || rest.is_empty() || rest.starts_with('#')
        });
        if !in_scalar && !in_comment {
            let what = if is_mark { "a second byte order mark" } else { "a Unicode line separator" };
            return Err(refuse::syntax(text, *at, format!("{what} stands here, outside of quotes")));
        }
    }
    Ok(())
}

fn node(tree: &Tree<'_>, id: Id) -> Result<(), Refusal> {
    let (text, node) = (tree.text, tree.node(id));
    if node.tag == Tag::Custom {
        return Err(refuse::tagged(text, node.props, "this tag is unknown to the host's parser"));
    }
    let fits = match (&node.kind, node.tag) {
        (Kind::Scalar(..) | Kind::Alias(_), _) => true,
        (Kind::Sequence { .. }, Tag::None | Tag::NonSpecific | Tag::Seq | Tag::Special)
        | (Kind::Mapping { .. }, Tag::None | Tag::NonSpecific | Tag::Map | Tag::Special) => true,
        (Kind::Sequence { .. } | Kind::Mapping { .. }, _) => false,
    };
    if !fits {
        return Err(refuse::syntax(text, node.props, "this tag does not fit what it stands before"));
    }
    match node.kind {
        Kind::Mapping { .. } => mapping(tree, id),
        Kind::Sequence { .. } => tree.children(id).try_for_each(|item| value(tree, item)),
        Kind::Scalar(..) if tree.root() == Some(id) => value(tree, id),
        _ => Ok(()),
    }
}

fn mapping(tree: &Tree<'_>, map: Id) -> Result<(), Refusal> {
    let text = tree.text;
    for entry in tree.entries(map) {
        let key = tree.node(entry.key);
        if tree.is_implied(entry.key) && text[key.start..].starts_with(':') {
            return Err(refuse::syntax(text, key.start, "a key is missing before this colon"));
        }
        match resolved(tree, entry.key) {
            None => {
                return Err(refuse::syntax(
                    text,
                    key.props,
                    "a list or a mapping cannot be a key for the host",
                ));
            }
            Some(Resolved::Unreadable) => return Err(unreadable(text, key.props)),
            Some(Resolved::Merge) => merge(tree, entry.value)?,
            Some(_) => value(tree, entry.value)?,
        }
    }
    Ok(())
}

fn value(tree: &Tree<'_>, id: Id) -> Result<(), Refusal> {
    match resolved(tree, id) {
        Some(Resolved::Merge | Resolved::Default | Resolved::Unreadable) => {
            Err(unreadable(tree.text, tree.node(id).props))
        }
        _ => Ok(()),
    }
}

fn merge(tree: &Tree<'_>, written: Id) -> Result<(), Refusal> {
    let source = tree.follow(written);
    let is_mapping = |id: Id| tree.is_mapping(tree.follow(id));
    let is_list = matches!(tree.node(source).kind, Kind::Sequence { .. });
    if is_mapping(source) || (is_list && tree.children(source).all(is_mapping)) {
        return Ok(());
    }
    let what = "a merge key needs a mapping or a list of mappings";
    Err(refuse::syntax(tree.text, tree.node(written).props, what))
}

fn unreadable(text: &str, at: usize) -> Refusal {
    refuse::syntax(text, at, "the host's parser cannot make a value of this")
}
