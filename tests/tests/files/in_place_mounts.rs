//! Mounts and rights under which nothing can be put in a file's place, for real.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hubkit_configurators::file::{FileError, Mode, NoProbe, Plan, Step, Target, Written, edit};
use hubkit_tests::privilege::{as_root, as_root_with_mounts};
use rustix::io::Errno;

use super::in_place::{OLD, When};
use super::mounts::{Mounted, mount};
use super::{LINE, append, append_in_place, names, own, rights, set_mode};

const WHO: [(u32, u32); 2] = [(0, 0), (1234, 5678)];

struct Stage {
    _scratch: tempfile::TempDir,
    root: PathBuf,
    home: PathBuf,
    file: PathBuf,
    state: PathBuf,
}

/// A home with `c`, mode 0640, and a state directory that can be made beside the home; all of `uid`.
fn stage(uid: u32, gid: u32) -> Stage {
    let scratch = tempfile::tempdir().unwrap();
    let outer = scratch.path().canonicalize().unwrap();
    set_mode(&outer, 0o755);
    let root = outer.join("root");
    let home = root.join("home");
    fs::create_dir_all(&home).unwrap();
    let file = home.join("c");
    fs::write(&file, OLD).unwrap();
    for path in [&root, &home, &file] {
        own(path, uid, gid);
    }
    set_mode(&file, 0o640);
    Stage { _scratch: scratch, state: root.join(".hubkit"), root, home, file }
}

impl Stage {
    /// Mounts a file of `uid`'s over `c`.
    fn bind(&self, source: &Path, uid: u32, gid: u32) -> Mounted<'_> {
        fs::write(source, OLD).unwrap();
        own(source, uid, gid);
        set_mode(source, 0o640);
        mount(&["--bind", source.to_str().unwrap()], &self.file);
        Mounted(&self.file)
    }

    fn wired(&self, path: &Path) {
        assert_eq!(fs::read_to_string(path).unwrap(), format!("{OLD}{LINE}"));
        assert!(names(&self.state).is_empty(), "{:?}", names(&self.state));
    }
}

#[test]
fn a_bind_mounted_file_is_edited_where_it_is() {
    as_root_with_mounts("in_place_mounts::a_bind_mounted_file_is_edited_where_it_is", || {
        for (uid, gid) in WHO {
            // The kernel says that it is a mount point, or the exchange finds out.
            for told in [true, false] {
                let stage = stage(uid, gid);
                let source = stage.root.join("source");
                let _mounted = stage.bind(&source, uid, gid);
                let inode = fs::metadata(&source).unwrap().ino();
                let probe = When(|step| match step {
                    Step::LookForMount if !told => Err(Errno::NOSYS),
                    Step::CreateTemp => {
                        assert!(!told, "a temporary file for nothing");
                        Ok(())
                    }
                    _ => Ok(()),
                });
                let outcome = append_in_place(&stage.file, &stage.state, &probe).unwrap();
                assert_eq!(outcome.written, Written::ReplacedInPlace);
                stage.wired(&source);
                assert_eq!(fs::metadata(&source).unwrap().ino(), inode);
                assert_eq!(rights(&source), (0o640, uid, gid));
                assert_eq!(rights(&stage.state), (0o700, uid, gid));
                assert_eq!(names(&stage.home), ["c"]);
                let again = append_in_place(&stage.file, &stage.state, &NoProbe).unwrap();
                assert_eq!(again.written, Written::Unchanged);
            }
        }
    });
}

#[test]
fn a_file_from_another_file_system_is_edited_where_it_is() {
    as_root_with_mounts("in_place_mounts::a_file_from_another_file_system_is_edited_where_it_is", || {
        for (uid, gid) in WHO {
            let stage = stage(uid, gid);
            let volume = stage.root.join("volume");
            fs::create_dir(&volume).unwrap();
            mount(&["-t", "tmpfs", "none"], &volume);
            let _volume = Mounted(&volume);
            let source = volume.join("source");
            let _mounted = stage.bind(&source, uid, gid);
            append_in_place(&stage.file, &stage.state, &NoProbe).unwrap();
            stage.wired(&source);
        }
    });
}

