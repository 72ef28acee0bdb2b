//! What an edit answers: unchanged, would change, created, replaced; backups, leftovers, limits, the lock.

use std::fs;
use std::fs::File;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::time::Duration;

use hubkit_configurators::file::{
    Current, EditError, FileError, Mode, NoProbe, Outcome, Plan, Target, Written, edit,
};
use hubkit_contract::limits::CONFIG_FILE_BYTES;

use super::{LINE, append, append_with, names, rights, set_mode};

fn plan(path: &Path, mode: Mode, plan: &Plan<u8>) -> Result<Outcome<u8>, FileError> {
    let result =
        edit(&Target::new(path, mode), &NoProbe, |_| Ok::<_, std::convert::Infallible>(plan.clone()));
    result.map_err(|error| match error {
        EditError::File(error) => error,
        EditError::Plan(never) => match never {},
    })
}

#[test]
fn keeping_writes_nothing_and_takes_no_lock() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    fs::write(&file, "a: 1\n").unwrap();
    let before = fs::metadata(&file).unwrap();
    let directory_before = fs::metadata(scratch.path()).unwrap();
    let lock = File::open(scratch.path()).unwrap();
    lock.try_lock().unwrap();
    for asked in [Plan::Keep(7), Plan::Replace { bytes: b"a: 1\n".to_vec(), note: 7 }] {
        for mode in [Mode::Write, Mode::CheckOnly] {
            let outcome = plan(&file, mode, &asked).unwrap();
            assert_eq!((outcome.written, outcome.note), (Written::Unchanged, 7));
            assert_eq!(outcome.written.how(), None);
            assert_eq!(outcome.before.as_deref(), Some(&b"a: 1\n"[..]));
            assert_eq!(outcome.after, outcome.before);
        }
    }
    let after = fs::metadata(&file).unwrap();
    assert_eq!((after.ino(), after.ctime_nsec()), (before.ino(), before.ctime_nsec()));
    let directory_after = fs::metadata(scratch.path()).unwrap();
    assert_eq!(directory_after.mtime_nsec(), directory_before.mtime_nsec());
}

#[test]
fn keeping_nothing_creates_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let outcome = plan(&scratch.path().join("a/b/c"), Mode::Write, &Plan::Keep(1)).unwrap();
    assert_eq!((outcome.written, outcome.before, outcome.after), (Written::Unchanged, None, None));
    assert!(names(scratch.path()).is_empty());
}

#[test]
fn checking_creates_and_removes_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let leftover = ".c.hubkit-1-0123456789abcdef.tmp";
    fs::write(scratch.path().join(leftover), "").unwrap();
    let outcome = append_with(&scratch.path().join("c"), Mode::CheckOnly, &NoProbe).unwrap();
    assert_eq!(outcome.written, Written::WouldChange);
    assert_eq!((outcome.before, outcome.after.as_deref()), (None, Some(LINE.as_bytes())));
    append_with(&scratch.path().join("x/y/c"), Mode::CheckOnly, &NoProbe).unwrap();
    assert_eq!(names(scratch.path()), [leftover]);
}

#[test]
fn a_new_file_and_its_directories_are_their_owners_alone() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    let file = root.join("a/b/c.yaml");
    let outcome = append(&file).unwrap();
    assert_eq!((outcome.written, outcome.written.how()), (Written::Created, Some("atomic")));
    assert_eq!(outcome.created_directories, [root.join("a"), root.join("a/b")]);
    assert_eq!((outcome.before, outcome.after.as_deref()), (None, Some(LINE.as_bytes())));
    let (_, uid, gid) = rights(&root);
    assert_eq!(rights(&file), (0o600, uid, gid));
    assert_eq!(rights(&root.join("a")), (0o700, uid, gid));
    assert_eq!(rights(&root.join("a/b")), (0o700, uid, gid));
    let again = append(&file).unwrap();
    assert_eq!((again.written, again.created_directories.len()), (Written::Unchanged, 0));
}

