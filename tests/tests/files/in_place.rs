//! Writing into the file itself: a file with several names, which stays one file.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hubkit_configurators::file::{
    FileError, Mode, NoProbe, Plan, Probe, Recovered, Step, Target, Written, edit,
};
use rustix::fs::{XattrFlags, getxattr, setxattr};
use rustix::io::Errno;

use super::{LINE, append_in_place, append_with, names, rights, set_mode};

pub(crate) struct Stage {
    _scratch: tempfile::TempDir,
    pub(crate) root: PathBuf,
    /// Two names of one file.
    pub(crate) file: PathBuf,
    pub(crate) other: PathBuf,
    /// The state directory, which does not exist yet.
    pub(crate) state: PathBuf,
}

pub(crate) const OLD: &str = "a: 1\n";

pub(crate) fn stage() -> Stage {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    fs::create_dir(root.join("home")).unwrap();
    let [file, other] = ["c", "d"].map(|name| root.join("home").join(name));
    fs::write(&file, OLD).unwrap();
    set_mode(&file, 0o640);
    fs::hard_link(&file, &other).unwrap();
    Stage { _scratch: scratch, state: root.join(".hubkit"), root, file, other }
}

#[test]
fn a_file_with_two_names_stays_one_file() {
    let Stage { root, file, other, state, _scratch } = &stage();
    setxattr(file, "user.note", b"theirs", XattrFlags::empty()).unwrap();
    let before = (fs::metadata(file).unwrap().ino(), rights(file));
    let outcome = append_in_place(file, state, &NoProbe).unwrap();
    assert_eq!((outcome.written, outcome.written.name()), (Written::ReplacedInPlace, "replaced"));
    assert_eq!((outcome.written.how(), outcome.recovered), (Some("in_place"), None));
    assert_eq!(outcome.before.as_deref(), Some(OLD.as_bytes()));
    assert_eq!(outcome.after.unwrap(), format!("{OLD}{LINE}").into_bytes());
    assert!(outcome.created_directories.is_empty());
    for name in [file, other] {
        assert_eq!(fs::read_to_string(name).unwrap(), format!("{OLD}{LINE}"));
        assert_eq!((fs::metadata(name).unwrap().ino(), rights(name)), before);
    }
    let mut note = [0; 10];
    assert_eq!(getxattr(file, "user.note", &mut note[..]), Ok(6));
    assert_eq!((rights(state).0, names(state)), (0o700, Vec::new()));
    assert_eq!(names(&root.join("home")), ["c", "d"]);
    assert_eq!(append_in_place(other, state, &NoProbe).unwrap().written, Written::Unchanged);
    // A file with one name is replaced as ever.
    fs::remove_file(other).unwrap();
    fs::write(file, OLD).unwrap();
    assert_eq!(append_in_place(file, state, &NoProbe).unwrap().written.how(), Some("atomic"));
}

#[test]
fn contents_of_all_lengths_are_written_whole() {
    let Stage { file, other, state, .. } = &stage();
    let lengths = [0, 1, 511, 512, 513, 4096, 65_535, 65_536, 65_537, 200_000];
    for from in lengths {
        for to in lengths {
            fs::write(file, vec![b'o'; from]).unwrap();
            let bytes = vec![b'n'; to];
            let plan = Plan::Replace { bytes: bytes.clone(), note: () };
            let target = Target::new(file, Mode::Write).with_state(state);
            let outcome = edit(&target, &NoProbe, |_| Ok::<_, ()>(plan.clone())).unwrap();
            let expected = if (from, to) == (0, 0) { Written::Unchanged } else { Written::ReplacedInPlace };
            assert_eq!(outcome.written, expected, "{from} to {to}");
            assert!(fs::read(other).unwrap() == bytes, "{from} to {to}");
        }
    }
    assert!(names(state).is_empty());
}

#[test]
fn set_id_bits_which_a_write_takes_away_stay() {
    let Stage { file, state, .. } = &stage();
    for mode in [0o4755, 0o2755, 0o6711, 0o600, 0o666] {
        fs::write(file, OLD).unwrap();
        set_mode(file, mode);
        let before = rights(file);
        append_in_place(file, state, &NoProbe).unwrap();
        assert_eq!(rights(file), before, "{mode:o}");
    }
}

#[test]
fn nothing_to_write_and_checking_make_no_state_directory() {
    let Stage { root, file, state, .. } = &stage();
    let target = Target::new(file, Mode::CheckOnly).with_state(state);
    let outcome = edit(&target, &NoProbe, super::add).unwrap();
    assert_eq!(outcome.written, Written::WouldChange);
    fs::write(file, LINE).unwrap();
    assert_eq!(append_in_place(file, state, &NoProbe).unwrap().written, Written::Unchanged);
    // Neither does an ordinary replacement.
    fs::write(root.join("home/e"), OLD).unwrap();
    append_in_place(&root.join("home/e"), state, &NoProbe).unwrap();
    assert_eq!(names(root), ["home"]);
}

