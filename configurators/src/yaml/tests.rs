//! Whole edits through the public door, case by case.

use super::*;
use crate::RefusalKind;

fn hub() -> Value {
    let headers = Value::Map(vec![("Authorization".into(), "Bearer k_test".into())]);
    Value::Map(vec![
        ("url".into(), "http://hub:5002/api/mcp".into()),
        ("headers".into(), headers),
        ("timeout".into(), Value::Int(180)),
    ])
}

/// What a recipe asks for: the entry, and stale keys gone.
fn wiring() -> Vec<Change> {
    let mut changes = vec![Change::set(&["mcp_servers", "hub"], hub())];
    changes.extend(["type", "command", "args"].map(|key| Change::remove(&["mcp_servers", "hub", key])));
    changes
}

fn edit(text: &str, changes: &[Change]) -> Result<String, Refusal> {
    let edited = YamlDocument::parse(text)?.edit(changes)?;
    let again = YamlDocument::parse(&edited).unwrap().edit(changes).unwrap();
    assert_eq!(again, edited, "a second run changes something");
    Ok(edited)
}

#[track_caller]
fn wires(text: &str, expected: &str) {
    assert_eq!(edit(text, &wiring()).unwrap(), expected);
}

#[track_caller]
fn changes(text: &str, wanted: &[Change], expected: &str) {
    assert_eq!(edit(text, wanted).unwrap(), expected);
}

#[track_caller]
fn refuses(text: &str, wanted: &[Change], kind: RefusalKind, line: usize, column: usize) {
    let refusal = edit(text, wanted).unwrap_err();
    assert_eq!((refusal.kind, refusal.at), (kind, Some(Position { line, column })), "{refusal}");
}

const ENTRY: &str = "  hub:\n    url: \"http://hub:5002/api/mcp\"\n    headers:\n      Authorization: \"Bearer k_test\"\n    timeout: 180\n";
const FLOW: &str =
    "{url: \"http://hub:5002/api/mcp\", headers: {Authorization: \"Bearer k_test\"}, timeout: 180}";

#[test]
fn a_new_entry_goes_behind_the_last_one_and_its_comments() {
    let before = "# top\nmcp_servers:   # s\n  # about fs\n  fs:\n    command: npx  # c\n    # tail of fs\n  # off: x\n  #   url: y\n";
    let after = "\n# about log\nlog: info # l\n# end\n";
    wires(&format!("{before}{after}"), &format!("{before}{ENTRY}{after}"));
}

#[test]
fn a_missing_section_goes_to_the_end() {
    wires("a: 1\n# end\n", &format!("a: 1\n# end\nmcp_servers:\n{ENTRY}"));
    wires("a: 1", &format!("a: 1\nmcp_servers:\n{}", ENTRY.trim_end()));
    wires(
        "  a: 1\n",
        &format!(
            "  a: 1\n  mcp_servers:\n{}",
            ENTRY.replace("  hub", "    hub").replace("\n    ", "\n      ")
        ),
    );
    wires("--- # s\na: 1\n... # e\n# x\n", &format!("--- # s\na: 1\nmcp_servers:\n{ENTRY}... # e\n# x\n"));
}

#[test]
fn blank_files_are_filled() {
    for text in ["", "\u{feff}", "\n\n", "# only comments\n", "---\n", "--- # c\n# more\n"] {
        assert!(YamlDocument::parse(text).unwrap().is_blank(), "{text:?}");
        wires(text, &format!("{text}mcp_servers:\n{ENTRY}"));
    }
    wires("# c\n---\n...\n# e\n", &format!("# c\n---\nmcp_servers:\n{ENTRY}...\n# e\n"));
    wires("{}\n", &format!("mcp_servers:\n{ENTRY}"));
    wires("{} # c\n", &format!("# c\nmcp_servers:\n{ENTRY}"));
    wires("~\n", &format!("mcp_servers:\n{ENTRY}"));
    assert!(!YamlDocument::parse("{}\n").unwrap().is_blank());
    assert!(!YamlDocument::parse("~\n").unwrap().is_blank());
}

