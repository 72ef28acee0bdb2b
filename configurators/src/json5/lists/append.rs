//! New elements: behind everything that stands in their list, laid out and quoted as the last element is.

use super::items::slots;
use crate::Value;
use crate::json5::chars::is_break;
use crate::json5::layout::indentation;
use crate::json5::proof::is_strict;
use crate::json5::removal::Slot;
use crate::json5::style::Style;
use crate::json5::tree::{Kind, Node, Tree};
use crate::json5::write::{Layout, New, Unwritable};
use crate::splice::Splice;

/// The splices that put `values` behind the last item of `list`.
pub(super) fn behind(
    text: &str,
    tree: &Tree<'_>,
    list: &Node<'_>,
    values: &[&Value],
) -> Result<Vec<Splice>, Unwritable> {
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let style = Style::of(text, tree, is_strict(text));
    let slots = slots(text, tree, list);
    let place = Place { text, tree, list, slots: &slots, style: &style };
    match (&list.kind, slots.last()) {
        (Kind::List(items), Some(slot)) if let Some(last) = items.last() => place.grow(last, *slot, values),
        _ => place.fill(values),
    }
}

struct Place<'t, 'a> {
    text: &'a str,
    tree: &'t Tree<'a>,
    list: &'t Node<'a>,
    slots: &'t [Slot],
    style: &'t Style,
}

impl Place<'_, '_> {
    /// Behind the last item, its comma and the comments that follow.
    fn grow(&self, last: &Node<'_>, slot: Slot, values: &[&Value]) -> Result<Vec<Splice>, Unwritable> {
        let mut splices = Vec::new();
        if slot.comma.is_none() {
            splices.push(Splice::insert(slot.end, ","));
        }
        let behind = slot.comma.map_or(slot.end, |comma| comma + 1);
        let at = self.tree.last_comment_end(behind..self.list.close()).unwrap_or(behind);
        let style = self.style.like(self.text, last);
        let written: Vec<String> =
            values.iter().map(|value| element(self.text, &style, last, value)).collect::<Result<_, _>>()?;
        let before = match self.item_indent() {
            Some(indent) => format!("{}{indent}", style.newline),
            None => self.gap(),
        };
        let trailing = if slot.comma.is_some() { "," } else { "" };
        splices
            .push(Splice::insert(at, format!("{before}{}{trailing}", written.join(&format!(",{before}")))));
        Ok(splices)
    }

    /// The indentation of items that stand on lines of their own; `None` for a list on one line.
    fn item_indent(&self) -> Option<String> {
        let mut own_lines = self.slots.iter().rev().map(|slot| indentation(self.text, slot.start));
        if let Some(indent) = own_lines.next().flatten() {
            return Some(indent.to_owned());
        }
        let close = indentation(self.text, self.list.close())?;
        let sibling = own_lines.flatten().next();
        Some(sibling.map_or_else(|| format!("{close}{}", self.style.unit), str::to_owned))
    }

    /// What stands behind the commas of this list, where it has one between two items, else the file's habit.
    fn gap(&self) -> String {
        let between = self.slots.iter().rev().skip(1).find_map(|slot| slot.comma);
        let has_gap = between.map(|comma| self.text[comma + 1..].starts_with([' ', '\t']));
        match has_gap {
            Some(true) => " ".to_owned(),
            Some(false) => String::new(),
            None => self.style.spacing.comma.to_owned(),
        }
    }

    /// Into a list without items, behind the comments in it.
    fn fill(&self, values: &[&Value]) -> Result<Vec<Splice>, Unwritable> {
        let (open, close) = (self.list.span.start + 1, self.list.close());
        let comment = self.tree.last_comment_end(open..close);
        let at = comment.unwrap_or(open);
        let style = self.style;
        let layout = Layout::Inline(style.spacing);
        let written: Vec<String> =
            values.iter().map(|value| style.value(&New::Given(value), layout)).collect::<Result<_, _>>()?;
        let outer = indentation(self.text, close).filter(|_| self.text[at..close].contains(is_break));
        if let Some(outer) = outer {
            let before = format!("{}{outer}{}", style.newline, style.unit);
            let comma = if style.trailing_comma { "," } else { "" };
            let lines = written.join(&format!(",{before}"));
            return Ok(vec![Splice::insert(at, format!("{before}{lines}{comma}"))]);
        }
        let line = written.join(&format!(",{}", style.spacing.comma));
        Ok(vec![match comment {
            Some(at) => Splice::insert(at, format!(" {line}")),
            None => Splice::replace(at..close, line),
        }])
    }
}

/// A new element beside `last`: an object spread over lines where that one is.
fn element(text: &str, style: &Style, last: &Node<'_>, value: &Value) -> Result<String, Unwritable> {
    let outer = match &last.kind {
        Kind::Object(members) if !members.is_empty() => indentation(text, last.close()),
        _ => None,
    };
    match (value, outer) {
        (Value::Map(members), Some(outer)) if !members.is_empty() => {
            let members = members.iter().map(|(key, value)| (key.as_str(), New::Given(value)));
            style.value(&New::Object(members.collect()), Layout::Lines(outer))
        }
        _ => style.value(&New::Given(value), Layout::Inline(style.spacing_in(text, last))),
    }
}
