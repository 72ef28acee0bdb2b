//! Where new members of a mapping go, the best place first. Which place is right is for the proof to say.

use super::lines::Lines;
use super::style::Habits;
use super::tree::{Entry, Id, Kind, Tree};
use super::write::{Layout, block_members, flow_members, inline, string};
use crate::Value;
use crate::splice::Splice;

/// Ways to make one edit, the best first.
pub(super) type Alternatives = Vec<Vec<Splice>>;

/// After the colon that follows a key ending at `end` in the same line.
pub(super) fn after_colon(lines: Lines<'_>, end: usize) -> Option<usize> {
    let at = lines.skip_blanks(end);
    lines.text[at..].starts_with(':').then_some(at + 1)
}

/// After the last byte of an entry, the colon of a value that is not written included.
pub(super) fn end_of(tree: &Tree<'_>, entry: Entry) -> usize {
    let key_end = tree.node(entry.key).end;
    // The parser places a value that is not written anywhere up to the next token.
    let end = if tree.is_implied(entry.value) { key_end } else { tree.node(entry.value).end.max(key_end) };
    after_colon(Lines { text: tree.text }, end).unwrap_or(end)
}

/// Where the line after an entry begins; `None` where something else stands behind the entry.
pub(super) fn next_line(tree: &Tree<'_>, entry: Entry) -> Option<usize> {
    let lines = Lines { text: tree.text };
    let end = end_of(tree, entry);
    if end > tree.node(entry.key).end && lines.is_start(end) {
        return Some(end);
    }
    lines.only_trivia_after(end).then(|| lines.end(end))
}

/// Past the comment lines from the line start `at` on that are indented by at least `indent`. Blank lines
/// between them are passed, those after them are not.
pub(super) fn past_comments(lines: Lines<'_>, at: usize, indent: usize) -> usize {
    let (mut end, mut probe) = (at, at);
    while probe < lines.text.len() {
        match lines.comment_indentation(probe) {
            Some(found) if found >= indent => {
                probe = lines.end(probe);
                end = probe;
            }
            None if lines.is_blank(probe) => probe = lines.end(probe),
            _ => break,
        }
    }
    end
}

/// Whole lines to stand at `at`. Where the text before lacks its line break, the new text lacks it too.
pub(super) fn insert_lines(lines: Lines<'_>, at: usize, body: &str) -> Splice {
    let ending = lines.ending(at);
    let text = if lines.is_start(at) { format!("{body}{ending}") } else { format!("{ending}{body}") };
    Splice::insert(at, text)
}

/// Ways to add `members` to a mapping that is written out and not empty.
pub(super) fn add(tree: &Tree<'_>, habits: &Habits, map: Id, members: &[(String, Value)]) -> Alternatives {
    match tree.node(map).kind {
        Kind::Mapping { flow: true } => add_in_flow(tree, habits, map, members),
        _ => add_in_block(tree, habits, map, members),
    }
}

fn add_in_block(tree: &Tree<'_>, habits: &Habits, map: Id, members: &[(String, Value)]) -> Alternatives {
    let lines = Lines { text: tree.text };
    let entries: Vec<Entry> = tree.entries(map).collect();
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return Vec::new() };
    let key_at = |entry: &Entry| {
        if entry == first {
            tree.node(map).start.min(tree.node(entry.key).props)
        } else {
            tree.node(entry.key).props
        }
    };
    // A mapping that begins behind an indicator, as in `- a: 1`, is indented by that column.
    let indent = entries
        .iter()
        .find_map(|entry| lines.indentation(key_at(entry)))
        .unwrap_or_else(|| lines.column(tree.node(map).start));
    let body = |at: usize| {
        let layout = Layout {
            indent,
            step: habits.step_in(tree, map),
            ending: lines.ending(at),
            pen: habits.quotes.into(),
        };
        block_members(members, layout)
    };
    let mut alternatives = Vec::new();
    if let Some(at) = next_line(tree, *last) {
        let at = past_comments(lines, at, indent);
        alternatives.push(vec![insert_lines(lines, at, &body(at))]);
    }
    let before_last = entries.len().checked_sub(2).map(|index| (last, end_of(tree, entries[index])));
    for (entry, floor) in before_last.into_iter().chain([(first, 0)]) {
        if lines.indentation(key_at(entry)) == Some(indent) {
            let at = above_comments(lines, lines.start(key_at(entry)), indent, floor);
            alternatives.push(vec![Splice::insert(at, body(at) + lines.ending(at))]);
        }
    }
    alternatives
}

