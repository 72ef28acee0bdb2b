//! Kill drills of the file replacement: SIGKILL at every fail point and at random instants, and many writers
//! at once. After each kill the file is exactly old or exactly new, with its owner and mode, and the next
//! ordinary run finishes the job and leaves nothing behind.

#![expect(clippy::unwrap_used, reason = "a drill that cannot go on has failed")]

#[path = "drills/in_place.rs"]
mod in_place;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hubkit_configurators::file::{Current, Mode, NoProbe, Plan, Step, Target, edit};
use hubkit_tests::privilege::as_root;

const LINE: &str = "ours: here";
/// Larger than several pieces of a write, so that torn content would show.
const LINES: usize = 9_000;

fn drill(path: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_replace_drill")).arg(path).arg(LINE).args(options).output().unwrap()
}

/// What is drilled: where the file is, and which way the replacement takes.
struct Scenario {
    name: &'static str,
    /// Whether there is a file before.
    exists: bool,
    /// Path of the target below the scratch directory, and of a link to it.
    file: &'static str,
    link: Option<&'static str>,
    options: &'static [&'static str],
    owner: Option<(u32, u32)>,
    mode: u32,
}

const PLAIN: Scenario = Scenario {
    name: "existing file",
    exists: true,
    file: "home/config.yaml",
    link: None,
    options: &[],
    owner: None,
    mode: 0o640,
};

const SCENARIOS: &[Scenario] = &[
    PLAIN,
    Scenario { name: "no exchange", options: &["--lacks", "exchange"], ..PLAIN },
    Scenario { name: "through a link", link: Some("home/link.yaml"), file: "vault/c.yaml", ..PLAIN },
    Scenario { name: "new file", exists: false, ..PLAIN },
    Scenario { name: "new file without noreplace", exists: false, options: &["--lacks", "create"], ..PLAIN },
    Scenario { name: "new file in new directories", exists: false, file: "home/a/b/config.yaml", ..PLAIN },
];

/// The same, as root in the tree of somebody else.
const FOREIGN_SCENARIOS: &[Scenario] = &[
    Scenario { name: "root, existing", owner: Some((1234, 5678)), ..PLAIN },
    Scenario {
        name: "root, no exchange",
        owner: Some((1234, 5678)),
        options: &["--lacks", "exchange"],
        ..PLAIN
    },
    Scenario {
        name: "root, link",
        owner: Some((1234, 5678)),
        link: Some("home/link.yaml"),
        file: "vault/c.yaml",
        ..PLAIN
    },
    Scenario {
        name: "root, new directories",
        owner: Some((1234, 5678)),
        exists: false,
        file: "home/a/config.yaml",
        ..PLAIN
    },
];

struct Stage {
    scratch: tempfile::TempDir,
    file: PathBuf,
    given: PathBuf,
    old: Option<Vec<u8>>,
    new: Vec<u8>,
}

impl Scenario {
    fn set(&self) -> Stage {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path();
        for directory in ["home", "vault"] {
            fs::create_dir(root.join(directory)).unwrap();
        }
        let file = root.join(self.file);
        let old = self.exists.then(|| {
            (0..LINES)
                .map(|number| format!("key_{number}: value of {number}\n"))
                .collect::<String>()
                .into_bytes()
        });
        if let Some(old) = &old {
            fs::write(&file, old).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(self.mode)).unwrap();
        }
        let given = self.link.map_or_else(|| file.clone(), |link| root.join(link));
        if self.link.is_some() {
            std::os::unix::fs::symlink(Path::new("..").join(self.file), &given).unwrap();
        }
        if let Some((uid, gid)) = self.owner {
            for path in [&root.join("home"), &root.join("vault"), &file, &given] {
                if path.is_symlink() || path.exists() {
                    std::os::unix::fs::lchown(path, Some(uid), Some(gid)).unwrap();
                }
            }
            if self.exists {
                fs::set_permissions(&file, fs::Permissions::from_mode(self.mode)).unwrap();
            }
        }
        let mut new = old.clone().unwrap_or_default();
        new.extend_from_slice(format!("{LINE}\n").as_bytes());
        Stage { scratch, file, given, old, new }
    }

    /// The file is exactly old or new, owner and mode as they must be. Returns whether it is new.
    fn judge(&self, stage: &Stage, when: &str) -> bool {
        let Ok(now) = fs::read(&stage.file) else {
            assert!(!self.exists, "{when}: the file is gone");
            return false;
        };
        let is_new = now == stage.new;
        assert!(is_new || Some(&now) == stage.old.as_ref(), "{when}: torn, {} bytes", now.len());
        let meta = fs::metadata(&stage.file).unwrap();
        let mode = if self.exists { self.mode } else { 0o600 };
        assert_eq!(meta.mode() & 0o7777, mode, "{when}: mode");
        if let Some(owner) = self.owner {
            assert_eq!((meta.uid(), meta.gid()), owner, "{when}: owner");
        }
        if self.link.is_some() {
            assert!(stage.given.is_symlink(), "{when}: the link was replaced");
        }
        is_new
    }

    fn kill_everywhere(&self) -> BTreeSet<String> {
        let stage = self.set();
        let trace = drill(&stage.given, &[self.options, &["--trace"]].concat());
        assert!(trace.status.success(), "{}: {}", self.name, String::from_utf8_lossy(&trace.stderr));
        assert!(self.judge(&stage, self.name));
        let trace = String::from_utf8(trace.stdout).unwrap();
        let mut steps: Vec<&str> = trace.lines().collect();
        steps.pop();
        let mut finished = [false, false];
        for (number, step) in steps.iter().enumerate() {
            let when = format!("{}, killed before {step} ({number})", self.name);
            let stage = self.set();
            let killed = drill(&stage.given, &[self.options, &["--kill-at", &number.to_string()]].concat());
            assert_eq!(killed.status.signal(), Some(9), "{when}: {killed:?}");
            let is_new = self.judge(&stage, &when);
            finished[usize::from(is_new)] = true;
            let next = drill(&stage.given, self.options);
            assert!(next.status.success(), "{when}: {}", String::from_utf8_lossy(&next.stderr));
            assert!(self.judge(&stage, &format!("{when}, then run again")), "{when}: not new afterwards");
            assert_no_leftovers(stage.scratch.path(), &when);
        }
        assert_eq!(finished, [true, true], "{}: kills both before and after the switch", self.name);
        steps.iter().map(|step| (*step).to_owned()).collect()
    }
}

