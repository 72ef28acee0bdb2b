//! Elements of lists: where they go, how they are written, what goes with them, and what is refused.

use crate::yaml::YamlDocument;
use crate::{Change, Document, Position, Refusal, RefusalKind, Value};

fn edit(text: &str, changes: &[Change]) -> Result<String, Refusal> {
    YamlDocument::parse(text)?.edit(changes)
}

/// Edits, and holds that a second run finds nothing to do.
#[track_caller]
fn edited(text: &str, changes: &[Change]) -> String {
    let once = edit(text, changes).unwrap_or_else(|refusal| panic!("{refusal}\n{text}"));
    assert_eq!(edit(&once, changes).unwrap(), once, "second run");
    once
}

/// `c` put into the list at `l`.
#[track_caller]
fn grows(text: &str, expected: &str) {
    assert_eq!(edited(text, &[Change::append(&["l"], "c".into())]), expected);
}

/// `a` and `c` taken out of the list at `l`.
#[track_caller]
fn shrinks(text: &str, expected: &str) {
    let changes = ["a", "c"].map(|name| Change::drop(&["l"], name.into()));
    assert_eq!(edited(text, &changes), expected);
}

fn model() -> Value {
    let cost = Value::Map(vec![("in".into(), Value::Int(0))]);
    Value::Map(vec![
        ("id".into(), "b".into()),
        ("cost".into(), cost),
        ("s".into(), Value::List(vec!["t".into()])),
    ])
}

#[track_caller]
fn grows_by_a_model(text: &str, expected: &str) {
    assert_eq!(edited(text, &[Change::append(&["l"], model())]), expected);
}

#[test]
fn block_lists_get_a_line_behind_the_last_item() {
    grows("l:\n  - a\n", "l:\n  - a\n  - c\n");
    grows("l:\n- a\n- b\nz: 1\n", "l:\n- a\n- b\n- c\nz: 1\n");
    grows("l:\n  - a", "l:\n  - a\n  - c");
    grows("l:\n- a # last", "l:\n- a # last\n- c");
    grows("l:\r\n    -   a\r\n\r\nz: 1\r\n", "l:\r\n    -   a\r\n    -   c\r\n\r\nz: 1\r\n");
    grows("l:\r  - a\rz: 1\r", "l:\r  - a\r  - c\rz: 1\r");
    grows("l:\n- a\n...\n", "l:\n- a\n- c\n...\n");
    grows("%YAML 1.1\n---\nl:\n- a\n", "%YAML 1.1\n---\nl:\n- a\n- c\n");
    grows(
        "l: # the list\n  # first\n  - a # a\n  # second\n  - b # b\nz: 1\n",
        "l: # the list\n  # first\n  - a # a\n  # second\n  - b # b\n  - c\nz: 1\n",
    );
    grows("l:\n  - a\n\n\nz: 1\n", "l:\n  - a\n  - c\n\n\nz: 1\n");
    grows("\u{feff}l:\n- a\n", "\u{feff}l:\n- a\n- c\n");
    grows("'l' :\n  - a\n", "'l' :\n  - a\n  - c\n");
    grows("l:\n  - # nothing\n\n  - a\n", "l:\n  - # nothing\n\n  - a\n  - c\n");
    grows("l:\n - # nothing\nz: 1\n", "l:\n - # nothing\n - c\nz: 1\n");
    grows("l:\n-   |\n    text\n", "l:\n-   |\n    text\n-   c\n");
    grows("? l\n:\n  - a\nz: 1\n", "? l\n:\n  - a\n  - c\nz: 1\n");
}

#[test]
fn comments_behind_a_list_stay_with_what_they_are_about() {
    grows("l:\n  - a\n  # - off\n# about z\nz: 1\n", "l:\n  - a\n  # - off\n  - c\n# about z\nz: 1\n");
    grows("l:\n- a\n# about z\nz: 1\n", "l:\n- a\n- c\n# about z\nz: 1\n");
    grows("l:\n- a\n  # of a\n# end\n", "l:\n- a\n  # of a\n- c\n# end\n");
}

