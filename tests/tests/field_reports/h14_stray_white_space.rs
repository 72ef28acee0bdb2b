//! Keys and URLs with a stray line break made bad headers or leaked into errors.

use crate::scene::Scene;

#[test]
fn a_trailing_line_break_is_taken_off_and_noted() {
    let scene = Scene::hermes("");
    let ran = scene.bootstrap_with(&[("HUB_URL", "http://ci-hub:5002/"), ("HUB_MCP_API_KEY", "k_test_9\n")]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("HUB_MCP_API_KEY: trailing line break removed"), "{}", ran.err);
    assert!(
        scene.text().contains("\"Bearer k_test_9\"")
            && scene.text().contains("\"http://ci-hub:5002/api/mcp\"")
    );
}

#[test]
fn a_zero_width_or_inner_line_break_is_refused_by_name_kind_and_place() {
    for (key, kind) in [
        ("\u{200b}k_test_9", "zero-width space (U+200B) at character 1"),
        ("k_te\r\nX: y", "carriage return (U+000D) at character 5"),
    ] {
        let scene = Scene::hermes("");
        let ran = scene.bootstrap_with(&[("HUB_MCP_URL", "http://h/"), ("HUB_MCP_API_KEY", key)]);
        assert_eq!(ran.code, 78, "{}", ran.err);
        assert!(ran.err.contains("HUB_MCP_API_KEY contains a") && ran.err.contains(kind), "{}", ran.err);
        assert!(!ran.err.contains("k_te"), "{}", ran.err);
        assert_eq!(scene.text(), "");
    }
}

#[test]
fn an_explicit_endpoint_is_used_as_given() {
    let scene = Scene::hermes("");
    scene.bootstrap_with(&[("HUB_MCP_URL", "http://ci-hub:5002/api/mcp/"), ("HUB_MCP_API_KEY", "k_test_9")]);
    assert!(scene.text().contains("\"http://ci-hub:5002/api/mcp/\""), "{}", scene.text());
}
