//! Kill drills of writing in place. Right after a kill the file may be a mix; what is held is that the next
//! run, whatever it is about to do, first makes it exactly old or exactly new, unless somebody else wrote.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hubkit_configurators::file::Step;
use hubkit_tests::privilege::{as_root, as_root_with_mounts};

use super::{LINE, LINES, assert_no_leftovers, drill, rounds};

/// The fail points that only this way has.
pub(crate) const STEPS: &[Step] = &[
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

/// Why the file cannot be replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    TwoNames,
    BindMount,
    ClosedDirectory,
}

#[derive(Clone, Copy)]
struct Scenario {
    name: &'static str,
    way: Way,
    /// How the content changes.
    aim: &'static str,
    owner: Option<(u32, u32)>,
}

struct Stage {
    scratch: tempfile::TempDir,
    file: PathBuf,
    state: PathBuf,
    old: Vec<u8>,
    new: Vec<u8>,
    mounted: bool,
}

impl Drop for Stage {
    fn drop(&mut self) {
        if self.mounted {
            let _ = Command::new("umount").arg("--lazy").arg(&self.file).status();
        }
        let home = self.scratch.path().join("home");
        let _ = fs::set_permissions(home, fs::Permissions::from_mode(0o700));
    }
}

impl Scenario {
    fn set(self) -> Stage {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path();
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
        let (home, there) = (root.join("home"), root.join("there"));
        let state = there.join("state");
        for directory in [&home, &there] {
            fs::create_dir(directory).unwrap();
        }
        let file = home.join("config.yaml");
        let text = |number| format!("key_{number}: value of {number}\n");
        let old: Vec<u8> = (0..LINES).flat_map(|number| text(number).into_bytes()).collect();
        let line = format!("{LINE}\n").into_bytes();
        let new = match self.aim {
            "--first" => [&line[..], &old].concat(),
            "--only" => line,
            _ => [&old[..], &line].concat(),
        };
        let source = there.join("source");
        fs::write(&source, &old).unwrap();
        fs::set_permissions(&source, fs::Permissions::from_mode(0o640)).unwrap();
        match self.way {
            Way::TwoNames => fs::hard_link(&source, &file).unwrap(),
            Way::BindMount => {
                fs::write(&file, "").unwrap();
                let mount = Command::new("mount").arg("--bind").args([&source, &file]).status();
                assert!(mount.unwrap().success());
            }
            Way::ClosedDirectory => {
                fs::rename(&source, &file).unwrap();
                fs::set_permissions(&home, fs::Permissions::from_mode(0o555)).unwrap();
            }
        }
        if let Some((uid, gid)) = self.owner {
            for path in [&home, &there, &file] {
                std::os::unix::fs::chown(path, Some(uid), Some(gid)).unwrap();
            }
        }
        Stage { mounted: self.way == Way::BindMount, scratch, file, state, old, new }
    }

    fn run(self, stage: &Stage, options: &[&str]) -> Output {
        let state = stage.state.to_str().unwrap();
        drill(&stage.file, &[&["--state", state], options].concat())
    }

