//! A file that goes: it and nothing else, whoever writes in between.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use hubkit_configurators::file::{
    Current, EditError, FileError, Mode, NoProbe, Outcome, Plan, Probe, Step, Target, Written, edit,
};
use rustix::io::Errno;

use super::names;

const OURS: &[u8] = b"ours: here\n";

/// Removes the file as long as it holds [`OURS`] alone.
fn remove_with(path: &Path, mode: Mode, probe: &dyn Probe) -> Result<Outcome<()>, FileError> {
    let plan = |current: Current<'_>| {
        Ok(if current.bytes.is_none_or(|bytes| bytes == OURS) {
            Plan::Remove { note: () }
        } else {
            Plan::Keep(())
        })
    };
    edit(&Target::new(path, mode), probe, plan).map_err(|error| match error {
        EditError::<std::convert::Infallible>::File(error) => error,
        EditError::Plan(never) => match never {},
    })
}

fn stage() -> (tempfile::TempDir, PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().canonicalize().unwrap().join("c");
    fs::write(&file, OURS).unwrap();
    (scratch, file)
}

/// The steps of a removal.
const STEPS: &[Step] = &[
    Step::OpenDirectory,
    Step::Lock,
    Step::Sweep,
    Step::Reread,
    Step::Recheck,
    Step::MoveAway,
    Step::CheckDisplaced,
    Step::RemoveTemp,
    Step::SyncDirectory,
    Step::ReadBack,
    Step::Done,
];

struct At<F: Fn() + Sync> {
    step: Step,
    done: AtomicBool,
    act: F,
    fails: Option<Errno>,
}

impl<F: Fn() + Sync> Probe for At<F> {
    fn at(&self, step: Step) -> Result<(), Errno> {
        if step == self.step && !self.done.swap(true, Ordering::SeqCst) {
            (self.act)();
            return self.fails.map_or(Ok(()), Err);
        }
        Ok(())
    }
}

fn at<F: Fn() + Sync>(step: Step, act: F) -> At<F> {
    At { step, done: AtomicBool::new(false), act, fails: None }
}

#[test]
fn a_file_is_removed_and_what_stands_beside_it_stays() {
    let (scratch, file) = stage();
    fs::write(scratch.path().join("d"), "theirs").unwrap();
    let checked = remove_with(&file, Mode::CheckOnly, &NoProbe).unwrap();
    assert_eq!((checked.written, checked.written.how()), (Written::WouldChange, None));
    assert_eq!((checked.before.as_deref(), checked.after), (Some(OURS), None));
    assert!(file.exists());
    let outcome = remove_with(&file, Mode::Write, &NoProbe).unwrap();
    assert_eq!((outcome.written, outcome.written.how()), (Written::Removed, Some("atomic")));
    assert_eq!((outcome.before.as_deref(), outcome.after), (Some(OURS), None));
    assert_eq!(names(scratch.path()), ["d"]);
    for mode in [Mode::CheckOnly, Mode::Write] {
        assert_eq!(remove_with(&file, mode, &NoProbe).unwrap().written, Written::Unchanged);
        let missing = file.with_file_name("no/such/c");
        assert_eq!(remove_with(&missing, mode, &NoProbe).unwrap().written, Written::Unchanged);
    }
    assert_eq!(names(scratch.path()), ["d"]);
}

#[test]
fn through_a_link_the_file_goes_and_the_link_stays() {
    let (scratch, file) = stage();
    let link = scratch.path().join("l");
    symlink("c", &link).unwrap();
    assert_eq!(remove_with(&link, Mode::Write, &NoProbe).unwrap().path, file);
    assert_eq!(names(scratch.path()), ["l"]);
}

#[test]
fn a_file_with_a_second_name_is_refused() {
    let (scratch, file) = stage();
    fs::hard_link(&file, scratch.path().join("d")).unwrap();
    let error = remove_with(&file, Mode::Write, &NoProbe).unwrap_err();
    assert_eq!(error, FileError::HardLinks { path: file, count: 2 });
    assert_eq!(names(scratch.path()), ["c", "d"]);
}

