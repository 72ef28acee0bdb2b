//! What must hold for every input of an editor, checked without any other program: it does not panic, what it
//! wrote it reads back, a second run finds nothing to do, and nothing else differs.

#[path = "../../tests/tests/json5_text/mod.rs"]
mod json5_text;
#[expect(dead_code, reason = "the random tests want more of a sample than its text")]
#[path = "../../tests/tests/sample/mod.rs"]
mod sample;
#[path = "../../tests/tests/yaml_text/mod.rs"]
mod yaml_text;

use hubkit_configurators::{Action, Change, Document, Value};

/// One editor and its generator of files.
pub trait Editor {
    /// Its document.
    type Document<'a>: Document<'a>;
    /// The path of our entry.
    const ENTRY: &'static [&'static str];

    /// The file that is told by `numbers`.
    fn told_by(numbers: &[u32]) -> String;
}

/// The YAML file that is told by `numbers`.
#[must_use]
pub fn yaml_told_by(numbers: &[u32]) -> String {
    yaml_text::sample(numbers).text
}

/// The JSON5 file that is told by `numbers`.
#[must_use]
pub fn json5_told_by(numbers: &[u32]) -> String {
    json5_text::sample(numbers).text
}

/// The first byte of an input that is no text but a tape for the generator.
const TAPE: u8 = 0xff;

/// Runs an input through the editor.
///
/// # Panics
/// When something does not hold.
pub fn check<E: Editor>(data: &[u8]) {
    match data.split_first() {
        Some((&TAPE, tape)) => {
            let numbers: Vec<u32> = tape.iter().map(|byte| u32::from(*byte)).collect();
            edits::<E>(&E::told_by(&numbers));
        }
        _ => {
            if let Ok(text) = std::str::from_utf8(data) {
                edits::<E>(text);
            }
        }
    }
}

fn edits<E: Editor>(text: &str) {
    let Ok(document) = E::Document::parse(text) else { return };
    let is_there = matches!(document.get(E::ENTRY), Some(Value::Map(members)) if !members.is_empty());
    let wiring = if is_there { update(E::ENTRY) } else { add(E::ENTRY) };
    edit::<E>(text, &document, &wiring, !is_there);
    edit::<E>(text, &document, &[Change::set(&["a b", ": #"], Value::Int(180))], false);
    let root = document.get(&[]).unwrap_or(Value::Null);
    for (path, elements) in lists(&root) {
        let entry = Value::Map(vec![("a b".to_owned(), "- c".into()), (": #".to_owned(), Value::Int(180))]);
        edit::<E>(
            text,
            &document,
            &[Change::append(&path, "a: #b".into()), Change::append(&path, entry)],
            false,
        );
        if let Some(first @ (Value::Str(_) | Value::Int(_) | Value::Bool(_) | Value::Null)) = elements.first()
        {
            edit::<E>(text, &document, &[Change::drop(&path, first.clone())], false);
        }
    }
}

/// The first few lists below mappings, and the ways to them.
fn lists(root: &Value) -> Vec<(Vec<&str>, &[Value])> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), root)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::List(elements) if !path.is_empty() && found.len() < 3 => {
                found.push((path, elements.as_slice()))
            }
            Value::Map(members) => {
                open.extend(
                    members.iter().map(|(key, value)| ([&path[..], &[key.as_str()]].concat(), value)),
                );
            }
            _ => {}
        }
    }
    found
}

fn add(entry: &[&str]) -> Vec<Change> {
    vec![Change::set(entry, Value::Map(vec![("url".to_owned(), "http://h/api/mcp".into())]))]
}

fn update(entry: &[&str]) -> Vec<Change> {
    let mut changes = vec![
        Change::set(&[entry, &["url"]].concat(), "http://h/api/mcp".into()),
        Change::set(&[entry, &["headers", "Authorization"]].concat(), "Bearer 'k\"".into()),
    ];
    changes.extend(["transport", "command", "args"].map(|key| Change::remove(&[entry, &[key]].concat())));
    changes
}

fn edit<E: Editor>(text: &str, document: &E::Document<'_>, changes: &[Change], adds: bool) {
    let Ok(after) = document.edit(changes) else { return };
    let again = E::Document::parse(&after).expect("the result is read");
    for change in changes {
        let path: Vec<&str> = change.path.iter().map(String::as_str).collect();
        match &change.action {
            Action::Set(value) => assert_eq!(again.get(&path).as_ref(), Some(value), "{path:?}"),
            Action::Remove => assert_eq!(again.get(&path), None, "{path:?}"),
            Action::Append(value) => assert!(holds(again.get(&path), value), "{path:?}"),
            Action::Drop(value) => assert!(!holds(again.get(&path), value), "{path:?}"),
        }
    }
    assert_eq!(again.edit(changes).as_deref(), Ok(&*after), "the second run changed something");
    // By its debug form, because NaN is not equal to itself.
    let rest = [document.get(&[]), again.get(&[])].map(|root| format!("{:?}", apart_from(root, changes)));
    assert_eq!(rest[0], rest[1], "another value changed");
    if adds {
        all_bytes_kept(text, &after);
    }
}

fn holds(list: Option<Value>, value: &Value) -> bool {
    matches!(list, Some(Value::List(elements)) if elements.contains(value))
}

/// The root without what the changes are about, and without the mappings that they made on the way.
fn apart_from(root: Option<Value>, changes: &[Change]) -> Option<Value> {
    changes.iter().fold(root, |root, change| without(root, &change.path))
}

fn without(value: Option<Value>, path: &[String]) -> Option<Value> {
    let Some((key, rest)) = path.split_first() else { return None };
    match value {
        Some(Value::Map(members)) => {
            let member = |(name, value): (String, Value)| match name == *key {
                true => Some((name, without(Some(value), rest)?)),
                false => Some((name, value)),
            };
            let members: Vec<_> = members.into_iter().filter_map(member).collect();
            (!members.is_empty()).then_some(Value::Map(members))
        }
        Some(Value::Null) => None,
        Some(Value::Str(text)) if text.is_empty() => None,
        other => other,
    }
}

/// Between the bytes that both texts begin and end with, the old ones must still be there in their order; but
/// for blanks, and for what keeps an empty place.
fn all_bytes_kept(before: &str, after: &str) {
    let (before, after) = (before.as_bytes(), after.as_bytes());
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let most = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut new = after[head..after.len() - tail].iter();
    let keeps_a_place = |byte: &&u8| b" \t\r\n{}~'\"nulNUL!&".contains(byte);
    let lost = before[head..before.len() - tail]
        .iter()
        .filter(|byte| !keeps_a_place(byte))
        .find(|byte| !new.any(|found| found == *byte));
    assert_eq!(lost, None, "a byte is gone");
}
