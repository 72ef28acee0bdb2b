//! A stale `transport: sse` line kept the agent from connecting.

use crate::scene::Scene;

#[test]
fn the_transport_line_goes_from_our_entry_alone() {
    let text = "mcp_servers:\n  old:\n    url: http://legacy:9121/sse\n    transport: sse\n  hub:\n    url: http://ci-hub:5002/api/mcp\n    transport: sse                # stale\n";
    let after = Scene::hermes(text).wired();
    assert!(
        after.starts_with(
            "mcp_servers:\n  old:\n    url: http://legacy:9121/sse\n    transport: sse\n  hub:\n"
        ),
        "{after}"
    );
    assert_eq!(after.matches("transport").count(), 1, "{after}");
}