    /// Runs with `options` and requires success. Returns what was printed.
    fn succeed(self, stage: &Stage, options: &[&str], when: &str) -> String {
        let output = self.run(stage, options);
        assert!(output.status.success(), "{when}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn kill(self, stage: &Stage, options: &[&str], number: usize, when: &str) {
        let killed = self.run(stage, &[options, &["--kill-at", &number.to_string()]].concat());
        assert_eq!(killed.status.signal(), Some(9), "{when}: {killed:?}");
    }

    /// The fail points of a run with `options` on a stage that `prepare` set.
    fn trace(self, options: &[&str], prepare: impl Fn(&Stage)) -> Vec<String> {
        let stage = self.set();
        prepare(&stage);
        let trace = self.succeed(&stage, &[options, &["--trace"]].concat(), self.name);
        let mut steps: Vec<String> = trace.lines().map(ToOwned::to_owned).collect();
        steps.pop();
        steps
    }

    /// Exactly old or new, in the same file, with its owner and mode. Returns whether it is new.
    fn judge(self, stage: &Stage, when: &str) -> bool {
        let now = fs::read(&stage.file).unwrap();
        assert!(now == stage.old || now == stage.new, "{when}: {} bytes, neither old nor new", now.len());
        let meta = fs::metadata(&stage.file).unwrap();
        assert_eq!(meta.mode() & 0o7777, 0o640, "{when}: mode");
        assert_eq!(meta.nlink(), if self.way == Way::TwoNames { 2 } else { 1 }, "{when}: names");
        if let Some(owner) = self.owner {
            assert_eq!((meta.uid(), meta.gid()), owner, "{when}: owner");
        }
        now == stage.new
    }

    fn kill_everywhere(self) -> BTreeSet<String> {
        let steps = self.trace(&[self.aim], |_| {});
        assert!(steps.iter().any(|step| step == Step::WriteFile.name()), "{}: {steps:?}", self.name);
        let (mut torn, mut finished) = (0, [false, false]);
        for (number, step) in steps.iter().enumerate() {
            let when = format!("{}, killed before {step} ({number})", self.name);
            let stage = self.set();
            self.kill(&stage, &[self.aim], number, &when);
            let now = fs::read(&stage.file).unwrap();
            let is_torn = now != stage.old && now != stage.new;
            torn += usize::from(is_torn);
            // A run that has nothing to write puts it right all the same, and says so.
            let said = self.succeed(&stage, &["--keep"], &when);
            assert_eq!(said.contains("restored"), is_torn, "{when}: {said}");
            let is_new = self.judge(&stage, &when);
            finished[usize::from(is_new)] = true;
            assert!(kept(&stage.state).is_empty(), "{when}: {:?}", kept(&stage.state));
            self.succeed(&stage, &[self.aim], &when);
            assert!(self.judge(&stage, &when), "{when}: not new after a further run");
            assert!(kept(&stage.state).is_empty(), "{when}: {:?}", kept(&stage.state));
            assert_no_leftovers(stage.scratch.path(), &when);
        }
        assert!(torn > 0, "{}: no kill was in the midst of the write", self.name);
        assert_eq!(finished, [true, true], "{}: kills both before and after the write", self.name);
        steps.into_iter().collect()
    }
}

/// What is in the state directory.
fn kept(state: &Path) -> Vec<PathBuf> {
    fs::read_dir(state).map(|found| found.map(|entry| entry.unwrap().path()).collect()).unwrap_or_default()
}

const TWO_NAMES: Scenario = Scenario { name: "two names", way: Way::TwoNames, aim: "--first", owner: None };

#[test]
fn killed_at_every_fail_point_of_writing_in_place() {
    let mut seen = BTreeSet::new();
    for aim in ["--first", "--only"] {
        seen.extend(Scenario { aim, ..TWO_NAMES }.kill_everywhere());
    }
    seen.extend(killed_during_recovery());
    seen.extend(killed_while_a_backup_is_set_aside());
    for step in STEPS {
        assert!(seen.contains(step.name()), "{} was never killed at", step.name());
    }
}

#[test]
fn killed_at_every_fail_point_of_writing_in_place_as_root_in_another_users_tree() {
    as_root("in_place::killed_at_every_fail_point_of_writing_in_place_as_root_in_another_users_tree", || {
        let owner = Some((1234, 5678));
        Scenario { name: "root, two names", owner, ..TWO_NAMES }.kill_everywhere();
        let way = Way::ClosedDirectory;
        Scenario { name: "root, closed directory", way, owner, ..TWO_NAMES }.kill_everywhere();
    });
}

#[test]
fn killed_at_every_fail_point_on_a_bind_mounted_file() {
    as_root_with_mounts("in_place::killed_at_every_fail_point_on_a_bind_mounted_file", || {
        for owner in [None, Some((1234, 5678))] {
            let way = Way::BindMount;
            Scenario { name: "bind mount", way, owner, ..TWO_NAMES }.kill_everywhere();
        }
    });
}

/// Kills a run half-way through its write.
fn tear(scenario: Scenario, stage: &Stage) {
    let steps = scenario.trace(&[scenario.aim], |_| {});
    let writes: Vec<usize> =
        (0..steps.len()).filter(|number| steps[*number] == Step::WriteFile.name()).collect();
    scenario.kill(stage, &[scenario.aim], writes[writes.len() / 2], "half-way");
    let now = fs::read(&stage.file).unwrap();
    assert!(now != stage.old && now != stage.new);
}

/// The run that restores is killed as well, everywhere. Returns where.
fn killed_during_recovery() -> BTreeSet<String> {
    let scenario = TWO_NAMES;
    let steps = scenario.trace(&["--keep"], |stage| tear(scenario, stage));
    for (number, step) in steps.iter().enumerate() {
        let when = format!("restoring, killed before {step} ({number})");
        let stage = scenario.set();
        tear(scenario, &stage);
        scenario.kill(&stage, &["--keep"], number, &when);
        scenario.succeed(&stage, &["--keep"], &when);
        assert!(!scenario.judge(&stage, &when), "{when}: the old content is what was restored");
        assert!(kept(&stage.state).is_empty(), "{when}");
    }
    steps.into_iter().collect()
}

/// Somebody else writes after a kill, and the run that finds it is killed as well. Returns where.
fn killed_while_a_backup_is_set_aside() -> BTreeSet<String> {
    let scenario = TWO_NAMES;
    let theirs = b"theirs: all\n";
    let prepare = |stage: &Stage| {
        tear(scenario, stage);
        fs::write(&stage.file, theirs).unwrap();
    };
    let steps = scenario.trace(&["--keep"], prepare);
    for (number, step) in steps.iter().enumerate() {
        let when = format!("setting aside, killed before {step} ({number})");
        let stage = scenario.set();
        prepare(&stage);
        scenario.kill(&stage, &["--keep"], number, &when);
        scenario.succeed(&stage, &["--keep"], &when);
        assert_eq!(fs::read(&stage.file).unwrap(), theirs, "{when}");
        // Kept at least once and in full, and nothing else is left.
        let kept = kept(&stage.state);
        assert!((1..=2).contains(&kept.len()), "{when}: {kept:?}");
        for kept in kept {
            assert!(fs::read(&kept).unwrap() == stage.old, "{when}: {}", kept.display());
        }
    }
    steps.into_iter().collect()
}

#[test]
fn a_foreign_write_after_a_kill_is_left_alone() {
    let scenario = TWO_NAMES;
    let theirs = b"theirs: all\n";
    let steps = scenario.trace(&[scenario.aim], |_| {});
    let mut set_aside = 0;
    for (number, step) in steps.iter().enumerate() {
        let when = format!("killed before {step} ({number}), then a foreign write");
        let stage = scenario.set();
        scenario.kill(&stage, &[scenario.aim], number, &when);
        fs::write(&stage.file, theirs).unwrap();
        let said = scenario.succeed(&stage, &[scenario.aim], &when);
        let expected = [format!("{LINE}\n").as_bytes(), theirs].concat();
        assert_eq!(fs::read(&stage.file).unwrap(), expected, "{when}");
        let kept = kept(&stage.state);
        assert_eq!(kept.len(), usize::from(said.contains("set aside")), "{when}: {kept:?}");
        for kept in &kept {
            assert!(fs::read(kept).unwrap() == stage.old, "{when}");
        }
        set_aside += kept.len();
        assert!(!scenario.succeed(&stage, &["--keep"], &when).contains("set aside"), "{when}: said once");
    }
    assert!(set_aside > 3, "a backup was found after {set_aside} kills");
}

#[test]
fn killed_at_random_instants_in_place() {
    let scenario = TWO_NAMES;
    let stage = scenario.set();
    let length = 300_000;
    fs::write(&stage.file, vec![b'a'; length]).unwrap();
    for round in 0..rounds(40) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_replace_drill"))
            .arg(&stage.file)
            .args([LINE, "--flip", "--state"])
            .arg(&stage.state)
            .spawn()
            .unwrap();
        // Anything up to a handful of writes; a spread, not a measure of time.
        let micros = (round as u64).wrapping_mul(2_654_435_761) % 40_000;
        std::thread::sleep(std::time::Duration::from_micros(2_000 + micros));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9), "round {round}");
        scenario.succeed(&stage, &["--keep"], "random");
        let now = fs::read(&stage.file).unwrap();
        assert_eq!(now.len(), length, "round {round}");
        assert!(now.iter().all(|byte| *byte == now[0]), "round {round}: torn");
        assert!(kept(&stage.state).is_empty(), "round {round}: {:?}", kept(&stage.state));
    }
}

#[test]
fn twenty_at_once_on_a_bind_mounted_file_lose_nothing() {
    as_root_with_mounts("in_place::twenty_at_once_on_a_bind_mounted_file_lose_nothing", || {
        let owner = Some((1234, 5678));
        let scenario = Scenario { name: "twenty", way: Way::BindMount, owner, ..TWO_NAMES };
        let stage = scenario.set();
        fs::write(&stage.file, "a: 1\n").unwrap();
        std::thread::scope(|scope| {
            for editor in 0..20 {
                let stage = &stage;
                scope.spawn(move || {
                    let output = Command::new(env!("CARGO_BIN_EXE_replace_drill"))
                        .arg(&stage.file)
                        .arg(format!("editor {editor}"))
                        .arg("--state")
                        .arg(&stage.state)
                        .output()
                        .unwrap();
                    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                });
            }
        });
        let text = fs::read_to_string(&stage.file).unwrap();
        let lines: BTreeSet<&str> = text.lines().collect();
        assert_eq!((lines.len(), text.lines().count()), (21, 21), "{text}");
        assert!(kept(&stage.state).is_empty(), "{:?}", kept(&stage.state));
        assert_no_leftovers(stage.scratch.path(), "twenty");
    });
}
