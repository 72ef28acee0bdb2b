//! Which entry becomes the memory server's, and when the slot is filled.

use std::path::Path;

use hubkit_redaction::Secret;

use super::*;
use crate::Host;
use crate::compose::{Composed, compose};

fn composed(host: Host, part: &dyn Part, text: &str) -> Composed {
    let surroundings =
        Surroundings { directory: Path::new("/nonexistent"), world_readable: false, backups: &[] };
    compose(host.recipe(), Some(text.as_bytes()), surroundings, &[part]).unwrap()
}

fn intent(composed: &Composed) -> Intent {
    composed.parts[0].as_ref().unwrap().intent.clone()
}

fn server(path: Option<&str>) -> MemoryServer {
    MemoryServer {
        recipe: Host::Hermes.recipe(),
        name: "hub-memory",
        base: "http://gateway:8642".to_owned(),
        path: path.map(str::to_owned),
        credential: Credential {
            variable: "CI_SERVER_TOKEN",
            key: Secret::new("0123456789abcdef0123456789abcdef"),
            secrets: None,
            reference_resolves: true,
            or_literal: false,
        },
    }
}

#[test]
fn an_entry_at_that_origin_is_refreshed_under_its_own_name_and_path() {
    let text = "mcp_servers:\n  ci-server:\n    url: http://gateway:8642/api/memory/mcp\n    headers: {Authorization: Bearer old}\n    timeout: 9\n    connect_timeout: 9\n";
    let composed = composed(Host::Hermes, &server(None), text);
    assert!(intent(&composed).notices[0].contains("`mcp_servers.ci-server` leads to the memory server"));
    let new = composed.text.unwrap();
    assert!(new.contains("url: http://gateway:8642/api/memory/mcp") && new.contains("0123456789abcdef"));
    assert!(!new.contains("Bearer old") && !new.contains("hub-memory"), "{new}");
}

#[test]
fn without_an_entry_the_path_must_be_said() {
    let silent = composed(Host::Hermes, &server(None), "mcp_servers: {x: {url: 'http://elsewhere/mcp'}}\n");
    assert_eq!(silent.text, None);
    assert!(intent(&silent).skipped.unwrap().contains("HUBKIT_MEMORY_MCP_PATH is not set"));
    let said = composed(Host::Hermes, &server(Some("/api/mcp")), "");
    assert!(said.text.unwrap().contains("hub-memory:\n    url: \"http://gateway:8642/api/mcp\""));
}

#[test]
fn our_own_entry_follows_the_server_to_another_origin() {
    let text = "mcp_servers: {hub-memory: {url: 'http://old:1/m/mcp'}}\n";
    let new = composed(Host::Hermes, &server(None), text).text.unwrap();
    assert!(new.contains("'http://gateway:8642/m/mcp'"), "{new}");
}

#[test]
fn an_entry_that_the_agent_cannot_see_gets_a_successor() {
    let text = "mcp_servers: {memory: {url: 'http://gateway:8642/m/mcp'}}\n";
    let composed = composed(Host::Hermes, &server(None), text);
    assert!(intent(&composed).notices[0].contains("the name of a built-in toolset"));
    let new = composed.text.unwrap();
    assert!(
        new.contains("memory: {url: 'http://gateway:8642/m/mcp'}") && new.contains("hub-memory"),
        "{new}"
    );
}

#[test]
fn the_hubs_own_entry_is_not_taken_for_the_memory_servers() {
    let text = "mcp_servers: {hub: {url: 'http://gateway:8642/api/mcp'}}\n";
    assert!(intent(&composed(Host::Hermes, &server(None), text)).skipped.is_some());
}

#[test]
fn the_slot_is_filled_only_when_the_plugin_stands() {
    let home = std::env::temp_dir().join(format!("hubkit-slot-{}", std::process::id()));
    let slot = MemorySlot { extensions: home.join("extensions") };
    let text = "{ gateway: { mode: 'local' } }";
    assert!(intent(&composed(Host::OpenClaw, &slot, text)).skipped.unwrap().contains("is not installed"));
    let folder = home.join("extensions/ci-memory");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("openclaw.plugin.json"), "{ id: 'ci-memory', /* x */ configSchema: {} }")
        .unwrap();
    let filled = composed(Host::OpenClaw, &slot, text).text.unwrap();
    let taken = composed(Host::OpenClaw, &slot, "{ plugins: { slots: { memory: 'other' } } }");
    let off =
        composed(Host::OpenClaw, &slot, "{ plugins: { entries: { 'ci-memory': { enabled: false } } } }");
    std::fs::remove_dir_all(&home).unwrap();
    let value: serde_json::Value = ::json5::from_str(&filled).unwrap();
    assert_eq!(value["plugins"]["slots"]["memory"], "ci-memory");
    assert_eq!(value["plugins"]["entries"]["ci-memory"]["enabled"], true);
    assert!(intent(&taken).skipped.unwrap().contains("holds `other`, which is kept"));
    assert_eq!((taken.text, off.text), (None, None));
}
