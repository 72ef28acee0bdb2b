//! A backup that a killed write left: restored only where the file is provably a mix, else left alone.

use std::convert::Infallible;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use hubkit_configurators::file::{
    EditError, FileError, Mode, NoProbe, Outcome, Plan, Recovered, Step, Target, Written, edit,
};
use hubkit_tests::privilege::as_root;

use super::in_place::{Stage, When, stage};
use super::{append_in_place, names, own, rights, set_mode};

/// A stage on which a write of `new` over `old` was cut short, and then `now` is found.
struct Cut {
    stage: Stage,
    old: Vec<u8>,
    new: Vec<u8>,
    /// The backup that it left.
    backup: PathBuf,
}

fn cut(from: usize, to: usize) -> Cut {
    let stage = stage();
    let old: Vec<u8> = (0..from).map(|at| b'a' + u8::try_from(at % 7).unwrap()).collect();
    let new: Vec<u8> = (0..to).map(|at| b'A' + u8::try_from(at % 5).unwrap()).collect();
    fs::write(&stage.file, &old).unwrap();
    // The backup as it was when the first piece was about to be written.
    let seen = Mutex::new(None);
    let probe = When(|step| {
        if step == Step::WriteFile && seen.lock().unwrap().is_none() {
            let path = stage.state.join(&names(&stage.state)[0]);
            *seen.lock().unwrap() = Some((fs::read(&path).unwrap(), rights(&path).0, path));
        }
        Ok(())
    });
    let plan = Plan::Replace { bytes: new.clone(), note: () };
    let target = Target::new(&stage.file, Mode::Write).with_state(&stage.state);
    edit(&target, &probe, |_| Ok::<_, Infallible>(plan.clone())).unwrap();
    let (bytes, mode, backup) = seen.into_inner().unwrap().unwrap();
    assert_eq!(mode, 0o600, "a backup holds what the file holds");
    fs::write(&backup, bytes).unwrap();
    set_mode(&backup, 0o600);
    Cut { stage, old, new, backup }
}

impl Cut {
    /// Puts `now` into the same file.
    fn found(&self, now: &[u8]) {
        fs::write(&self.stage.file, now).unwrap();
    }

    fn edit_in(&self, mode: Mode) -> Outcome<Vec<u8>> {
        let target = Target::new(&self.stage.file, mode).with_state(&self.stage.state);
        edit(&target, &NoProbe, |current| {
            Ok::<_, Infallible>(Plan::Keep(current.bytes.unwrap_or_default().to_vec()))
        })
        .unwrap()
    }

    fn keep(&self) -> Outcome<Vec<u8>> {
        self.edit_in(Mode::Write)
    }

    fn now(&self) -> Vec<u8> {
        fs::read(&self.stage.file).unwrap()
    }

    fn mix(&self, blocks: usize) -> Vec<u8> {
        let mut mix = self.old.clone();
        mix[..blocks * 512].copy_from_slice(&self.new[..blocks * 512]);
        mix
    }
}

const LENGTHS: [(usize, usize); 4] = [(3000, 3000), (3000, 5000), (5000, 3000), (3000, 1600)];

#[test]
fn a_whole_file_is_left_alone_and_the_backup_goes() {
    for (from, to) in LENGTHS {
        let cut = cut(from, to);
        for now in [&cut.old, &cut.new] {
            let backup = fs::read(&cut.backup).unwrap();
            cut.found(now);
            let before = fs::metadata(&cut.stage.file).unwrap().modified().unwrap();
            let outcome = cut.keep();
            assert_eq!((outcome.written, &outcome.recovered), (Written::Unchanged, &None));
            assert!(cut.now() == *now && outcome.note == *now);
            assert_eq!(fs::metadata(&cut.stage.file).unwrap().modified().unwrap(), before);
            assert!(names(&cut.stage.state).is_empty());
            fs::write(&cut.backup, backup).unwrap();
        }
    }
}

#[test]
fn a_mix_gets_its_old_content_back_before_anything_is_planned() {
    for (from, to) in LENGTHS {
        for blocks in 1..=3 {
            let cut = cut(from, to);
            let mix = cut.mix(blocks);
            cut.found(&mix);
            let outcome = cut.keep();
            assert_eq!(outcome.recovered, Some(Recovered::Restored), "{from} to {to}");
            assert!(cut.now() == cut.old && outcome.note == cut.old, "{from} to {to}");
            assert!(names(&cut.stage.state).is_empty());
            assert_eq!(cut.keep().recovered, None);
        }
    }
    // Where the file system does not grow further, between two lengths.
    let cut = cut(1000, 5000);
    cut.found(&cut.new[..4096]);
    assert_eq!(cut.keep().recovered, Some(Recovered::Restored));
    assert!(cut.now() == cut.old);
}

