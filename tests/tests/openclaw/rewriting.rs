//! OpenClaw rewrites its file whenever a command of its own changes something, and keeps books about what it
//! wrote. Neither undoes the wiring, and the wiring does not fight it.

use hubkit_tests::fixtures;
use hubkit_tests::gateway::Gateway;
use hubkit_tests::scratch_home::{KEY, ScratchHome};

use crate::verdict::{openclaw, validate};

const URL: &str = "http://ci-hub:5002/api/mcp";
const MOVED_URL: &str = "http://ci-hub.internal:5002/api/mcp";

#[test]
fn the_wiring_survives_openclaws_own_rewriting() {
    let home = ScratchHome::openclaw().with(&fixtures::read("openclaw/commented.json5"));
    home.wire(URL, KEY);
    let server = r#"{"command":"uvx","args":["mcp-server-time"],"enabled":false}"#;
    let set = openclaw(&home, KEY).args(["mcp", "set", "other", server]).output().unwrap();
    assert!(set.status.success(), "{set:?}");
    let rewritten = String::from_utf8(home.read()).unwrap();
    assert!(
        !rewritten.contains("//") || !rewritten.contains("The gateway of the house"),
        "it was not rewritten"
    );
    assert!(rewritten.contains("\"other\"") && !rewritten.contains(KEY), "{rewritten}");
    home.is_wired(URL, KEY);

    // OpenClaw restores a backup over a file that looks damaged beside the last one it wrote. Ours must not.
    assert_eq!(home.wire(MOVED_URL, KEY).status(), "changed");
    let moved = home.read();
    let printed = Gateway::start(openclaw(&home, KEY), home.path()).stop();
    assert!(!printed.contains("auto-restored") && !printed.contains("anomaly"), "{printed}");
    assert!(home.read() == moved, "the gateway restored another text:\n{printed}");
    let verdict = validate(&home, KEY);
    assert!(verdict.valid, "{verdict:?}");
}