#[test]
fn a_writable_file_in_a_read_only_directory_is_edited_where_it_is() {
    as_root_with_mounts(
        "in_place_mounts::a_writable_file_in_a_read_only_directory_is_edited_where_it_is",
        || {
            for (uid, gid) in WHO {
                let stage = stage(uid, gid);
                mount(&["--bind", stage.home.to_str().unwrap()], &stage.home);
                let _home = Mounted(&stage.home);
                mount(&["-o", "remount,bind,ro"], &stage.home);
                // The file alone is mounted writable again.
                let source = stage.root.join("source");
                let _mounted = stage.bind(&source, uid, gid);
                let outcome = append_in_place(&stage.file, &stage.state, &NoProbe).unwrap();
                assert_eq!(outcome.written, Written::ReplacedInPlace);
                stage.wired(&source);
                // What the directory holds itself is read-only in every way.
                fs::write(&source, OLD).unwrap();
                drop(_mounted);
                let error = append_in_place(&stage.file, &stage.state, &NoProbe).unwrap_err();
                assert!(matches!(error, FileError::ReadOnly { .. }), "{error}");
                assert!(error.to_string().contains(&format!("uid {uid}")), "{error}");
                assert_eq!(fs::read_to_string(&stage.file).unwrap(), OLD);
            }
        },
    );
}

#[test]
fn a_read_only_file_with_two_names_is_named() {
    as_root_with_mounts("in_place_mounts::a_read_only_file_with_two_names_is_named", || {
        for (uid, gid) in WHO {
            let stage = stage(uid, gid);
            fs::hard_link(&stage.file, stage.home.join("d")).unwrap();
            mount(&["--bind", stage.home.to_str().unwrap()], &stage.home);
            let _home = Mounted(&stage.home);
            mount(&["-o", "remount,bind,ro"], &stage.home);
            let error = append_in_place(&stage.file, &stage.state, &NoProbe).unwrap_err();
            assert_eq!(error, FileError::ReadOnly { path: stage.file.clone(), uid });
            assert!(error.to_string().contains("findmnt"), "{error}");
            assert!(!stage.state.exists());
        }
    });
}

#[test]
fn a_directory_without_permission_does_not_matter_where_the_file_is_writable() {
    as_root(
        "in_place_mounts::a_directory_without_permission_does_not_matter_where_the_file_is_writable",
        || {
            for mode in [0o500, 0o555, 0o100, 0o111] {
                let stage = stage(1234, 5678);
                set_mode(&stage.home, mode);
                let outcome = append_in_place(&stage.file, &stage.state, &NoProbe).unwrap();
                assert_eq!(outcome.written, Written::ReplacedInPlace, "{mode:o}");
                stage.wired(&stage.file);
                assert_eq!(rights(&stage.file), (0o640, 1234, 5678));
                assert_eq!(rights(&stage.home).0, mode);
                // Neither the directory nor the file: said as ever.
                fs::write(&stage.file, OLD).unwrap();
                set_mode(&stage.file, 0o440);
                let error = append_in_place(&stage.file, &stage.state, &NoProbe).unwrap_err();
                let next = format!("`chmod u+rwX {}`", stage.home.display());
                assert!(error.to_string().contains(&next), "{error}");
                // Nowhere for the state directory.
                set_mode(&stage.file, 0o640);
                let error = append_in_place(&stage.file, &stage.home.join("state"), &NoProbe).unwrap_err();
                assert!(matches!(error, FileError::NoBackup { .. }), "{error}");
                assert!(error.to_string().contains("HUBKIT_STATE_DIR"), "{error}");
                assert_eq!(fs::read_to_string(&stage.file).unwrap(), OLD);
            }
        },
    );
}

