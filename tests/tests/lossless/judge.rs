//! The verdict on one edit, out of what an independent parser read before and after it, and of the bytes.

use hubkit_configurators::{Action, Change, Document, Refusal, RefusalKind, Value};
use hubkit_tests::oracle::Tagged;

use super::tree;

/// What an oracle reads in a text; the error is its own message.
pub(crate) type Reading = Result<Tagged, String>;

/// What ends a line in YAML 1.1 alone. Inside quotes the editors read it as it stands, and the host as a blank.
pub(crate) const SEPARATORS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// An engine, whatever text its document lives on.
pub(crate) trait Engine {
    /// Its document.
    type Document<'a>: Document<'a>;
}

/// The independent readers of one format.
pub(crate) struct Oracles {
    /// The very library that the host uses. Its word is final.
    pub host: fn(&[u8]) -> Reading,
    /// Other readers of the format, asked only about what they read before the edit.
    pub others: &'static [fn(&[u8]) -> Reading],
}

impl Oracles {
    /// What the host reads in `text`. A file in which nothing but a value is missing is a new file to us, also
    /// where the library wants a value: it reads as null.
    pub(crate) fn read(&self, text: &str) -> Reading {
        (self.host)(text.as_bytes()).or_else(|error| {
            let with_value = (self.host)(format!("{text}\n{{}}").as_bytes());
            if with_value == Ok(Tagged::Map(Vec::new())) { Ok(Tagged::Null) } else { Err(error) }
        })
    }
}

/// What the engine did.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(crate) enum Outcome {
    /// It changed the text.
    Edited,
    /// Everything held already.
    Unchanged,
    /// It refused.
    Refused,
}

/// A document and what must be true of its edit.
pub(crate) struct Case<'a> {
    /// The text.
    pub text: &'a str,
    /// What the host reads in it.
    pub read: &'a Reading,
    /// Comments that must still be there, in this order.
    pub comments: &'a [String],
    /// The bytes that the edit may touch.
    pub zone: std::ops::Range<usize>,
    /// Whether nothing in the zone may go, so that the old text is what is left when the new bytes are
    /// taken out of it.
    pub adds_only: bool,
}

/// Edits `case.text` by `changes` and says what happened, or what is wrong with it.
///
/// # Errors
/// A sentence for the person who reads the failed test.
pub(crate) fn edit<E: Engine>(
    case: &Case<'_>,
    changes: &[Change],
    oracles: &Oracles,
) -> Result<(Outcome, Option<String>), String> {
    let edited = E::Document::parse(case.text).and_then(|document| document.edit(changes));
    let after = match edited {
        Err(refusal) => return refused(case, &refusal).map(|()| (Outcome::Refused, None)),
        Ok(after) => after,
    };
    let Ok(before) = case.read else { return Err("edited a text that the host does not read".to_owned()) };
    let fault = changed_as_wanted(before, &after, changes, oracles.host)
        .and_then(|holds| match holds && after != case.text && !case.text.contains(SEPARATORS) {
            true => Err("everything held already, yet the text changed".to_owned()),
            false => Ok(()),
        })
        .and_then(|()| second_opinions(case.text, before, &after, changes, oracles))
        .and_then(|()| kept_bytes(case, &after))
        .and_then(|()| kept_comments(case, &after))
        .and_then(|()| kept_line_ends(case.text, &after));
    if let Err(fault) = fault {
        return Err(format!("{fault}\n--- after\n{after}"));
    }
    let outcome = if after == case.text { Outcome::Unchanged } else { Outcome::Edited };
    Ok((outcome, Some(after)))
}

/// Whether everything held before the edit; an error when the result is not what was wanted.
fn changed_as_wanted(
    before: &Tagged,
    after: &str,
    changes: &[Change],
    load: fn(&[u8]) -> Reading,
) -> Result<bool, String> {
    let expected = tree::changed(before, changes).ok_or("edited through a value that is no mapping")?;
    let read = load(after.as_bytes()).map_err(|error| format!("the result is not read: {error}"))?;
    match tree::difference(Some(before), &expected, &read) {
        Some(difference) => Err(difference),
        None => Ok(expected == *before),
    }
}

fn second_opinions(
    before: &str,
    host: &Tagged,
    after: &str,
    changes: &[Change],
    oracles: &Oracles,
) -> Result<(), String> {
    // Which elements are equal to a value is for the host to say.
    let counts = |tree: &Tagged| {
        let is_list = |change: &Change| matches!(change.action, Action::Append(_) | Action::Drop(_));
        tree == host || !changes.iter().any(is_list)
    };
    // Others may read what stands there differently, but only the host's reading makes it right.
    for load in oracles.others.iter().filter(|_| after != before) {
        if let Ok(tree) = load(before.as_bytes())
            && counts(&tree)
        {
            changed_as_wanted(&tree, after, changes, *load)
                .map_err(|fault| format!("second opinion: {fault}"))?;
        }
    }
    Ok(())
}

