//! Elements of lists: where they go, how they are written, and what goes with them.

use super::{edit, edited, map};
use crate::{Change, Position, RefusalKind, Value};

/// `c` put into the list at `l`.
#[track_caller]
fn grows(text: &str, expected: &str) {
    assert_eq!(edited(text, &[Change::append(&["l"], "c".into())]), expected, "{text}");
}

/// `a` and `c` taken out of the list at `l`.
#[track_caller]
fn shrinks(text: &str, expected: &str) {
    let changes = ["a", "c"].map(|name| Change::drop(&["l"], name.into()));
    assert_eq!(edited(text, &changes), expected, "{text}");
}

#[test]
fn one_line_lists_grow_on_their_line_as_they_are_spaced() {
    grows("{l:['a']}", "{l:['a','c']}");
    grows("{ l: ['a'] }", "{ l: ['a', 'c'] }");
    grows("{l: [ 'a','b' ]}", "{l: [ 'a','b','c' ]}");
    grows("{l:['a', 'b']}", "{l:['a', 'b', 'c']}");
    grows("{\"l\": [\"a\"]}", "{\"l\": [\"a\", \"c\"]}");
    grows("{l: ['a',], z: 1}", "{l: ['a', 'c',], z: 1}");
    grows("{l: ['a' , ], z: 1}", "{l: ['a' , 'c', ], z: 1}");
    grows("{l: [1 /* one */]}", "{l: [1, /* one */ \"c\"]}");
    grows("{l: ['a' /* a */, /* end */]}", "{l: ['a' /* a */, /* end */ 'c',]}");
    grows("{l: [[1, 2], {}]}", "{l: [[1, 2], {}, \"c\"]}");
}

#[test]
fn lists_on_lines_get_a_line() {
    grows("{\n  l: [\n    'a',\n    'b',\n  ],\n}\n", "{\n  l: [\n    'a',\n    'b',\n    'c',\n  ],\n}\n");
    grows("{\n  l: [\n    'a'\n  ]\n}", "{\n  l: [\n    'a',\n    'c'\n  ]\n}");
    grows(
        "{\r\n\t\"l\": [\r\n\t\t\"a\"\r\n\t]\r\n}",
        "{\r\n\t\"l\": [\r\n\t\t\"a\",\r\n\t\t\"c\"\r\n\t]\r\n}",
    );
    grows("{\r  l: [\r    'a'\r  ]\r}", "{\r  l: [\r    'a',\r    'c'\r  ]\r}");
    grows(
        "{ l: [\n    'a', // the first\n    'b' // the second\n    // 'off'\n  ] } // end",
        "{ l: [\n    'a', // the first\n    'b', // the second\n    // 'off'\n    'c'\n  ] } // end",
    );
    grows("{ l: ['a', // a\n  ] }", "{ l: ['a', // a\n    'c',\n  ] }");
    grows("{ l: [\n  1, 2,\n  3, 4\n] }", "{ l: [\n  1, 2,\n  3, 4,\n  \"c\"\n] }");
    grows("{ l: [\n    'a'\n  , 'b'\n  ] }", "{ l: [\n    'a'\n  , 'b',\n    'c'\n  ] }");
    grows("{ l: [\n  'a',\n  'b'] }", "{ l: [\n  'a',\n  'b',\n  'c'] }");
    grows("{ l: [\n  'a',\n\n\n] }", "{ l: [\n  'a',\n  'c',\n\n\n] }");
}

#[test]
fn quotes_are_those_of_the_last_element() {
    grows("{l: [\"a\", 'b'], x: \"1\", y: \"2\"}", "{l: [\"a\", 'b', 'c'], x: \"1\", y: \"2\"}");
    grows("{l: ['a', \"b\"], x: '1', y: '2'}", "{l: ['a', \"b\", \"c\"], x: '1', y: '2'}");
    grows("{l: [1], x: '1', y: '2'}", "{l: [1, 'c'], x: '1', y: '2'}");
}

