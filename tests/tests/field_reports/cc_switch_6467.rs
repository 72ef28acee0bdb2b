//! An unquoted key was written into a strict JSON file, which other readers then refused.

use crate::scene::Scene;

#[test]
fn strict_json_stays_strict_json() {
    let before = "{\r\n    \"gateway\": {\r\n        \"mode\": \"local\"\r\n    }\r\n}";
    let after = Scene::openclaw(before).wired();
    let value: serde_json::Value = serde_json::from_str(&after).unwrap();
    assert_eq!(value["mcp"]["servers"]["ci-hub"]["transport"], "streamable-http");
    assert!(after.contains("\r\n    \"mcp\": {\r\n        \"servers\""), "{after}");
}
