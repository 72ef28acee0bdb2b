//! A key given with its `Bearer` was sent as `Bearer Bearer`.

use crate::scene::{KEY, Scene, URL};

#[test]
fn the_prefix_stands_once() {
    let scene = Scene::hermes(format!(
        "mcp_servers:\n  hub:\n    url: {URL}\n    headers: {{Authorization: \"Bearer Bearer {KEY}\"}}\n"
    ));
    let ran = scene.bootstrap_with(&[("HUB_MCP_URL", URL), ("HUB_MCP_API_KEY", &format!("Bearer {KEY}"))]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(scene.text().matches("Bearer").count(), 1, "{}", scene.text());
}
