//! A fix was reported and not written.

use crate::scene::Scene;

#[test]
fn the_registered_line_says_what_is_on_disk() {
    let refused = Scene::openclaw("[]");
    refused.refused(65, "openclaw.json:1:1");
    assert!(Scene::openclaw("{ a: 1 }").wired().contains("ci-hub"));
}