#[test]
fn an_empty_file_is_content() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    fs::write(&file, "").unwrap();
    let outcome = append(&file).unwrap();
    assert_eq!((outcome.written, outcome.before), (Written::Replaced, Some(Vec::new())));
    let outcome = plan(&file, Mode::Write, &Plan::Replace { bytes: Vec::new(), note: 1 }).unwrap();
    assert_eq!((outcome.written, outcome.after), (Written::Replaced, Some(Vec::new())));
    assert_eq!(fs::read(&file).unwrap(), b"");
}

#[test]
fn backups_beside_the_file_are_named() {
    let scratch = tempfile::tempdir().unwrap();
    for name in ["c.json", "c.json.bak", "c.json.bak.1", "c.json.bak-20260101", "c.json.last-good"] {
        fs::write(scratch.path().join(name), "").unwrap();
    }
    for name in ["d.json.bak", "c.json.last-goodness", "xc.json.bak", "c.jsonbak"] {
        fs::write(scratch.path().join(name), "").unwrap();
    }
    let found = |name: &str| {
        let plan =
            |current: Current<'_>| Ok::<_, std::convert::Infallible>(Plan::Keep(current.backups.to_vec()));
        edit(&Target::new(scratch.path().join(name), Mode::Write), &NoProbe, plan).unwrap().note
    };
    assert_eq!(found("c.json"), ["c.json.bak", "c.json.bak-20260101", "c.json.bak.1", "c.json.last-good"]);
    assert_eq!(found("d.json"), ["d.json.bak"], "also of a file that is gone");
    assert_eq!(found("e.json"), [""; 0]);
}

#[test]
fn our_leftovers_go_also_when_nothing_is_written_and_nothing_else_does() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    fs::write(&file, LINE).unwrap();
    fs::write(scratch.path().join("precious"), "theirs").unwrap();
    let leftovers = [".c.hubkit-1-0123456789abcdef.tmp", ".c.hubkit-99999-ffffffffffffffff.tmp"];
    let kept = [
        ".c.hubkit-1-0123456789abcdef.tmp.bak",
        ".c.hubkit-2-0123456789abcdef.tmp",
        ".c.hubkit-3-0123456789abcdef.tmp",
        ".d.hubkit-1-0123456789abcdef.tmp",
        "c",
        "precious",
    ];
    for name in leftovers {
        fs::write(scratch.path().join(name), "old").unwrap();
    }
    fs::write(scratch.path().join(kept[0]), "").unwrap();
    symlink("precious", scratch.path().join(kept[1])).unwrap();
    fs::create_dir(scratch.path().join(kept[2])).unwrap();
    fs::write(scratch.path().join(kept[3]), "").unwrap();
    let outcome = append(&file).unwrap();
    assert_eq!((outcome.written, outcome.swept), (Written::Unchanged, 2));
    assert_eq!(names(scratch.path()), kept);
    fs::write(scratch.path().join(leftovers[0]), "old").unwrap();
    fs::write(&file, "a: 1\n").unwrap();
    let outcome = append(&file).unwrap();
    assert_eq!((outcome.written, outcome.swept), (Written::Replaced, 1));
    assert_eq!(names(scratch.path()), kept);
    assert_eq!(fs::read(scratch.path().join("precious")).unwrap(), b"theirs");
}

#[test]
fn leftovers_are_left_while_somebody_works() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    fs::write(&file, LINE).unwrap();
    let temp = scratch.path().join(".c.hubkit-1-0123456789abcdef.tmp");
    fs::write(&temp, "in use").unwrap();
    let lock = File::open(scratch.path()).unwrap();
    lock.try_lock().unwrap();
    let outcome = append(&file).unwrap();
    assert_eq!((outcome.written, outcome.swept), (Written::Unchanged, 0));
    assert!(temp.exists());
}

