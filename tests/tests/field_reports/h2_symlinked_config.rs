//! Other tools replaced a symbolic link by a file, or followed one to nowhere.

use crate::scene::Scene;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

#[test]
fn a_symlinked_config_stays_a_link() {
    let scene = Scene::hermes("model: x\n");
    let target = scene.path("vault/h.yaml");
    fs::create_dir(scene.path("vault")).unwrap();
    fs::rename(&scene.file, &target).unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("../vault/h.yaml", &scene.file).unwrap();
    scene.wired();
    assert_eq!(fs::read_link(&scene.file).unwrap().to_str(), Some("../vault/h.yaml"));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o7777, 0o640);
    assert!(fs::read_to_string(&target).unwrap().contains("hub:"));
}

#[test]
fn a_dangling_link_is_refused_and_nothing_is_created() {
    let scene = Scene::hermes("");
    fs::remove_file(&scene.file).unwrap();
    symlink("../gone.yaml", &scene.file).unwrap();
    let ran = scene.refused(73, "gone.yaml");
    assert!(ran.err.contains("config.yaml"), "{}", ran.err);
    assert!(!scene.path("gone.yaml").exists());
}

#[test]
fn a_loop_of_links_is_refused() {
    let scene = Scene::hermes("");
    fs::remove_file(&scene.file).unwrap();
    symlink(scene.path("b"), &scene.file).unwrap();
    symlink(&scene.file, scene.path("b")).unwrap();
    scene.refused(73, "link");
}
