//! What the hosts' files say of plugins.

use std::path::{Path, PathBuf};

use super::*;
use crate::Host;
use crate::compose::{Composed, compose};
use crate::part::{Part, Stop, Surroundings};

fn composed(host: Host, part: &dyn Part, text: &str) -> Composed {
    let surroundings =
        Surroundings { directory: Path::new("/nonexistent"), world_readable: false, backups: &[] };
    compose(host.recipe(), Some(text.as_bytes()), surroundings, &[part]).unwrap()
}

fn openclaw(text: &str) -> serde_json::Value {
    let part = PluginEntries { ids: vec!["a".to_owned(), "b".to_owned()], extensions: PathBuf::from("/x") };
    let new = composed(Host::OpenClaw, &part, text).text.unwrap();
    assert_eq!(composed(Host::OpenClaw, &part, &new).text, None, "{new}");
    ::json5::from_str(&new).unwrap()
}

#[test]
fn entries_are_enabled_and_a_list_that_shuts_out_is_completed_but_never_made() {
    let value = openclaw("{plugins:{entries:{a:{config:{k:1}}}}}");
    assert_eq!(
        value["plugins"],
        serde_json::json!({"entries": {"a": {"config": {"k": 1}, "enabled": true}, "b": {"enabled": true}}})
    );
    assert_eq!(openclaw("{plugins:{allow:['z']}}")["plugins"]["allow"], serde_json::json!(["z", "a", "b"]));
}

#[test]
fn what_stands_in_a_list_keeps_its_place_and_its_comment() {
    let part = PluginEntries { ids: vec!["a".to_owned(), "b".to_owned()], extensions: PathBuf::from("/x") };
    let text = "{ plugins: {\n  entries: { a: { enabled: true }, b: { enabled: true } },\n  allow: [\n    \"z\", // mine\n    'b', // theirs\n  ],\n} }\n";
    let new = composed(Host::OpenClaw, &part, text).text.unwrap();
    assert_eq!(new, text.replace("// theirs\n", "// theirs\n    'a',\n"));
}

#[test]
fn what_is_switched_off_stays_off() {
    let value = openclaw("{plugins:{entries:{a:{enabled:false}}}}");
    assert_eq!(value["plugins"]["entries"]["a"]["enabled"], false);
}

#[test]
fn another_folder_of_the_same_plugin_is_not_loaded_twice() {
    let folder = std::env::temp_dir().join(format!("hubkit-twice-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("openclaw.plugin.json"), "{id:'a'}").unwrap();
    let path = folder.display();
    let value = openclaw(&format!("{{plugins:{{load:{{paths:['/elsewhere','{path}']}}}}}}"));
    let part = PluginEntries { ids: vec!["a".to_owned()], extensions: PathBuf::from("/x") };
    let text = format!(
        "{{ plugins: {{ entries: {{ a: {{ enabled: true }} }}, load: {{ paths: [\n  // ours\n  \"{path}\", // goes\n  '/elsewhere', // stays\n] }} }} }}\n"
    );
    let new = composed(Host::OpenClaw, &part, &text).text.unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(new, text.replace(&format!("  \"{path}\", // goes\n"), ""));
    assert_eq!(value["plugins"]["load"]["paths"], serde_json::json!(["/elsewhere"]));
}

fn hermes(text: &str) -> Composed {
    let part = HermesPlugins { names: vec!["ci-context".to_owned()], others_stand: true };
    composed(Host::Hermes, &part, text)
}

#[test]
fn hermes_lists_what_it_loads() {
    for (text, expected) in [
        ("", "plugins:\n  enabled: [ci-context]\n"),
        ("plugins:\n  enabled: [x]\n", "plugins:\n  enabled: [x, ci-context]\n"),
        (
            "plugins:\n  enabled:\n  - 'x' # mine\n",
            "plugins:\n  enabled:\n  - 'x' # mine\n  - 'ci-context'\n",
        ),
    ] {
        let new = hermes(text).text.unwrap();
        assert_eq!(new, expected);
        assert_eq!(hermes(&new).text, None);
    }
    assert!(hermes("").parts[0].as_ref().unwrap().intent.notices[0].contains("other plugins stand"));
    assert_eq!(hermes("plugins: {disabled: [ci-context]}\n").text, None);
    assert!(matches!(hermes("plugins:\n  enabled: x\n").parts[0], Err(Stop::Content(_))));
}
