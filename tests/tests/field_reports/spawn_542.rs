//! A shell script quoted a key badly and made invalid JSON.

use crate::scene::Scene;

#[test]
fn every_character_of_a_key_and_url_is_escaped() {
    let scene = Scene::openclaw("{}");
    let key = r#"k"'\$x#{}[]:,&*"#;
    let mut command = hubkit_tests::binary::command(&scene.path("."));
    command.args(["configure", "openclaw", "--secrets", "literal"]);
    command.env("HUB_MCP_URL", "http://h/?a='b'&c=%22").env("HUB_MCP_API_KEY", key);
    assert!(command.status().unwrap().success());
    let value: serde_json::Value = serde_json::from_str(&scene.text()).unwrap();
    assert_eq!(value["mcp"]["servers"]["ci-hub"]["headers"]["Authorization"], format!("Bearer {key}"));
    assert_eq!(value["mcp"]["servers"]["ci-hub"]["url"], "http://h/?a='b'&c=%22");
}
