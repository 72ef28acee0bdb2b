//! What PyYAML's safe loader rejects although the parser accepts it. Never builds a value.
//!
//! Rules of YAML 1.1 that 1.2 dropped (line separators), of libyaml's reader (control characters) and of the
//! constructors (unknown tags, impossible dates, keys that Python cannot hash, merges of non-mappings).

use super::events::{Style, Tag};
use super::lines::Lines;
use super::lookup::resolved;
use super::place::after_colon;
use super::refuse;
use super::scalar::Resolved;
use super::tabs;
use super::tree::{Entry, Id, Kind, Tree};
use crate::Refusal;

/// Refuses what the host's parser would not read.
///
/// # Errors
/// The first such place.
pub(super) fn check(tree: &Tree<'_>) -> Result<(), Refusal> {
    characters(tree)?;
    prologue(tree)?;
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
    // Of each run of white space the first tab, and the byte before the run.
    let mut tabs = Vec::new();
    let mut solid = None;
    let mut has_tab = false;
    for (at, byte) in bytes.iter().enumerate() {
        let rest = &bytes[at..];
        match byte {
            b'\t' => {
                if !has_tab && tabs::is_suspect(bytes, solid) {
                    tabs.push(at);
                }
                has_tab = true;
                continue;
            }
            b' ' => continue,
            b'\n' | b'\r' => {}
            0..=0x1f | 0x7f => return Err(control(text, at)),
            0xc2 if rest[1] == 0x85 => suspects.push(at),
            0xc2 if rest[1] < 0xa0 => return Err(control(text, at)),
            0xe2 if matches!(rest, [_, 0x80, 0xa8 | 0xa9, ..]) => suspects.push(at),
            0xef if matches!(rest, [_, 0xbb, 0xbf, ..]) && at > 0 => suspects.push(at),
            0xef if matches!(rest, [_, 0xbf, 0xbe | 0xbf, ..]) => return Err(control(text, at)),
            _ => {}
        }
        solid = Some(at);
        has_tab = false;
    }
    tabs::check(tree, &tabs)?;
    if suspects.is_empty() { Ok(()) } else { separators(tree, &suspects) }
}

fn control(text: &str, at: usize) -> Refusal {
    refuse::syntax(text, at, "a control character stands here, which YAML does not allow")
}

/// What ends a line in YAML 1.1 and no longer does in 1.2.
const SEPARATORS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// A line separator ends a line for the host and not for our parser; inside a quoted value the difference is
/// harmless. A byte order mark is harmless inside a scalar or comment and before comments and blank lines, but
/// not where a line begins with it: libyaml skips it there and counts its column.
fn separators(tree: &Tree<'_>, suspects: &[usize]) -> Result<(), Refusal> {
    let text = tree.text;
    let lines = Lines { text };
    let scalars: Vec<(usize, usize, bool)> = (0..tree.len())
        .filter_map(|id| {
            let node = tree.node(id);
            let Kind::Scalar(_, style) = node.kind else { return None };
            let quoted = matches!(style, Style::Single | Style::Double);
            (node.start < node.end).then_some((node.start, node.end, quoted))
        })
        .collect();
    for at in suspects {
        let is_mark = text[*at..].starts_with('\u{feff}');
        let scalar = scalars[..scalars.partition_point(|(start, ..)| start <= at)].last();
        let scalar = scalar.filter(|(_, end, _)| at < end);
        let comment = tree.comments[..tree.comments.partition_point(|comment| comment.start <= *at)].last();
        let comment = comment.filter(|comment| comment.contains(at));
        let harmless = match (scalar, comment) {
            (Some((_, end, quoted)), _) if is_mark => *quoted || !lines.is_start(*at) && at < end,
            (Some((_, end, quoted)), _) => {
                let rest = text[*at..].trim_start_matches(SEPARATORS);
                let ends_document = rest.starts_with("---") || rest.starts_with("...");
                *quoted && !ends_document && after_colon(lines, *end).is_none()
            }
            (None, Some(_)) if is_mark => true,
            (None, Some(comment)) => {
                let rest = text[*at..comment.end].trim_start_matches(SEPARATORS).trim_start_matches(' ');
                rest.is_empty() || rest.starts_with('#')
            }
            (None, None) => is_mark && lines.is_start(*at) && is_trivia(lines, *at),
        };
        if !harmless {
            let what = if is_mark { "a second byte order mark" } else { "a Unicode line separator" };
            return Err(refuse::syntax(text, *at, format!("{what} stands here, outside of quotes")));
        }
    }
    Ok(())
}

/// Whether nothing but a comment follows the byte order mark at `at` in its line.
fn is_trivia(lines: Lines<'_>, at: usize) -> bool {
    let rest = lines.text[at..lines.content_end(at)].trim_start_matches(['\u{feff}', ' ']);
    rest.is_empty() || rest.starts_with('#')
}