#[test]
fn empty_sections_are_filled_where_they_stand() {
    for held in ["", " ~", " null", " {}", " {   }", " ''", " \"\"", "\t{}"] {
        wires(&format!("a: 1\nmcp_servers:{held}\nz: 1\n"), &format!("a: 1\nmcp_servers:\n{ENTRY}z: 1\n"));
    }
    wires("mcp_servers: ~ # none\nz: 1\n", &format!("mcp_servers: # none\n{ENTRY}z: 1\n"));
    wires(
        "mcp_servers:  # todo\n  # - x\n# z\nz: 1\n",
        &format!("mcp_servers:  # todo\n  # - x\n{ENTRY}# z\nz: 1\n"),
    );
    wires("mcp_servers:\n  {}\nz: 1\n", &format!("mcp_servers:\n{ENTRY}z: 1\n"));
    wires("mcp_servers: {}", &format!("mcp_servers:\n{}", ENTRY.trim_end()));
    wires("mcp_servers: &a\nz: 1\n", &format!("mcp_servers: &a\n{ENTRY}z: 1\n"));
    wires("mcp_servers: {\n  # nothing\n}\n", &format!("mcp_servers: {{hub: {FLOW}\n  # nothing\n}}\n"));
}

#[test]
fn line_endings_are_those_around() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    wires(&crlf("mcp_servers:\n  a: {}\nz: 1\n"), &crlf(&format!("mcp_servers:\n  a: {{}}\n{ENTRY}z: 1\n")));
    wires(&crlf("a: 1\n"), &crlf(&format!("a: 1\nmcp_servers:\n{ENTRY}")));
    wires(
        "a: 1\r\nmcp_servers:\n  a: 1\nz: 1\r\n",
        &format!("a: 1\r\nmcp_servers:\n  a: 1\n{ENTRY}z: 1\r\n"),
    );
    wires("mcp_servers:\r  a: 1\r", &format!("mcp_servers:\r  a: 1\r{}", ENTRY.replace('\n', "\r")));
    wires("\u{feff}# x\r\na: 1", &crlf(&format!("\u{feff}# x\na: 1\nmcp_servers:\n{}", ENTRY.trim_end())));
}

#[test]
fn indentation_follows_the_file() {
    for step in 1..=8 {
        let pad = |depth: usize| " ".repeat(step * depth);
        let text = format!("mcp_servers:\n{0}a:\n{1}url: x\n", pad(1), pad(2));
        let entry = format!(
            "{0}hub:\n{1}url: \"http://hub:5002/api/mcp\"\n{1}headers:\n{2}Authorization: \"Bearer k_test\"\n{1}timeout: 180\n",
            pad(1),
            pad(2),
            pad(3)
        );
        wires(&text, &format!("{text}{entry}"));
    }
    wires(
        "mcp_servers:\n  a:\n    args:\n    - x\n    -\nlist:\n- 1\n",
        &format!("mcp_servers:\n  a:\n    args:\n    - x\n    -\n{ENTRY}list:\n- 1\n"),
    );
}

#[test]
fn quotes_follow_the_file() {
    let url = &[Change::set(&["u"], "http://x/".into())];
    changes("a: 'x'\n", url, "a: 'x'\nu: 'http://x/'\n");
    changes("a: x\n", url, "a: x\nu: \"http://x/\"\n");
    changes("a: \"x\"\nb: \"x\"\nu: 'y' # c\n", url, "a: \"x\"\nb: \"x\"\nu: 'http://x/' # c\n");
}

#[test]
fn block_scalars_beside_the_new_text_keep_their_value() {
    wires(
        "mcp_servers:\n  a:\n    n: |+\n      x\n\n\nz: 1\n",
        &format!("mcp_servers:\n  a:\n    n: |+\n      x\n\n\n{ENTRY}z: 1\n"),
    );
    wires(
        "mcp_servers:\n  a:\n    n: |\n      x\n\nz: 1\n",
        &format!("mcp_servers:\n  a:\n    n: |\n      x\n{ENTRY}\nz: 1\n"),
    );
    // Without a line break at its end this value has none; a line after it would give it one.
    wires("a: 1\n# b\nn: |\n  x\n  y", &format!("a: 1\nmcp_servers:\n{ENTRY}# b\nn: |\n  x\n  y"));
}

