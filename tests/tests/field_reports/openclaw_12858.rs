//! The host's own repair dropped the section; the wiring must come back at the next start.

use crate::scene::Scene;

#[test]
fn a_dropped_section_is_put_back() {
    let scene = Scene::openclaw("{\"gateway\": {\"mode\": \"local\"}}");
    let once = scene.wired();
    std::fs::write(&scene.file, "{\"gateway\": {\"mode\": \"local\"}}").unwrap();
    assert_eq!(scene.wired(), once);
}