/// A second run over `after` must find nothing to do, and the engine must read back what it wrote.
///
/// # Errors
/// A sentence for the person who reads the failed test.
pub(crate) fn again<E: Engine>(after: &str, changes: &[Change]) -> Result<(), String> {
    let document = E::Document::parse(after)
        .map_err(|refusal| format!("refuses its own result: {refusal:?}\n{after}"))?;
    for change in changes {
        let path: Vec<&str> = change.path.iter().map(String::as_str).collect();
        let there = document.get(&path);
        let holds = match &change.action {
            Action::Set(value) => there.as_ref() == Some(value),
            Action::Remove => there.is_none(),
            Action::Append(value) => tree::is_element(there.as_ref(), value),
            Action::Drop(value) => !tree::is_element(there.as_ref(), value),
        };
        if !holds {
            return Err(format!("reads {there:?} at {path:?} of its own result\n{after}"));
        }
    }
    match document.edit(changes) {
        Ok(second) if second == after => Ok(()),
        Ok(second) => {
            Err(format!("the second run changed the text\n--- first\n{after}\n--- second\n{second}"))
        }
        Err(refusal) => Err(format!("the second run refused: {refusal:?}\n{after}")),
    }
}

/// What the engine reads must be what the oracle reads. Members whose key is no string may be left out, the
/// line separators that only YAML 1.1 knows may be read as themselves, and minus zero may be the integer.
///
/// # Errors
/// The place and both readings.
pub(crate) fn same_reading<E: Engine>(text: &str, read: &Tagged) -> Result<(), String> {
    let Ok(document) = E::Document::parse(text) else { return Ok(()) };
    if text.contains(SEPARATORS) {
        return Ok(());
    }
    let ours = document.get(&[]).unwrap_or(Value::Null);
    read.agrees_with(&ours).or_else(|_| tree::loosely(read).agrees_with(&ours))
}

fn refused(case: &Case<'_>, refusal: &Refusal) -> Result<(), String> {
    let at = match (refusal.at, refusal.kind) {
        (Some(at), _) => at,
        // What two readers see differently has no one place.
        (None, RefusalKind::Unproven) => return Ok(()),
        (None, _) => return Err(format!("a refusal without a place: {refusal:?}")),
    };
    let lines = case.text.replace("\r\n", "\n").split(['\n', '\r']).count();
    let named = !refusal.what.is_empty() && !refusal.next.is_empty();
    if at.line == 0 || at.column == 0 || at.line > lines || !named {
        return Err(format!("a refusal that leads nowhere ({lines} lines): {refusal:?}"));
    }
    Ok(())
}

/// Only the zone may differ.
fn kept_bytes(case: &Case<'_>, after: &str) -> Result<(), String> {
    let (before, after) = (case.text.as_bytes(), after.as_bytes());
    let head = case.zone.start;
    let tail = before.len() - case.zone.end;
    if after.len() < head + tail || before[..head] != after[..head] {
        return Err(format!("bytes before {head} changed"));
    }
    if before[case.zone.end..] != after[after.len() - tail..] {
        return Err(format!("bytes behind {} changed", case.zone.end));
    }
    let mut new = after[head..after.len() - tail].iter();
    if case.adds_only && !before[case.zone.clone()].iter().all(|byte| new.any(|found| found == byte)) {
        return Err("bytes between the new ones are gone".to_owned());
    }
    Ok(())
}

fn kept_comments(case: &Case<'_>, after: &str) -> Result<(), String> {
    let mut rest = after;
    for comment in case.comments {
        match rest.split_once(comment.as_str()) {
            Some((_, behind)) => rest = behind,
            None if after.contains(comment.as_str()) => return Err(format!("comment {comment:?} moved")),
            None => return Err(format!("comment {comment:?} is gone")),
        }
    }
    Ok(())
}

/// New lines end as the old ones do, where the old ones agree.
fn kept_line_ends(before: &str, after: &str) -> Result<(), String> {
    let ends = |text: &str| {
        let pairs = text.matches("\r\n").count();
        (pairs, text.matches('\n').count() - pairs, text.matches('\r').count() - pairs)
    };
    match (ends(before), ends(after)) {
        ((0, 0, 0), _) => Ok(()),
        (_, (_, 0, 0)) if ends(before).0 > 0 => Ok(()),
        ((0, _, 0), (0, _, 0)) | ((0, 0, _), (0, 0, _)) => Ok(()),
        ((pairs, lines, returns), _) if [pairs, lines, returns].iter().filter(|n| **n > 0).count() > 1 => {
            Ok(())
        }
        (old, new) => Err(format!("line ends (CRLF, LF, CR) went from {old:?} to {new:?}")),
    }
}
