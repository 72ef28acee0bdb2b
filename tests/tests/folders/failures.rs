//! Every call fails once: what stood there stands there, and nothing of ours is left.

use std::sync::atomic::{AtomicBool, Ordering};

use hubkit_configurators::file::{FileError, Mode};
use hubkit_configurators::folder::{FolderError, Probe, Step};
use rustix::io::Errno;

use super::{Bench, installed, listing, names};

const OLD: &[(&str, &str)] = &[("index.js", "old\n"), ("lib/b.js", "old\n")];
const NEW: &[(&str, &str)] = &[("index.js", "new\n"), ("more/c.js", "new\n")];

const ERRNOS: &[Errno] =
    &[Errno::IO, Errno::NOSPC, Errno::DQUOT, Errno::ROFS, Errno::ACCESS, Errno::PERM, Errno::MFILE];

/// Steps at which the new folder is in place: a failure is reported, and nothing is taken back.
const AFTER: &[Step] = &[Step::CheckPlaced, Step::SyncExtensions, Step::RemoveOld, Step::Done];

struct Fail {
    step: Step,
    why: Errno,
    lacks: &'static [Step],
    reached: AtomicBool,
}

impl Probe for Fail {
    fn at(&self, step: Step) -> Result<(), Errno> {
        if step == self.step {
            self.reached.store(true, Ordering::SeqCst);
            return Err(self.why);
        }
        if self.lacks.contains(&step) { Err(Errno::INVAL) } else { Ok(()) }
    }
}

#[test]
fn a_failing_call_leaves_what_stood_there() {
    let mut reached = Vec::new();
    for (exists, lacks) in
        [(true, &[][..]), (true, &[Step::Exchange]), (false, &[]), (false, &[Step::Create])]
    {
        for step in Step::ALL {
            for why in ERRNOS {
                let bench = Bench::new();
                let source = bench.source("new", NEW);
                if exists {
                    bench.install(&bench.source("old", OLD)).unwrap();
                }
                let probe = Fail { step: *step, why: *why, lacks, reached: AtomicBool::new(false) };
                let result = bench.install_with(&source, Mode::Write, &probe);
                if !probe.reached.into_inner() {
                    assert!(result.is_ok());
                    continue;
                }
                reached.push(*step);
                let when = format!("{} fails with {why:?}, existed: {exists}", step.name());
                if AFTER.contains(step) {
                    assert_eq!(listing(&bench.folder()), installed(NEW), "{when}");
                    let is_fine = matches!(step, Step::RemoveOld | Step::Done);
                    assert_eq!(result.is_ok(), is_fine, "{when}: {result:?}");
                    let notices = result.map(|done| done.notices.len()).unwrap_or_default();
                    let is_left = *step == Step::RemoveOld;
                    assert_eq!(
                        notices,
                        usize::from(is_left) + usize::from(is_fine && exists && !lacks.is_empty())
                    );
                } else {
                    let error = result.unwrap_err();
                    assert_eq!(error.exit_code(), 73, "{when}");
                    assert!(!error.to_string().contains("os error"), "{when}: {error}");
                    if exists {
                        assert_eq!(listing(&bench.folder()), installed(OLD), "{when}");
                        bench.is_clean(&when);
                    } else {
                        assert!(names(&bench.home()).is_empty(), "{when}: {:?}", names(&bench.home()));
                    }
                }
                bench.install(&source).unwrap();
                assert_eq!(listing(&bench.folder()), installed(NEW), "{when}");
                bench.is_clean(&when);
            }
        }
    }
    for step in Step::ALL.iter().filter(|step| **step != Step::Empty) {
        assert!(reached.contains(step), "{} was never reached", step.name());
    }
}

#[test]
fn each_failure_is_named_after_what_a_person_can_do() {
    let fail = |step, why| {
        let bench = Bench::new();
        let source = bench.source("new", NEW);
        bench.install(&bench.source("old", OLD)).unwrap();
        let probe = Fail { step, why, lacks: &[], reached: AtomicBool::new(false) };
        let error = bench.install_with(&source, Mode::Write, &probe).unwrap_err();
        assert!(error.to_string().contains(&bench.root.display().to_string()), "{error}");
        assert!(error.to_string().contains('`'), "a command: {error}");
        error
    };
    assert!(matches!(fail(Step::Write, Errno::NOSPC), FolderError::File(FileError::Full { .. })));
    assert!(matches!(fail(Step::MakeFile, Errno::ROFS), FolderError::File(FileError::ReadOnly { .. })));
    assert!(matches!(fail(Step::MakeFolder, Errno::ACCESS), FolderError::File(FileError::Denied { .. })));
    assert!(matches!(fail(Step::Exchange, Errno::BUSY), FolderError::Mounted { .. }));
    assert!(matches!(fail(Step::Sync, Errno::IO), FolderError::File(FileError::System { .. })));
}
