//! New members: where they go and how they are written.

use super::{ENTRY, edited, entry, map, with_a};
use crate::{Change, Value};

#[test]
fn a_commented_file_keeps_its_ways() {
    let text = "// head\n{\n  mcp: {\n    servers: {\n      fs: { command: 'npx' }, // fs\n    },\n  },\n  other: 0xB4, // tail\n}\n// foot\n";
    let expected = "// head\n{\n  mcp: {\n    servers: {\n      fs: { command: 'npx' }, // fs\n      'ci-hub': {\n        url: 'https://hub.example/api/mcp',\n        transport: 'streamable-http',\n        headers: {\n          Authorization: 'Bearer ${HUB_MCP_API_KEY}',\n        },\n      },\n    },\n  },\n  other: 0xB4, // tail\n}\n// foot\n";
    assert_eq!(edited(text, &[Change::set(&ENTRY, entry())]), expected);
}

#[test]
fn strict_json_stays_strict() {
    let text = "\u{feff}{\r\n    \"mcp\": {\r\n        \"servers\": {}\r\n    }\r\n}";
    let after = edited(text, &[Change::set(&["mcp", "servers", "hub", "url"], "u".into())]);
    assert_eq!(
        after,
        "\u{feff}{\r\n    \"mcp\": {\r\n        \"servers\": {\r\n            \"hub\": {\r\n                \"url\": \"u\"\r\n            }\r\n        }\r\n    }\r\n}"
    );
    assert!(serde_json::from_str::<serde_json::Value>(&after["\u{feff}".len()..]).is_ok());
}

#[test]
fn one_line_objects_grow_on_their_line_with_their_spacing() {
    let nested = |text| edited(text, &[Change::set(&["m", "n"], Value::Bool(true))]);
    assert_eq!(nested("{a:1}"), "{a:1,m:{n:true}}");
    assert_eq!(nested("{ a: 1 }"), "{ a: 1, m: { n: true } }");
    assert_eq!(nested("{\"a\": 1}"), "{\"a\": 1, \"m\": {\"n\": true}}");
    assert_eq!(nested("{a:1,}"), "{a:1,m:{n:true},}");
    assert_eq!(nested("{a:1, }"), "{a:1, m:{n:true}, }");
    assert_eq!(nested("{ 'a' :1 /* x */ }"), "{ 'a' :1, /* x */'m':{ 'n':true } }");
    assert_eq!(nested("{a:{},m:{}}"), "{a:{},m:{n:true}}");
}

#[test]
fn comments_stay_where_they_are_and_swallow_nothing() {
    assert_eq!(with_a("{b:2 // c\n}"), "{b:2, // c\n  a:1\n}");
    assert_eq!(with_a("{\n\tb: 2, // c\n\t// d\n}"), "{\n\tb: 2, // c\n\t// d\n\ta: 1,\n}");
    assert_eq!(with_a("{ b: 2,\n  c: 3 // c\n  }"), "{ b: 2,\n  c: 3, // c\n  a: 1\n  }");
    assert_eq!(with_a("{ b: 2,\n  c: 3 /* c */ }"), "{ b: 2,\n  c: 3, /* c */\n  a: 1 }");
    assert_eq!(with_a("{ // c\n}"), "{ // c\n  \"a\": 1\n}");
    assert_eq!(with_a("{ /* c */ }"), "{ /* c */\n  \"a\": 1\n}");
    assert_eq!(with_a("{\n    b: 1\n  , c: 2\n}"), "{\n    b: 1\n  , c: 2,\n    a: 1\n}");
    assert_eq!(with_a("{b:2// c\u{2028}\u{a0}}"), "{b:2,// c\n  a:1\u{2028}\u{a0}}");
}

#[test]
fn blank_lines_and_endings_stay() {
    assert_eq!(with_a("{\n\n  b: 2,\n\n\n}\n\n"), "{\n\n  b: 2,\n  a: 1,\n\n\n}\n\n");
    assert_eq!(with_a("{\r  b: 2\r}\r"), "{\r  b: 2,\r  a: 1\r}\r");
    assert_eq!(with_a("{\r\n  b: 2\r\n}"), "{\r\n  b: 2,\r\n  a: 1\r\n}");
}

#[test]
fn empty_sections_are_filled() {
    let nested = |text| edited(text, &[Change::set(&["m", "n"], Value::Int(7))]);
    assert_eq!(nested("{ m: null, z: 1 }"), "{ m: { n: 7 }, z: 1 }");
    assert_eq!(nested("{\n  m: '', // none\n}"), "{\n  m: {\n    n: 7,\n  }, // none\n}");
    assert_eq!(nested("{\n  m: {\n    // none yet\n  }\n}"), "{\n  m: {\n    // none yet\n    n: 7\n  }\n}");
    assert_eq!(nested("{}"), "{\n  \"m\": {\n    \"n\": 7\n  }\n}");
    assert_eq!(nested("{\n}\n"), "{\n  \"m\": {\n    \"n\": 7\n  }\n}\n");
}