#[test]
fn the_edit_goes_on_from_the_restored_content() {
    let cut = cut(3000, 3000);
    cut.found(&cut.mix(2));
    let outcome = append_in_place(&cut.stage.file, &cut.stage.state, &NoProbe).unwrap();
    assert_eq!(outcome.written, Written::ReplacedInPlace);
    assert_eq!(outcome.recovered, Some(Recovered::Restored));
    assert!(cut.now() == [&cut.old[..], super::LINE.as_bytes()].concat());
    // The same where the file can be replaced by now.
    let cut = self::cut(3000, 3000);
    fs::remove_file(&cut.stage.other).unwrap();
    cut.found(&cut.mix(2));
    let outcome = append_in_place(&cut.stage.file, &cut.stage.state, &NoProbe).unwrap();
    assert_eq!((outcome.written, outcome.recovered), (Written::Replaced, Some(Recovered::Restored)));
    assert!(cut.now() == [&cut.old[..], super::LINE.as_bytes()].concat());
}

#[test]
fn somebody_elses_content_is_left_alone_and_the_old_one_kept_once() {
    let cut = cut(3000, 3000);
    let mut torn = cut.mix(2);
    torn[700] = b'x';
    for (number, now) in [&b"theirs\n"[..], b"", &torn, &cut.old[..2999], &cut.new[..600]].iter().enumerate()
    {
        let backup = fs::read(&cut.backup).unwrap();
        cut.found(now);
        let outcome = cut.keep();
        let Some(Recovered::SetAside { backup: kept }) = outcome.recovered else { unreachable!("{number}") };
        assert!(cut.now() == *now && outcome.note == *now);
        assert!(fs::read(&kept).unwrap() == cut.old);
        assert_eq!(rights(&kept).0, 0o600);
        assert_eq!(names(&cut.stage.state).len(), number + 1, "{:?}", names(&cut.stage.state));
        assert_eq!(cut.keep().recovered, None, "said once");
        assert!(kept.exists() && !cut.backup.exists());
        fs::write(&cut.backup, backup).unwrap();
    }
}

#[test]
fn another_file_in_its_place_and_none_are_not_ours_to_restore() {
    for there in [true, false] {
        let cut = cut(3000, 3000);
        let mix = cut.mix(2);
        fs::remove_file(&cut.stage.file).unwrap();
        if there {
            fs::write(&cut.stage.file, &mix).unwrap();
        }
        let outcome = cut.keep();
        assert!(matches!(outcome.recovered, Some(Recovered::SetAside { .. })));
        assert_eq!(fs::read(&cut.stage.file).ok(), there.then_some(mix));
    }
    // Whole contents are whole contents, whoever put them there.
    let cut = cut(3000, 3000);
    fs::remove_file(&cut.stage.file).unwrap();
    fs::write(&cut.stage.file, &cut.new).unwrap();
    assert_eq!(cut.keep().recovered, None);
    assert!(names(&cut.stage.state).is_empty());
}

#[test]
fn a_torn_backup_is_removed_and_nothing_restored() {
    let cut = cut(3000, 3000);
    let backup = fs::read(&cut.backup).unwrap();
    let mix = cut.mix(2);
    let mut flipped = backup.clone();
    flipped[4000] ^= 1;
    for torn in [&backup[..0], &backup[..10], &backup[..backup.len() - 1], &vec![0; backup.len()], &flipped] {
        fs::write(&cut.backup, torn).unwrap();
        cut.found(&mix);
        assert_eq!(cut.keep().recovered, None);
        assert!(cut.now() == mix);
        assert!(names(&cut.stage.state).is_empty());
    }
}

#[test]
fn checking_says_what_would_be_done_and_does_nothing() {
    let cut = cut(3000, 3000);
    let backup = fs::read(&cut.backup).unwrap();
    let mix = cut.mix(2);
    cut.found(&mix);
    let outcome = cut.edit_in(Mode::CheckOnly);
    assert_eq!((outcome.written, outcome.recovered), (Written::WouldChange, Some(Recovered::WouldRestore)));
    assert!(
        outcome.note == cut.old && outcome.after.as_ref() == Some(&cut.old),
        "planned from the old content"
    );
    assert!(cut.now() == mix);
    cut.found(b"theirs\n");
    let outcome = cut.edit_in(Mode::CheckOnly);
    assert_eq!(outcome.written, Written::WouldChange);
    assert_eq!(outcome.recovered, Some(Recovered::WouldSetAside { backup: cut.backup.clone() }));
    assert_eq!(cut.now(), b"theirs\n");
    cut.found(&cut.old);
    let outcome = cut.edit_in(Mode::CheckOnly);
    assert_eq!((outcome.written, outcome.recovered), (Written::Unchanged, None));
    assert!(fs::read(&cut.backup).unwrap() == backup);
    assert_eq!(names(&cut.stage.state).len(), 1);
}