#[test]
fn flow_style_stays_flow_style() {
    wires("mcp_servers: {a: {u: x}}\n", &format!("mcp_servers: {{a: {{u: x}}, hub: {FLOW}}}\n"));
    wires("{a: 1,}", &format!("{{a: 1, mcp_servers: {{hub: {FLOW}}},}}"));
    wires("{a: 1, z:     }\n", &format!("{{a: 1, z: , mcp_servers: {{hub: {FLOW}}}     }}\n"));
    wires(
        "mcp_servers: {\n  a: {u: x},   # c\n  b: {u: y}    # d\n}\n",
        &format!("mcp_servers: {{\n  a: {{u: x}},   # c\n  b: {{u: y}},    # d\n  hub: {FLOW}\n}}\n"),
    );
    wires(
        "{\n  \"mcp_servers\": {\n    \"b\": 1,\n  }\n}\n",
        &format!("{{\n  \"mcp_servers\": {{\n    \"b\": 1,\n    hub: {FLOW},\n  }}\n}}\n"),
    );
    wires(
        "mcp_servers:\n  hub: {type: sse, command: x, t: {i: [x]}, args: [a]} # f\n",
        "mcp_servers:\n  hub: {t: {i: [x]}, url: \"http://hub:5002/api/mcp\", headers: {Authorization: \"Bearer k_test\"}, timeout: 180} # f\n",
    );
}

#[test]
fn flow_collections_may_be_indented_with_tabs() {
    wires(
        "{\n\t\"mcp_servers\": {\n\t\t\"hub\": {\n\t\t\t\"command\": \"x\",\n\t\t\t\"args\": [\"a\"]\n\t\t}\n\t}\n}\n",
        "{\n\t\"mcp_servers\": {\n\t\t\"hub\": {\n\t\t\turl: \"http://hub:5002/api/mcp\",\n\t\t\theaders: {Authorization: \"Bearer k_test\"},\n\t\t\ttimeout: 180\n\t\t}\n\t}\n}\n",
    );
    // Below a block mapping libyaml takes no bare value before a tab that begins a line; a comma separates them.
    wires(
        "mcp_servers: {\n\t\"hub\": {\n\t\t\"command\": \"x\"\n\t}\n}\n",
        "mcp_servers: {\n\t\"hub\": {\n\t\turl: \"http://hub:5002/api/mcp\",\n\t\theaders: {Authorization: \"Bearer k_test\"},\n\t\ttimeout: 180,\n\t}\n}\n",
    );
}

#[test]
fn an_existing_entry_is_mended_and_not_rewritten() {
    wires(
        "mcp_servers:\n  hub:\n    type: sse   # old\n    url: 'http://old' # u\n    # mine\n    tools: [x]\n    args:  # a\n    - b  # c\n    # kept\n    timeout: '9'\n    headers:\n      X-Mine: 1\n  # t\nz: 1\n",
        "mcp_servers:\n  hub:\n    url: 'http://hub:5002/api/mcp' # u\n    # mine\n    tools: [x]\n    # kept\n    timeout: 180\n    headers:\n      X-Mine: 1\n      Authorization: 'Bearer k_test'\n  # t\nz: 1\n",
    );
}

#[test]
fn values_of_every_layout_are_replaced() {
    let set = |value: Value| vec![Change::set(&["k"], value)];
    let five = set(Value::Int(5));
    for (text, expected) in [
        ("k: x # c\n", "k: 5 # c\n"),
        ("k: 'x'# c\n", "k: 5 # c\n"),
        ("k: [1,\n  # c\n 2] # d\n", "k: 5 # d\n"),
        ("k: {a: 1}\nz: 1\n", "k: 5\nz: 1\n"),
        ("k: # c\n  a: 1\n  # d\n  b:\nz: 1\n", "k: 5 # c\nz: 1\n"),
        ("k:\n- a\n- b # c\n# d\nz: 1\n", "k: 5\n# d\nz: 1\n"),
        ("k: |+ # c\n  a\n\n\nz: 1\n", "k: 5\nz: 1\n"),
        ("k: >\n  a\n\n\nz: 1\n", "k: 5\n\n\nz: 1\n"),
        ("k: \"a\n  b\"\nz: 1\n", "k: 5\nz: 1\n"),
        ("k: # c\nz: 1\n", "k: 5 # c\nz: 1\n"),
        ("k: &a x\nz: 1\n", "k: &a 5\nz: 1\n"),
        ("k: !!str x\n", "k: 5\n"),
        ("a: &a 1\nk: *a\n", "a: &a 1\nk: 5\n"),
        ("{k: , z}", "{k: 5 , z}"),
        ("{k, z}", "{k: 5, z}"),
        ("{\n k  # c\n}", "{\n k: 5  # c\n}"),
        ("{\n k:  # c\n}", "{\n k: 5  # c\n}"),
        ("? k\n: x\n", "? k\n: 5\n"),
        ("\"\\x6b\" : x\n", "\"\\x6b\" : 5\n"),
        ("k: 1\nk: 2\nk: 5\n", "k: 1\nk: 2\nk: 5\n"),
        ("k: 1\nk: 2\nk: 3\n", "k: 1\nk: 2\nk: 5\n"),
    ] {
        changes(text, &five, expected);
    }
    changes("k: x\n", &set(Value::List(vec!["a b".into(), Value::Int(1)])), "k: [\"a b\", 1]\n");
    changes("k: x\n", &set("off".into()), "k: \"off\"\n");
    changes("{\"k\":\"x\"}", &set("word".into()), "{\"k\": word}");
    changes("k: x\n", &set(Value::Null), "k: null\n");
}