#[test]
fn a_full_file_system_keeps_the_old_content_and_no_backup() {
    as_root_with_mounts("in_place_mounts::a_full_file_system_keeps_the_old_content_and_no_backup", || {
        for (uid, gid) in WHO {
            let stage = stage(uid, gid);
            let volume = stage.root.join("volume");
            fs::create_dir(&volume).unwrap();
            mount(&["-t", "tmpfs", "-o", "size=256k", "none"], &volume);
            let _volume = Mounted(&volume);
            let source = volume.join("source");
            let _mounted = stage.bind(&source, uid, gid);
            let old = vec![b'#'; 100_000];
            fs::write(&source, &old).unwrap();
            let grow = |state: &Path| {
                let plan = Plan::Replace { bytes: vec![b'x'; 400_000], note: () };
                let target = Target::new(&stage.file, Mode::Write).with_state(state);
                edit(&target, &NoProbe, |_| Ok::<_, std::convert::Infallible>(plan.clone())).unwrap_err()
            };
            let error = grow(&stage.state).to_string();
            assert!(error.contains("df -h") && error.contains(&format!("uid {uid}")), "{error}");
            assert!(fs::read(&source).unwrap() == old);
            assert_eq!(rights(&source), (0o640, uid, gid));
            assert!(!stage.state.exists() || names(&stage.state).is_empty());
            // No room for the backup: the file is not touched.
            let full = volume.join("state");
            fs::create_dir(&full).unwrap();
            set_mode(&full, 0o700);
            own(&volume, uid, gid);
            own(&full, uid, gid);
            let before = fs::metadata(&source).unwrap();
            let error = grow(&full).to_string();
            assert!(error.contains("not without a backup") && error.contains("df -h"), "{error}");
            let after = fs::metadata(&source).unwrap();
            assert_eq!((after.mtime_nsec(), after.len()), (before.mtime_nsec(), before.len()));
            assert!(names(&full).is_empty());
            // What fits is still written.
            append_in_place(&stage.file, &stage.state, &NoProbe).unwrap();
            assert!(names(&stage.state).is_empty());
        }
    });
}

#[test]
fn a_removal_of_a_mounted_file_is_refused() {
    as_root_with_mounts("in_place_mounts::a_removal_of_a_mounted_file_is_refused", || {
        let stage = stage(0, 0);
        let source = stage.root.join("source");
        let _mounted = stage.bind(&source, 0, 0);
        let target = Target::new(&stage.file, Mode::Write).with_state(&stage.state);
        let remove = |_: hubkit_configurators::file::Current<'_>| {
            Ok::<_, std::convert::Infallible>(Plan::Remove { note: () })
        };
        let error = edit(&target, &NoProbe, remove).unwrap_err();
        assert!(error.to_string().contains("mount point"), "{error}");
        assert_eq!(fs::read_to_string(&source).unwrap(), OLD);
        // Without a state directory a mounted file is refused as ever.
        assert!(matches!(append(&stage.file), Err(FileError::Mounted { .. })));
    });
}

/// The drill's binary as an ordinary user.
fn edit_as(uid: u32, stage: &Stage) -> Output {
    let binary = stage.root.parent().unwrap().join("replace_drill");
    fs::copy(env!("CARGO_BIN_EXE_replace_drill"), &binary).unwrap();
    set_mode(&binary, 0o755);
    let mut command = Command::new(binary);
    command.arg(&stage.file).arg(LINE.trim_end()).arg("--state").arg(&stage.state);
    command.uid(uid).gid(uid).output().unwrap()
}

#[test]
fn an_ordinary_user_edits_its_mounted_file() {
    as_root_with_mounts("in_place_mounts::an_ordinary_user_edits_its_mounted_file", || {
        let stage = stage(1234, 1234);
        let source = stage.root.join("source");
        let _mounted = stage.bind(&source, 1234, 1234);
        let output = edit_as(1234, &stage);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        stage.wired(&source);
        assert_eq!((rights(&source), rights(&stage.state)), ((0o640, 1234, 1234), (0o700, 1234, 1234)));
        // A read-only directory that is root's, as in an image.
        let stage = self::stage(1234, 1234);
        own(&stage.home, 0, 0);
        set_mode(&stage.home, 0o755);
        let output = edit_as(1234, &stage);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        stage.wired(&stage.file);
    });
}

#[test]
fn an_ordinary_user_does_not_write_into_anothers_file() {
    as_root_with_mounts("in_place_mounts::an_ordinary_user_does_not_write_into_anothers_file", || {
        let stage = stage(1234, 1234);
        let source = stage.root.join("source");
        let _mounted = stage.bind(&source, 4321, 4321);
        set_mode(&source, 0o666);
        let output = edit_as(1234, &stage);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(73), "{said}");
        assert!(said.contains("belongs to 4321:4321") && said.contains("uid 1234"), "{said}");
        assert!(said.contains(&stage.file.display().to_string()), "{said}");
        assert_eq!(fs::read_to_string(&source).unwrap(), OLD);
        // A state directory of somebody else's.
        own(&source, 1234, 1234);
        fs::create_dir(&stage.state).unwrap();
        own(&stage.state, 4321, 4321);
        let output = edit_as(1234, &stage);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(73), "{said}");
        assert!(said.contains("not without a backup"), "{said}");
        assert_eq!(fs::read_to_string(&source).unwrap(), OLD);
    });
}
