//! From three beginnings to a connected agent: the file is valid, the probe finds the Hub's tools, a wrong key
//! shows, and the gateway that hubkit becomes starts.

use std::process::Command;

use hubkit_contract::environment::HUB_MCP_URL;
use hubkit_dev_hub::{DevHub, Options};
use hubkit_redaction::Secret;
use hubkit_tests::gateway::Gateway;
use hubkit_tests::scratch_home::{HUB_TOOLS, KEY, ScratchHome};
use hubkit_tests::{binary, fixtures};

use crate::verdict::{answer, openclaw, validate};

#[test]
fn a_commented_configuration_connects() {
    connects(ScratchHome::openclaw().with(&fixtures::read("openclaw/commented.json5")));
}

#[test]
fn a_new_home_connects() {
    connects(ScratchHome::openclaw());
}

#[test]
fn a_stale_entry_connects() {
    let case = fixtures::read("openclaw-json5/T04a-stale-stdio-plus-url.json5");
    connects(ScratchHome::openclaw().with(&case));
}

fn connects(home: ScratchHome) {
    let hub = DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap();
    let first = home.wire(&hub.mcp_url(), KEY);
    assert_eq!(first.status(), "changed", "{first:?}");
    home.is_wired(&hub.mcp_url(), KEY);
    let wired = home.read();

    let verdict = validate(&home, KEY);
    assert!(verdict.valid && !verdict.warnings.iter().any(|warning| warning.is_ours()), "{verdict:?}");

    let (code, probe) = answer(&home, KEY, &["mcp", "probe", "ci-hub", "--json"]);
    assert_eq!(code, Some(0), "{probe}");
    let tools: Vec<String> = HUB_TOOLS.iter().map(|tool| format!("ci-hub__{tool}")).collect();
    assert_eq!(probe["tools"], serde_json::json!(tools), "{probe}");
    assert_eq!(probe["servers"]["ci-hub"]["tools"], HUB_TOOLS.len(), "{probe}");
    assert!(hub.requests().iter().all(|request| request.status != 401), "{:?}", hub.requests());

    let (code, probe) = answer(&home, "wrong-key-0123456789abcdef", &["mcp", "probe", "ci-hub", "--json"]);
    assert_eq!(code, Some(1), "{probe}");
    assert_eq!(
        (&probe["tools"], &probe["diagnostics"][0]["serverName"]),
        (&serde_json::json!([]), &"ci-hub".into())
    );
    assert!(hub.requests().iter().any(|request| request.status == 401), "the wrong key was never sent");

    let printed = Gateway::start(booted_by_hubkit(&home, &hub.mcp_url()), home.path()).stop();
    assert!(printed.contains("[Hub MCP] Server registered"), "{printed}");
    assert!(home.read() == wired, "the gateway's start changed the file:\n{printed}");
}

/// `openclaw` as the last step of a boot, as a container's entrypoint starts it.
fn booted_by_hubkit(home: &ScratchHome, url: &str) -> Command {
    let openclaw = openclaw(home, KEY);
    let mut command = Command::new(binary::hubkit());
    command.args(["bootstrap", "openclaw", "--strict", "--"]);
    command.arg(openclaw.get_program()).args(openclaw.get_args());
    command.env_clear().env(HUB_MCP_URL, url).current_dir(home.path());
    command.envs(openclaw.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}