#[test]
fn right_by_value_in_any_spelling_is_left_alone() {
    for text in [
        "mcp_servers: {hub: {url: http://hub:5002/api/mcp, headers: {Authorization: Bearer k_test}, timeout: 180}}",
        "mcp_servers:\n  'hub':\n    ur\\x6c: 1\n    url: >-\n      http://hub:5002/api/mcp\n    headers:\n      Authorization: 'Bearer\n       k_test'\n    timeout: 0xb4\n",
        "d: &d {url: \"http://hub:5002/api/mcp\", timeout: 3:00}\nmcp_servers:\n  hub:\n    <<: *d\n    headers: {Authorization: Bearer k_test}\n",
        "d: &d\n  hub: {url: \"http://hub:5002/api/mcp\", headers: {Authorization: Bearer k_test}, timeout: 1_80}\nmcp_servers: *d\n",
    ] {
        wires(text, text);
    }
    changes("a: 1\n", &[Change::remove(&["mcp_servers", "hub", "args"])], "a: 1\n");
}

#[test]
fn keys_are_removed_with_their_lines_and_nothing_else() {
    let remove = &[Change::remove(&["m", "k"])];
    for (text, expected) in [
        ("m:\n  # above\n  k: x # c\n  # below\n  z: 1\n", "m:\n  # above\n  # below\n  z: 1\n"),
        ("m:\n  k:\n    # in\n    a: 1\n    # tail\n  z: 1\n", "m:\n    # tail\n  z: 1\n"),
        ("m:\n  z: 1\n  k: |\n    x\n\n# c\n", "m:\n  z: 1\n\n# c\n"),
        ("m:\n  z: 1\n  k: x", "m:\n  z: 1\n"),
        ("m:\n  k: 1\n  z: 1\n  k: 2\n", "m:\n  z: 1\n"),
        ("m: # c\n  k: 1\nz: 1\n", "m: {} # c\nz: 1\n"),
        ("m:\n  n: |+\n    x\n\n  k: 1\n\nz: 1\n", "m:\n  n: |+\n    x\n\nz: 1\n"),
        ("m: {k: 1, z: 1}\n", "m: {z: 1}\n"),
        ("m: {z: 1, k: 1 }\n", "m: {z: 1 }\n"),
        ("m: {z: 1, k: 1,}\n", "m: {z: 1,}\n"),
        ("m: { k: 1 }\n", "m: {}\n"),
        ("m: {\n  a: 1,\n  k: 1,  # c\n  # d\n  z: 1\n}\n", "m: {\n  a: 1,\n  # d\n  z: 1\n}\n"),
        ("m: {\n  a: 1,\n  k: 1  # c\n}\n", "m: {\n  a: 1,\n}\n"),
        ("m: {\n  k: 1\n  , a: 1\n}\n", "m: {\n  a: 1\n}\n"),
    ] {
        changes(text, remove, expected);
    }
    refuses("m:\n  ? k\n  : 1\n  z: 1\n", remove, RefusalKind::Unproven, 2, 5);
}

