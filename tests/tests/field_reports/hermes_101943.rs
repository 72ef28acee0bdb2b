//! The text of an unset variable was sent as the key.

use crate::scene::{Scene, URL};

#[test]
fn an_empty_or_placeholder_key_is_never_written() {
    for (key, code, says) in
        [("", 0, "skipped"), ("${HUB_MCP_API_KEY}", 78, "placeholder"), ("<your key>", 78, "HUB_MCP_API_KEY")]
    {
        let scene = Scene::hermes("model: m\n");
        let ran = scene.bootstrap_with(&[("HUB_MCP_URL", URL), ("HUB_MCP_API_KEY", key)]);
        assert_eq!(ran.code, code, "{key}: {}", ran.err);
        assert!(ran.err.contains(says), "{key}: {}", ran.err);
        assert_eq!(scene.text(), "model: m\n");
    }
}
