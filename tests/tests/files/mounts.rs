//! Read-only and full file systems, and a file that is a mount point of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

use hubkit_configurators::file::{FileError, Mode, NoProbe, Plan, Target, Written, edit};
use hubkit_tests::privilege::as_root_with_mounts;

use super::{append, names, own, rights, set_mode};

pub(crate) fn mount(arguments: &[&str], at: &Path) {
    let output = Command::new("mount").args(arguments).arg(at).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Unmounts when dropped, so that the scratch directory can go.
pub(crate) struct Mounted<'a>(pub(crate) &'a Path);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0).status();
    }
}

#[test]
fn a_read_only_file_system_is_read_and_named() {
    as_root_with_mounts("mounts::a_read_only_file_system_is_read_and_named", || {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().canonicalize().unwrap();
        mount(&["-t", "tmpfs", "none"], &root);
        let _mounted = Mounted(&root);
        fs::write(root.join("c"), "a: 1\n").unwrap();
        fs::write(root.join("right"), super::LINE).unwrap();
        fs::write(root.join(".right.hubkit-1-0123456789abcdef.tmp"), "").unwrap();
        mount(&["-o", "remount,ro"], &root);
        for path in [root.join("c"), root.join("new"), root.join("x/new")] {
            let error = append(&path).unwrap_err();
            assert!(matches!(error, FileError::ReadOnly { .. }), "{error}");
            assert_eq!(error.exit_code(), 73);
        }
        let right = append(&root.join("right")).unwrap();
        assert_eq!((right.written, right.swept), (Written::Unchanged, 0));
        assert_eq!(fs::read(root.join("c")).unwrap(), b"a: 1\n");
    });
}

#[test]
fn a_full_file_system_keeps_the_old_content_and_no_temporary_file() {
    as_root_with_mounts("mounts::a_full_file_system_keeps_the_old_content_and_no_temporary_file", || {
        for (uid, gid) in [(0, 0), (1234, 5678)] {
            let scratch = tempfile::tempdir().unwrap();
            let root = scratch.path().canonicalize().unwrap();
            mount(&["-t", "tmpfs", "-o", "size=256k", "none"], &root);
            let _mounted = Mounted(&root);
            let old = vec![b'#'; 100_000];
            fs::write(root.join("c"), &old).unwrap();
            own(&root, uid, gid);
            own(&root.join("c"), uid, gid);
            set_mode(&root.join("c"), 0o640);
            let plan = |_: hubkit_configurators::file::Current<'_>| {
                Ok::<_, std::convert::Infallible>(Plan::Replace { bytes: vec![b'x'; 400_000], note: () })
            };
            let error = edit(&Target::new(root.join("c"), Mode::Write), &NoProbe, plan).unwrap_err();
            let error = error.to_string();
            assert!(error.contains("df -h") && error.contains(&format!("uid {uid}")), "{error}");
            assert_eq!(fs::read(root.join("c")).unwrap(), old);
            assert_eq!(rights(&root.join("c")), (0o640, uid, gid));
            assert_eq!(names(&root), ["c"]);
            // What fits is still written.
            append(&root.join("c")).unwrap();
        }
    });
}

#[test]
fn a_file_that_is_a_mount_point_keeps_its_content_and_no_temporary_file() {
    as_root_with_mounts(
        "mounts::a_file_that_is_a_mount_point_keeps_its_content_and_no_temporary_file",
        || {
            for (uid, gid) in [(0, 0), (1234, 5678)] {
                let scratch = tempfile::tempdir().unwrap();
                let root = scratch.path().canonicalize().unwrap();
                let config = root.join("c");
                fs::write(root.join("source"), "a: 1\n").unwrap();
                fs::write(&config, "").unwrap();
                for path in [&root, &config, &root.join("source")] {
                    own(path, uid, gid);
                }
                mount(&["--bind", root.join("source").to_str().unwrap()], &config);
                let _mounted = Mounted(&config);
                let error = append(&config).unwrap_err();
                assert_eq!(error, FileError::Mounted { path: config.clone() });
                assert_eq!(error.exit_code(), 73);
                assert_eq!(fs::read(&config).unwrap(), b"a: 1\n");
                assert_eq!(names(&root), ["c", "source"]);
            }
        },
    );
}
