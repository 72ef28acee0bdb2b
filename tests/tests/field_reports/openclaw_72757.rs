//! A server without `transport` is taken for SSE and offers no tools.

use crate::scene::Scene;

#[test]
fn the_transport_is_always_written() {
    for text in [
        "{}",
        "{ mcp: { servers: { \"ci-hub\": { url: \"http://ci-hub:5002/api/mcp\", headers: { Authorization: \"Bearer ${HUB_MCP_API_KEY}\" } } } } }",
    ] {
        let after = Scene::openclaw(text).wired();
        assert!(after.contains("\"streamable-http\""), "{after}");
    }
}
