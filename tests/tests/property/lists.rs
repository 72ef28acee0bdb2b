//! Jobs for lists: elements that come and go, in the lists that a random document has.

use hubkit_configurators::{Change, Value};
use hubkit_tests::oracle::Tagged;

use super::{Job, Kind, ours};
use crate::sample::tape::Tape;

/// A list of the document and the way to it.
type Found<'t> = (Vec<&'t str>, &'t [Tagged]);

/// Elements for one of the document's lists, or out of it, or for a list that is not there yet.
pub(super) fn job(read: Option<&Tagged>, text: &str, tape: &mut Tape<'_>) -> Job {
    let mut lists = Vec::new();
    if let Some(tree) = read {
        collect(tree, &mut Vec::new(), &mut lists);
    }
    let values = values(text, tape);
    let fresh = |values: Vec<Value>| {
        let changes = values.into_iter().map(|value| Change::append(&["fresh", "list"], value)).collect();
        Job { changes, kind: Kind::Elsewhere }
    };
    if lists.is_empty() || tape.rarely(8) {
        return fresh(values);
    }
    let (path, elements) = &lists[tape.below(lists.len())];
    let appends = values.into_iter().map(|value| Change::append(path, value));
    let leaving = leaving(elements, tape);
    match tape.below(4) {
        0 | 1 => Job {
            changes: appends.collect(),
            kind: if elements.is_empty() { Kind::Fills } else { Kind::Grows },
        },
        _ if leaving.is_empty() => fresh(appends_of(appends)),
        2 => Job {
            changes: leaving.into_iter().map(|value| Change::drop(path, value)).collect(),
            kind: Kind::Shrinks,
        },
        _ => {
            let mut changes: Vec<Change> =
                leaving.iter().map(|value| Change::drop(path, value.clone())).collect();
            let stays =
                |change: &Change| !leaving.iter().any(|value| *change == Change::append(path, value.clone()));
            changes.extend(appends.filter(stays));
            Job { changes, kind: Kind::Exchanges }
        }
    }
}

fn appends_of(changes: impl Iterator<Item = Change>) -> Vec<Value> {
    changes
        .filter_map(|change| match change.action {
            hubkit_configurators::Action::Append(value) => Some(value),
            _ => None,
        })
        .collect()
}

/// One to three values of all kinds.
fn values(text: &str, tape: &mut Tape<'_>) -> Vec<Value> {
    let one = |tape: &mut Tape<'_>| match tape.below(6) {
        0..=2 => Value::from(text),
        3 => Value::Int(-7),
        4 => Value::List(vec![text.into(), Value::Null]),
        _ => {
            let inner = Value::Map(vec![("n".to_owned(), Value::Bool(true)), (text.to_owned(), Value::Null)]);
            Value::Map(vec![("id".to_owned(), text.into()), ("in ner".to_owned(), inner)])
        }
    };
    (0..=tape.below(3)).map(|_| one(tape)).collect()
}

/// Up to two elements that can be named and hold no second line.
fn leaving(elements: &[Tagged], tape: &mut Tape<'_>) -> Vec<Value> {
    let is_small = |value: &Value| match value {
        Value::Str(text) => !text.contains(['\n', '\r', '#', '/']),
        Value::List(_) | Value::Map(_) => false,
        _ => true,
    };
    let small: Vec<Value> = elements.iter().filter_map(ours).filter(is_small).collect();
    if small.is_empty() {
        return small;
    }
    (0..=tape.below(2)).map(|_| small[tape.below(small.len())].clone()).collect()
}

fn collect<'t>(tree: &'t Tagged, path: &mut Vec<&'t str>, found: &mut Vec<Found<'t>>) {
    match tree {
        Tagged::List(elements) if !path.is_empty() => found.push((path.clone(), elements)),
        Tagged::Map(members) => {
            for (key, value) in members {
                if let Tagged::Str(key) = key {
                    path.push(key);
                    collect(value, path, found);
                    path.pop();
                }
            }
        }
        _ => {}
    }
}

/// Those of `comments` that have their line for themselves: they stay when an element goes.
pub(super) fn on_own_lines(text: &str, comments: &[String]) -> Vec<String> {
    let is_alone = |comment: &&String| {
        text.split(['\n', '\r']).any(|line| line.trim_start().starts_with(comment.as_str()))
    };
    comments.iter().filter(is_alone).cloned().collect()
}

/// Whether nothing but the brackets of an emptied list is new in `after`.
///
/// # Errors
/// A sentence for the person who reads the failed test.
pub(super) fn only_took(before: &str, after: &str) -> Result<(), String> {
    let is_part = |after: &str| {
        let mut old = before.bytes();
        after.bytes().all(|byte| old.any(|found| found == byte))
    };
    let emptied = after
        .match_indices(" []")
        .any(|(at, brackets)| is_part(&format!("{}{}", &after[..at], &after[at + brackets.len()..])));
    if is_part(after) || emptied {
        Ok(())
    } else {
        Err(format!("bytes came with a removal\n--- after\n{after}"))
    }
}