#[test]
fn shared_nodes_are_refused() {
    use RefusalKind::Shared;
    let wanted = wiring();
    refuses("d: &d {command: x}\nmcp_servers:\n  hub: *d\n", &wanted, Shared, 3, 8);
    refuses("d: &d {}\nmcp_servers: *d\n", &wanted, Shared, 2, 14);
    refuses("mcp_servers: &s\n  a: 1\nz: *s\n", &wanted, Shared, 1, 14);
    refuses("mcp_servers:\n  hub: &h\n    url: x\nz:\n  <<: *h\n", &wanted, Shared, 2, 8);
    refuses("mcp_servers: &s {}\nz: *s\n", &wanted, Shared, 1, 14);
    refuses("b: &b\n  mcp_servers: {x: 1}\n<<: *b\n", &wanted, Shared, 1, 1);
    refuses("d: &d {hub: {u: 1}}\nmcp_servers:\n  <<: *d\n", &wanted, Shared, 3, 3);
    refuses("mcp_servers:\n  hub:\n    url: &c /old\n  b: *c\n", &wanted, Shared, 3, 10);
    refuses("mcp_servers:\n  hub:\n    args: [&c x]\n  b: *c\n", &wanted, Shared, 3, 12);
    refuses("d: &d {args: 1}\nmcp_servers:\n  hub:\n    <<: *d\n    x: 1\n", &wanted, Shared, 4, 5);
    refuses("mcp_servers:\n  hub: &h\n    x: *h\n", &wanted, Shared, 2, 8);
}

#[test]
fn merge_keys_that_do_not_hold_ours_are_no_obstacle() {
    let text = "d: &d {x: 1}\nmcp_servers:\n  <<: *d\n  a: 1\n";
    wires(text, &format!("{text}{ENTRY}"));
    let url = &[Change::set(&["m", "url"], "u".into())];
    changes("d: &d {url: x}\nm:\n  <<: *d\n", url, "d: &d {url: x}\nm:\n  <<: *d\n  url: u\n");
    let unused = "mcp_servers: &s\n  a: &t 1\n";
    wires(unused, &format!("{unused}{ENTRY}"));
}

#[test]
fn what_is_no_mapping_is_refused() {
    use RefusalKind::NotAMapping;
    let wanted = wiring();
    refuses("- a\n- b\n", &wanted, NotAMapping, 1, 1);
    refuses("text\n", &wanted, NotAMapping, 1, 1);
    refuses("mcp_servers:\n- a\n", &wanted, NotAMapping, 2, 1);
    refuses("mcp_servers: none\n", &wanted, NotAMapping, 1, 14);
    refuses("mcp_servers:\n  hub: off\n", &wanted, NotAMapping, 2, 8);
    refuses("mcp_servers:\n  hub: {headers: [x]}\n", &wanted, NotAMapping, 2, 18);
}

#[test]
fn tags_are_refused_but_for_a_mappings_own() {
    refuses("mcp_servers: !secret\n  a: 1\n", &wiring(), RefusalKind::Tagged, 1, 14);
    refuses("mcp_servers: !!set {a}\n", &wiring(), RefusalKind::Tagged, 1, 14);
    wires("mcp_servers: !!map\n  a: 1\n", &format!("mcp_servers: !!map\n  a: 1\n{ENTRY}"));
    changes("k: !!str x\n", &[Change::set(&["k"], "x".into())], "k: !!str x\n");
}

#[test]
fn what_the_host_would_not_read_is_refused_with_its_place() {
    use RefusalKind::{SeveralDocuments, Syntax};
    for (text, kind, line, column) in [
        ("a: [1, 2\nb: {}\n", Syntax, 2, 2),
        ("a:\n\tb: 1\n", Syntax, 2, 1),
        ("a: b: c\n", Syntax, 1, 5),
        ("é: 1\né: @x\n", Syntax, 2, 4),
        ("a: 1\n---\nb: 1\n", SeveralDocuments, 2, 1),
        ("a: 1\n---\n", SeveralDocuments, 2, 1),
        (": 1\n", Syntax, 1, 1),
        ("a: x\n\t\nb: 1\n", Syntax, 2, 1),
        ("a: &x 1\nb: &x 2\n", Syntax, 2, 4),
        ("a: *x\n", Syntax, 1, 4),
        ("a: =\n", Syntax, 1, 4),
        ("a: 2026-13-01\n", Syntax, 1, 4),
        ("? [a]\n: 1\n", Syntax, 1, 3),
        ("<<: 1\n", Syntax, 1, 5),
        ("a: x # \u{7}\n", Syntax, 1, 8),
        ("a: x\u{2028}y\n", Syntax, 1, 5),
        ("{a\n: 1}\n", Syntax, 1, 2),
        ("{a\n: }\n", Syntax, 1, 2),
        ("{a:}\n", Syntax, 1, 3),
        ("a: &b{}\n", Syntax, 1, 4),
        ("a: !!seq {}\n", Syntax, 1, 4),
        ("%FOO\n---\na: 1\n", Syntax, 1, 1),
        ("...\na: 1\n", Syntax, 1, 1),
        ("a: |\n  \tx\n", Syntax, 2, 3),
        ("-\ta\n", Syntax, 1, 2),
        ("a: 1\n\u{feff}b: 1\n", Syntax, 2, 1),
    ] {
        refuses(text, &wiring(), kind, line, column);
    }
}

