//! Every write by OpenClaw's own commands strips the comments of a JSON5 file.

use crate::scene::Scene;

const BEFORE: &str =
    "// top\n{ gateway: {port: 18789,}, /* s */ mcp: { servers: { 'n': {command: \"x\"}, // keep\n } } }";

#[test]
fn bytes_outside_the_entry_equal_the_original() {
    let after = Scene::openclaw(BEFORE).wired();
    let start = BEFORE.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    let end = BEFORE.bytes().rev().zip(after.bytes().rev()).take_while(|(a, b)| a == b).count();
    assert!(start + end >= BEFORE.len(), "more than one insertion:\n{after}");
    assert!(after.contains("// keep") && after.contains("/* s */") && after.contains("18789,}"), "{after}");
}
