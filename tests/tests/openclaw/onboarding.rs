//! OpenClaw's own onboarding comes first: hubkit makes no file before it, and wires what it wrote.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

use hubkit_configurators::diff;
use hubkit_tests::binary;
use hubkit_tests::hosts::{self, Openclaw};
use hubkit_tests::{fixtures, privilege};
use serde_json::Value as Json;
use tempfile::TempDir;

const KEY: &str = "canary-0123456789abcdef0123456789abcdef";
const URL: &str = "http://ci-hub:5002/api/mcp";

/// The user of OpenClaw's image.
const NODE: u32 = 1000;

/// What the real onboarding is asked to do: set everything up that needs nobody and no network.
const ONBOARDING: [&str; 19] = [
    "onboard",
    "--non-interactive",
    "--accept-risk",
    "--mode",
    "local",
    "--auth-choice",
    "skip",
    "--skip-daemon",
    "--skip-health",
    "--skip-channels",
    "--skip-skills",
    "--skip-search",
    "--skip-hooks",
    "--skip-ui",
    "--gateway-bind",
    "loopback",
    "--gateway-auth",
    "token",
    "--json",
];

fn bootstrap(home: &Path, arguments: &[&str]) -> Output {
    let mut command = binary::command(home);
    command.env("HUB_MCP_URL", URL).env("HUB_MCP_API_KEY", KEY);
    command.args(["bootstrap", "openclaw"]).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whether every line of `before` is in `after`, in order; a comma behind a last member may have come.
fn keeps_all_lines(before: &str, after: &str) -> bool {
    let mut after = after.lines().map(|line| line.trim_end_matches(','));
    before.lines().map(|line| line.trim_end_matches(',')).all(|line| after.any(|other| other == line))
}

#[test]
fn what_onboarding_wrote_is_wired_and_otherwise_kept() {
    let home = TempDir::new().unwrap();
    let file = Openclaw::state_dir(home.path()).join("openclaw.json");
    let plugin = binary::repository().join("tests/fixtures/plugins/hubkit-sample");
    let plugin = plugin.to_str().unwrap();

    let early = bootstrap(home.path(), &["--no-create", "--plugin", plugin]);
    assert!(early.status.success() && said(&early).contains("--no-create"), "{}", said(&early));
    assert!(!file.exists(), "a file of hubkit's would keep onboarding from being offered");

    let openclaw = hosts::openclaw();
    let onboarded = openclaw.command(home.path()).args(ONBOARDING).output().unwrap();
    assert!(onboarded.status.success(), "{onboarded:?}");
    let before = fs::read_to_string(&file).unwrap();
    // Written only where onboarding found no file: it switches off the look at other agents' conversations.
    let written: Json = serde_json::from_str(&before).unwrap();
    assert!(written["plugins"]["entries"].as_object().is_some_and(|entries| !entries.is_empty()), "{before}");

    let arguments = ["--steps", "plugin,hub-mcp", "--plugin", plugin];
    let wired = bootstrap(home.path(), &arguments);
    assert!(
        wired.status.success() && said(&wired).contains("[Hub MCP] Server registered"),
        "{}",
        said(&wired)
    );
    let after = fs::read_to_string(&file).unwrap();
    assert!(
        keeps_all_lines(&before, &after),
        "{}",
        diff::unified("f", &before, &after, &|line| line.to_owned())
    );
    let value: Json = serde_json::from_str(&after).unwrap();
    assert_eq!(value["plugins"]["entries"]["hubkit-sample"]["enabled"], true);
    assert_eq!(value["mcp"]["servers"]["ci-hub"]["url"], URL);
    let mut validated = openclaw.command(home.path());
    validated.args(["config", "validate", "--json"]).env("HUB_MCP_API_KEY", KEY);
    let verdict: Json = serde_json::from_slice(&validated.output().unwrap().stdout).unwrap();
    assert_eq!(verdict["valid"], true, "{verdict}");

    let again = bootstrap(home.path(), &arguments);
    assert!(again.status.success(), "{}", said(&again));
    assert_eq!(fs::read_to_string(&file).unwrap(), after, "a second start finds nothing to do");
}

#[test]
fn the_recipes_entry_point_steps_down_waits_for_onboarding_and_wires() {
    privilege::as_root(
        "onboarding::the_recipes_entry_point_steps_down_waits_for_onboarding_and_wires",
        || {
            let scratch = TempDir::new().unwrap();
            fs::set_permissions(scratch.path(), fs::Permissions::from_mode(0o755)).unwrap();
            let program = scratch.path().join("hubkit");
            fs::copy(binary::hubkit(), &program).unwrap();
            let entry_point = scratch.path().join("entrypoint.sh");
            fs::copy(binary::repository().join("packaging/container/openclaw/entrypoint.sh"), &entry_point)
                .unwrap();
            let home = scratch.path().join("home/node");
            fs::create_dir_all(&home).unwrap();
            chown(&home, Some(NODE), Some(NODE)).unwrap();
            let file = home.join(".openclaw/openclaw.json");
            let start = |as_node: bool| {
                let mut command = Command::new("sh");
                command.arg(&entry_point).args(["sh", "-c", "echo started as $(id -u)"]).env_clear();
                command.env("PATH", format!("{}:/usr/bin:/bin", scratch.path().display()));
                command.env("OPENCLAW_HOME", &home).env("HOME", &home).current_dir(&home);
                command.env("HUB_MCP_URL", URL).env("HUB_MCP_API_KEY", KEY);
                if as_node {
                    command.uid(NODE).gid(NODE);
                }
                let output = command.output().unwrap();
                let started = String::from_utf8_lossy(&output.stdout).into_owned();
                assert!(output.status.success() && started == "started as 1000\n", "{output:?}");
                assert!(!said(&output).contains(KEY), "the key leaked: {}", said(&output));
                said(&output)
            };
            for as_node in [false, true] {
                assert!(start(as_node).contains("--no-create") && !file.exists());
            }
            fs::write(&file, fixtures::read("openclaw/onboarded.json")).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            chown(&file, Some(NODE), Some(NODE)).unwrap();
            assert!(start(false).contains("changed"));
            let wired = fs::read(&file).unwrap();
            for as_node in [false, true] {
                assert!(start(as_node).contains("unchanged"));
                assert_eq!(fs::read(&file).unwrap(), wired);
            }
            let state = home.join(".openclaw");
            for path in [&state, &file, &state.join(".hubkit"), &state.join(".hubkit/undo.json")] {
                let metadata = fs::metadata(path).unwrap();
                assert_eq!((metadata.uid(), metadata.gid()), (NODE, NODE), "{}", path.display());
                // The directory itself is OpenClaw's to close.
                assert!(path == &state || metadata.mode() & 0o077 == 0, "{}", path.display());
            }
        },
    );
}