#[test]
fn what_the_host_reads_is_not_refused() {
    for text in [
        "a:\t1\n",
        "a: x \t# c\n",
        "a:\n  b: x\n   \t\nc: 1\n",
        "a: \"x\u{2028}y\" # \u{85}\n",
        "a: \"\u{feff}\"\n",
        "%YAML 1.2\n%TAG !e! tag:e,2000:\n---\na: 1\n",
        "? a\n: b\n",
        "{? a\n : b}\n",
        "? # c\n: 1\n",
        "{a:|\n b}\n",
        "a: 0x\n",
        "a: {b: c, \"d\":e}\n",
        "a: !!binary aGk=\nb: !!set {x, y}\n",
    ] {
        YamlDocument::parse(text).unwrap();
    }
    let many = format!("a: 1\n{}mcp_servers:\n  b: 1\n", "# c\n".repeat(600));
    wires(&many, &format!("{many}{ENTRY}"));
}

#[test]
fn nesting_ends_at_the_limit() {
    let limit = hubkit_contract::limits::CONFIG_NESTING;
    let flow = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let dashes = |depth: usize| format!("{}x\n", "- ".repeat(depth));
    let blocks = |depth: usize| (0..depth).map(|i| format!("{}a:\n", " ".repeat(i))).collect::<String>();
    for text in [flow(limit), dashes(limit), blocks(limit), format!("a: {}", flow(limit - 1))] {
        YamlDocument::parse(&text).unwrap();
    }
    for text in [
        flow(limit + 1),
        dashes(limit + 1),
        blocks(limit + 1),
        format!("a: {}", flow(limit)),
        "[".repeat(100_000),
        dashes(100_000),
        "{a: ".repeat(100_000),
    ] {
        assert_eq!(YamlDocument::parse(&text).unwrap_err().kind, RefusalKind::TooDeep);
    }
}

#[test]
fn reading_follows_live_keys_aliases_and_merges() {
    let text = "d: &d {x: 1, y: 2}\nm: 1\nm:\n  <<: *d\n  y: 3\na: *d\n";
    let document = YamlDocument::parse(text).unwrap();
    assert_eq!(document.get(&["m", "x"]), Some(Value::Int(1)));
    assert_eq!(document.get(&["m", "y"]), Some(Value::Int(3)));
    assert_eq!(document.get(&["a", "y"]), Some(Value::Int(2)));
    assert_eq!(document.get(&["m", "z"]), None);
    assert_eq!(document.get(&["m", "x", "z"]), None);
    assert_eq!(document.position(&["m", "y"]), Some(Position { line: 5, column: 3 }));
    assert_eq!(document.position(&["m", "x"]), None);
    let duplicate = Duplicate { path: vec!["m".into()], lines: vec![2, 3] };
    assert_eq!(document.duplicates(&["m", "y"]), [duplicate]);
}

#[test]
fn a_chain_of_merges_does_not_use_the_stack() {
    let mut text = String::from("a0: &a0 {x: 1}\n");
    for i in 1..20_000 {
        text.push_str(&format!("a{i}: &a{i} {{<<: *a{}}}\n", i - 1));
    }
    let document = YamlDocument::parse(&text).unwrap();
    assert_eq!(document.get(&["a19999", "x"]), Some(Value::Int(1)));
    assert!(document.get(&["a19999"]).is_some());
}
