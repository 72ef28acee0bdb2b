//! One unknown key made OpenClaw refuse its file and restart hundreds of times.

use crate::scene::Scene;

#[test]
fn retired_keys_go_from_our_entry_alone() {
    let after = Scene::openclaw(
        "{ mcp: { servers: { other: { command: \"x\", timeout: 1 }, \"ci-hub\": { url: \"http://old.example/api/mcp\", transport: \"sse\", timeout: 5, ssl_verify: true, workingDirectory: \"/\" } } } }",
    )
    .wired();
    assert!(after.contains("other: { command: \"x\", timeout: 1 }"), "{after}");
    assert!(
        !after.contains("timeout: 5") && !after.contains("ssl_verify") && !after.contains("workingDirectory"),
        "{after}"
    );
}
