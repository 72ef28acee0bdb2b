//! Another program writes in between, at every fail point, in every manner. Its change and ours both survive.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use hubkit_configurators::file::{FileError, Mode, Probe, Step, Written};
use rustix::io::Errno;

use super::{LINE, append, append_with, names, rights};

/// Does something once, at one fail point; pretends that the file system lacks some calls.
struct At<F: Fn() + Sync> {
    step: Step,
    left: AtomicUsize,
    act: F,
    lacks: &'static [Step],
}

impl<F: Fn() + Sync> Probe for At<F> {
    fn at(&self, step: Step) -> Result<(), Errno> {
        let due = step == self.step
            && self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        if due {
            (self.act)();
        }
        if self.lacks.contains(&step) { Err(Errno::NOSYS) } else { Ok(()) }
    }
}

fn at<F: Fn() + Sync>(step: Step, times: usize, act: F) -> At<F> {
    At { step, left: AtomicUsize::new(times), act, lacks: &[] }
}

const THEIRS: &str = "theirs: new\n";

fn by_rename(file: &Path) {
    let mut text = fs::read_to_string(file).unwrap_or_default();
    text.push_str(THEIRS);
    let temp = file.with_extension("foreign");
    fs::write(&temp, text).unwrap();
    fs::rename(temp, file).unwrap();
}

fn in_place(file: &Path) {
    let mut text = fs::read_to_string(file).unwrap_or_default();
    text.push_str(THEIRS);
    fs::write(file, text).unwrap();
}

/// The steps at which a run passes, with the file there or not.
fn passed(exists: bool) -> Vec<Step> {
    struct Record(Mutex<Vec<Step>>);
    impl Probe for Record {
        fn at(&self, step: Step) -> Result<(), Errno> {
            self.0.lock().unwrap().push(step);
            Ok(())
        }
    }
    let (_scratch, file) = stage(exists);
    let record = Record(Mutex::new(Vec::new()));
    append_with(&file, Mode::Write, &record).unwrap();
    record.0.into_inner().unwrap()
}

fn stage(exists: bool) -> (tempfile::TempDir, PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().canonicalize().unwrap().join("c.yaml");
    if exists {
        fs::write(&file, "a: 1\n").unwrap();
    }
    (scratch, file)
}

#[test]
fn a_change_at_any_fail_point_is_kept_beside_ours() {
    for exists in [true, false] {
        for step in passed(exists) {
            for (manner, write) in [("rename", by_rename as fn(&Path)), ("in place", in_place)] {
                let (scratch, file) = stage(exists);
                let outcome = append_with(&file, Mode::Write, &at(step, 1, || write(&file)));
                let when = format!("{manner} before {} (existed: {exists})", step.name());
                outcome.unwrap();
                let text = fs::read_to_string(&file).unwrap();
                let mut lines: Vec<&str> = text.lines().collect();
                lines.sort_unstable();
                let mut expected = vec!["ours: here", "theirs: new"];
                if exists {
                    expected.insert(0, "a: 1");
                }
                assert_eq!(lines, expected, "{when}");
                assert_eq!(names(scratch.path()), ["c.yaml"], "{when}");
            }
        }
    }
}

#[test]
fn a_change_is_kept_also_where_files_cannot_change_places() {
    for step in [Step::Lock, Step::CreateTemp, Step::SyncTemp, Step::Recheck, Step::SyncDirectory] {
        let (_scratch, file) = stage(true);
        let mut probe = at(step, 1, || by_rename(&file));
        probe.lacks = &[Step::Exchange];
        append_with(&file, Mode::Write, &probe).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(THEIRS) && text.contains(LINE), "{}: {text}", step.name());
    }
    let (scratch, file) = stage(false);
    let mut probe = at(Step::Link, 1, || by_rename(&file));
    probe.lacks = &[Step::Create];
    append_with(&file, Mode::Write, &probe).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{THEIRS}{LINE}"));
    assert_eq!(names(scratch.path()), ["c.yaml"]);
}

#[test]
fn a_change_that_already_is_ours_is_kept_as_it_is() {
    let (_scratch, file) = stage(true);
    let probe = at(Step::Lock, 1, || fs::write(&file, format!("other: spelling\n{LINE}")).unwrap());
    let outcome = append_with(&file, Mode::Write, &probe).unwrap();
    assert_eq!(outcome.written, Written::Unchanged);
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("other: spelling\n{LINE}"));
}

#[test]
fn a_mode_that_changes_in_between_is_the_mode_afterwards() {
    for step in passed(true) {
        let (_scratch, file) = stage(true);
        super::set_mode(&file, 0o600);
        append_with(&file, Mode::Write, &at(step, 1, || super::set_mode(&file, 0o644))).unwrap();
        assert_eq!(rights(&file).0, 0o644, "{}", step.name());
        assert_eq!(fs::read_to_string(&file).unwrap(), format!("a: 1\n{LINE}"));
    }
}