fn assert_no_leftovers(directory: &Path, when: &str) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        assert!(!name.contains("hubkit-"), "{when}: {name} was left in {}", directory.display());
        if entry.file_type().unwrap().is_dir() {
            assert_no_leftovers(&entry.path(), when);
        }
    }
}

#[test]
fn killed_at_every_fail_point() {
    let mut seen = BTreeSet::new();
    for scenario in SCENARIOS {
        seen.extend(scenario.kill_everywhere());
    }
    // The way back after a foreign writer's change, and removals, are drilled below.
    seen.extend([Step::ExchangeBack, Step::MoveAway, Step::MoveBack].map(|step| step.name().to_owned()));
    seen.extend(in_place::STEPS.iter().map(|step| step.name().to_owned()));
    let all: BTreeSet<String> = Step::ALL.iter().map(|step| step.name().to_owned()).collect();
    assert_eq!(seen, all, "every fail point was killed at");
}

#[test]
fn killed_at_every_fail_point_as_root_in_another_users_tree() {
    as_root("killed_at_every_fail_point_as_root_in_another_users_tree", || {
        for scenario in FOREIGN_SCENARIOS {
            scenario.kill_everywhere();
        }
    });
}

#[test]
fn killed_on_the_way_back_the_file_is_one_of_three_whole_versions() {
    let scenario = PLAIN;
    let options = ["--foreign", "theirs: here"];
    let stage = scenario.set();
    let trace = drill(&stage.given, &[&options[..], &["--trace"]].concat());
    assert!(trace.status.success());
    let trace = String::from_utf8(trace.stdout).unwrap();
    assert!(trace.lines().any(|step| step == Step::ExchangeBack.name()), "{trace}");
    let theirs = [stage.old.clone().unwrap(), b"theirs: here\n".to_vec()].concat();
    let both = [&theirs[..], LINE.as_bytes(), b"\n"].concat();
    assert_eq!(fs::read(&stage.file).unwrap(), both, "neither writer lost anything");
    for number in 0..trace.lines().count() - 1 {
        let stage = scenario.set();
        let number = number.to_string();
        let killed = drill(&stage.given, &[&options[..], &["--kill-at", &number]].concat());
        assert_eq!(killed.status.signal(), Some(9));
        let now = fs::read(&stage.file).unwrap();
        let whole = [stage.old.as_ref().unwrap(), &stage.new, &theirs, &both];
        assert!(whole.contains(&&now), "kill at {number}: torn, {} bytes", now.len());
        assert!(drill(&stage.given, &[]).status.success());
        assert!(String::from_utf8(fs::read(&stage.file).unwrap()).unwrap().ends_with(&format!("{LINE}\n")));
        assert_no_leftovers(stage.scratch.path(), &number);
    }
}

#[test]
fn killed_while_a_file_is_removed_it_is_whole_or_gone() {
    let stage = PLAIN.set();
    let trace = String::from_utf8(drill(&stage.given, &["--remove", "--trace"]).stdout).unwrap();
    assert!(trace.lines().any(|step| step == Step::MoveAway.name()), "{trace}");
    assert!(!stage.file.exists());
    let mut finished = [false, false];
    for number in 0..trace.lines().count() - 1 {
        let stage = PLAIN.set();
        let number = number.to_string();
        let killed = drill(&stage.given, &["--remove", "--kill-at", &number]);
        assert_eq!(killed.status.signal(), Some(9));
        let now = fs::read(&stage.file).ok();
        assert!(now.is_none() || now == stage.old, "kill at {number}: torn");
        finished[usize::from(now.is_none())] = true;
        assert!(drill(&stage.given, &["--remove"]).status.success());
        assert!(!stage.file.exists(), "kill at {number}");
        assert_no_leftovers(stage.scratch.path(), &number);
    }
    assert_eq!(finished, [true, true]);
}