/// Before the document libyaml takes the directives `%YAML 1.1`, `%YAML 1.2` and `%TAG`, and no `...`.
fn prologue(tree: &Tree<'_>) -> Result<(), Refusal> {
    let text = tree.text;
    let lines = Lines { text };
    let end = tree.document_start.or(tree.root().map(|root| tree.node(root).props)).unwrap_or(text.len());
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while at < end {
        let line = &text[at..lines.content_end(at)];
        let mut words = line.split_ascii_whitespace();
        let fits = match words.next() {
            Some("%YAML") => matches!(words.next(), Some("1.1" | "1.2")),
            Some(word) if line.starts_with('%') => word == "%TAG",
            Some("...") => !line.starts_with("..."),
            _ => true,
        };
        if !fits {
            return Err(refuse::syntax(
                text,
                at,
                "the host's parser does not take this line before the document",
            ));
        }
        at = lines.end(at);
    }
    Ok(())
}

fn node(tree: &Tree<'_>, id: Id) -> Result<(), Refusal> {
    let (text, node) = (tree.text, tree.node(id));
    if node.tag == Tag::Custom {
        return Err(refuse::tagged(text, node.props, "this tag is unknown to the host's parser"));
    }
    if node.tag == Tag::NonSpecific && !ends_well(text, node.props) {
        return Err(refuse::syntax(text, node.props, "the host's parser wants a blank behind this `!`"));
    }
    let fits = match (&node.kind, node.tag) {
        (Kind::Scalar(..) | Kind::Alias(_), _) => true,
        (Kind::Sequence { .. }, Tag::Ordered) => {
            tree.children(id).all(|item| is_pair(tree, tree.follow(item)))
        }
        (Kind::Sequence { .. }, Tag::None | Tag::NonSpecific | Tag::Seq)
        | (Kind::Mapping { .. }, Tag::None | Tag::NonSpecific | Tag::Map | Tag::Set) => true,
        (Kind::Sequence { .. } | Kind::Mapping { .. }, _) => false,
    };
    if !fits {
        return Err(refuse::syntax(text, node.props, "this tag does not fit what it stands before"));
    }
    if !properties_fit(tree, id) {
        let what = "an anchor or alias has a name that the host's parser does not take";
        return Err(refuse::syntax(text, node.props, what));
    }
    if let Some(at) = stray_colon(tree, id) {
        return Err(refuse::syntax(
            text,
            at,
            "the host's parser does not take this character here in a flow collection",
        ));
    }
    if let Kind::Scalar(_, Style::Double) = node.kind
        && let Some(at) = surrogate(text, node.start, node.end)
    {
        return Err(refuse::syntax(text, at, "half a surrogate pair is no character in YAML"));
    }
    if let Kind::Sequence { flow: true } = node.kind
        && let Some(at) = tree.children(id).find_map(|item| keyless_pair(tree, item))
    {
        return Err(refuse::syntax(text, at, "the host's parser wants a key behind this `?`"));
    }
    match node.kind {
        Kind::Mapping { .. } => mapping(tree, id),
        Kind::Sequence { .. } => tree.children(id).try_for_each(|item| value(tree, item)),
        Kind::Scalar(..) if tree.root() == Some(id) => value(tree, id),
        _ => Ok(()),
    }
}

/// Whether a lone `!` at or behind `props` is followed by white space or a comma, as libyaml wants it.
fn ends_well(text: &str, props: usize) -> bool {
    let behind = text[props..].split_once('!').and_then(|(_, behind)| behind.chars().next());
    behind.is_none_or(|c| c == ',' || c.is_whitespace())
}

/// Whether `id` is a mapping with one entry.
fn is_pair(tree: &Tree<'_>, id: Id) -> bool {
    tree.is_mapping(id) && tree.entries(id).count() == 1
}

/// An escape of half a surrogate pair, which JSON writes and libyaml refuses, between `start` and `end`.
fn surrogate(text: &str, start: usize, end: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[..end];
    let mut at = start;
    while let Some(ahead) = bytes[at..].iter().position(|byte| *byte == b'\\') {
        at += ahead;
        if let [_, b'u', b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..] = &bytes[at..] {
            return Some(at);
        }
        at = (at + 2).min(end);
    }
    None
}

/// In a flow list libyaml takes no pair `?` without a key, which it does take in a flow mapping.
fn keyless_pair(tree: &Tree<'_>, id: Id) -> Option<usize> {
    let node = tree.node(id);
    let is_bare = matches!(node.kind, Kind::Mapping { .. }) && tree.text[node.start..].starts_with('?');
    let key = tree.entries(id).next().filter(|_| is_bare)?.key;
    tree.is_implied(key).then_some(node.start)
}