#[test]
fn through_a_link_the_file_is_written_and_the_link_stays() {
    let Stage { root, file, other, state, .. } = &stage();
    symlink("home/c", root.join("l")).unwrap();
    let outcome = append_in_place(&root.join("l"), state, &NoProbe).unwrap();
    assert_eq!((outcome.written, &outcome.path), (Written::ReplacedInPlace, file));
    assert_eq!(fs::read_to_string(other).unwrap(), format!("{OLD}{LINE}"));
    assert!(root.join("l").is_symlink());
}

#[test]
fn a_file_of_hubkits_own_is_never_written_in_place() {
    let Stage { file, other, state, .. } = &stage();
    let target = Target::own(file, Mode::Write).with_state(state);
    let error = edit(&target, &NoProbe, super::add).unwrap_err();
    assert!(error.to_string().contains("2 hard links"), "{error}");
    fs::remove_file(other).unwrap();
    let busy = |step| if step == Step::Exchange { Err(Errno::BUSY) } else { Ok(()) };
    let error = edit(&target, &When(busy), super::add).unwrap_err();
    assert!(error.to_string().contains("mount point"), "{error}");
    assert_eq!(fs::read_to_string(file).unwrap(), OLD);
}

/// A probe of a function.
pub(crate) struct When<F: Fn(Step) -> Result<(), Errno> + Sync>(pub(crate) F);

impl<F: Fn(Step) -> Result<(), Errno> + Sync> Probe for When<F> {
    fn at(&self, step: Step) -> Result<(), Errno> {
        (self.0)(step)
    }
}

#[test]
fn where_the_switch_or_the_temporary_file_is_impossible_the_file_is_written_in_place() {
    for (step, why) in [
        (Step::Exchange, Errno::BUSY),
        (Step::Exchange, Errno::XDEV),
        (Step::CreateTemp, Errno::ACCESS),
        (Step::CreateTemp, Errno::PERM),
        (Step::CreateTemp, Errno::ROFS),
        (Step::OpenDirectory, Errno::ACCESS),
    ] {
        let Stage { root, file, other, state, _scratch } = &stage();
        fs::remove_file(other).unwrap();
        let inode = fs::metadata(file).unwrap().ino();
        let probe = When(|now| if now == step { Err(why) } else { Ok(()) });
        let outcome = append_in_place(file, state, &probe).unwrap();
        let when = format!("{} fails with {why:?}", step.name());
        assert_eq!(outcome.written, Written::ReplacedInPlace, "{when}");
        assert_eq!(fs::metadata(file).unwrap().ino(), inode, "{when}");
        assert_eq!(fs::read_to_string(file).unwrap(), format!("{OLD}{LINE}"), "{when}");
        assert_eq!((names(&root.join("home")), names(state)), (vec!["c".to_owned()], Vec::new()), "{when}");
    }
    // Also where files cannot change places, so that a rename is tried.
    let Stage { file, other, state, .. } = &stage();
    fs::remove_file(other).unwrap();
    let probe = When(|now| match now {
        Step::Exchange => Err(Errno::NOSYS),
        Step::Rename => Err(Errno::BUSY),
        _ => Ok(()),
    });
    assert_eq!(append_in_place(file, state, &probe).unwrap().written, Written::ReplacedInPlace);
    // No space, for one, is no reason to write over the only copy.
    let Stage { file, other, state, .. } = &stage();
    fs::remove_file(other).unwrap();
    for (step, why) in
        [(Step::CreateTemp, Errno::NOSPC), (Step::Exchange, Errno::IO), (Step::Write, Errno::NOSPC)]
    {
        let probe = When(|now| if now == step { Err(why) } else { Ok(()) });
        append_in_place(file, state, &probe).unwrap_err();
        assert_eq!(fs::read_to_string(file).unwrap(), OLD);
    }
}