/// Above the comment lines directly before the line start `at` that are indented like it, at most up to
/// `floor`.
fn above_comments(lines: Lines<'_>, at: usize, indent: usize, floor: usize) -> usize {
    let mut top = at;
    while top > floor && lines.text[..top].ends_with(['\n', '\r']) {
        let above = lines.start(top - if lines.text[..top].ends_with("\r\n") { 2 } else { 1 });
        if above < floor || lines.comment_indentation(above) != Some(indent) {
            break;
        }
        top = above;
    }
    top
}

fn add_in_flow(tree: &Tree<'_>, habits: &Habits, map: Id, members: &[(String, Value)]) -> Alternatives {
    let lines = Lines { text: tree.text };
    let node = tree.node(map);
    let body = flow_members(members, habits.quotes);
    let Some(last) = tree.entries(map).last() else { return vec![fill_braces(tree, map, &body)] };
    let end = end_of(tree, last);
    let comma = Some(lines.skip_blanks(end)).filter(|at| lines.text[*at..].starts_with(','));
    // A comma directly behind a colon would not end the key for libyaml.
    let blank = if lines.text[..end].ends_with(':') { " " } else { "" };
    let mut alternatives = Vec::new();
    let behind = comma.map_or(end, |comma| comma + 1);
    let line_end = lines.content_end(behind);
    if let Some(lead) = lines.lead(tree.node(last.key).props)
        && lines.only_trivia_after(behind)
        && line_end < node.end
    {
        // One member a line, as the others stand.
        let start = format!("{}{lead}", lines.ending(line_end));
        let member = |(key, value): &(String, Value)| {
            format!("{start}{}: {}", string(key, habits.quotes), inline(value, habits.quotes))
        };
        let written = members.iter().map(member).collect::<Vec<_>>().join(",");
        let separated = comma.is_none().then(|| Splice::insert(end, format!("{blank},")));
        let with = |behind: &str| {
            let text = format!("{written}{behind}");
            separated.iter().cloned().chain([Splice::insert(line_end, text)]).collect::<Vec<_>>()
        };
        // Before a brace behind a tab libyaml takes no bare value, but it takes a comma.
        let commas = if comma.is_some() { [",", ""] } else { ["", ","] };
        alternatives.extend(commas.map(with));
    }
    alternatives.push(vec![Splice::insert(end, format!("{blank}, {body}"))]);
    alternatives.push(vec![Splice::insert(node.start + 1, format!("{body}, "))]);
    alternatives
}

/// Puts members between the braces of an empty flow mapping; blanks there go, comments stay.
pub(super) fn fill_braces(tree: &Tree<'_>, map: Id, body: &str) -> Vec<Splice> {
    let node = tree.node(map);
    let inside = node.start + 1..node.end.saturating_sub(1).max(node.start + 1);
    let is_blank = tree.text[inside.clone()].bytes().all(|byte| matches!(byte, b' ' | b'\t'));
    if is_blank {
        return vec![Splice::replace(inside, body)];
    }
    // A comment directly behind the brace would become part of a bare value.
    let apart = if tree.text[inside.start..].starts_with('#') { " " } else { "" };
    vec![Splice::insert(inside.start, format!("{body}{apart}"))]
}