#[test]
fn a_backup_that_others_could_have_made_is_not_believed() {
    type Spoil = fn(&Cut);
    let spoils: &[Spoil] = &[
        |cut| set_mode(&cut.stage.state, 0o777),
        |cut| set_mode(&cut.stage.state, 0o770),
        |cut| {
            let real = cut.stage.root.join("real");
            fs::rename(&cut.backup, &real).unwrap();
            symlink(real, &cut.backup).unwrap();
        },
        |cut| {
            fs::remove_file(&cut.backup).unwrap();
            fs::create_dir(&cut.backup).unwrap();
        },
    ];
    for spoil in spoils {
        let cut = cut(3000, 3000);
        let mix = cut.mix(2);
        cut.found(&mix);
        spoil(&cut);
        assert_eq!(cut.keep().recovered, None);
        assert!(cut.now() == mix);
        // Nor is anything written in place without a backup of its own.
        let error = append_in_place(&cut.stage.file, &cut.stage.state, &NoProbe).unwrap_err();
        assert!(matches!(error, FileError::NoBackup { .. }), "{error}");
        assert!(cut.now() == mix);
    }
}

#[test]
fn a_mix_that_cannot_be_written_is_an_error_and_not_planned_from() {
    as_root("recoveries::a_mix_that_cannot_be_written_is_an_error_and_not_planned_from", || {
        let cut = cut(3000, 3000);
        let home = cut.stage.file.parent().unwrap();
        for path in [home, &cut.stage.file, &cut.stage.state, &cut.backup] {
            own(path, 1234, 5678);
        }
        cut.found(&cut.mix(2));
        set_mode(&cut.stage.file, 0o400);
        let target = Target::new(&cut.stage.file, Mode::Write).with_state(&cut.stage.state);
        let mut asked = false;
        let result = edit(&target, &NoProbe, |_| {
            asked = true;
            Ok::<_, Infallible>(Plan::Keep(()))
        });
        let Err(EditError::File(error)) = result else {
            unreachable!("it is no file of the agent's to read")
        };
        assert!(matches!(error, FileError::HalfWritten { .. }), "{error}");
        assert!(error.to_string().contains("chmod u+rwX"), "{error}");
        assert!(!asked);
        set_mode(&cut.stage.file, 0o600);
        assert_eq!(cut.keep().recovered, Some(Recovered::Restored));
        assert!(cut.now() == cut.old);
    });
}

#[test]
fn the_owner_of_the_tree_restores_and_the_state_directory_must_be_theirs() {
    as_root("recoveries::the_owner_of_the_tree_restores_and_the_state_directory_must_be_theirs", || {
        let cut = cut(3000, 5000);
        let home = cut.stage.file.parent().unwrap();
        own(home, 1234, 5678);
        own(&cut.stage.file, 1234, 5678);
        cut.found(&cut.mix(2));
        // Root's state directory is of no use to the agent, as whom the work is done.
        assert_eq!(cut.keep().recovered, None);
        let error = append_in_place(&cut.stage.file, &cut.stage.state, &NoProbe).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("belongs to 0:0") && text.contains("uid 1234"), "{text}");
        assert_eq!(error.exit_code(), 73);
        for path in [&cut.stage.state, &cut.backup] {
            own(path, 1234, 5678);
        }
        assert_eq!(cut.keep().recovered, Some(Recovered::Restored));
        assert!(cut.now() == cut.old);
        append_in_place(&cut.stage.file, &cut.stage.state, &NoProbe).unwrap();
        assert_eq!(rights(&cut.stage.file), (0o640, 1234, 5678));
        // A new one in the agent's home is the agent's.
        let state = home.join(".hubkit");
        fs::write(&cut.stage.file, "a: 1\n").unwrap();
        append_in_place(&cut.stage.file, &state, &NoProbe).unwrap();
        assert_eq!(rights(&state), (0o700, 1234, 5678));
        // An agent's directory is of no use where root's own file is edited.
        let [file, other] = ["e", "f"].map(|name| cut.stage.root.join(name));
        fs::write(&file, "a: 1\n").unwrap();
        fs::hard_link(&file, other).unwrap();
        let error = append_in_place(&file, &state, &NoProbe).unwrap_err();
        assert!(error.to_string().contains("belongs to 1234:5678"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"a: 1\n");
    });
}

#[test]
fn what_is_found_reads_as_a_sentence() {
    let backup = || Path::new("/home/a/.hubkit/in-place-0.kept-1").to_owned();
    for (found, parts) in [
        (Recovered::Restored, &["was restored"][..]),
        (Recovered::WouldRestore, &["would be restored"]),
        (Recovered::SetAside { backup: backup() }, &["is kept in /home/a/.hubkit/in-place-0.kept-1"]),
        (Recovered::WouldSetAside { backup: backup() }, &["would be kept in /home/a/"]),
    ] {
        for part in parts {
            assert!(found.to_string().contains(part), "{found}");
        }
    }
}
