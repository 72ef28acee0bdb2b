//! Other tools edited the first of two blocks, which the agent does not read.

use crate::scene::Scene;

#[test]
fn the_block_that_the_agent_reads_is_wired_and_all_lines_are_named() {
    for (scene, lines) in [
        (Scene::hermes("mcp_servers:\n  a: {url: x}\nmodel: m\nmcp_servers:\n  b: {url: y}\n"), "lines 1, 4"),
        (Scene::hermes("mcp_servers:\n  hub: {url: x}\n  hub: {url: y}\n"), "lines 2, 3"),
        (Scene::openclaw("{ mcp: {\n servers: {},\n servers: {} } }"), "lines 2, 3"),
    ] {
        let ran = scene.bootstrap();
        assert!(ran.err.contains(lines), "{lines}: {}", ran.err);
        let text = scene.text();
        let ours = text.rfind("api/mcp").unwrap();
        let last = text.rfind("servers").unwrap();
        assert!(ours > last, "not in the last block:\n{text}");
        assert_eq!(text.matches("api/mcp").count(), 1, "{text}");
    }
}
