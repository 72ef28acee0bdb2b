//! File systems of other kinds, and things mounted where plugins are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hubkit_configurators::file::{FileError, Mode, Written};
use hubkit_configurators::folder::{FolderError, NoProbe};
use hubkit_tests::privilege::as_root_with_mounts;

use super::{AGENT, Bench, installed, listing, names, write};

const OLD: &[(&str, &str)] = &[("index.js", "old\n"), ("lib/b.js", "old\n")];
const NEW: &[(&str, &str)] = &[("index.js", "new\n"), ("more/c.js", "new\n")];

/// Unmounts when dropped, so that the scratch directory can go.
struct Mounted(PathBuf);

impl Mounted {
    fn new(arguments: &[&str], at: &Path) -> Self {
        Self::try_new(arguments, at).unwrap()
    }

    fn try_new(arguments: &[&str], at: &Path) -> Result<Self, String> {
        fs::create_dir_all(at).unwrap();
        let output = Command::new("mount").args(arguments).arg(at).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(Self(at.to_owned())) } else { Err(said) }
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// Creates, replaces and removes, for root and for an agent.
fn goes_round(bench: &Bench, replaced: Written) {
    let [old, new] = [bench.source("old", OLD), bench.source("new", NEW)];
    for (source, files, written) in [(&old, OLD, Written::Created), (&new, NEW, replaced)] {
        let done = bench.install(source).unwrap();
        assert_eq!((done.written, done.notices.len()), (written, 0), "{done:?}");
        assert_eq!(listing(&bench.folder()), installed(files));
        bench.is_clean("odd mount");
    }
    assert_eq!(bench.install(&new).unwrap().written, Written::Unchanged);
    assert_eq!(bench.remove_with(Mode::Write, &NoProbe).unwrap().written, Written::Removed);
    bench.is_clean("odd mount, removed");
}

#[test]
fn extensions_on_a_file_system_of_their_own() {
    as_root_with_mounts("mounts::extensions_on_a_file_system_of_their_own", || {
        for uid in [0, AGENT] {
            let bench = Bench::new();
            let _mounted = Mounted::new(&["-t", "tmpfs", "-o", "mode=0755", "none"], &bench.extensions());
            bench.give_home(uid);
            goes_round(&bench, Written::Replaced);
        }
    });
}

#[test]
fn extensions_that_are_the_same_file_system_mounted_again() {
    as_root_with_mounts("mounts::extensions_that_are_the_same_file_system_mounted_again", || {
        for uid in [0, AGENT] {
            let bench = Bench::new();
            let volume = bench.source("volume", &[]);
            let _mounted = Mounted::new(&["--bind", volume.to_str().unwrap()], &bench.extensions());
            bench.give_home(uid);
            goes_round(&bench, Written::Replaced);
        }
    });
}

#[test]
fn a_folder_in_the_lower_layer_of_an_overlay_is_replaced_where_it_is() {
    as_root_with_mounts("mounts::a_folder_in_the_lower_layer_of_an_overlay_is_replaced_where_it_is", || {
        for uid in [0, AGENT] {
            let bench = Bench::new();
            let new = bench.source("new", NEW);
            // Overlays do not nest, and the scratch directory may be on one.
            let layers = bench.path("layers");
            let _layers = Mounted::new(&["-t", "tmpfs", "none"], &layers);
            for (path, text) in OLD {
                write(&layers.join("lower/extensions").join(super::ID).join(path), text);
            }
            super::set_mode(&layers.join("lower/extensions").join(super::ID), 0o755);
            for name in ["upper", "work"] {
                fs::create_dir(layers.join(name)).unwrap();
            }
            for layer in ["lower", "upper"] {
                super::give(&layers.join(layer), uid);
            }
            let layer = |name: &str| layers.join(name).display().to_string();
            let layers =
                format!("lowerdir={},upperdir={},workdir={}", layer("lower"), layer("upper"), layer("work"));
            // The second is the way of a user namespace; both keep folders of the lower layer where they are.
            let ways = ["redirect_dir=off", "userxattr"].map(|way| format!("{layers},{way}"));
            let mount =
                |options: &String| Mounted::try_new(&["-t", "overlay", "-o", options, "none"], &bench.home());
            let _overlay = ways.iter().find_map(|options| mount(options).ok()).unwrap();
            let done = bench.install(&new).unwrap();
            assert_eq!(done.written, Written::ReplacedInPlace);
            assert!(done.notices[0].contains("one instant"), "{:?}", done.notices);
            assert_eq!(listing(&bench.folder()), installed(NEW));
            super::belongs(&bench.folder(), uid);
            bench.is_clean("overlay");
            // Now it is in the upper layer, and moves.
            write(&bench.folder().join("more/d"), "");
            super::give(&bench.folder(), uid);
            assert_eq!(bench.install(&new).unwrap().written, Written::Replaced);
        }
    });
}

#[test]
fn a_folder_that_is_a_mount_point_is_refused_and_stays() {
    as_root_with_mounts("mounts::a_folder_that_is_a_mount_point_is_refused_and_stays", || {
        for uid in [0, AGENT] {
            let bench = Bench::new();
            let [old, new] = [bench.source("old", OLD), bench.source("new", NEW)];
            let _mounted = Mounted::new(&["--bind", old.to_str().unwrap()], &bench.folder());
            bench.give_home(uid);
            for result in [bench.install(&new), bench.remove_with(Mode::Write, &NoProbe)] {
                let error = result.unwrap_err();
                assert_eq!(error, FolderError::Mounted { path: bench.folder() });
                assert_eq!(error.exit_code(), 73);
            }
            assert_eq!(names(&old), ["index.js", "lib"]);
            assert_eq!(names(&bench.staging()), [""; 0]);
        }
    });
}

#[test]
fn what_is_mounted_inside_the_folder_is_not_emptied() {
    as_root_with_mounts("mounts::what_is_mounted_inside_the_folder_is_not_emptied", || {
        let bench = Bench::new();
        let [old, new] = [bench.source("old", OLD), bench.source("new", NEW)];
        bench.install(&old).unwrap();
        let precious = bench.source("precious", &[("a/data", "precious\n")]);
        let mut mounted = Mounted::new(&["--bind", precious.to_str().unwrap()], &bench.folder().join("data"));
        let done = bench.install(&new).unwrap();
        assert_eq!(done.written, Written::Replaced);
        assert!(done.notices[0].contains("remove the old folder"), "{:?}", done.notices);
        assert_eq!(fs::read(precious.join("a/data")).unwrap(), b"precious\n");
        bench.install(&old).unwrap();
        assert_eq!(fs::read(precious.join("a/data")).unwrap(), b"precious\n");
        let left = bench.staging().join(&names(&bench.staging())[0]).join("data");
        assert!(left.join("a/data").is_file(), "the mount went with the folder");
        mounted.0 = left;
    });
}

#[test]
fn read_only_and_full_file_systems_are_named() {
    as_root_with_mounts("mounts::read_only_and_full_file_systems_are_named", || {
        for uid in [0, AGENT] {
            let bench = Bench::new();
            let large = "x".repeat(400_000);
            let [old, new] = [
                bench.source("old", OLD),
                bench.source("new", &[("index.js", &large), ("other.js", &large)]),
            ];
            let home = Mounted::new(&["-t", "tmpfs", "-o", "size=600k,mode=0755", "none"], &bench.home());
            bench.give_home(uid);
            bench.install(&old).unwrap();
            let error = bench.install(&new).unwrap_err();
            assert!(matches!(error, FolderError::File(FileError::Full { .. })), "{error}");
            assert!(error.to_string().contains(&format!("uid {uid}")), "{error}");
            assert_eq!(listing(&bench.folder()), installed(OLD));
            bench.is_clean("full");
            let remount =
                Command::new("mount").args(["-o", "remount,bind,ro"]).arg(&home.0).status().unwrap();
            assert!(remount.success());
            assert_eq!(bench.install(&old).unwrap().written, Written::Unchanged);
            let error = bench.install(&new).unwrap_err();
            assert!(matches!(error, FolderError::File(FileError::ReadOnly { .. })), "{error}");
            assert_eq!(error.exit_code(), 73);
        }
    });
}
