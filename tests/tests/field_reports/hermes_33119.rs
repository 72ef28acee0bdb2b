//! One malformed entry kept the agent from using all others.

use crate::scene::{REGISTERED, Scene};

#[test]
fn a_broken_neighbour_does_not_stop_our_entry_and_is_reported() {
    let scene = Scene::hermes("mcp_servers:\n  broken: hello\n  empty:\n");
    let ran = scene.bootstrap();
    assert!(ran.err.contains(REGISTERED), "{}", ran.err);
    assert!(
        ran.err.contains("line 2: `mcp_servers.broken`") && ran.err.contains("line 3: `mcp_servers.empty`"),
        "{}",
        ran.err
    );
}
