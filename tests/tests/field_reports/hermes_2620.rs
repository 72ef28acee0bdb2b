//! Bare on, off and quoted numbers were read as something else.

use crate::scene::Scene;

#[test]
fn nothing_that_is_written_can_be_misread() {
    let scene = Scene::hermes("");
    scene.bootstrap_with(&[("HUB_MCP_URL", "http://no/on"), ("HUB_MCP_API_KEY", "0755")]);
    let text = scene.text();
    assert!(text.contains("timeout: 180\n") && text.contains("connect_timeout: 60\n"), "{text}");
    assert!(text.contains("\"http://no/on\"") && text.contains("\"Bearer 0755\""), "{text}");
}

#[test]
fn a_quoted_time_out_becomes_a_number() {
    let after = Scene::hermes("mcp_servers:\n  hub:\n    url: x\n    timeout: \"180\"                # string\n    connect_timeout: ${CT}\n").wired();
    assert!(
        after.contains("timeout: 180                # string\n") && after.contains("connect_timeout: 60\n"),
        "{after}"
    );
}