#[test]
fn a_file_at_the_limit_is_edited_and_one_past_it_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    let limit = CONFIG_FILE_BYTES;
    fs::write(&file, vec![b'#'; limit]).unwrap();
    assert_eq!(plan(&file, Mode::Write, &Plan::Keep(0)).unwrap().before.unwrap().len(), limit);
    let outcome = plan(&file, Mode::Write, &Plan::Replace { bytes: vec![b'x'; limit], note: 0 }).unwrap();
    assert_eq!(outcome.written, Written::Replaced);
    let error =
        plan(&file, Mode::Write, &Plan::Replace { bytes: vec![b'x'; limit + 1], note: 0 }).unwrap_err();
    assert!(matches!(error, FileError::TooLarge { planned: true, .. }), "{error}");
    assert_eq!(error.exit_code(), 65);
    assert_eq!(fs::metadata(&file).unwrap().len(), limit as u64);
    fs::write(&file, vec![b'#'; limit + 1]).unwrap();
    let error = plan(&file, Mode::Write, &Plan::Keep(0)).unwrap_err();
    assert!(matches!(error, FileError::TooLarge { planned: false, .. }), "{error}");
    assert_eq!(error.exit_code(), 65);
    // A sparse file of many gigabytes is refused as fast.
    File::options().write(true).open(&file).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(plan(&file, Mode::Write, &Plan::Keep(0)).unwrap_err().exit_code(), 65);
    assert_eq!(names(scratch.path()), ["c"]);
}

#[test]
fn a_held_lock_is_waited_for_and_then_named() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    let file = root.join("c");
    fs::write(&file, "a: 1\n").unwrap();
    let lock = File::open(&root).unwrap();
    lock.try_lock().unwrap();
    let mut target = Target::new(&file, Mode::Write);
    target.lock_wait = Duration::from_millis(60);
    let attempt = || edit(&target, &NoProbe, super::add);
    match attempt().unwrap_err() {
        EditError::File(error) => {
            assert!(matches!(&error, FileError::Locked { path, .. } if *path == root), "{error}");
            assert_eq!(error.exit_code(), 75);
        }
        EditError::Plan(never) => match never {},
    }
    assert_eq!(fs::read(&file).unwrap(), b"a: 1\n");
    drop(lock);
    assert_eq!(attempt().unwrap().written, Written::Replaced);
}

#[test]
fn several_names_are_never_split() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    fs::write(root.join("c"), "a: 1\n").unwrap();
    fs::hard_link(root.join("c"), root.join("d")).unwrap();
    let error = append(&root.join("c")).unwrap_err();
    assert_eq!(error, FileError::HardLinks { path: root.join("c"), count: 2 });
    assert_eq!(error.exit_code(), 73);
    assert_eq!(plan(&root.join("c"), Mode::Write, &Plan::Keep(3)).unwrap().note, 3);
    assert_eq!(fs::read(root.join("d")).unwrap(), b"a: 1\n");
    assert_eq!(names(&root), ["c", "d"]);
}

#[test]
fn a_planners_refusal_comes_through_and_leaves_no_trace() {
    let scratch = tempfile::tempdir().unwrap();
    let target = Target::new(scratch.path().join("a/c"), Mode::Write);
    let error = edit(&target, &NoProbe, |_| Err::<Plan<()>, _>("no")).unwrap_err();
    assert!(matches!(error, EditError::Plan("no")));
    assert!(names(scratch.path()).is_empty());
}

#[test]
fn a_planners_panic_goes_on_and_leaves_no_trace() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    fs::write(&file, "a: 1\n").unwrap();
    let result = std::panic::catch_unwind(|| {
        edit(&Target::new(&file, Mode::Write), &NoProbe, |_| -> Result<Plan<()>, ()> {
            std::panic::panic_any(9_u8)
        })
    });
    assert_eq!(result.unwrap_err().downcast_ref::<u8>(), Some(&9));
    assert_eq!(names(scratch.path()), ["c"]);
    assert_eq!(append(&file).unwrap().written, Written::Replaced, "the lock is free again");
}

#[test]
fn an_unchanged_file_is_planned_once() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    fs::write(&file, "a: 1\n").unwrap();
    set_mode(&file, 0o600);
    let calls = std::sync::atomic::AtomicUsize::new(0);
    edit(&Target::new(&file, Mode::Write), &NoProbe, |current| {
        calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        super::add(current)
    })
    .unwrap();
    assert_eq!(calls.into_inner(), 1);
}
