//! What a text says, and where.

use crate::json5::Json5Document;
use crate::{Document, Duplicate, Position, Value};

fn root(text: &str) -> Value {
    Json5Document::parse(text).unwrap().get(&[]).unwrap()
}

#[test]
fn scalars_read_as_javascript_reads_them() {
    let cases = [
        ("null", Value::Null),
        ("true", Value::Bool(true)),
        ("0xB4", Value::Int(180)),
        ("-0X1f", Value::Int(-31)),
        ("+1", Value::Int(1)),
        (".5", Value::Float(0.5)),
        ("5.", Value::Int(5)),
        ("-1.5e-1", Value::Float(-0.15)),
        ("9007199254740993", Value::Int(9_007_199_254_740_992)),
        ("-Infinity", Value::Float(f64::NEG_INFINITY)),
        ("1e999", Value::Float(f64::INFINITY)),
        ("'a\\\r\nb\\\u{2028}c'", "abc".into()),
        ("'\\'\\\"\\\\\\b\\f\\n\\r\\t\\v\\0\\x41\\q'", "'\"\\\u{8}\u{c}\n\r\t\u{b}\0Aq".into()),
        ("\"\\uD83D\\uDE00 \u{2028}\"", "\u{1f600} \u{2028}".into()),
        ("'\\ud83d \\ude00\\ud83d\\ud83d\\ude00'", "\u{fffd} \u{fffd}\u{fffd}\u{1f600}".into()),
        ("[1, /* c */ 'x',]", Value::List(vec![Value::Int(1), "x".into()])),
    ];
    for (text, value) in cases {
        assert_eq!(root(text), value, "{text}");
    }
    assert!(matches!(root("+NaN"), Value::Float(number) if number.is_nan()));
}

#[test]
fn keys_and_white_space_of_every_kind() {
    let text = "\u{feff}\u{a0}// c\r{ $\u{2003}: 1, _a\\u0062: 2,\u{2028}'c d': 3, null: 4, é\u{200d}\u{30c4}: 5 /**/ }\u{3000}";
    let Value::Map(members) = root(text) else { panic!("no mapping") };
    let keys: Vec<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["$", "_ab", "c d", "null", "é\u{200d}\u{30c4}"]);
}

#[test]
fn the_last_duplicate_is_read_and_all_are_reported() {
    let document = Json5Document::parse("{ m: { a: 1 },\r\n \"\\x6d\": { a: 2,\n a: 3 },\n z: 1, }").unwrap();
    assert_eq!(document.get(&["m", "a"]), Some(Value::Int(3)));
    assert_eq!(document.get(&["m", "a", "x"]), None);
    assert_eq!(document.get(&[]).unwrap().get("m").unwrap().get("a"), Some(&Value::Int(3)));
    assert_eq!(document.position(&["m", "a"]), Some(Position { line: 3, column: 2 }));
    assert_eq!(document.position(&["x"]), None);
    let duplicate = |path: &[&str], lines: &[usize]| Duplicate {
        path: path.iter().map(|key| (*key).to_owned()).collect(),
        lines: lines.to_vec(),
    };
    assert_eq!(
        document.duplicates(&["m", "a"]),
        [duplicate(&["m"], &[1, 2]), duplicate(&["m", "a"], &[2, 3])]
    );
    assert_eq!(document.duplicates(&["z"]), []);
}

#[test]
fn blank_is_white_space_and_comments() {
    for text in ["", "\u{feff}", " \n\t\u{a0}", "// c", "/* { a: 1 } */\n"] {
        let document = Json5Document::parse(text).unwrap();
        assert!(document.is_blank(), "{text:?}");
        assert_eq!(document.get(&[]), None);
    }
    assert!(!Json5Document::parse("{}").unwrap().is_blank());
}