#[test]
fn last_items_of_all_kinds_are_passed() {
    for last in [
        "x: 1\n    y: 2",
        "x:\n      - 1",
        "x:",
        "x: # none",
        "x:\n      y:",
        "- 1\n    - 2",
        "- 1\n    -",
        "|\n    text\n    more",
        "|-\n    text",
        ">-2 # folded\n    text",
        "!!str |\n    text",
        "-   -",
        "|",
        "|-",
        "|-\n    |x",
        "|  # none",
        ">+\n    text\n\n",
        "'a\n    b'",
        "a\n    b",
        "[1,\n    2]",
        "{x: 1}",
        "",
        "# none",
        "~",
        "&x a",
        "!!str a",
        "&y",
        "!!str",
        "? k",
        "? k\n    : v",
        "*z",
    ] {
        for (start, end) in
            [("l:\n  - 1\n  - ", "\nz: 1\n"), ("l:\n-   1\n-   ", "\n# end\n"), ("l:\n  - ", "\n")]
        {
            let text = format!("z0: &z 1\n{start}{last}{end}");
            let after = edited(&text, &[Change::append(&["l"], "c".into())]);
            let document = YamlDocument::parse(&after).unwrap();
            let Some(Value::List(items)) = document.get(&["l"]) else { panic!("{after}") };
            assert_eq!(items.last(), Some(&"c".into()), "{after}");
            let back = document.edit(&[Change::drop(&["l"], "c".into())]).unwrap();
            assert_eq!(back, text);
        }
    }
}

#[test]
fn flow_lists_grow_in_their_layout() {
    grows("l: [a]\n", "l: [a, c]\n");
    grows("l: [ a , b ]  # two\n", "l: [ a , b, c ]  # two\n");
    grows("l: [a,]\n", "l: [a, c,]\n");
    grows("l: [a]", "l: [a, c]");
    grows("{l: [a], z: 1}", "{l: [a, c], z: 1}");
    grows("{\"l\": [\"a\"]}", "{\"l\": [\"a\", \"c\"]}");
    grows("l: [\n  a,\n  b\n]\n", "l: [\n  a,\n  b,\n  c\n]\n");
    grows("l: [\n  a, # a\n  b, # b\n  # end\n]\n", "l: [\n  a, # a\n  b, # b\n  c,\n  # end\n]\n");
    grows("l: [\n  a, # a\n  b  # b\n  ]\n", "l: [\n  a, # a\n  b,  # b\n  c\n  ]\n");
    grows("l: [a, b # b\n  ]\n", "l: [a, b, c # b\n  ]\n");
    grows("l: [\r\n  a,\r\n  b,\r\n]\r\n", "l: [\r\n  a,\r\n  b,\r\n  c,\r\n]\r\n");
    grows("l: [a: ]\n", "l: [a: , c ]\n");
    grows("l: [a: 1]\n", "l: [a: 1, c]\n");
    grows("l: &l [a]\nz: 1\n", "l: &l [a, c]\nz: 1\n");
    grows("l: !!seq\n- &a a\nz: *a\n", "l: !!seq\n- &a a\n- c\nz: *a\n");
    grows("l: [[a], {b: c}]\n", "l: [[a], {b: c}, c]\n");
}

#[test]
fn quotes_are_those_of_the_last_item() {
    grows("x: 'y'\nl: [a, \"b\"]\n", "x: 'y'\nl: [a, \"b\", \"c\"]\n");
    grows("l:\n- \"a\"\n- 'b'\n", "l:\n- \"a\"\n- 'b'\n- 'c'\n");
    grows("x: 'y'\nl:\n- a\n", "x: 'y'\nl:\n- a\n- c\n");
    let text = [Change::append(&["l"], "c d".into())];
    assert_eq!(edited("x: 'y'\nl:\n- a\n", &text), "x: 'y'\nl:\n- a\n- 'c d'\n");
    assert_eq!(edited("x: 'y'\nl:\n- \"a\"\n", &text), "x: 'y'\nl:\n- \"a\"\n- \"c d\"\n");
    let number = [Change::append(&["l"], Value::Int(7)), Change::append(&["l"], "7".into())];
    assert_eq!(edited("l:\n- '7'\n- 'b'\n", &number), "l:\n- '7'\n- 'b'\n- 7\n");
    assert_eq!(edited("l: [b]\n", &number), "l: [b, 7, \"7\"]\n");
}

#[test]
fn empty_lists_are_filled_and_missing_ones_made() {
    grows("l: []\nz: 1\n", "l: [c]\nz: 1\n");
    grows("l: [ ]", "l: [c]");
    grows("l: [ # none\n  ]\n", "l: [c # none\n  ]\n");
    grows("l:\nz: 1\n", "l: [c]\nz: 1\n");
    grows("l: ~ # none\n", "l: [c] # none\n");
    grows("l: ''\n", "l: [c]\n");
    grows("l: null\n", "l: [c]\n");
    grows("z: 1\n", "z: 1\nl: [c]\n");
    grows("", "l: [c]\n");
    grows("{}\n", "l: [c]\n");
    let nested = [Change::append(&["p", "l"], "x".into()), Change::append(&["p", "l"], "w".into())];
    assert_eq!(edited("a: 1\n", &nested), "a: 1\np:\n  l: [x, w]\n");
    assert_eq!(edited("p:\n  z: 1\n", &nested), "p:\n  z: 1\n  l: [x, w]\n");
    assert_eq!(edited("p: {z: 1}\n", &nested), "p: {z: 1, l: [x, w]}\n");
}

