//! Laws that hold for every document: generated files against the edits of a recipe.
//!
//! The judge is the `json5` crate reading into `serde_json` values, which knows nothing of spans.

use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

use super::{ENTRY, edit, entry};
use crate::json5::proof::is_strict;
use crate::{Change, Value};

/// A document as text: objects with random keys, layout, quotes, commas and comments.
fn document() -> impl Strategy<Value = String> {
    let scalar =
        prop::sample::select(vec!["1", "0xB4", "-.5", "null", "true", "\"a,}b\"", "'it\\'s // x'", "+1.5e3"]);
    let leaf = scalar.prop_map(str::to_owned);
    let value = leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(", "))),
            object(inner),
        ]
    });
    (object(value), prop::sample::select(vec!["", "\u{feff}", "// head, {\n"]), any::<bool>())
        .prop_map(|(object, head, end)| format!("{head}{object}{}", if end { "\n" } else { "" }))
}

fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "mcp",
        "'servers'",
        "\"ci-hub\"",
        "a",
        "\"\\u0061\"",
        "command",
        "url",
        "\"x y\"",
    ]);
    let before = prop::sample::select(vec!["", " ", "\n  ", "\r\n\t", "/* , } */", "\n// above\n  "]);
    let behind = prop::sample::select(vec!["", " ", "\n", " // c }\n", " /* c */", "/* c\n */ "]);
    let member = (before, key, value, behind.clone());
    (prop::collection::vec(member, 0..5), any::<bool>(), behind).prop_map(|(members, trailing, tail)| {
        let count = members.len();
        let members = members.into_iter().enumerate().map(|(index, (before, key, value, behind))| {
            let comma = if index + 1 < count || trailing { "," } else { "" };
            format!("{before}{key}: {value}{behind}{comma}")
        });
        format!("{{{}{tail}}}", members.collect::<String>())
    })
}

fn read(text: &str) -> Json {
    json5::from_str(text).unwrap()
}

/// The wanted difference, done on values. `None` where a value is in the way.
fn expected(mut root: Json) -> Option<Json> {
    let mut node = &mut root;
    for key in ENTRY {
        node = descend(node, key)?;
    }
    let entry = node;
    entry["url"] = json!("https://hub.example/api/mcp");
    entry["transport"] = json!("streamable-http");
    descend(entry, "headers")?["Authorization"] = json!("Bearer ${HUB_MCP_API_KEY}");
    if let Some(members) = entry.as_object_mut() {
        members.remove("command");
        members.remove("args");
    }
    Some(root)
}

fn descend<'j>(node: &'j mut Json, key: &str) -> Option<&'j mut Json> {
    let next = node.as_object_mut()?.entry(key).or_insert(Json::Null);
    if next.is_null() || *next == "" {
        *next = Json::Object(Map::new());
    }
    next.is_object().then_some(next)
}

/// Comments of a text, by a reader that only knows strings and comments.
fn comments(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        let rest = &text[at..];
        let length = match byte {
            b'"' | b'\'' => {
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let ends = c == char::from(*byte) && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                end.unwrap() + 2
            }
            b'/' => {
                let line = rest.starts_with("//");
                let length =
                    if line { rest.find('\n').unwrap_or(rest.len()) } else { rest.find("*/").unwrap() + 2 };
                // The line break behind a comment, which may be two characters, is none of it.
                found.push(rest[..length].trim_end_matches('\r'));
                length
            }
            _ => rest.chars().next().unwrap().len_utf8(),
        };
        at += length;
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_entry_is_set_and_nothing_else_moves(text in document()) {
        let remove = |key| Change::remove(&[ENTRY[0], ENTRY[1], ENTRY[2], key]);
        let changes = [Change::set(&ENTRY, entry()), remove("command"), remove("args")];
        match (edit(&text, &changes), expected(read(&text))) {
            (Ok(after), Some(expected)) => {
                prop_assert_eq!(read(&after), expected);
                prop_assert_eq!(edit(&after, &changes).unwrap(), after.clone());
                prop_assert!(!is_strict(&text) || is_strict(&after));
            }
            (Err(refusal), None) => prop_assert!(refusal.at.is_some(), "{refusal}"),
            (outcome, expected) => prop_assert!(false, "{text:?}: {outcome:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn an_addition_takes_no_byte_and_no_comment(text in document()) {
        let after = edit(&text, &[Change::set(&["fresh", "x"], Value::Int(1))]).unwrap();
        prop_assert_eq!(comments(&after), comments(&text));
        let mut rest = after.chars();
        let kept = text.chars().filter(|c| !c.is_whitespace()).all(|c| rest.any(|other| other == c));
        prop_assert!(kept, "{after:?}");
        prop_assert_eq!(edit(&after, &[Change::remove(&["fresh"])]).map(|text| read(&text)), Ok(read(&text)));
    }

    #[test]
    fn a_removal_takes_only_its_key(text in document(), key in prop::sample::select(vec!["a", "mcp", "x y", "none"])) {
        let after = edit(&text, &[Change::remove(&[key])]).unwrap();
        let mut expected = read(&text);
        expected.as_object_mut().unwrap().remove(key);
        prop_assert_eq!(read(&after), expected);
        let (kept, old) = (comments(&after), comments(&text));
        let mut rest = old.iter();
        prop_assert!(kept.iter().all(|comment| rest.any(|other| other == comment)), "{after:?}");
    }
}
