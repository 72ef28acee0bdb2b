//! Changes in turns: settings and removals of keys that follow one another are one turn, and so is what is put
//! into one list, or taken out of it, at once. Knows neither format; each turn is made and proven by an engine.

use std::borrow::Cow;

use crate::{Action, Change, Refusal, Value};

/// What an engine does at once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Turn<'c> {
    /// Keys are set and removed.
    Keys(&'c [Change]),
    /// A list gains or loses elements.
    List(ListTurn<'c>),
}

/// What happens to one list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListTurn<'c> {
    /// Keys to the list.
    pub(crate) path: Vec<&'c str>,
    /// Whether the values are put in or taken out.
    pub(crate) direction: Direction,
    /// The values, in order.
    pub(crate) values: Vec<&'c Value>,
}

/// Which way elements go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Into the list.
    In,
    /// Out of it.
    Out,
}

/// Whether one of the changes is about a list.
pub(crate) fn any_list(changes: &[Change]) -> bool {
    changes.iter().any(|change| list_value(change).is_some())
}

/// The text after all turns; `make` makes one in a text.
///
/// # Errors
/// The refusal of the first turn that cannot be made.
pub(crate) fn in_turn(
    text: &str,
    changes: &[Change],
    make: impl Fn(&str, &Turn<'_>) -> Result<String, Refusal>,
) -> Result<String, Refusal> {
    let mut done = Cow::Borrowed(text);
    for turn in turns(changes) {
        let next = make(&done, &turn).map_err(|refusal| {
            // What the turns before it wrote may have moved the place; the file at hand has no such lines.
            match make(text, &turn) {
                Err(original) if original.kind == refusal.kind => original,
                _ => Refusal { at: None, ..refusal },
            }
        })?;
        done = Cow::Owned(next);
    }
    Ok(done.into_owned())
}

fn turns(changes: &[Change]) -> impl Iterator<Item = Turn<'_>> {
    changes.chunk_by(is_one_turn).filter_map(|run| {
        let first = run.first()?;
        let Some((direction, _)) = list_value(first) else { return Some(Turn::Keys(run)) };
        Some(Turn::List(ListTurn {
            path: first.path.iter().map(String::as_str).collect(),
            direction,
            values: run.iter().filter_map(|change| Some(list_value(change)?.1)).collect(),
        }))
    })
}

fn is_one_turn(a: &Change, b: &Change) -> bool {
    match (list_value(a), list_value(b)) {
        (None, None) => true,
        (Some((a_direction, _)), Some((b_direction, _))) => a_direction == b_direction && a.path == b.path,
        _ => false,
    }
}

fn list_value(change: &Change) -> Option<(Direction, &Value)> {
    match &change.action {
        Action::Append(value) => Some((Direction::In, value)),
        Action::Drop(value) => Some((Direction::Out, value)),
        Action::Set(_) | Action::Remove => None,
    }
}

impl<'c> ListTurn<'c> {
    /// The values that are not among `standing` and not said twice, by `same`.
    pub(crate) fn missing_from(
        &self,
        standing: &[Value],
        same: impl Fn(&Value, &Value) -> bool,
    ) -> Vec<&'c Value> {
        let mut missing: Vec<&Value> = Vec::new();
        for value in &self.values {
            let is_there = standing.iter().any(|standing| same(standing, value));
            if !is_there && !missing.iter().any(|earlier| same(earlier, value)) {
                missing.push(value);
            }
        }
        missing
    }

    /// Whether an element goes, by `same`.
    pub(crate) fn takes(&self, element: &Value, same: impl Fn(&Value, &Value) -> bool) -> bool {
        self.direction == Direction::Out && self.values.iter().any(|value| same(element, value))
    }

    /// The change that makes a list of `values` where none stands.
    pub(crate) fn as_new_list(&self, values: &[&Value]) -> Change {
        Change::set(&self.path, Value::List(values.iter().map(|value| (*value).clone()).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_belong_together_are_one_turn() {
        let changes = [
            Change::set(&["a"], Value::Int(1)),
            Change::remove(&["b"]),
            Change::append(&["l"], Value::Int(1)),
            Change::append(&["l"], Value::Int(2)),
            Change::drop(&["l"], Value::Int(3)),
            Change::append(&["m"], Value::Int(4)),
            Change::set(&["c"], Value::Int(1)),
        ];
        let turns: Vec<Turn<'_>> = turns(&changes).collect();
        assert_eq!(turns[0], Turn::Keys(&changes[..2]));
        let list = |path, direction, values: &[&'static Value]| {
            Turn::List(ListTurn { path: vec![path], direction, values: values.to_vec() })
        };
        assert_eq!(turns[1], list("l", Direction::In, &[&Value::Int(1), &Value::Int(2)]));
        assert_eq!(turns[2], list("l", Direction::Out, &[&Value::Int(3)]));
        assert_eq!(turns[3], list("m", Direction::In, &[&Value::Int(4)]));
        assert_eq!(turns[4..], [Turn::Keys(&changes[6..])]);
    }

    #[test]
    fn a_refusal_names_a_place_in_the_text_at_hand() {
        let changes = [Change::set(&["a"], Value::Int(1)), Change::append(&["l"], Value::Int(1))];
        let refusal = in_turn("", &changes, |text, turn| match turn {
            Turn::Keys(_) => Ok("a\n".repeat(3)),
            Turn::List(_) => Err(Refusal {
                kind: crate::RefusalKind::NotAMapping,
                at: Some(crate::Position::of(text, text.len())),
                what: String::new(),
                next: "",
            }),
        });
        assert_eq!(refusal.unwrap_err().at, Some(crate::Position { line: 1, column: 1 }));
    }
}
