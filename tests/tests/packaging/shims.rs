//! The stand-ins for the scripts that hubkit replaces: what they make of their surroundings, with a program in
//! hubkit's place that writes down its arguments.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hubkit_tests::binary::repository;
use hubkit_tests::hosts::{bare, oracle_python};
use tempfile::TempDir;

/// Writes one argument per line, and ends with a status that no shell and no Python would choose.
const STAND_IN: &str = "#!/bin/sh\nfor argument; do printf '%s\\n' \"$argument\"; done\nexit 65\n";

/// What is in the environment, and what each shim runs then.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const CASES: &[Case] = &[
    ("bootstrap-from-hub.sh", &[], "openclaw --steps inference --no-create"),
    ("bootstrap-from-hub.sh", &[("HERMES_HOME", "/opt/data")], "hermes --steps inference"),
    ("bootstrap-from-hub.sh", &[("HERMES_HOME", "")], "openclaw --steps inference --no-create"),
    ("bootstrap-from-hub.sh", &[("HUBKIT_HOST", "hermes")], "hermes --steps inference"),
    (
        "bootstrap-from-hub.sh",
        &[("HERMES_HOME", "/opt/data"), ("HUBKIT_HOST", "openclaw")],
        "openclaw --steps inference --no-create",
    ),
    ("bootstrap-ci-context.sh", &[], "hermes --steps plugin,memory,hub-mcp"),
    ("configure-hub-mcp.py", &[], "hermes --steps hub-mcp"),
    ("configure-ci-server.py", &[], "hermes --steps memory"),
    ("bootstrap-ci-memory.sh", &[], "openclaw --no-create --steps memory"),
    ("bootstrap-ci-memory.sh", &[("HUBKIT_PLUGIN_DIR", "")], "openclaw --no-create --steps memory"),
    ("bootstrap-ci-memory.sh", &[("HUBKIT_PLUGIN_DIR", "/p")], "openclaw --no-create --steps plugin,memory"),
    ("bootstrap-ci-hub-mcp.sh", &[], "openclaw --no-create --steps plugin,hub-mcp"),
];

/// Arguments that a careless script would split, swallow or expand.
const ARGUMENTS: [&str; 6] = ["--json", "--config", "a b", "", "--", "$HOME *"];

fn shims() -> PathBuf {
    repository().join("packaging/shims")
}

fn stand_in(home: &Path) -> PathBuf {
    let path = home.join("hubkit");
    fs::write(&path, STAND_IN).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// The interpreters that a shim has to work with; `None` is its first line's.
fn interpreters(shim: &str) -> Vec<Option<PathBuf>> {
    if Path::new(shim).extension().is_some_and(|extension| extension == "py") {
        vec![None, Some(oracle_python())]
    } else {
        vec![None, Some("/bin/sh".into()), Some("/bin/bash".into())]
    }
}

fn run(interpreter: Option<&Path>, shim: &str, home: &Path, prepare: impl FnOnce(&mut Command)) -> Output {
    let script = shims().join(shim);
    let mut command = match interpreter {
        Some(interpreter) => {
            let mut command = bare(interpreter, home);
            command.arg(script);
            command
        }
        None => bare(&script, home),
    };
    // The first line of a Python script looks for `python3` on the path.
    let python = oracle_python();
    let directories = [home, python.parent().unwrap()].map(|directory| directory.display().to_string());
    command.env("PATH", format!("{}:/usr/bin:/bin", directories.join(":")));
    prepare(&mut command);
    command.output().unwrap()
}

/// The lines that the stand-in wrote, after a check that its status came through.
fn arguments(output: &Output, about: &str) -> Vec<String> {
    assert_eq!(output.status.code(), Some(65), "{about}: {output:?}");
    assert!(output.stderr.is_empty(), "{about}: {output:?}");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn there_are_six_of_three_lines_and_all_can_be_run() {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(shims()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let text = fs::read_to_string(entry.path()).unwrap();
        assert_eq!(text.lines().count(), 3, "{name}");
        assert!(text.starts_with("#!") && text.lines().nth(1).unwrap().starts_with("# "), "{name}");
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o111, 0o111, "{name}");
        names.insert(name);
    }
    assert_eq!(names, CASES.iter().map(|(name, _, _)| (*name).to_owned()).collect());
}

#[test]
fn each_runs_its_steps_and_passes_arguments_and_status_on() {
    let home = TempDir::new().unwrap();
    stand_in(home.path());
    for (shim, variables, wanted) in CASES {
        for interpreter in interpreters(shim) {
            let about = format!("{shim} with {interpreter:?} and {variables:?}");
            let output = run(interpreter.as_deref(), shim, home.path(), |command| {
                command.args(ARGUMENTS).envs(variables.iter().copied());
            });
            let got = arguments(&output, &about);
            let (own, passed) = got.split_at(got.len() - ARGUMENTS.len());
            assert_eq!(passed, ARGUMENTS, "{about}");
            // The order of hubkit's own options says nothing.
            let sorted =
                |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>();
            let own: Vec<&str> = own.iter().map(String::as_str).collect();
            assert_eq!(own[0], "bootstrap", "{about}");
            assert_eq!(own[1], wanted.split(' ').next().unwrap(), "{about}");
            assert_eq!(sorted(&own[1..]), sorted(&wanted.split(' ').collect::<Vec<_>>()), "{about}");
        }
    }
}

#[test]
fn a_plugin_folder_among_the_arguments_counts() {
    let home = TempDir::new().unwrap();
    stand_in(home.path());
    for given in [&["--plugin", "/p"][..], &["--json", "--plugin=/p"]] {
        let output = run(None, "bootstrap-ci-memory.sh", home.path(), |command| {
            command.args(given);
        });
        let got = arguments(&output, "bootstrap-ci-memory.sh");
        assert!(got.windows(2).any(|pair| pair == ["--steps", "plugin,memory"]), "{got:?}");
    }
}

#[test]
fn the_binary_can_be_named() {
    let home = TempDir::new().unwrap();
    let elsewhere = TempDir::with_prefix("with blank ").unwrap();
    let named = stand_in(elsewhere.path());
    for (shim, ..) in CASES {
        for interpreter in interpreters(shim) {
            let output = run(interpreter.as_deref(), shim, home.path(), |command| {
                command.env("HUBKIT", &named);
            });
            assert_eq!(arguments(&output, shim)[0], "bootstrap", "{shim}");
        }
    }
}

#[test]
fn a_binary_that_is_missing_is_said_as_a_shell_says_it() {
    let home = TempDir::new().unwrap();
    for (shim, ..) in CASES {
        let output = run(None, shim, home.path(), |_| {});
        assert_eq!(output.status.code(), Some(127), "{shim}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("hubkit"), "{shim}: {output:?}");
    }
}
