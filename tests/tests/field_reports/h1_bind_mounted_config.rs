//! Other tools replaced a configuration file by a rename, which fails on a file that is mounted by itself.

use crate::scene::Scene;

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::Command;

use hubkit_tests::privilege::as_root_with_mounts;

#[test]
fn a_bind_mounted_config_is_edited_where_it_is() {
    as_root_with_mounts("h1_bind_mounted_config::a_bind_mounted_config_is_edited_where_it_is", || {
        for scene in [Scene::hermes("model: x\n"), Scene::openclaw("{ gateway: { port: 1 } }\n")] {
            let volume = scene.path("volume");
            fs::copy(&scene.file, &volume).unwrap();
            fs::set_permissions(&volume, fs::Permissions::from_mode(0o640)).unwrap();
            let before = fs::metadata(&volume).unwrap();
            let mount = |program: &str, arguments: &[&str]| {
                assert!(Command::new(program).args(arguments).arg(&scene.file).status().unwrap().success());
            };
            mount("mount", &["--bind", volume.to_str().unwrap()]);
            scene.wired();
            mount("umount", &[]);
            let after = fs::metadata(&volume).unwrap();
            assert_eq!((after.ino(), after.mode()), (before.ino(), before.mode()));
            assert!(fs::read_to_string(&volume).unwrap().contains("hub"), "the volume has the entry");
            assert!(!scene.text().contains("hub"), "what the mount covered is as it was");
            no_backup_left(&scene);
        }
    });
}

#[test]
fn a_config_with_a_second_name_stays_one_file() {
    let scene = Scene::hermes("model: x\n");
    let other = scene.path("dotfiles.yaml");
    fs::hard_link(&scene.file, &other).unwrap();
    let text = scene.wired();
    assert_eq!(fs::read_to_string(&other).unwrap(), text);
    assert_eq!(fs::metadata(&other).unwrap().ino(), fs::metadata(&scene.file).unwrap().ino());
    no_backup_left(&scene);
}

fn no_backup_left(scene: &Scene) {
    let state = scene.file.with_file_name(".hubkit");
    for entry in fs::read_dir(&state).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.starts_with("in-place-"), "{name} was left");
    }
}