#[test]
fn killed_while_a_foreign_change_comes_back_it_is_there_or_swept_with_the_kill_alone() {
    // Another program adds our line in the last instant: then the file stays.
    let options = ["--remove", "--foreign", LINE];
    let stage = PLAIN.set();
    let trace = drill(&stage.given, &[&options[..], &["--trace"]].concat());
    let trace = String::from_utf8(trace.stdout).unwrap();
    assert!(trace.lines().any(|step| step == Step::MoveBack.name()), "{trace}");
    assert_eq!(fs::read(&stage.file).unwrap(), stage.new);
    for (number, step) in trace.lines().enumerate().take(trace.lines().count() - 1) {
        let stage = PLAIN.set();
        let killed = drill(&stage.given, &[&options[..], &["--kill-at", &number.to_string()]].concat());
        assert_eq!(killed.status.signal(), Some(9));
        let now = fs::read(&stage.file).ok();
        // Between the move and the way back the path names nothing.
        let away = [Step::CheckDisplaced, Step::MoveBack].iter().any(|away| away.name() == step);
        assert_eq!(now.is_none(), away, "kill before {step}");
        assert!(now.is_none() || now == stage.old || now.as_ref() == Some(&stage.new), "kill before {step}");
    }
}

/// Rounds of the drills that are a matter of luck; more with `HUBKIT_DRILL_ROUNDS`.
fn rounds(default: usize) -> usize {
    std::env::var("HUBKIT_DRILL_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(default)
}

#[test]
fn killed_at_random_instants() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("config.yaml");
    let length = 300_000;
    fs::write(&file, vec![b'a'; length]).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o604)).unwrap();
    for round in 0..rounds(40) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_replace_drill"))
            .arg(&file)
            .args([LINE, "--flip"])
            .spawn()
            .unwrap();
        // Anything up to a handful of replacements; a spread, not a measure of time.
        let micros = (round as u64).wrapping_mul(2_654_435_761) % 40_000;
        std::thread::sleep(std::time::Duration::from_micros(2_000 + micros));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9), "round {round}");
        let now = fs::read(&file).unwrap();
        assert_eq!(now.len(), length, "round {round}");
        assert!(now.iter().all(|byte| *byte == now[0]), "round {round}: torn");
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o604, "round {round}");
    }
    assert!(drill(&file, &[]).status.success());
    assert_no_leftovers(scratch.path(), "after all rounds");
}

/// Adds `line` in this process.
fn add(file: &Path, line: &str) -> bool {
    let result = edit(&Target::new(file, Mode::Write), &NoProbe, |current: Current<'_>| {
        let mut text = String::from_utf8(current.bytes.unwrap_or_default().to_vec()).unwrap();
        if text.lines().any(|present| present == line) {
            return Ok::<_, std::convert::Infallible>(Plan::Keep(()));
        }
        text.push_str(line);
        text.push('\n');
        Ok(Plan::Replace { bytes: text.into_bytes(), note: () })
    });
    result.is_ok()
}

#[test]
fn eight_editors_at_once_lose_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("new").join("config.yaml");
    let each = 6;
    std::thread::scope(|scope| {
        for editor in 0..8 {
            let file = &file;
            scope.spawn(move || {
                for number in 0..each {
                    let output = Command::new(env!("CARGO_BIN_EXE_replace_drill"))
                        .arg(file)
                        .arg(format!("editor {editor} line {number}"))
                        .output()
                        .unwrap();
                    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                }
            });
        }
    });
    let text = fs::read_to_string(&file).unwrap();
    let lines: BTreeSet<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8 * each, "{text}");
    assert_eq!(text.lines().count(), 8 * each, "{text}");
    assert_no_leftovers(scratch.path(), "eight editors");
}

#[test]
fn a_foreign_writers_last_word_is_never_overwritten() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("config.yaml");
    for round in 0..rounds(15) {
        fs::write(&file, "theirs: start\n").unwrap();
        let last = format!("theirs: {}", 20 + round);
        std::thread::scope(|scope| {
            for editor in 0..8 {
                let file = &file;
                // Losing a race for good is allowed (exit 75); losing content is not.
                scope.spawn(move || add(file, &format!("editor {editor}")));
            }
            scope.spawn(|| {
                for number in 0..=20 + round {
                    let text = fs::read_to_string(&file).unwrap();
                    let others = text.lines().filter(|line| !line.starts_with("theirs:"));
                    let theirs = format!("theirs: {number}");
                    let text: String = others.chain([&theirs[..]]).map(|line| format!("{line}\n")).collect();
                    let temp = file.with_extension("foreign");
                    fs::write(&temp, text).unwrap();
                    fs::rename(&temp, &file).unwrap();
                }
            });
        });
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.lines().any(|line| line == last), "round {round}: {last} was lost:\n{text}");
        // Lines that the foreign writer took away by writing what it had read before are put back.
        for editor in 0..8 {
            assert!(add(&file, &format!("editor {editor}")));
        }
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), 9, "round {round}:\n{text}");
        assert_no_leftovers(scratch.path(), "foreign writer");
    }
}