#[test]
fn mappings_are_laid_out_as_the_last_item_is() {
    grows_by_a_model("l:\n- id: a\nz: 1\n", "l:\n- id: a\n- id: b\n  cost:\n    in: 0\n  s: [t]\nz: 1\n");
    grows_by_a_model(
        "l:\n    -   \"id\": \"a\" # a\n        \"cost\":\n            \"in\": 0\n",
        "l:\n    -   \"id\": \"a\" # a\n        \"cost\":\n            \"in\": 0\n    -   \"id\": \"b\"\n        \"cost\":\n            \"in\": 0\n        \"s\": [\"t\"]\n",
    );
    grows_by_a_model("l:\n- {id: 'a'}\n", "l:\n- {id: 'a'}\n- {id: 'b', cost: {in: 0}, s: ['t']}\n");
    grows_by_a_model("l: [{id: a}]\n", "l: [{id: a}, {id: b, cost: {in: 0}, s: [t]}]\n");
    grows_by_a_model("l:\n-\n  id: a", "l:\n-\n  id: a\n- id: b\n  cost:\n    in: 0\n  s: [t]");
    grows_by_a_model("l:\n- a\n", "l:\n- a\n- id: b\n  cost:\n    in: 0\n  s: [t]\n");
    let other_order = "l:\n- s:\n  - t\n  cost: {in: 0}\n  id: 'b'\n";
    grows_by_a_model(other_order, other_order);
}

#[test]
fn what_is_there_already_is_no_change() {
    for text in [
        "l:\n- c\n",
        "l: ['c', c]",
        "l: [\"\\x63\"]",
        "x: &x [c]\nl: *x\n",
        "b: &b {l: [c]}\n<<: *b\n",
        "l: &l [c]\nm: *l\n",
        "l: !!seq [c]\n",
        "x: &x c\nl: [*x]\n",
        "l: [a]\nl: [c]\n",
    ] {
        grows(text, text);
    }
    for text in [
        "",
        "l:\n",
        "l: []",
        "l: a\n",
        "l: {a: c}\n",
        "- a\n",
        "l: [b, [a]]",
        "x: &x [b]\nl: *x\n",
        "z: 1\n",
        "l: [a]\nl: b\n",
    ] {
        shrinks(text, text);
    }
}

#[test]
fn the_last_duplicate_is_the_one_that_changes() {
    grows("l: [a]\nl: [b]\n", "l: [a]\nl: [b, c]\n");
    shrinks("l: [a]\nl: [a, b]\n", "l: [a]\nl: [b]\n");
}

#[test]
fn items_go_with_the_comment_behind_them_and_nothing_else() {
    shrinks("l:\n  - a # a\n  - b # b\n  - c # c\nz: 1\n", "l:\n  - b # b\nz: 1\n");
    shrinks("l:\n- a\n- c\nz: 1\n", "l: []\nz: 1\n");
    shrinks("l: # the list\n  # about a\n  - a\n", "l: [] # the list\n  # about a\n");
    shrinks("l: !!seq # s\n- a\n", "l: !!seq [] # s\n");
    shrinks("l: &l # s\n\n- a\n", "l: &l [] # s\n\n");
    shrinks("l:\n- b\n- c", "l:\n- b\n");
    shrinks("l:\r\n- a\r\n\r\n- b\r\n", "l:\r\n\r\n- b\r\n");
    shrinks("l:\n- |\n  keep\n\n- 'a'\n- \"c\"\n", "l:\n- |\n  keep\n\n");
    shrinks("l:\n- a\n- |-\n  c\n# about z\nz: 1\n", "l: []\n# about z\nz: 1\n");
    let nothing = [Change::drop(&["l"], "".into())];
    assert_eq!(edited("l:\n- |\n# about z\nz: 1\n", &nothing), "l: []\n# about z\nz: 1\n");
    shrinks("l: [a]\n", "l: []\n");
    shrinks("l: [ a, c ] # none\n", "l: [] # none\n");
    shrinks("l: [a, b]\n", "l: [b]\n");
    shrinks("l: [b, c]\n", "l: [b]\n");
    shrinks("l: [b, c,]\n", "l: [b, ]\n");
    shrinks("l: [b, a, c]\n", "l: [b]\n");
    shrinks("l: [b,a,d,c,e]\n", "l: [b,d,e]\n");
    shrinks("l: [\n  a, # a\n  b, # b\n  c # c\n]\n", "l: [\n  b, # b\n]\n");
    shrinks("l: [ a, # a\n  # about b\n  b,\n  c ]\n", "l: [\n  # about b\n  b,\n  ]\n");
    shrinks("l: [\n  a # a\n  # end\n]\n", "l: [\n  # end\n]\n");
    let objects = [Change::drop(&["l"], model())];
    assert_eq!(
        edited(
            "l:\n- x: 1\n# about b\n- id: b\n  s: [t]\n  cost: {in: 0} # cheap\n# end\n- y: 1\n",
            &objects
        ),
        "l:\n- x: 1\n# about b\n# end\n- y: 1\n"
    );
    let aliases = "x: &x a\nl: [*x, b]\n";
    shrinks(aliases, "x: &x a\nl: [b]\n");
}

