//! The arrows between the crates, and the absences that the architecture promises.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails here")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use hubkit_tests::binary::repository;
use serde_json::Value;

/// Who may use whom, beside `contract` and `redaction`, which everyone may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("hubkit", &["hubkit-bootstrap", "hubkit-configurators", "hubkit-dev-hub", "hubkit-mcp-client"]),
    ("hubkit-bootstrap", &["hubkit-configurators", "hubkit-hub-client"]),
    ("hubkit-configurators", &[]),
    ("hubkit-contract", &[]),
    ("hubkit-redaction", &[]),
    ("hubkit-hub-client", &[]),
    ("hubkit-mcp-client", &[]),
    ("hubkit-dev-hub", &[]),
    (
        "hubkit-tests",
        &[
            "hubkit-bootstrap",
            "hubkit-configurators",
            "hubkit-dev-hub",
            "hubkit-hub-client",
            "hubkit-mcp-client",
        ],
    ),
    ("xtask", &[]),
];

/// Crates that would break an absence if this crate depended on them, directly or not.
const ABSENT: &[(&str, &[&str])] = &[
    ("hubkit-configurators", &["tokio", "hyper", "reqwest", "rmcp", "rustls"]),
    ("hubkit-bootstrap", &["rmcp"]),
    ("hubkit-contract", &["tokio", "rustix"]),
];

fn metadata(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(arguments)
        .current_dir(repository())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn normal_dependencies(package: &Value) -> impl Iterator<Item = &str> {
    package["dependencies"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|d| d["kind"].is_null())
        .map(|d| d["name"].as_str().unwrap())
}

#[test]
fn crates_use_only_whom_they_may() {
    let metadata = metadata(&["--no-deps"]);
    let packages = metadata["packages"].as_array().unwrap();
    let ours: BTreeSet<&str> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(
        ours,
        ALLOWED.iter().map(|(name, _)| *name).collect(),
        "a crate is missing from this test, or gone"
    );
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let (_, allowed) = ALLOWED.iter().find(|(n, _)| *n == name).unwrap();
        for used in normal_dependencies(package).filter(|used| ours.contains(used)) {
            let everyone = ["hubkit-contract", "hubkit-redaction"].contains(&used);
            assert!(everyone || allowed.contains(&used), "{name} must not use {used}");
        }
    }
}

#[test]
fn what_must_be_absent_is_absent_from_the_whole_tree() {
    for (package, absent) in ABSENT {
        let output = Command::new(env!("CARGO"))
            .args([
                "tree",
                "--locked",
                "--offline",
                "--edges",
                "normal",
                "--prefix",
                "none",
                "--format",
                "{p}",
                "--package",
                package,
            ])
            .current_dir(repository())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let tree = String::from_utf8(output.stdout).unwrap();
        assert!(tree.lines().count() > 1, "{package} has no dependencies at all?");
        for line in tree.lines() {
            let used = line.split(' ').next().unwrap();
            assert!(!absent.contains(&used), "{package} pulls in {used}");
        }
    }
}

#[test]
fn the_sdk_stays_in_its_two_crates() {
    let metadata = metadata(&["--no-deps"]);
    let users: BTreeSet<&str> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|package| normal_dependencies(package).any(|used| used == "rmcp"))
        .map(|package| package["name"].as_str().unwrap())
        .collect();
    assert_eq!(users, BTreeSet::from(["hubkit-mcp-client", "hubkit-dev-hub"]));
}

/// The files that git tracks or would track.
fn files() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(repository())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listed = String::from_utf8(output.stdout).unwrap();
    listed.lines().map(str::to_owned).filter(|file| repository().join(file).is_file()).collect()
}

#[test]
fn rooms_are_small_and_well_named() {
    let files = files();
    assert!(files.len() > 50, "git lists only {} files", files.len());
    for file in files.iter().filter(|file| file.ends_with(".rs")) {
        let lines = std::fs::read_to_string(repository().join(file)).unwrap().lines().count();
        assert!(lines <= 600, "{file} has {lines} lines");
        let stem = Path::new(file).file_stem().unwrap().to_str().unwrap();
        assert!(
            !["utils", "util", "common", "helpers", "manager", "misc"].contains(&stem),
            "{file} is named after nothing"
        );
    }
}

#[test]
fn nothing_reads_outside_the_repository() {
    // Written in pieces, so that this file does not find itself.
    let outside = [concat!("..", "/shared"), concat!("/", "work/"), concat!("include_str!(\"", "/")];
    for file in files() {
        let Ok(text) = std::fs::read_to_string(repository().join(&file)) else { continue };
        for part in outside {
            assert!(!text.contains(part), "{file} names {part}");
        }
    }
}

#[test]
fn the_folders_of_the_house_stand() {
    for folder in ["bootstrap", "wake-hook", "configurators", "packaging", "tests", "docs"] {
        assert!(repository().join(folder).read_dir().unwrap().next().is_some(), "{folder}");
    }
}

#[test]
fn every_test_that_the_contract_names_exists() {
    use hubkit_contract::reports::{Held, TABLE};
    assert!(!TABLE.is_empty());
    for row in TABLE {
        if let Held::Test { file, name } = row.held {
            let text = std::fs::read_to_string(repository().join(file))
                .unwrap_or_else(|e| panic!("{}: {file}: {e}", row.report));
            assert!(text.contains(&format!("fn {name}(")), "{}: no test `{name}` in {file}", row.report);
        }
    }
}

#[test]
fn a_panic_in_a_step_cannot_keep_the_agent_from_starting() {
    let manifest = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    assert!(
        !manifest.contains("panic = \"abort\""),
        "an aborting panic would not be caught before the agent starts"
    );
}