#[test]
fn a_file_that_keeps_changing_is_given_up() {
    for step in [Step::Recheck, Step::Exchange, Step::ReadBack] {
        let (scratch, file) = stage(true);
        let number = AtomicUsize::new(0);
        let probe = at(step, usize::MAX, || {
            let number = number.fetch_add(1, Ordering::SeqCst);
            let temp = file.with_extension("foreign");
            fs::write(&temp, format!("theirs: {number}\n")).unwrap();
            fs::rename(temp, &file).unwrap();
        });
        let error = append_with(&file, Mode::Write, &probe).unwrap_err();
        assert_eq!(error, FileError::KeepsChanging { path: file.clone(), attempts: 8 }, "{}", step.name());
        assert_eq!(error.exit_code(), 75);
        let last = number.load(Ordering::SeqCst) - 1;
        assert_eq!(fs::read_to_string(&file).unwrap(), format!("theirs: {last}\n"), "{}", step.name());
        assert_eq!(names(scratch.path()), ["c.yaml"]);
    }
}

/// Another program writes right before each exchange and each way back, so many times in all.
struct Storm<'a> {
    file: &'a Path,
    times: usize,
    written: AtomicUsize,
}

impl Probe for Storm<'_> {
    fn at(&self, step: Step) -> Result<(), Errno> {
        let number = self.written.load(Ordering::SeqCst);
        if matches!(step, Step::Exchange | Step::ExchangeBack) && number < self.times {
            let temp = self.file.with_extension("foreign");
            fs::write(&temp, format!("theirs: {number}\n")).unwrap();
            fs::rename(temp, self.file).unwrap();
            self.written.store(number + 1, Ordering::SeqCst);
        }
        Ok(())
    }
}

#[test]
fn changes_during_the_way_back_end_with_the_newest() {
    for times in 1..=20 {
        let (scratch, file) = stage(true);
        let storm = Storm { file: &file, times, written: AtomicUsize::new(0) };
        append_with(&file, Mode::Write, &storm).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text, format!("theirs: {}\n{LINE}", times - 1), "{times} changes");
        assert_eq!(names(scratch.path()), ["c.yaml"]);
    }
    let (scratch, file) = stage(true);
    let storm = Storm { file: &file, times: usize::MAX, written: AtomicUsize::new(0) };
    let error = append_with(&file, Mode::Write, &storm).unwrap_err();
    assert_eq!(error.exit_code(), 75);
    let last = storm.written.into_inner() - 1;
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("theirs: {last}\n"));
    assert_eq!(names(scratch.path()), ["c.yaml"]);
}

#[test]
fn a_file_that_goes_is_made_anew() {
    for step in passed(true).into_iter().filter(|step| *step != Step::ReadBack && *step != Step::Done) {
        let (scratch, file) = stage(true);
        append_with(&file, Mode::Write, &at(step, 1, || fs::remove_file(&file).unwrap())).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text == LINE || text == format!("a: 1\n{LINE}"), "{}: {text}", step.name());
        assert_eq!(names(scratch.path()), ["c.yaml"], "{}", step.name());
    }
}

#[test]
fn a_file_that_turns_into_something_else_is_refused_and_that_stays() {
    for step in [Step::Lock, Step::Reread, Step::CreateTemp, Step::Recheck, Step::Exchange] {
        let (scratch, file) = stage(true);
        let to_directory = at(step, 1, || {
            fs::remove_file(&file).unwrap();
            fs::create_dir(&file).unwrap();
        });
        let error = append_with(&file, Mode::Write, &to_directory).unwrap_err();
        assert!(matches!(error, FileError::NotAFile { kind: "a directory", .. }), "{}: {error}", step.name());
        assert!(file.is_dir());
        assert_eq!(names(scratch.path()), ["c.yaml"], "{}", step.name());

        let (scratch, file) = stage(true);
        let to_fifo = at(step, 1, || {
            fs::remove_file(&file).unwrap();
            rustix::fs::mknodat(rustix::fs::CWD, &file, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        });
        let error = append_with(&file, Mode::Write, &to_fifo).unwrap_err();
        assert!(matches!(error, FileError::NotAFile { kind: "a fifo", .. }), "{}: {error}", step.name());
        assert_eq!(names(scratch.path()), ["c.yaml"], "{}", step.name());

        let (scratch, file) = stage(true);
        let moved = file.with_extension("moved");
        let to_link = at(step, 1, || {
            fs::rename(&file, &moved).unwrap();
            symlink(&moved, &file).unwrap();
        });
        append_with(&file, Mode::Write, &to_link).unwrap();
        assert!(file.is_symlink(), "{}", step.name());
        assert_eq!(fs::read_to_string(&moved).unwrap(), format!("a: 1\n{LINE}"), "{}", step.name());
        assert_eq!(names(scratch.path()), ["c.moved", "c.yaml"], "{}", step.name());
    }
}

#[test]
fn directories_that_appear_in_between_are_used() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("a/b/c.yaml");
    let probe = at(Step::MakeDirectory, 2, || fs::create_dir_all(scratch.path().join("a/b")).unwrap());
    let outcome = append_with(&file, Mode::Write, &probe).unwrap();
    assert_eq!((outcome.written, outcome.created_directories.len()), (Written::Created, 0));
    let probe = at(Step::OpenDirectory, 1, || fs::remove_dir_all(scratch.path().join("x")).unwrap());
    append_with(&scratch.path().join("x/y/c.yaml"), Mode::Write, &probe).unwrap();
    assert_eq!(fs::read_to_string(scratch.path().join("x/y/c.yaml")).unwrap(), LINE);
    append(&file).unwrap();
}
