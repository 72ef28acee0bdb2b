//! SIGKILL at every fail point and at random instants: the old folder or the new one stands there whole, and
//! the next ordinary run finishes the job and leaves nothing behind.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

use hubkit_configurators::folder::Step;
use hubkit_tests::privilege::as_root;

use super::{AGENT, Bench, ID, Listing, installed, listing};

const OLD: &[(&str, &str)] = &[("index.js", "old\n"), ("lib/b.js", "old\n"), ("lib/only-old", "")];
const NEW: &[(&str, &str)] = &[("index.js", "new\n"), ("lib/b.js", "new\n"), ("more/only-new", "")];

struct Scenario {
    name: &'static str,
    exists: bool,
    options: &'static [&'static str],
    /// Whether there is an instant without a whole folder.
    has_gap: bool,
    agent: Option<u32>,
}

const PLAIN: Scenario =
    Scenario { name: "replaced", exists: true, options: &[], has_gap: false, agent: None };

const SCENARIOS: &[Scenario] = &[
    PLAIN,
    Scenario { name: "created", exists: false, ..PLAIN },
    Scenario { name: "no exchange", options: &["--lacks", "exchange"], has_gap: true, ..PLAIN },
    Scenario { name: "no noreplace", exists: false, options: &["--lacks", "create"], ..PLAIN },
    Scenario { name: "nothing moves out", options: &["--bars", "exchange"], has_gap: true, ..PLAIN },
    Scenario { name: "removed", options: &["--remove"], ..PLAIN },
    Scenario {
        name: "removed where it is",
        options: &["--remove", "--bars", "move-aside"],
        has_gap: true,
        ..PLAIN
    },
];

impl Scenario {
    fn set(&self) -> Bench {
        let bench = Bench::new();
        bench.source("old", OLD);
        bench.source("new", NEW);
        if let Some(uid) = self.agent {
            bench.give_home(uid);
        }
        if self.exists {
            bench.install(&bench.path("old")).unwrap();
        }
        bench
    }

    fn drill(&self, bench: &Bench, more: &[&str]) -> Output {
        let paths = [bench.path("new"), bench.extensions(), ID.into(), bench.staging()];
        let mut command = Command::new(env!("CARGO_BIN_EXE_folder_drill"));
        command.args(paths).args(self.options).args(more).output().unwrap()
    }

    fn wanted(&self) -> Listing {
        if self.options.contains(&"--remove") { Listing::new() } else { installed(NEW) }
    }

    /// Returns whether the new state is reached.
    fn judge(&self, bench: &Bench, when: &str) -> bool {
        let now = listing(&bench.folder());
        let old = if self.exists { installed(OLD) } else { Listing::new() };
        let is_new = now == self.wanted();
        assert!(is_new || now == old || self.has_gap, "{when}: {now:?}");
        if let Some(uid) = self.agent {
            super::belongs(&bench.folder(), uid);
        }
        is_new
    }

    fn kill_everywhere(&self) -> BTreeSet<String> {
        let bench = self.set();
        let trace = self.drill(&bench, &["--trace"]);
        assert!(trace.status.success(), "{}: {}", self.name, String::from_utf8_lossy(&trace.stderr));
        assert_eq!(listing(&bench.folder()), self.wanted(), "{}", self.name);
        bench.is_clean(self.name);
        let trace = String::from_utf8(trace.stdout).unwrap();
        let mut steps: Vec<&str> = trace.lines().collect();
        steps.pop();
        let mut finished = [false, false];
        for (number, step) in steps.iter().enumerate() {
            let when = format!("{}, killed before {step} ({number})", self.name);
            let bench = self.set();
            let killed = self.drill(&bench, &["--kill-at", &number.to_string()]);
            assert_eq!(killed.status.signal(), Some(9), "{when}: {killed:?}");
            finished[usize::from(self.judge(&bench, &when))] = true;
            let next = self.drill(&bench, &[]);
            assert!(next.status.success(), "{when}: {}", String::from_utf8_lossy(&next.stderr));
            assert_eq!(listing(&bench.folder()), self.wanted(), "{when}, then run again");
            bench.is_clean(&when);
        }
        assert_eq!(finished, [true, true], "{}: kills both before and after the switch", self.name);
        steps.iter().map(|step| (*step).to_owned()).collect()
    }
}

#[test]
fn killed_at_every_fail_point() {
    let mut seen = BTreeSet::new();
    for scenario in SCENARIOS {
        seen.extend(scenario.kill_everywhere());
    }
    let all: BTreeSet<String> = Step::ALL.iter().map(|step| step.name().to_owned()).collect();
    assert_eq!(seen, all, "every fail point was killed at");
}

#[test]
fn killed_at_every_fail_point_as_root_in_an_agents_tree() {
    as_root("kills::killed_at_every_fail_point_as_root_in_an_agents_tree", || {
        for scenario in SCENARIOS {
            Scenario { agent: Some(AGENT), ..*scenario }.kill_everywhere();
        }
    });
}

/// Rounds of the drills that are a matter of luck; more with `HUBKIT_DRILL_ROUNDS`.
fn rounds(default: usize) -> usize {
    std::env::var("HUBKIT_DRILL_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(default)
}

#[test]
fn killed_at_random_instants() {
    let bench = PLAIN.set();
    let paths = [bench.path("new"), bench.extensions(), ID.into(), bench.staging()];
    for round in 0..rounds(40) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_folder_drill"))
            .args(&paths)
            .arg("--flip")
            .arg(bench.path("old"))
            .spawn()
            .unwrap();
        // Anything up to a handful of replacements; a spread, not a measure of time.
        let micros = (round as u64).wrapping_mul(2_654_435_761) % 60_000;
        std::thread::sleep(std::time::Duration::from_micros(2_000 + micros));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9), "round {round}");
        let now = listing(&bench.folder());
        assert!(now == installed(OLD) || now == installed(NEW), "round {round}: {now:?}");
    }
    assert!(PLAIN.drill(&bench, &[]).status.success());
    bench.is_clean("after all rounds");
}
