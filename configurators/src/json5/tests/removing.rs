//! Members that go, and everything that stays.

use super::{edited, without_ab};
use crate::Change;

#[test]
fn whole_lines_go_with_the_comment_behind_them() {
    let text =
        "{\n  a: 1, // about a\n  // above b\n  b: 2, /* about b */\n  // above c\n  c: 3 // about c\n}\n";
    assert_eq!(without_ab(text), "{\n  // above b\n  // above c\n  c: 3 // about c\n}\n");
    assert_eq!(
        without_ab("{\r\n  \"a\": {\r\n    \"x\": 1\r\n  },\r\n  \"z\": 2\r\n}"),
        "{\r\n  \"z\": 2\r\n}"
    );
}

#[test]
fn on_one_line_first_middle_last_and_all() {
    assert_eq!(without_ab("{ a: 1, z: 3 }"), "{ z: 3 }");
    assert_eq!(without_ab("{ y: 1, a: 1, b: 2, z: 3 }"), "{ y: 1, z: 3 }");
    assert_eq!(without_ab("{ z: 3, a: 1, b: 2 }"), "{ z: 3 }");
    assert_eq!(without_ab("{z:3,a:1,y:4,b:2,}"), "{z:3,y:4,}");
    assert_eq!(without_ab("{ a: 1, b: 2 }"), "{}");
    assert_eq!(without_ab("{/*x*/a:1/*y*/}"), "{/*x*/}");
    assert_eq!(without_ab("{ z: 1, /* y */ a: 1 /* a */, /* x */ x: 2 }"), "{ z: 1, /* y */ /* x */ x: 2 }");
}

#[test]
fn no_comma_is_left_over_or_missing() {
    assert_eq!(without_ab("{\n  \"z\": 1,\n  \"a\": 1,\n  \"b\": []\n}\n"), "{\n  \"z\": 1\n}\n");
    assert_eq!(without_ab("{\n  z: 1, // z\n  a: 1,\n}\n"), "{\n  z: 1, // z\n}\n");
    assert_eq!(without_ab("{\n  z: 1 // z\n  , a: 1\n}\n"), "{\n  z: 1 // z\n}\n");
    assert_eq!(without_ab("{\n    z: 1\n  , a: 1\n  , b: 2\n  , y: 2\n}\n"), "{\n    z: 1\n  , y: 2\n}\n");
    assert_eq!(without_ab("{z:1\n,a:2\n}"), "{z:1\n}");
}

#[test]
fn a_line_comment_that_stays_ends_where_it_did() {
    assert_eq!(without_ab("{ z: 1, // c\n  a: 2 }"), "{ z: 1 // c\n }");
    assert_eq!(without_ab("{ a: 1, // c\n  z: 2\n}"), "{\n  z: 2\n}");
    assert_eq!(
        without_ab("{\n  a: 1, /* long\n  comment */\n  z: 2\n}"),
        "{\n  /* long\n  comment */\n  z: 2\n}"
    );
}

#[test]
fn neighbours_on_the_same_line_stay_on_it() {
    assert_eq!(without_ab("{\n  z: 1, a: 2, b: 3, y: 4\n}"), "{\n  z: 1, y: 4\n}");
    assert_eq!(without_ab("{\n  z: 1, a: 2, // c\n  y: 4\n}"), "{\n  z: 1,\n  y: 4\n}");
    assert_eq!(without_ab("{\n  a: 1, z: 2,\n}"), "{\n  z: 2,\n}");
}

#[test]
fn all_occurrences_go() {
    assert_eq!(without_ab("{\n  a: 1,\n  z: 2,\n  \"\\u0061\": 3\n}"), "{\n  z: 2\n}");
    assert_eq!(edited("{m:{a:1},m:{a:2,b:3,a:4}}", &[Change::remove(&["m", "a"])]), "{m:{a:1},m:{b:3}}");
}
