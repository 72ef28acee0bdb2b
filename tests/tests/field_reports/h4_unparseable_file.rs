//! Other tools wiped a file that they could not parse, or ran on with defaults.

use crate::scene::Scene;

use std::fs;

#[test]
fn a_broken_file_is_refused_with_its_place() {
    Scene::hermes("mcp_servers:\n  a:\n\tb: 1\n").refused(65, "config.yaml:3:");
    Scene::openclaw("{\"mcp\": {\"servers\": {\"a\": {").refused(65, "openclaw.json:1:");
}

#[test]
fn an_empty_file_is_a_new_file_and_that_is_said() {
    let scene = Scene::hermes("");
    let ran = scene.bootstrap();
    assert!(ran.err.contains("taken as a new file"), "{}", ran.err);
    assert!(scene.text().contains("hub:"));
}

#[test]
fn a_directory_is_refused_and_never_removed() {
    let scene = Scene::hermes("");
    fs::remove_file(&scene.file).unwrap();
    fs::create_dir(&scene.file).unwrap();
    fs::write(scene.file.join("inside"), "kept").unwrap();
    scene.refused(73, "director");
    assert_eq!(fs::read_to_string(scene.file.join("inside")).unwrap(), "kept");
}
