//! An ordinary user: what it cannot keep it does not replace.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hubkit_tests::privilege::as_root;

use super::{own, rights, set_mode};

/// The drill's binary, copied to where every user may run it, in a directory where all may write.
struct Bench {
    scratch: tempfile::TempDir,
    binary: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let binary = scratch.path().join("replace_drill");
        fs::copy(env!("CARGO_BIN_EXE_replace_drill"), &binary).unwrap();
        set_mode(&binary, 0o755);
        set_mode(scratch.path(), 0o777);
        Self { scratch, binary }
    }

    fn file(&self, uid: u32, gid: u32, mode: u32) -> PathBuf {
        let file = self.scratch.path().join("c.yaml");
        fs::write(&file, "a: 1\n").unwrap();
        own(&file, uid, gid);
        set_mode(&file, mode);
        file
    }

    fn edit_as(&self, uid: u32, file: &Path) -> Output {
        // No groups but its own: std clears them when it changes the user of a child of root's.
        Command::new(&self.binary).arg(file).arg("ours: here").uid(uid).gid(uid).output().unwrap()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn another_users_file_is_read_but_not_replaced() {
    as_root("users::another_users_file_is_read_but_not_replaced", || {
        let bench = Bench::new();
        let file = bench.file(4321, 4321, 0o666);
        let output = bench.edit_as(1234, &file);
        assert_eq!(output.status.code(), Some(73), "{}", said(&output));
        assert!(said(&output).contains("belongs to 4321:4321"), "{}", said(&output));
        assert_eq!((fs::read(&file).unwrap(), rights(&file)), (b"a: 1\n".to_vec(), (0o666, 4321, 4321)));
        fs::write(&file, "ours: here\n").unwrap();
        let output = bench.edit_as(1234, &file);
        assert!(output.status.success() && output.stdout == b"unchanged swept 0\n", "{}", said(&output));
    });
}

#[test]
fn a_group_that_cannot_be_kept_is_a_refusal() {
    as_root("users::a_group_that_cannot_be_kept_is_a_refusal", || {
        let bench = Bench::new();
        let file = bench.file(1234, 5678, 0o640);
        let output = bench.edit_as(1234, &file);
        assert_eq!(output.status.code(), Some(73), "{}", said(&output));
        assert!(said(&output).contains("group 5678"), "{}", said(&output));
        assert_eq!((fs::read(&file).unwrap(), rights(&file)), (b"a: 1\n".to_vec(), (0o640, 1234, 5678)));
        own(&file, 1234, 1234);
        assert!(bench.edit_as(1234, &file).status.success());
        assert_eq!(rights(&file), (0o640, 1234, 1234));
    });
}

#[test]
fn a_directory_without_permission_is_named_with_its_owner() {
    as_root("users::a_directory_without_permission_is_named_with_its_owner", || {
        let bench = Bench::new();
        let file = bench.file(1234, 1234, 0o600);
        set_mode(bench.scratch.path(), 0o755);
        let output = bench.edit_as(1234, &file);
        assert_eq!(output.status.code(), Some(73));
        let expected = format!("uid 1234 cannot create a file in {}", bench.scratch.path().display());
        assert!(said(&output).contains(&expected), "{}", said(&output));
        assert!(said(&output).contains("belongs to 0:0 with mode 0755"), "{}", said(&output));
        assert_eq!(fs::read(&file).unwrap(), b"a: 1\n");
        // Right already: no permission is needed.
        fs::write(&file, "ours: here\n").unwrap();
        set_mode(bench.scratch.path(), 0o111);
        let output = bench.edit_as(1234, &file);
        assert_eq!(output.stdout, b"unchanged swept 0\n", "{}", said(&output));
        set_mode(&file, 0o000);
        assert_eq!(bench.edit_as(1234, &file).status.code(), Some(73));
    });
}

#[test]
fn a_new_file_in_a_shared_directory_is_its_writers() {
    as_root("users::a_new_file_in_a_shared_directory_is_its_writers", || {
        let bench = Bench::new();
        set_mode(bench.scratch.path(), 0o1777);
        let file = bench.scratch.path().join("sub/new.yaml");
        let output = bench.edit_as(1234, &file);
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(rights(&file), (0o600, 1234, 1234));
        assert_eq!(rights(file.parent().unwrap()), (0o700, 1234, 1234));
        // Root follows into what is that user's now.
        super::append(&bench.scratch.path().join("sub/other.yaml")).unwrap();
        assert_eq!(rights(&bench.scratch.path().join("sub/other.yaml")), (0o600, 1234, 1234));
    });
}