#[test]
fn without_a_safe_state_directory_nothing_is_written_in_place() {
    type Make = fn(&Stage) -> std::io::Result<()>;
    let makes: &[(Make, &str)] = &[
        (|stage| fs::create_dir(&stage.state).map(|()| set_mode(&stage.state, 0o770)), "chmod go-w"),
        (|stage| fs::create_dir(&stage.state).map(|()| set_mode(&stage.state, 0o702)), "chmod go-w"),
        (|stage| fs::create_dir(&stage.state).map(|()| set_mode(&stage.state, 0o1777)), "chmod go-w"),
        (|stage| fs::write(&stage.state, ""), "not a directory"),
        (|stage| symlink("nowhere", &stage.state), "does not exist"),
        (|stage| symlink(".hubkit", &stage.state), "symbolic links"),
    ];
    for (make, said) in makes {
        let stage = stage();
        make(&stage).unwrap();
        let error = append_in_place(&stage.file, &stage.state, &NoProbe).unwrap_err();
        assert!(matches!(error, FileError::NoBackup { .. }), "{error}");
        assert_eq!(error.exit_code(), 73);
        let text = error.to_string();
        assert!(text.contains(said) && text.contains("HUBKIT_STATE_DIR"), "{text}");
        assert!(text.contains(&stage.file.display().to_string()), "{text}");
        assert_eq!(fs::read_to_string(&stage.file).unwrap(), OLD);
        // A file that needs no writing, and one that can be replaced, are as ever.
        fs::remove_file(&stage.other).unwrap();
        assert_eq!(append_in_place(&stage.file, &stage.state, &NoProbe).unwrap().written, Written::Replaced);
    }
    let stage = stage();
    set_mode(&stage.root, 0o755);
    fs::create_dir(&stage.state).unwrap();
    set_mode(&stage.state, 0o755);
    assert!(append_in_place(&stage.file, &stage.state, &NoProbe).is_ok(), "others may look");
}

const ERRNOS: &[Errno] = &[Errno::IO, Errno::NOSPC, Errno::ROFS, Errno::ACCESS, Errno::PERM];

#[test]
fn a_failing_call_leaves_the_file_old_or_new_and_the_next_run_finishes() {
    let mut reached = Vec::new();
    for step in Step::ALL {
        for why in ERRNOS {
            for shrink in [false, true] {
                let Stage { file, other, state, .. } = &stage();
                let new = if shrink { "b".to_owned() } else { format!("{OLD}{LINE}") };
                let write = |probe: &dyn Probe| {
                    let plan = Plan::Replace { bytes: new.clone().into_bytes(), note: () };
                    let target = Target::new(file, Mode::Write).with_state(state);
                    edit(&target, probe, |_| Ok::<_, std::convert::Infallible>(plan.clone()))
                };
                let hit = AtomicBool::new(false);
                let result = write(&When(|now| {
                    if now != *step {
                        return Ok(());
                    }
                    hit.store(true, Ordering::SeqCst);
                    Err(*why)
                }));
                let when = format!("{} fails with {why:?}: {result:?}", step.name());
                if !hit.into_inner() {
                    assert!(result.is_ok(), "{when}");
                    continue;
                }
                reached.push(*step);
                let now = fs::read_to_string(other).unwrap();
                let after = [Step::ReadBack, Step::RemoveBackup, Step::Done].contains(step);
                let denied = matches!(*why, Errno::ACCESS | Errno::PERM);
                let passes = *step == Step::Done || (*step == Step::OpenDirectory && denied);
                assert_eq!(result.is_ok(), passes, "{when}");
                assert_eq!(now, if after || passes { &new[..] } else { OLD }, "{when}");
                if let Err(error) = result {
                    assert!(error.to_string().contains('`'), "a command: {error}");
                }
                write(&NoProbe).unwrap();
                assert_eq!(fs::read_to_string(file).unwrap(), new, "{when}");
                assert!(names(state).is_empty(), "{when}: {:?}", names(state));
            }
        }
    }
    for step in [
        Step::OpenFile,
        Step::LockFile,
        Step::OpenState,
        Step::WriteBackup,
        Step::SyncBackup,
        Step::SyncState,
        Step::CompareFile,
        Step::WriteFile,
        Step::TruncateFile,
        Step::SyncFile,
        Step::ReadBack,
        Step::RemoveBackup,
        Step::Done,
    ] {
        assert!(reached.contains(&step), "{} was never reached", step.name());
    }
}

#[test]
fn what_cannot_be_put_back_is_said_and_put_back_by_the_next_run() {
    let Stage { file, other, state, .. } = &stage();
    let old = vec![b'o'; 300_000];
    fs::write(file, &old).unwrap();
    let pieces = AtomicUsize::new(0);
    let probe = When(|step| match step {
        Step::WriteFile if pieces.fetch_add(1, Ordering::SeqCst) == 2 => Err(Errno::NOSPC),
        Step::Restore => Err(Errno::IO),
        _ => Ok(()),
    });
    let plan = Plan::Replace { bytes: vec![b'n'; 300_000], note: () };
    let target = Target::new(file, Mode::Write).with_state(state);
    let error = edit(&target, &probe, |_| Ok::<_, std::convert::Infallible>(plan.clone())).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("half written") && text.contains("df -h") && text.contains("in-place-"), "{text}");
    let torn = fs::read(other).unwrap();
    assert!(torn != old && torn.len() == old.len());
    // A run that cannot put it back either says so, and the one after it does.
    let stuck = When(|step| if step == Step::Restore { Err(Errno::IO) } else { Ok(()) });
    let keep =
        |probe: &dyn Probe| edit(&target, probe, |_| Ok::<_, std::convert::Infallible>(Plan::Keep(())));
    assert!(keep(&stuck).unwrap_err().to_string().contains("half written"));
    let outcome = keep(&NoProbe).unwrap();
    assert_eq!((outcome.written, outcome.recovered), (Written::Unchanged, Some(Recovered::Restored)));
    assert!(outcome.before.as_ref() == Some(&old) && fs::read(other).unwrap() == old);
    assert!(names(state).is_empty());
}

