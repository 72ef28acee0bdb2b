//! Every system call fails once: the file keeps its bytes, and no temporary file and no directory is left.

use std::fs;
use std::sync::Mutex;

use hubkit_configurators::file::{FileError, Mode, Probe, Step};
use rustix::io::Errno;

use super::{LINE, append, append_with, names};

struct Fail {
    step: Step,
    why: Errno,
    lacks: &'static [Step],
    reached: Mutex<bool>,
}

impl Probe for Fail {
    fn at(&self, step: Step) -> Result<(), Errno> {
        if step == self.step {
            *self.reached.lock().unwrap() = true;
            return Err(self.why);
        }
        if self.lacks.contains(&step) { Err(Errno::INVAL) } else { Ok(()) }
    }
}

const ERRNOS: &[Errno] =
    &[Errno::IO, Errno::NOSPC, Errno::DQUOT, Errno::ROFS, Errno::ACCESS, Errno::PERM, Errno::MFILE];

/// Steps after which the new content is in place: a failure is reported, and nothing is taken back.
const AFTER: &[Step] = &[Step::RemoveTemp, Step::SyncDirectory, Step::ReadBack, Step::Done];

#[test]
fn a_failing_call_leaves_the_file_as_it_was() {
    let mut reached = Vec::new();
    for (exists, lacks) in
        [(true, &[][..]), (true, &[Step::Exchange]), (false, &[]), (false, &[Step::Create])]
    {
        for step in Step::ALL {
            for why in ERRNOS {
                let scratch = tempfile::tempdir().unwrap();
                let root = scratch.path().canonicalize().unwrap();
                let file = if exists { root.join("c") } else { root.join("a/b/c") };
                if exists {
                    fs::write(&file, "a: 1\n").unwrap();
                }
                let probe = Fail { step: *step, why: *why, lacks, reached: Mutex::new(false) };
                let result = append_with(&file, Mode::Write, &probe);
                if !*probe.reached.lock().unwrap() {
                    assert!(result.is_ok());
                    continue;
                }
                reached.push(*step);
                let when = format!("{} fails with {why:?}", step.name());
                if AFTER.contains(step) {
                    assert!(fs::read_to_string(&file).unwrap().ends_with(LINE), "{when}");
                    assert_eq!(result.is_ok(), *step == Step::Done, "{when}: {result:?}");
                } else if let Err(error) = result {
                    assert_eq!(error.exit_code(), 73, "{when}");
                    assert!(!error.to_string().contains("os error"), "{when}: {error}");
                    if exists {
                        assert_eq!(fs::read_to_string(&file).unwrap(), "a: 1\n", "{when}");
                    } else {
                        assert!(names(&root).is_empty(), "{when}: {:?}", names(&root));
                    }
                } else {
                    // The owner of a new file is given where that can be done, and who does not know whether
                    // the file is a mount point finds out.
                    let given = (*step, exists, *why) == (Step::SetOwner, false, Errno::PERM);
                    assert!(given || *step == Step::LookForMount, "{when}");
                }
                let after = append(&file);
                assert!(after.is_ok(), "{when}: {after:?}");
                assert_eq!(names(file.parent().unwrap()), ["c"], "{when}");
            }
        }
    }
    // The way back is tested below, removals and writing in place in their own files.
    let elsewhere = [
        Step::ExchangeBack,
        Step::MoveAway,
        Step::MoveBack,
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
        Step::RemoveBackup,
        Step::ReadBackup,
        Step::Restore,
        Step::SetAside,
    ];
    for step in Step::ALL.iter().filter(|step| !elsewhere.contains(step)) {
        assert!(reached.contains(step), "{} was never reached", step.name());
    }
}

#[test]
fn each_failure_is_named_after_what_a_person_can_do() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    let file = root.join("c");
    fs::write(&file, "a: 1\n").unwrap();
    let fail = |step, why| {
        let probe = Fail { step, why, lacks: &[], reached: Mutex::new(false) };
        append_with(&file, Mode::Write, &probe).unwrap_err()
    };
    assert!(matches!(fail(Step::Write, Errno::NOSPC), FileError::Full { .. }));
    assert!(matches!(fail(Step::Write, Errno::DQUOT), FileError::Full { .. }));
    assert!(matches!(fail(Step::CreateTemp, Errno::ROFS), FileError::ReadOnly { .. }));
    assert!(matches!(fail(Step::CreateTemp, Errno::ACCESS), FileError::Denied { .. }));
    assert!(matches!(fail(Step::Exchange, Errno::BUSY), FileError::Mounted { .. }));
    assert!(matches!(fail(Step::Exchange, Errno::XDEV), FileError::Mounted { .. }));
    assert!(matches!(fail(Step::SetOwner, Errno::PERM), FileError::Group { .. }));
    assert!(matches!(fail(Step::SetMode, Errno::PERM), FileError::Attribute { .. }));
    assert!(matches!(fail(Step::SetAttributes, Errno::NOTSUP), FileError::Attribute { .. }));
    assert!(matches!(fail(Step::SyncTemp, Errno::IO), FileError::System { .. }));
    for error in [fail(Step::Write, Errno::NOSPC), fail(Step::CreateTemp, Errno::ROFS)] {
        assert!(error.to_string().contains(&root.display().to_string()), "{error}");
        assert!(error.to_string().contains('`'), "a command: {error}");
    }
}

/// An exchange that cannot be undone says where the other program's content is.
#[test]
fn content_that_cannot_be_put_back_is_named_and_kept() {
    struct Stuck(std::path::PathBuf);
    impl Probe for Stuck {
        fn at(&self, step: Step) -> Result<(), Errno> {
            match step {
                Step::Exchange => {
                    let temp = self.0.with_extension("foreign");
                    fs::write(&temp, "theirs: 1\n").unwrap();
                    fs::rename(temp, &self.0).unwrap();
                    Ok(())
                }
                Step::ExchangeBack => Err(Errno::IO),
                _ => Ok(()),
            }
        }
    }
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().canonicalize().unwrap().join("c");
    fs::write(&file, "a: 1\n").unwrap();
    match append_with(&file, Mode::Write, &Stuck(file.clone())).unwrap_err() {
        FileError::Stranded { path, target, .. } => {
            assert_eq!(target, file);
            // The next run sweeps its own leftovers and keeps this.
            append(&file).unwrap();
            assert_eq!(fs::read_to_string(path).unwrap(), "theirs: 1\n");
        }
        error => unreachable!("{error}"),
    }
}
