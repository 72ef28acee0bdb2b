//! A rewrite resolved the placeholders of others into the file.

use crate::scene::{KEY, Scene, URL, all_lines_kept};

const BEFORE: &str = "providers:\n  corp:\n    api_key: ${CORP_LLM_KEY}\nmcp_servers:\n  wiki:\n    url: https://wiki.test/mcp\n    headers: {Authorization: \"Bearer ${WIKI_TOKEN}\"}\n";

#[test]
fn placeholders_of_others_are_neither_expanded_nor_printed() {
    let scene = Scene::hermes(BEFORE);
    let variables = [
        ("HUB_MCP_URL", URL),
        ("HUB_MCP_API_KEY", KEY),
        ("CORP_LLM_KEY", "corp-secret-value"),
        ("WIKI_TOKEN", "wiki-secret-value"),
    ];
    let ran = scene.bootstrap_with(&variables);
    assert_eq!(ran.code, 0, "{}", ran.err);
    all_lines_kept(BEFORE, &scene.text());
    for secret in ["corp-secret-value", "wiki-secret-value"] {
        assert!(!scene.text().contains(secret) && !ran.err.contains(secret));
    }
}
