//! What is refused, and where the refusal points.

use hubkit_contract::limits::CONFIG_NESTING;

use super::edit;
use crate::json5::Json5Document;
use crate::{Change, Document, Position, RefusalKind, Value};

fn position(line: usize, column: usize) -> Option<Position> {
    Some(Position { line, column })
}

#[test]
fn what_npm_does_not_read_is_refused_with_its_place() {
    let cases = [
        ("{a:1", 1, 5),
        ("{ gateway: { mode: ", 1, 20),
        ("{a:1 b:2}", 1, 6),
        ("{a:1}}", 1, 6),
        ("{\"a\nb\":1}", 1, 4),
        ("{a-b:1}", 1, 3),
        ("{1a:1}", 1, 2),
        ("{,}", 1, 2),
        ("{a:1,,}", 1, 6),
        ("[,]", 1, 2),
        ("{a:}", 1, 4),
        ("{a 1}", 1, 4),
        ("{é: 01}", 1, 5),
        ("{a: 1.e}", 1, 8),
        ("{a: .}", 1, 5),
        ("{a: 0x}", 1, 7),
        ("{a: - 1}", 1, 6),
        ("{a: nul}", 1, 5),
        ("{a: undefined}", 1, 5),
        ("{a: '\\1'}", 1, 6),
        ("{a: '\\01'}", 1, 6),
        ("{a: '\\xg0'}", 1, 8),
        ("{a: '\\u12'}", 1, 10),
        ("{a: '\\ud800\\u12'}", 1, 16),
        ("{\\ud800: 1}", 1, 2),
        ("{\r\n  // c\r\n  a: 'x}", 3, 6),
        ("{a: 1 /* open }", 1, 7),
        ("{a: 1 / 2}", 1, 7),
        ("{\\x61: 1}", 1, 3),
        ("{\\u0031: 1}", 1, 2),
        ("{\\ud840\\udc00: 1}", 1, 2),
        ("{\u{870}: 1}", 1, 2),
        ("{\u{2192}: 1}", 1, 2),
        ("{x\u{1cf2}: 1, \u{1cf2}: 1}", 1, 9),
        ("{\n a: 0x1ffffffffffffffffffffffffffffffff}", 2, 39),
        ("/* open", 1, 1),
        ("# yaml", 1, 1),
    ];
    for (text, line, column) in cases {
        let refusal = Json5Document::parse(text).unwrap_err();
        assert_eq!((refusal.kind, refusal.at), (RefusalKind::Syntax, position(line, column)), "{text:?}");
    }
}

#[test]
fn nesting_ends_at_the_limit() {
    let nested = |open: &str, close: &str, levels| format!("{}{}", open.repeat(levels), close.repeat(levels));
    assert!(Json5Document::parse(&nested("[", "]", CONFIG_NESTING)).is_ok());
    let deep = format!("{{a:{}}}", nested("[", "]", CONFIG_NESTING));
    let refusal = Json5Document::parse(&deep).unwrap_err();
    assert_eq!((refusal.kind, refusal.at), (RefusalKind::TooDeep, position(1, CONFIG_NESTING + 3)));
    for text in ["[".repeat(100_000), "{a:".repeat(100_000), nested("[", "]", 100_000)] {
        assert_eq!(Json5Document::parse(&text).unwrap_err().kind, RefusalKind::TooDeep);
    }
}

#[test]
fn an_edit_may_not_nest_past_the_limit_and_strictness_is_known_at_it() {
    let open = "{\"a\":".repeat(CONFIG_NESTING - 1);
    let text = format!("{open}{{}}{}", "}".repeat(CONFIG_NESTING - 1));
    let mut path = vec!["a"; CONFIG_NESTING - 1];
    path.push("b");
    let after = edit(&text, &[Change::set(&path, "x".into())]).unwrap();
    assert!(after.contains("{\"b\":\"x\"}"), "{after}");
    path.push("c");
    let refusal = edit(&text, &[Change::set(&path, "x".into())]).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::TooDeep);
}

#[test]
fn only_mappings_hold_keys() {
    let set = [Change::set(&["mcp", "servers", "hub"], Value::Map(vec![("url".into(), "u".into())]))];
    let cases = [
        ("[]", 1, 1, "the file holds a list"),
        (" 5", 1, 2, "the file holds a number"),
        ("null", 1, 1, "the file holds null"),
        ("{ mcp: [] }", 1, 8, "`mcp` holds a list"),
        ("{ mcp: { servers: true } }", 1, 19, "`mcp.servers` holds a boolean"),
        ("{ mcp: { servers: { hub: 'x' } } }", 1, 26, "`mcp.servers.hub` holds a string"),
        ("{ mcp: {}, mcp: 1 }", 1, 17, "`mcp` holds a number"),
    ];
    for (text, line, column, what) in cases {
        let refusal = edit(text, &set).unwrap_err();
        assert_eq!((refusal.kind, refusal.at), (RefusalKind::NotAMapping, position(line, column)), "{text}");
        assert!(refusal.what.starts_with(what), "{}", refusal.what);
    }
    let empty = [Change::set(&["a"], Value::Map(vec![]))];
    assert_eq!(edit("{ a: 1 }", &empty).unwrap_err().kind, RefusalKind::NotAMapping);
    assert_eq!(edit("{ a: null }", &empty).unwrap(), "{ a: {} }");
}

#[test]
fn names_and_values_that_cannot_be_written_safely() {
    let text = "{\"__proto__\": {\"x\": 1}}";
    let proto = [Change::set(&["__proto__", "x"], Value::Int(2))];
    assert_eq!(edit(text, &proto).unwrap_err().kind, RefusalKind::Unproven);
    let inside = [Change::set(&["a"], Value::Map(vec![("__proto__".into(), Value::Null)]))];
    assert_eq!(edit(text, &inside).unwrap_err().kind, RefusalKind::Unproven);
    assert_eq!(
        edit(text, &[Change::set(&["a"], Value::Int(1))]).unwrap(),
        "{\"__proto__\": {\"x\": 1}, \"a\": 1}"
    );
    for value in [Value::Float(f64::NAN), Value::Other("!!binary x".into())] {
        assert_eq!(edit("{}", &[Change::set(&["a"], value)]).unwrap_err().kind, RefusalKind::Unproven);
    }
    assert_eq!(edit("{b:1}", &[Change::set(&["a"], Value::Float(f64::NAN))]).unwrap(), "{b:1,a:NaN}");
}

#[test]
fn refusals_quote_nothing_of_the_file() {
    for text in ["{token: 'canary-5309", "{'canary-5309' 1}", "canary-5309", "{a: canary-5309}"] {
        let refusal = Json5Document::parse(text).unwrap_err();
        assert!(!format!("{refusal} {refusal:?}").contains("canary"), "{text}");
    }
}
