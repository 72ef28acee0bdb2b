//! From three beginnings to a connected agent: the file is valid, the probe finds the Hub's tools, a wrong key
//! shows, and the gateway starts.

use hubkit_dev_hub::{DevHub, Options};
use hubkit_redaction::Secret;
use hubkit_tests::gateway::Gateway;
use hubkit_tests::scratch_home::{HUB_TOOLS, KEY, ScratchHome};
use hubkit_tests::{fixtures, hosts};

use crate::verdict::{GATEWAY_TOKEN, answer, validate};

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

    let environment = [GATEWAY_TOKEN, ("HUB_MCP_API_KEY", KEY)];
    let printed = Gateway::start(&hosts::openclaw(), home.path(), &environment).stop();
    assert!(home.read() == wired, "the gateway's start changed the file:\n{printed}");
}