#[test]
fn a_blank_file_becomes_json_behind_its_comments() {
    let body = "{\n  \"a\": 1\n}\n";
    assert_eq!(with_a(""), body);
    assert_eq!(with_a("\u{feff}"), format!("\u{feff}{body}"));
    assert_eq!(with_a("\n"), format!("\n{body}"));
    assert_eq!(with_a("// note"), format!("// note\n{body}"));
    assert_eq!(with_a("/* note */\r\n"), format!("/* note */\r\n{}", body.replace('\n', "\r\n")));
    assert_eq!(edited("// note", &[Change::remove(&["a"])]), "// note");
}

#[test]
fn an_entry_is_merged_and_what_holds_by_value_stays() {
    let text = "{ s: { url: 'u', on: true, n: 0xB4, headers: { \"X-Mine\": 'k' } } }";
    let wanted = map(&[
        ("url", "u".into()),
        ("n", Value::Int(180)),
        ("on", Value::Bool(false)),
        ("headers", map(&[("Authorization", "b".into())])),
    ]);
    assert_eq!(
        edited(text, &[Change::set(&["s"], wanted)]),
        "{ s: { url: 'u', on: false, n: 0xB4, headers: { \"X-Mine\": 'k', Authorization: 'b' } } }"
    );
}

#[test]
fn equal_values_in_any_spelling_are_no_change() {
    let text = "{ a: '\\u0031\\x32\\\n', b: +1.80e2, c: [1., 'x',], d: {x:1, \"y\":2}, e: -0, }";
    let changes = [
        Change::set(&["a"], "12".into()),
        Change::set(&["b"], Value::Int(180)),
        Change::set(&["c"], Value::List(vec![Value::Float(1.0), "x".into()])),
        Change::set(&["d"], map(&[("y", Value::Int(2)), ("x", Value::Int(1))])),
        Change::set(&["d"], Value::Map(vec![])),
        Change::set(&["e"], Value::Int(0)),
        Change::remove(&["f"]),
        Change::remove(&["a", "inside"]),
    ];
    for change in &changes {
        assert_eq!(edited(text, std::slice::from_ref(change)), text, "{change:?}");
    }
}

#[test]
fn lists_and_strings_are_written_so_that_they_read_back() {
    let value =
        Value::List(vec!["it's \"x\"\u{2029}\n".into(), Value::Null, map(&[("k-1", Value::Float(0.5))])]);
    let after = edited("{ q: 'single' }", &[Change::set(&["l"], value)]);
    assert_eq!(after, "{ q: 'single', l: ['it\\'s \"x\"\\u2029\\n', null, { 'k-1': 0.5 }] }");
}

#[test]
fn the_last_duplicate_is_edited_in_any_spelling() {
    assert_eq!(
        edited("{m:{x:1},\"\\u006d\":{y:1},z:1}", &[Change::set(&["m", "y"], Value::Int(2))]),
        "{m:{x:1},\"\\u006d\":{y:2},z:1}"
    );
    assert_eq!(edited("{m:1,m:2}", &[Change::set(&["m"], Value::Int(1))]), "{m:1,m:1}");
}

#[test]
fn many_changes_go_into_one_text() {
    let text = "{\n  a: 1,\n  old: 1, // gone\n  e: { x: 1 },\n  n: null\n}\n";
    let changes = [
        Change::set(&["a"], Value::Int(2)),
        Change::set(&["e", "y"], Value::Int(3)),
        Change::set(&["f"], Value::Int(4)),
        Change::set(&["n", "p"], Value::Int(5)),
        Change::set(&["n", "q"], Value::Int(6)),
        Change::remove(&["old"]),
        Change::remove(&["e", "x"]),
    ];
    assert_eq!(
        edited(text, &changes),
        "{\n  a: 2,\n  e: { y: 3 },\n  n: {\n    p: 5,\n    q: 6\n  },\n  f: 4\n}\n"
    );
}

#[test]
fn changes_inside_each_other_are_done_in_their_order() {
    let changes = [Change::remove(&["a"]), Change::set(&["a", "x"], Value::Int(1))];
    assert_eq!(edited("{ a: { y: 2 }, b: 1 }", &changes), "{ b: 1, a: { x: 1 } }");
}

#[test]
fn a_half_of_a_surrogate_pair_stays_as_it_is_written() {
    assert_eq!(with_a("{\"label\": \"cut \\uD83D\"}"), "{\"label\": \"cut \\uD83D\", \"a\": 1}");
}

#[test]
fn include_siblings_are_added_in_the_root_file() {
    let after = with_a("{ $include: './base.json5' }");
    assert_eq!(after, "{ $include: './base.json5', a: 1 }");
}
