//! New elements: behind the last one of their list, laid out and quoted as that one is.

use super::items::{comma, dash, end, next_line};
use super::manner::pen_of;
use crate::Value;
use crate::splice::Splice;
use crate::yaml::lines::Lines;
use crate::yaml::place::{Alternatives, fill_braces, insert_lines, past_comments};
use crate::yaml::style::Habits;
use crate::yaml::tree::{Entry, Id, Kind, Tree};
use crate::yaml::write::{Layout, Pen, block_members, inline};

/// Ways to put `values` behind the last element of the list that is the value of `entry`.
pub(super) fn ways(tree: &Tree<'_>, habits: &Habits, entry: Entry, values: &[&Value]) -> Alternatives {
    let Some(last) = tree.children(entry.value).last() else {
        let written: Vec<String> = values.iter().map(|value| inline(value, habits.quotes)).collect();
        return vec![fill_braces(tree, entry.value, &written.join(", "))];
    };
    let pen = pen_of(tree, habits, last);
    match tree.node(entry.value).kind {
        Kind::Sequence { flow: true } => in_flow(tree, entry.value, last, values, pen),
        _ => in_block(tree, habits, entry, last, values, pen),
    }
}

fn in_block(
    tree: &Tree<'_>,
    habits: &Habits,
    entry: Entry,
    last: Id,
    values: &[&Value],
    pen: Pen,
) -> Alternatives {
    let lines = Lines { text: tree.text };
    let (Some(dash), Some(below)) = (dash(tree, last), next_line(tree, last)) else { return Vec::new() };
    let column = lines.column(dash);
    // How far the content stands behind its dash, where it stands in the same line.
    let content = lines.skip_blanks(dash + 1);
    let is_apart = tree.text[dash + 1..content].contains('\t') || lines.only_trivia_after(content);
    let gap = if is_apart { 1 } else { content - dash - 1 };
    let step = habits.step_in(tree, last);
    let is_inline =
        matches!(tree.node(last).kind, Kind::Mapping { flow: true } | Kind::Sequence { flow: true });
    let body = |at: usize| {
        let layout = Layout { indent: column + 1 + gap, step, ending: lines.ending(at), pen };
        let element = |value: &&Value| {
            let content = match value {
                Value::Map(members) if !members.is_empty() && !is_inline => {
                    let written = block_members(members, layout);
                    written.get(layout.indent..).unwrap_or_default().to_owned()
                }
                value => inline(value, pen),
            };
            format!("{}-{}{content}", " ".repeat(column), " ".repeat(gap))
        };
        values.iter().map(element).collect::<Vec<_>>().join(layout.ending)
    };
    // Comments at the column of the dashes are about what follows where the key stands in that column too.
    let outer = lines.column(tree.node(entry.key).props);
    let behind = past_comments(lines, below, if column > outer { column } else { column + 1 });
    let mut places = vec![behind];
    places.extend((below != behind).then_some(below));
    places.into_iter().map(|at| vec![insert_lines(lines, at, &body(at))]).collect()
}

fn in_flow(tree: &Tree<'_>, list: Id, last: Id, values: &[&Value], pen: Pen) -> Alternatives {
    let lines = Lines { text: tree.text };
    let (end, comma) = (end(tree, last), comma(tree, last));
    let written: Vec<String> = values.iter().map(|value| inline(value, pen)).collect();
    // A comma directly behind a colon would not end the key for libyaml.
    let blank = if lines.text[..end].ends_with(':') { " " } else { "" };
    let mut alternatives = Vec::new();
    let behind = comma.map_or(end, |comma| comma + 1);
    let line_end = lines.content_end(behind);
    if let Some(lead) = lines.lead(tree.node(last).props)
        && lines.only_trivia_after(behind)
        && line_end < tree.node(list).end
    {
        // One element a line, as the others stand.
        let start = format!("{}{lead}", lines.ending(line_end));
        let separated = comma.is_none().then(|| Splice::insert(end, format!("{blank},")));
        let with = |trailing: &str| {
            let text = format!("{start}{}{trailing}", written.join(&format!(",{start}")));
            separated.iter().cloned().chain([Splice::insert(line_end, text)]).collect::<Vec<_>>()
        };
        // Before a bracket behind a tab libyaml takes no bare value, but it takes a comma.
        let commas = if comma.is_some() { [",", ""] } else { ["", ","] };
        alternatives.extend(commas.map(with));
    }
    alternatives.push(vec![Splice::insert(end, format!("{blank}, {}", written.join(", ")))]);
    alternatives
}
