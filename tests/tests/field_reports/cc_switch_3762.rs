//! A second `mcp_servers:` block was appended, which strict parsers refuse.

use crate::scene::Scene;

#[test]
fn there_is_one_block_afterwards() {
    for text in
        ["mcp_servers: {}\n", "mcp_servers:\n", "mcp_servers: ''\n", "\"mcp_servers\":\n  a: {url: x}\n"]
    {
        let after = Scene::hermes(text).wired();
        assert_eq!(after.matches("mcp_servers").count(), 1, "{after}");
    }
}
