//! CRLF line endings hid the section, so that a second one was appended.

use crate::scene::Scene;

#[test]
fn crlf_and_byte_order_mark_are_seen_and_kept() {
    let after = Scene::hermes("\u{feff}model: m\r\nmcp_servers:\r\n  time: {command: uvx}\r\n").wired();
    assert!(after.starts_with("\u{feff}model: m\r\n"), "{after:?}");
    assert_eq!(after.matches("mcp_servers").count(), 1, "{after:?}");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
}
