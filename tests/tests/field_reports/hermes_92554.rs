//! The boot migration rewrites the file between two runs of the wiring tool, and versions were invented.

use crate::scene::{KEY, Scene, URL};

#[test]
fn a_rewrite_by_the_host_with_equal_values_is_left_alone() {
    let text = format!(
        "_config_version: 33\nmcp_servers:\n  hub:\n    connect_timeout: 60\n    headers:\n      Authorization: Bearer {KEY}\n    timeout: 180\n    url: {URL}\n"
    );
    let scene = Scene::hermes(&text);
    let ran = scene.bootstrap();
    assert!(ran.err.contains("unchanged"), "{}", ran.err);
    assert_eq!(scene.text(), text);
}

#[test]
fn a_version_is_never_invented() {
    assert!(!Scene::hermes("").wired().contains("_config_version"));
}