#[test]
fn empty_lists_are_filled_and_missing_ones_made() {
    grows("{l: []}", "{l: [\"c\"]}");
    grows("{l: [ ], x: 'y'}", "{l: ['c'], x: 'y'}");
    grows("{l: [ /* none */ ]}", "{l: [ /* none */ \"c\" ]}");
    grows("{\n  l: [\n  ]\n}", "{\n  l: [\n    \"c\"\n  ]\n}");
    grows("{\n  l: [ // none\n    // yet\n  ],\n}", "{\n  l: [ // none\n    // yet\n    \"c\",\n  ],\n}");
    grows("{l: null, z: 1}", "{l: [\"c\"], z: 1}");
    grows("{l: '', z: 1}", "{l: ['c'], z: 1}");
    grows("{z: 1}", "{z: 1, l: [\"c\"]}");
    grows("// head\n", "// head\n{\n  \"l\": [\"c\"]\n}\n");
    let nested = [Change::append(&["p", "l"], Value::Int(1)), Change::append(&["p", "l"], Value::Int(2))];
    assert_eq!(edited("{p: null}", &nested), "{p: {l: [1, 2]}}");
    assert_eq!(edited("{}", &nested), "{\n  \"p\": {\n    \"l\": [1, 2]\n  }\n}");
}

#[test]
fn objects_are_laid_out_as_the_last_one_is() {
    let model = map(&[("id", "b".into()), ("n", Value::Int(2)), ("in", Value::List(vec!["text".into()]))]);
    let grown = |text: &str| edited(text, &[Change::append(&["l"], model.clone())]);
    assert_eq!(grown("{l:[{id:'a'}]}"), "{l:[{id:'a'},{id:'b',n:2,in:['text']}]}");
    assert_eq!(grown("{l: [{ id: 'a' }]}"), "{l: [{ id: 'a' }, { id: 'b', n: 2, in: ['text'] }]}");
    assert_eq!(
        grown("{\n  \"l\": [\n    {\n      \"id\": \"a\"\n    }\n  ]\n}\n"),
        "{\n  \"l\": [\n    {\n      \"id\": \"a\"\n    },\n    {\n      \"id\": \"b\",\n      \"n\": 2,\n      \"in\": [\"text\"]\n    }\n  ]\n}\n",
    );
    assert_eq!(
        grown("{\n  l: [{\n     'id': 'a', // a\n  }],\n}"),
        "{\n  l: [{\n     'id': 'a', // a\n  }, {\n     'id': 'b',\n     'n': 2,\n     'in': ['text'],\n  }],\n}",
    );
    assert_eq!(
        grown("{\n  l: [\n    { id: \"a\" }, // a\n  ],\n}"),
        "{\n  l: [\n    { id: \"a\" }, // a\n    { id: \"b\", n: 2, in: [\"text\"] },\n  ],\n}",
    );
    assert_eq!(grown("{l: ['x']}"), "{l: ['x', {id: 'b', n: 2, in: ['text']}]}");
    let reordered = "{l: [{n: 2.0, in: [\"t\\x65xt\"], id: 'b'}]}";
    assert_eq!(grown(reordered), reordered);
}

#[test]
fn what_is_there_already_is_no_change() {
    for text in ["{l: ['c']}", "{ 'l' : [ \"\\x63\", 1 ], }", "{l: 1, l: ['c']}", "{l: ['c', 'c']}"] {
        grows(text, text);
    }
    let number = [Change::append(&["l"], Value::Int(16))];
    assert_eq!(edited("{l: [0x10]}", &number), "{l: [0x10]}");
    assert_eq!(edited("{l: [1.6e1]}", &number), "{l: [1.6e1]}");
    assert_eq!(edited("{l: ['16', true]}", &number), "{l: ['16', true, 16]}");
    for text in
        ["{l: []}", "{l: ['b', ['a'], {a: 'c'}]}", "{l: 'a'}", "{l: {a: 'a'}}", "{}", "", "{l: null}", "[1]"]
    {
        shrinks(text, text);
    }
}

#[test]
fn the_last_duplicate_is_the_one_that_grows() {
    grows("{l: ['a'], l: ['b']}", "{l: ['a'], l: ['b', 'c']}");
    shrinks("{l: ['a'], l: ['a', 'b']}", "{l: ['a'], l: ['b']}");
}