fn theirs_by_rename(file: &Path) {
    let text = format!("{}theirs: new\n", fs::read_to_string(file).unwrap());
    let temp = file.with_extension("foreign");
    fs::write(&temp, text).unwrap();
    fs::rename(temp, file).unwrap();
}

fn theirs_in_place(file: &Path) {
    let text = format!("{}theirs: new\n", fs::read_to_string(file).unwrap());
    fs::write(file, text).unwrap();
}

#[test]
fn a_change_at_any_fail_point_is_kept_beside_ours() {
    let steps = [
        Step::Lock,
        Step::Reread,
        Step::OpenFile,
        Step::LockFile,
        Step::OpenState,
        Step::WriteBackup,
        Step::SyncBackup,
        Step::SyncState,
        Step::CompareFile,
        Step::WriteFile,
        Step::SyncFile,
        Step::ReadBack,
        Step::RemoveBackup,
        Step::Done,
    ];
    for step in steps {
        for (manner, write) in [("rename", theirs_by_rename as fn(&Path)), ("in place", theirs_in_place)] {
            let Stage { file, state, .. } = &stage();
            let done = AtomicBool::new(false);
            let probe = When(|now| {
                if now == step && !done.swap(true, Ordering::SeqCst) {
                    write(file);
                }
                Ok(())
            });
            let outcome = append_in_place(file, state, &probe).unwrap();
            assert!(done.into_inner(), "{} was not reached", step.name());
            let text = fs::read_to_string(file).unwrap();
            let when = format!("{manner} before {}: {text}", step.name());
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            if (step, manner) == (Step::WriteFile, "in place") {
                // The one instant that nobody can see into: between the last look and the write.
                assert_eq!(text, format!("{OLD}{LINE}"), "{when}");
            } else {
                assert_eq!(lines, ["a: 1", "ours: here", "theirs: new"], "{when}");
            }
            // Where both wrote at the same time the content before is kept.
            let kept = if state.exists() { names(state) } else { Vec::new() };
            match outcome.recovered {
                None => assert!(kept.is_empty(), "{when}: {kept:?}"),
                Some(Recovered::SetAside { backup }) => {
                    assert_eq!(fs::read_to_string(backup).unwrap(), OLD, "{when}");
                    assert_eq!(kept.len(), 1, "{when}: {kept:?}");
                }
                Some(other) => unreachable!("{when}: {other:?}"),
            }
        }
    }
}

#[test]
fn two_names_are_edited_at_once_from_two_directories() {
    let Stage { root, file, state, .. } = &stage();
    fs::create_dir(root.join("there")).unwrap();
    let there = root.join("there/e");
    fs::hard_link(file, &there).unwrap();
    std::thread::scope(|scope| {
        for (writer, path) in [file, &there].into_iter().enumerate() {
            scope.spawn(move || {
                for number in 0..20 {
                    let line = format!("writer {writer} line {number}\n");
                    let add = |current: hubkit_configurators::file::Current<'_>| {
                        let bytes = [current.bytes.unwrap(), line.as_bytes()].concat();
                        Ok::<_, std::convert::Infallible>(Plan::Replace { bytes, note: () })
                    };
                    edit(&Target::new(path, Mode::Write).with_state(state), &NoProbe, add).unwrap();
                }
            });
        }
    });
    assert_eq!(fs::read_to_string(file).unwrap().lines().count(), 41);
    assert!(names(state).is_empty());
}

#[test]
fn a_file_that_keeps_changing_is_given_up() {
    let Stage { file, state, .. } = &stage();
    let number = AtomicUsize::new(0);
    let probe = When(|step| {
        if step == Step::CompareFile {
            fs::write(file, format!("theirs: {}\n", number.fetch_add(1, Ordering::SeqCst))).unwrap();
        }
        Ok(())
    });
    assert_eq!(append_in_place(file, state, &probe).unwrap_err().exit_code(), 75);
    assert_eq!(fs::read_to_string(file).unwrap(), format!("theirs: {}\n", number.into_inner() - 1));
    assert!(!state.exists() || names(state).is_empty());
    append_with(file, Mode::CheckOnly, &NoProbe).unwrap();
}
