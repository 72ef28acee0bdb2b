//! What people and programs do to a file between wiring and removal, case by case.

use super::*;

const HERMES: [&str; 2] = ["mcp_servers", "hub"];
const OPENCLAW: [&str; 3] = ["mcp", "servers", "ci-hub"];
const IN_NEW_FILE: [Extra<'static>; 1] = [(&["gateway", "mode"], "local")];

fn entry() -> Value {
    Value::Map(vec![("url".to_owned(), "u".into()), ("timeout".to_owned(), Value::Int(180))])
}

fn edited(format: Format, text: &str, changes: &[Change]) -> String {
    match format {
        Format::Yaml => yaml::YamlDocument::parse(text).unwrap().edit(changes).unwrap(),
        Format::Json5 => json5::Json5Document::parse(text).unwrap().edit(changes).unwrap(),
    }
}

/// A file with entries that were added one after the other.
struct Wired {
    format: Format,
    text: String,
    footprint: Option<Footprint>,
}

impl Wired {
    fn new(format: Format, before: Option<&str>, paths: &[&[&str]]) -> Self {
        let text = before.unwrap_or_default().to_owned();
        let mut wired = Self { format, text, footprint: None };
        for (index, path) in paths.iter().enumerate() {
            wired.add(before.is_some() || index > 0, &[Change::set(path, entry())]);
        }
        wired
    }

    /// One edit, of which every set value is an entry.
    fn add(&mut self, is_there: bool, changes: &[Change]) {
        let after = edited(self.format, &self.text, changes);
        for change in changes {
            let path: Vec<&str> = change.path.iter().map(String::as_str).collect();
            let made = Footprint::of(self.format, is_there.then_some(&self.text), &after, &path);
            self.footprint = Footprint::merge(self.footprint.take(), made);
        }
        self.text = after;
    }

    fn remove(&mut self, path: &[&str]) -> &str {
        match remove(self.format, &self.text, path, self.footprint.as_ref(), &IN_NEW_FILE).unwrap() {
            Removed::Text(text) => self.text = text,
            other => panic!("{other:?} of {}", self.text),
        }
        self.footprint = self.footprint.take().and_then(|made| made.left_in(self.format, &self.text));
        &self.text
    }

    fn outcome(&self, path: &[&str]) -> Removed {
        remove(self.format, &self.text, path, self.footprint.as_ref(), &IN_NEW_FILE).unwrap()
    }
}

#[test]
fn without_a_footprint_the_entry_goes_and_its_section_stays() {
    let gone = |format, text: &str, path: &[&str]| remove(format, text, path, None, &IN_NEW_FILE).unwrap();
    let yaml = "# c\nmcp_servers: # s\n  hub: {url: u} # ours\nlog: 1\n";
    let left = "# c\nmcp_servers: {} # s\nlog: 1\n";
    assert_eq!(gone(Format::Yaml, yaml, &HERMES), Removed::Text(left.to_owned()));
    let left = "{ mcp: { servers: {} }, z: 1 }";
    assert_eq!(
        gone(Format::Json5, "{ mcp: { servers: { 'ci-hub': { url: 'u' } } }, z: 1 }", &OPENCLAW),
        Removed::Text(left.to_owned())
    );
    assert_eq!(gone(Format::Json5, left, &OPENCLAW), Removed::Absent);
    assert_eq!(gone(Format::Yaml, "", &HERMES), Removed::Absent);
    assert_eq!(gone(Format::Json5, "// c", &OPENCLAW), Removed::Absent);
}

#[test]
fn a_section_into_which_somebody_wrote_stays() {
    let mut wired = Wired::new(Format::Yaml, Some("log: 1\n"), &[&HERMES]);
    wired.text = wired.text.replace("mcp_servers:\n", "mcp_servers:\n  # mine\n");
    assert_eq!(wired.remove(&HERMES), "log: 1\nmcp_servers: {}\n  # mine\n");
    let mut wired = Wired::new(Format::Yaml, Some("log: 1\n"), &[&HERMES]);
    wired.text.push_str("  fs: {url: v}\n");
    assert_eq!(wired.remove(&HERMES), "log: 1\nmcp_servers:\n  fs: {url: v}\n");
    let mut wired = Wired::new(Format::Json5, Some("{\n  z: 1\n}\n"), &[&OPENCLAW]);
    wired.text = wired.text.replace("servers: {\n", "servers: { // mine\n");
    assert_eq!(wired.remove(&OPENCLAW), "{\n  z: 1,\n  mcp: {\n    servers: { // mine\n    }\n  }\n}\n");
    let mut wired = Wired::new(Format::Json5, Some("{\n  z: 1\n}\n"), &[&OPENCLAW]);
    wired.text = wired.text.replace("mcp: {\n", "mcp: {\n    ttl: 5,\n");
    assert_eq!(wired.remove(&OPENCLAW), "{\n  z: 1,\n  mcp: {\n    ttl: 5\n  }\n}\n");
}

#[test]
fn an_entry_goes_with_all_that_was_written_into_it() {
    let mut wired = Wired::new(Format::Yaml, Some("log: 1"), &[&HERMES]);
    wired.text = wired.text.replace("url:", "# mine\n    tools: [a]\n    url:") + " # three minutes";
    assert_eq!(wired.remove(&HERMES), "log: 1");
    let mut wired = Wired::new(Format::Json5, Some("{z:1}"), &[&OPENCLAW]);
    wired.text = wired.text.replace("timeout:", "/* mine */tools:[1],timeout:");
    assert_eq!(wired.remove(&OPENCLAW), "{z:1}");
}

#[test]
fn a_comment_behind_the_entry_does_not_slip_behind_its_neighbour() {
    let mut wired = Wired::new(Format::Json5, Some("{\n  z: 1\n}\n"), &[&["ours"]]);
    wired.text = wired.text.replace("180 }", "180 } // about ours");
    assert_eq!(wired.remove(&["ours"]), "{\n  z: 1\n}\n");
    let mut wired = Wired::new(Format::Yaml, Some("z: 1\n"), &[&["ours"]]);
    wired.text = wired.text.replace("180", "180 # about ours");
    assert_eq!(wired.remove(&["ours"]), "z: 1\n");
}

#[test]
fn several_entries_go_in_any_order() {
    let memory = ["mcp_servers", "hub-memory"];
    let second = ["mcp", "servers", "second"];
    for before in ["", "# c", "log: 1\n", "log: 1", "mcp_servers: ~ # none\n", "mcp_servers: {a: 1}\n", "{}"]
    {
        for order in [[&memory, &HERMES], [&HERMES, &memory]] {
            let mut wired = Wired::new(Format::Yaml, Some(before), &[&memory, &HERMES]);
            wired.remove(order[0]);
            assert_eq!(wired.remove(order[1]), before);
            assert_eq!(wired.footprint, None);
        }
    }
    for before in
        ["// c\n", "{}", "{\"a\":1}", "{\n  a: 1, // c\n}", "{\n  a: 1 // c\n}", "{mcp: {servers: { } } }"]
    {
        for order in [[&second, &OPENCLAW], [&OPENCLAW, &second]] {
            let mut wired = Wired::new(Format::Json5, Some(before), &[&second, &OPENCLAW]);
            wired.remove(order[0]);
            assert_eq!(wired.remove(order[1]), before);
            assert_eq!(wired.footprint, None);
        }
    }
}

#[test]
fn entries_of_one_edit_go_one_by_one() {
    let (plugin, slot) = (["plugins", "entries", "ci-memory"], ["plugins", "slots", "memory"]);
    let changes = [Change::set(&plugin, entry()), Change::set(&slot, "ci-memory".into())];
    for before in [
        "{\"a\":1}",
        "{\n  \"plugins\": {\n    \"x\": 1\n  }\n}\n",
        "{ plugins: { x: 1, }, }",
        "{plugins: ''}",
    ] {
        for order in [[&plugin, &slot], [&slot, &plugin]] {
            let mut wired = Wired { format: Format::Json5, text: before.to_owned(), footprint: None };
            wired.add(true, &changes);
            wired.remove(order[0]);
            assert_eq!(wired.remove(order[1]), before);
        }
    }
}

#[test]
fn a_value_in_an_empty_place_gives_the_place_back() {
    let path = ["agents", "defaults", "model", "primary"];
    for before in ["{agents: {defaults: {model: {primary: null}}}}", "{agents: {defaults: null}, z: 1}"] {
        let mut wired = Wired { format: Format::Json5, text: before.to_owned(), footprint: None };
        wired.add(true, &[Change::set(&path, "ci-hub/m".into())]);
        assert_eq!(wired.remove(&path), before);
    }
}

#[test]
fn a_file_that_hubkit_made_goes_when_nothing_else_is_in_it() {
    let yaml = || Wired::new(Format::Yaml, None, &[&HERMES]);
    assert_eq!(yaml().outcome(&HERMES), Removed::File);
    let with_comment = Wired { text: format!("# mine\n{}", yaml().text), ..yaml() };
    assert_eq!(with_comment.outcome(&HERMES), Removed::Text("# mine\n".to_owned()));
    let with_key = Wired { text: format!("{}log: 1\n", yaml().text), ..yaml() };
    assert_eq!(with_key.outcome(&HERMES), Removed::Text("log: 1\n".to_owned()));

    let mut json = Wired { format: Format::Json5, text: String::new(), footprint: None };
    json.add(false, &[Change::set(IN_NEW_FILE[0].0, "local".into()), Change::set(&OPENCLAW, entry())]);
    assert_eq!(json.outcome(&OPENCLAW), Removed::File);
    let printed_anew = json.text.replace("  ", "\t\t").replace('\n', "\r\n");
    let changed = |text: String| Wired { text, footprint: json.footprint.clone(), format: Format::Json5 };
    assert_eq!(changed(printed_anew).outcome(&OPENCLAW), Removed::File);
    for (from, to, theirs) in [
        ("\"local\"", "\"remote\"", "remote"),
        ("\"mcp\"", "\"meta\": 1, \"mcp\"", "meta"),
        ("\"mcp\"", "/* c */ \"mcp\"", "/* c */"),
    ] {
        let outcome = changed(json.text.replace(from, to)).outcome(&OPENCLAW);
        let Removed::Text(text) = outcome else { panic!("{outcome:?}") };
        assert!(text.contains("gateway") && text.contains(theirs) && !text.contains("servers"), "{text}");
    }
}

#[test]
fn a_section_left_behind_by_hand_goes_if_it_was_made_for_us() {
    let wired = Wired::new(Format::Yaml, Some("log: 1\n"), &[&HERMES]);
    let by_hand = |text: &str| remove(Format::Yaml, text, &HERMES, wired.footprint.as_ref(), &[]).unwrap();
    assert_eq!(by_hand("log: 1\nmcp_servers:\n"), Removed::Text("log: 1\n".to_owned()));
    assert_eq!(by_hand("log: 1\nmcp_servers:\n  # mine\n"), Removed::Absent);
    assert_eq!(by_hand("log: 1\nmcp_servers:\n  fs: 1\n"), Removed::Absent);
    assert_eq!(by_hand("log: 1\n"), Removed::Absent);
}

#[test]
fn what_is_needed_elsewhere_is_refused() {
    let wired = Wired::new(Format::Yaml, Some("log: 1\n"), &[&HERMES]);
    for (from, to) in [("hub:", "hub: &hub"), ("mcp_servers:", "mcp_servers: &hub")] {
        let text = wired.text.replace(from, to) + "copy: *hub\n";
        let refusal = remove(Format::Yaml, &text, &HERMES, wired.footprint.as_ref(), &[]).unwrap_err();
        assert_eq!(refusal.kind, crate::RefusalKind::Shared, "{text}");
    }
    assert!(remove(Format::Yaml, "a: [", &HERMES, None, &[]).is_err());
    assert!(remove(Format::Json5, "{", &OPENCLAW, None, &[]).is_err());
}

#[test]
fn a_later_edit_knows_better_than_an_earlier_one() {
    let first = Wired::new(Format::Yaml, Some("log: 1\n"), &[&HERMES]);
    // Somebody takes the section apart and leaves an empty one of another shape.
    let mut again = Wired { text: "mcp_servers: {} # mine\nlog: 1\n".to_owned(), ..first };
    again.add(true, &[Change::set(&HERMES, entry())]);
    assert_eq!(again.remove(&HERMES), "mcp_servers: {} # mine\nlog: 1\n");
    // A refreshed entry keeps what is known of it.
    let mut fresh = Wired::new(Format::Yaml, Some("log: 1\n"), &[&HERMES]);
    fresh.add(true, &[Change::set(&["mcp_servers", "hub", "url"], "v".into())]);
    assert_eq!(fresh.remove(&HERMES), "log: 1\n");
}

#[test]
fn a_footprint_is_readable_and_takes_nothing_but_layout() {
    let wired = Wired::new(Format::Json5, Some("{\n  mcp: {}\n}\n"), &[&OPENCLAW]);
    let kept = serde_json::to_string(&wired.footprint).unwrap();
    let expected = r#"{"marks":[{"path":["mcp"],"was":"empty","seam":{"left":"\n    ","right":"\n  "}},{"path":["mcp","servers"],"was":"missing"}]}"#;
    assert_eq!(kept, expected);
    for (from, to) in [(r#""\n    ""#, r#""evil""#), ("seam", "more"), ("missing", "gone")] {
        assert!(serde_json::from_str::<Footprint>(&kept.replace(from, to)).is_err(), "{to}");
    }
    for (from, to) in [
        (r#""left""#, r#""apart":[18446744073709551615,"{}"],"left""#),
        (r#""\n  ""#, r#""}},,::''""#),
        (r#""left""#, r#""gone":"'\\\n'","left""#),
    ] {
        let hostile: Footprint = serde_json::from_str(&kept.replacen(from, to, 1)).unwrap();
        let Removed::Text(text) = remove(Format::Json5, &wired.text, &OPENCLAW, Some(&hostile), &[]).unwrap()
        else {
            panic!("{to}")
        };
        let left = json5::Json5Document::parse(&text).unwrap();
        assert!(left.get(&OPENCLAW).is_none() && left.get(&["mcp"]).is_some(), "{text}");
    }
}