#[test]
fn changes_of_lists_are_made_in_their_order() {
    let changes = [
        Change::set(&["a"], Value::Int(1)),
        Change::append(&["l"], "x".into()),
        Change::append(&["l"], "w".into()),
        Change::append(&["l"], "x".into()),
        Change::drop(&["l"], "old".into()),
        Change::remove(&["b"]),
        Change::append(&["m"], Value::Int(3)),
    ];
    assert_eq!(edited("l:\n- old\n- k\nb: 2\n", &changes), "l:\n- k\n- x\n- w\na: 1\nm: [3]\n");
    let set_first = [Change::set(&["l"], Value::List(vec![])), Change::append(&["l"], Value::Int(1))];
    assert_eq!(edit("l: 5\n", &set_first).unwrap(), "l: [1]\n");
}

#[track_caller]
fn refuses(text: &str, change: &Change, kind: RefusalKind, at: Option<(usize, usize)>) {
    let changes = [Change::set(&["z", "y"], Value::Int(1)), change.clone()];
    let refusal = edit(text, &changes).unwrap_err();
    let place = refusal.at.map(|at: Position| (at.line, at.column));
    assert_eq!((refusal.kind, place), (kind, at), "{refusal}");
}

#[test]
fn what_is_no_list_is_refused_with_its_place() {
    let append = Change::append(&["p", "l"], "c".into());
    let not = RefusalKind::NotAMapping;
    refuses("a: 1\np: {l: {}}\n", &append, not, Some((2, 8)));
    refuses("a: 1\np: {l: x}\n", &append, not, Some((2, 8)));
    refuses("p: {l: {a: b}}\n", &append, not, Some((1, 8)));
    refuses("p:\n  l: |\n    x\n", &append, not, Some((3, 5)));
    refuses("p: x\n", &append, not, Some((1, 4)));
    refuses("p:\n- x\n", &append, not, Some((2, 1)));
}

#[test]
fn what_is_shared_or_tagged_is_refused_with_its_place() {
    let append = Change::append(&["p", "l"], "c".into());
    let drop = Change::drop(&["p", "l"], "a".into());
    for change in [&append, &drop] {
        use RefusalKind::Shared;
        refuses("x: &x [a]\np: {l: *x}\n", change, Shared, Some((2, 8)));
        refuses("p: {l: &x [a]}\nx: *x\n", change, Shared, Some((1, 8)));
        refuses("p: &p {l: [a]}\nx: *p\n", change, Shared, Some((1, 4)));
        refuses("b: &b {l: [a]}\np: {<<: *b}\n", change, Shared, Some((2, 4)));
        refuses("b: &b {l: [a]}\np: *b\n", change, Shared, Some((2, 4)));
    }
    refuses("p: {l: !!omap [a: 1]}\n", &append, RefusalKind::Tagged, Some((1, 8)));
    refuses("p: {l: [&a a]}\nx: *a\n", &drop, RefusalKind::Shared, Some((1, 9)));
    let unwritable = Change::append(&["p", "l"], Value::Other("x".to_owned()));
    refuses("p: {l: [a]}\n", &unwritable, RefusalKind::Unproven, None);
    // The block scalar would get the line break that it lacks.
    let text = "p:\n  l:\n  - |\n    x";
    assert_eq!(edit(text, &[append]).unwrap_err().kind, RefusalKind::Unproven);
}

#[test]
fn long_lists_cost_no_more_than_their_length() {
    let items = 60_000;
    for (start, element, end, empty) in
        [("l: [", "a, ", "b]\n", "l: [b]\n"), ("l:\n", "- a\n", "- b\n", "l:\n- b\n")]
    {
        let text = format!("{start}{}{end}", element.repeat(items));
        shrinks(&text, empty);
        let all: Vec<Change> = (0..200).map(|number| Change::append(&["l"], Value::Int(number))).collect();
        let grown = edited(&text, &all);
        let Some(Value::List(elements)) = YamlDocument::parse(&grown).unwrap().get(&["l"]) else { panic!() };
        assert_eq!(elements.len(), items + 201);
    }
}
