//! From three beginnings to a connected Hermes, judged by what it prints: `hermes mcp test` exits 0 whatever
//! happens.

use hubkit_dev_hub::{DevHub, Options};
use hubkit_redaction::Secret;
use hubkit_tests::scratch_home::{HUB_TOOLS, KEY, ScratchHome};

use crate::{agent, beginnings};

#[test]
fn a_commented_configuration_connects() {
    connects(beginnings::commented());
}

#[test]
fn a_sample_configuration_connects() {
    connects(beginnings::sample());
}

#[test]
fn a_new_home_connects() {
    connects(beginnings::nothing());
}

fn connects(home: ScratchHome) {
    let hub = DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap();
    let url = hub.mcp_url();
    assert_eq!(home.wire(&url, KEY).status(), "changed");
    home.is_wired(&url, KEY);
    let wired = home.read();

    let said = agent::says(&home, &["mcp", "test", "hub"]);
    let discovered = format!("✓ Tools discovered: {}", HUB_TOOLS.len());
    assert!(said.contains("✓ Connected") && said.contains(&discovered), "{said}");
    assert!(HUB_TOOLS.iter().all(|tool| said.contains(tool)), "{said}");
    assert!(hub.requests().iter().all(|request| request.status != 401), "{:?}", hub.requests());

    // The key changed at the Hub's end, and the agent was given another one.
    assert_eq!(home.wire(&url, "wrong-key-0123456789abcdef").status(), "changed");
    let said = agent::says(&home, &["mcp", "test", "hub"]);
    assert!(said.contains("✗ Connection failed") && said.contains("401"), "{said}");
    assert!(!said.contains("✓ Connected"), "{said}");
    assert!(hub.requests().iter().any(|request| request.status == 401), "the wrong key was never sent");

    assert_eq!(home.wire(&url, KEY).status(), "changed");
    assert!(home.read() == wired, "the way back leads to another text");
}