/// In a flow collection libyaml takes no plain scalar that begins with a colon or, since it takes that for the mark
/// of a key, with a question mark, and wants a blank behind a colon
/// that ends one.
fn stray_colon(tree: &Tree<'_>, id: Id) -> Option<usize> {
    let plain = |id: Id| {
        let node = tree.node(id);
        (matches!(node.kind, Kind::Scalar(_, Style::Plain)) && node.start < node.end).then_some(node)
    };
    if let Some(node) = plain(id) {
        let colon = Lines { text: tree.text }.skip_blanks(node.end);
        let follows = &tree.text.as_bytes()[colon..];
        return matches!(follows, [b':', b',' | b'?' | b'[' | b']' | b'{' | b'}', ..]).then_some(colon);
    }
    if !matches!(tree.node(id).kind, Kind::Sequence { flow: true } | Kind::Mapping { flow: true }) {
        return None;
    }
    tree.children(id).filter_map(plain).find_map(|node| {
        let text = &tree.text[node.start..node.end];
        if text.starts_with([':', '?']) {
            Some(node.start)
        } else {
            text.find(":?").map(|at| node.start + at)
        }
    })
}

/// libyaml's names of anchors are letters, digits, `_` and `-`, and a collection may not follow directly.
fn properties_fit(tree: &Tree<'_>, id: Id) -> bool {
    let node = tree.node(id);
    let name = match node.kind {
        Kind::Alias(_) => &tree.text[node.start + 1..node.end],
        _ if node.anchor == 0 => return true,
        _ => {
            let properties = &tree.text[node.props..node.start];
            let Some(at) = properties.find('&') else { return true };
            let name = properties[at + 1..].split_ascii_whitespace().next().unwrap_or_default();
            let touches = at + 1 + name.len() == properties.len();
            if touches && tree.text[node.start..].starts_with(['{', '[']) {
                return false;
            }
            name
        }
    };
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

fn mapping(tree: &Tree<'_>, map: Id) -> Result<(), Refusal> {
    let text = tree.text;
    for entry in tree.entries(map) {
        let key = tree.node(entry.key);
        let is_missing = tree.is_implied(entry.key) && text[key.start..].starts_with(':');
        if is_missing && !is_behind_question_mark(tree, key.start) {
            return Err(refuse::syntax(text, key.start, "a key is missing before this colon"));
        }
        if !tree.is_implied(entry.key) && !is_on_one_line(tree, entry) {
            return Err(refuse::syntax(text, key.props, "a key and its colon must stand on one line"));
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

/// YAML 1.2 lets a key in a flow collection, and its colon, stand on several lines; 1.1 wants a `?` before it.
fn is_on_one_line(tree: &Tree<'_>, entry: Entry) -> bool {
    let key = tree.node(entry.key);
    let is_whole = match after_colon(Lines { text: tree.text }, key.end) {
        Some(_) => !tree.text[key.props..key.end].contains(['\n', '\r']),
        None => tree.is_implied(entry.value) && !tree.text[key.end..].trim_start().starts_with(':'),
    };
    is_whole || is_behind_question_mark(tree, key.props)
}

/// Whether a `?` stands before `at`, with nothing but white space and comments between.
fn is_behind_question_mark(tree: &Tree<'_>, at: usize) -> bool {
    let mut before = tree.text[..at].trim_end();
    while let Some(comment) = comment_that_ends_at(tree, before.len()) {
        before = tree.text[..comment].trim_end();
    }
    before.ends_with('?')
}

fn comment_that_ends_at(tree: &Tree<'_>, end: usize) -> Option<usize> {
    let before = &tree.comments[..tree.comments.partition_point(|comment| comment.start < end)];
    before.last().filter(|comment| comment.end >= end).map(|comment| comment.start)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_readable(text: &str) -> bool {
        Tree::parse(text).is_ok_and(|tree| check(&tree).is_ok())
    }

    #[test]
    fn what_libyaml_and_pyyaml_do_not_take_is_refused() {
        for text in [
            r#"a: "\ud83d\ude00""#,
            "a: [?, x]",
            "a: [? ]",
            "a: [? : x]",
            "a: !!set [a]",
            "a: !!omap {a: 1}",
            "a: !!omap [{a: 1, b: 2}]",
            "a: !!pairs [a]",
            "a: [!]",
            "a: { !}",
        ] {
            assert!(!is_readable(text), "{text}");
        }
    }

    #[test]
    fn what_looks_like_it_and_is_taken_passes() {
        for text in [
            r#"a: "\\ud83d""#,
            r"a: '\ud83d'",
            "a: [? x]",
            "a: [{? }]",
            "a: !!set {a}",
            "a: [!, x]",
            "a: ! x",
            "a: &b ! x",
            "a: !!omap [a: 1]",
            "x: &m {a: 1}\na: !!pairs [*m]",
        ] {
            assert!(is_readable(text), "{text}");
        }
    }
}