#[test]
fn elements_go_with_the_comment_behind_them_and_nothing_else() {
    shrinks("{l: ['a']}", "{l: []}");
    shrinks("{l: [ 'a', 'c', ]}", "{l: []}");
    shrinks("{l: ['a', 'b']}", "{l: ['b']}");
    shrinks("{l: ['b', 'c']}", "{l: ['b']}");
    shrinks("{l: ['b', 'c',]}", "{l: ['b',]}");
    shrinks("{l: [ 'b','c','d' ]}", "{l: [ 'b','d' ]}");
    shrinks("{l: ['a', 'a', 'b', \"c\", 'd', 'c']}", "{l: ['b', 'd']}");
    shrinks(
        "{\n  l: [\n    'a', // a\n    'b', // b\n    'c', // c\n  ],\n}",
        "{\n  l: [\n    'b', // b\n  ],\n}",
    );
    shrinks("{\n  l: [\n    'b', // b\n    'c' // c\n  ]\n}", "{\n  l: [\n    'b' // b\n  ]\n}");
    shrinks(
        "{ l: [\n  // about a\n  'a',\n  /* in */ 'c', 'd'\n] }",
        "{ l: [\n  // about a\n  /* in */ 'd'\n] }",
    );
    shrinks("{ l: [ // c\n  'a'\n] }", "{ l: [ // c\n] }");
    shrinks("{ l: [\n    'a'\n  , 'b'\n  , 'c'\n  ] }", "{ l: [\n   'b'\n  ] }");
    shrinks("{\r\n  l: [\r\n    'b',\r\n    'a'\r\n  ]\r\n}", "{\r\n  l: [\r\n    'b'\r\n  ]\r\n}");
    let objects = [Change::drop(&["l"], map(&[("x", Value::Int(1)), ("y", Value::Null)]))];
    assert_eq!(edited("{l: [{y: null, x: 1.0}, {x: 1}]}", &objects), "{l: [{x: 1}]}");
}

#[test]
fn changes_of_lists_are_made_in_their_order() {
    let changes = [
        Change::set(&["a"], Value::Int(1)),
        Change::append(&["l"], "x".into()),
        Change::append(&["l"], "y".into()),
        Change::append(&["l"], "x".into()),
        Change::drop(&["l"], "old".into()),
        Change::set(&["b"], Value::Int(2)),
        Change::append(&["m"], Value::Int(3)),
    ];
    assert_eq!(edited("{l: ['old', 'k'], a: 0}", &changes), "{l: ['k', 'x', 'y'], a: 1, b: 2, m: [3]}");
    let set_first = [Change::set(&["l"], Value::List(vec![])), Change::append(&["l"], Value::Int(1))];
    assert_eq!(edit("{l: 5}", &set_first).unwrap(), "{l: [1]}");
}

#[test]
fn what_is_no_list_is_refused_with_its_place() {
    let refusal = |text: &str, changes: &[Change]| {
        let refusal = edit(text, changes).unwrap_err();
        (refusal.kind, refusal.at.map(|at: Position| (at.line, at.column)))
    };
    let append = [Change::set(&["z", "y"], Value::Int(1)), Change::append(&["p", "l"], "c".into())];
    let not = RefusalKind::NotAMapping;
    assert_eq!(refusal("{\n  p: { l: {} } }", &append), (not, Some((2, 11))));
    assert_eq!(refusal("{\n  p: { l: 'x' } }", &append), (not, Some((2, 11))));
    assert_eq!(refusal("{\n  p: { l: 0 } }", &append), (not, Some((2, 11))));
    assert_eq!(refusal("{\n  p: [1] }", &append), (not, Some((2, 6))));
    assert_eq!(refusal("\n[1]", &append[1..]), (not, Some((2, 1))));
    let unsafe_key = [Change::append(&["__proto__", "l"], "c".into())];
    assert_eq!(refusal("{}", &unsafe_key), (RefusalKind::Unproven, None));
    let unwritable = [Change::append(&["l"], Value::Float(f64::NAN))];
    assert_eq!(refusal("{\"l\": [1]}", &unwritable), (RefusalKind::Unproven, None));
    assert_eq!(edited("{l: [NaN]}", &unwritable), "{l: [NaN]}");
}

#[test]
fn long_lists_cost_no_more_than_their_length() {
    let items = 60_000;
    for (element, last) in [("'a', ", "'b']}"), ("\n'a', // x", "\n'b']}")] {
        let text = format!("{{l: [{}{last}", element.repeat(items));
        shrinks(&text, &format!("{{l: [{last}"));
        let all: Vec<Change> = (0..200).map(|number| Change::append(&["l"], Value::Int(number))).collect();
        assert!(edited(&text, &all).len() > text.len() + 600);
    }
}