#[test]
fn a_foreign_write_at_any_fail_point_keeps_the_file() {
    for step in STEPS {
        for by_rename in [true, false] {
            let (scratch, file) = stage();
            let theirs = || {
                let temp = if by_rename { file.with_extension("foreign") } else { file.clone() };
                fs::write(&temp, "theirs: here\n").unwrap();
                fs::rename(temp, &file).unwrap();
            };
            let result = remove_with(&file, Mode::Write, &at(*step, theirs));
            let when = format!("before {}, by rename: {by_rename}: {result:?}", step.name());
            assert_eq!(fs::read_to_string(&file).unwrap(), "theirs: here\n", "{when}");
            match step {
                // It came back while the old file was away: that is a new file beside one that goes.
                Step::Done => assert_eq!(result.unwrap().written, Written::Removed, "{when}"),
                _ => assert_eq!(result.unwrap().written, Written::Unchanged, "{when}"),
            }
            assert_eq!(names(scratch.path()), ["c"], "{when}");
        }
    }
}

#[test]
fn a_failing_call_leaves_the_file_or_removes_it() {
    for step in STEPS {
        for why in [Errno::IO, Errno::NOSPC, Errno::ROFS, Errno::ACCESS, Errno::PERM] {
            let (scratch, file) = stage();
            let probe = At { fails: Some(why), ..at(*step, || ()) };
            let result = remove_with(&file, Mode::Write, &probe);
            let when = format!("{} fails with {why:?}: {result:?}", step.name());
            let gone = matches!(step, Step::RemoveTemp | Step::SyncDirectory | Step::ReadBack | Step::Done);
            assert_eq!(file.exists(), !gone, "{when}");
            assert_eq!(result.is_ok(), *step == Step::Done, "{when}");
            if let Err(error) = result {
                assert_eq!(error.exit_code(), 73, "{when}");
            }
            remove_with(&file, Mode::Write, &NoProbe).unwrap();
            if *step == Step::RemoveTemp {
                // The next edit of the file sweeps what could not be removed.
                super::append(&file).unwrap();
                assert_eq!(names(scratch.path()), ["c"], "{when}");
            } else {
                assert!(names(scratch.path()).is_empty(), "{when}");
            }
        }
    }
    for (why, mounted) in [(Errno::BUSY, true), (Errno::XDEV, true), (Errno::IO, false)] {
        let (_scratch, file) = stage();
        let probe = At { fails: Some(why), ..at(Step::MoveAway, || ()) };
        let error = remove_with(&file, Mode::Write, &probe).unwrap_err();
        assert_eq!(matches!(error, FileError::Mounted { .. }), mounted, "{error}");
    }
}

/// Another program changes the file, and then takes its name while it is away.
struct Twice {
    file: PathBuf,
}

impl Probe for Twice {
    fn at(&self, step: Step) -> Result<(), Errno> {
        match step {
            Step::MoveAway => fs::write(&self.file, "theirs: first\n").unwrap(),
            Step::MoveBack => fs::write(&self.file, "theirs: second\n").unwrap(),
            _ => {}
        }
        Ok(())
    }
}

#[test]
fn neither_of_two_foreign_versions_is_lost() {
    let (scratch, file) = stage();
    let error = remove_with(&file, Mode::Write, &Twice { file: file.clone() }).unwrap_err();
    let FileError::Stranded { path, target, .. } = &error else { unreachable!("{error}") };
    assert_eq!(target, &file);
    assert_eq!(fs::read_to_string(&file).unwrap(), "theirs: second\n");
    // The next run's sweep does not take it.
    super::append(&file).unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), "theirs: first\n");
    assert_eq!(names(scratch.path()).len(), 2);
}
