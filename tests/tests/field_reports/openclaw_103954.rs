//! `disabled: true` was ignored, and later an error.

use crate::scene::Scene;

#[test]
fn what_was_switched_off_stays_off() {
    let after =
        Scene::openclaw("{ mcp: { servers: { \"ci-hub\": { url: \"http://x/\", disabled: true } } } }")
            .wired();
    assert!(after.contains("enabled: false") && !after.contains("disabled"), "{after}");
}
