//! Installers wrote `mcpServers` at the root, which OpenClaw refuses.

use crate::scene::Scene;

#[test]
fn servers_stand_where_openclaw_reads_them_and_the_wrong_key_is_reported() {
    let scene = Scene::openclaw("{ gateway: { mode: \"local\" },\n  mcpServers: {} }");
    let ran = scene.bootstrap();
    assert!(ran.err.contains("line 2: `mcpServers`"), "{}", ran.err);
    assert!(scene.text().contains("mcpServers: {}") && scene.text().contains("mcp: {"), "{}", scene.text());
}
