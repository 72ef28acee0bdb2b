//! `hubkit bootstrap openclaw --steps plugin,hub-mcp` after OpenClaw's own onboarding: on the file that it wrote, and
//! under a gateway that runs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails here")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hubkit_contract::environment::{HUB_MCP_API_KEY, HUB_URL, HUBKIT_PLUGIN_DIR};
use hubkit_dev_hub::{DevHub, Options};
use hubkit_redaction::Secret;
use hubkit_tests::gateway::Gateway;
use hubkit_tests::hosts::{self, Openclaw};
use hubkit_tests::scratch_home::{HUB_TOOLS, KEY};
use hubkit_tests::{binary, fixtures, onboarding};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

/// The command as the recipe's page gives it.
const COMMAND: [&str; 4] = ["bootstrap", "openclaw", "--steps", "plugin,hub-mcp"];

const PLUGIN: &str = "hubkit-sample";

/// What the plugin of these tests prints when a gateway has loaded it.
const LOADED: &str = "the plugin of the tests is here";

/// What makes the sample a plugin that a gateway loads by itself and that tells of it. OpenClaw also registers
/// plugins to see what they offer, which tells nothing.
const TELLING: [(&str, &str); 2] = [
    (
        "register() {}",
        "register(api) { if (api.registrationMode === 'full') console.log('the plugin of the tests is here'); }",
    ),
    ("\"configSchema\"", "\"activation\": { \"onStartup\": true },\n  \"configSchema\""),
];

/// The longest wait for a gateway to take a change. It takes a moment; this only keeps a run from hanging for ever.
const PATIENCE: Duration = Duration::from_secs(180);

/// A home with a Hub, and a plugin's folder elsewhere.
struct Scene {
    home: TempDir,
    elsewhere: TempDir,
    hub: DevHub,
}

impl Scene {
    fn new() -> Self {
        let [home, elsewhere] = [(); 2].map(|()| TempDir::with_prefix("hubkit-onboarding-").unwrap());
        for file in fixtures::names(&format!("plugins/{PLUGIN}")) {
            let mut text = String::from_utf8(fixtures::read(&format!("plugins/{PLUGIN}/{file}"))).unwrap();
            for (old, new) in TELLING {
                text = text.replace(old, new);
            }
            fs::write(elsewhere.path().join(file), text).unwrap();
        }
        Self { home, elsewhere, hub: DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap() }
    }

    fn config(&self) -> PathBuf {
        Openclaw::state_dir(self.home.path()).join("openclaw.json")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.config()).unwrap()
    }

    fn openclaw(&self, arguments: &[&str]) -> Command {
        let mut command = hosts::openclaw().command(self.home.path());
        command.args(arguments).env(HUB_MCP_API_KEY, KEY).stdin(Stdio::null());
        command
    }

    fn answer(&self, arguments: &[&str]) -> Json {
        let output = self.openclaw(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// `hubkit` in an environment as a container has it, from one end to the other.
    fn hubkit(&self, arguments: &[&str]) -> String {
        let mut command = binary::command(self.home.path());
        command.args(arguments).env(HUBKIT_PLUGIN_DIR, self.elsewhere.path());
        command.env(HUB_URL, self.hub.url()).env(HUB_MCP_API_KEY, KEY);
        let output: Output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && !said.contains(KEY), "{arguments:?}: {said}");
        said
    }

    /// The documented command, on what onboarding wrote: both entries come and nothing else changes.
    fn wires(&self) {
        let before = self.text();
        let said = self.hubkit(&COMMAND);
        assert!(said.contains("[Hub MCP] Server registered"), "{said}");
        let entry = format!("plugins.entries.{PLUGIN}");
        assert_eq!(onboarding::additions(&before, &self.text()), ["mcp", &entry]);
    }

    /// OpenClaw takes the file, and a second run finds nothing to do.
    fn is_settled(&self) {
        let verdict = self.answer(&["config", "validate", "--json"]);
        assert_eq!((&verdict["valid"], &verdict["warnings"]), (&Json::Bool(true), &json!([])), "{verdict}");
        let before = self.text();
        let said = self.hubkit(&COMMAND);
        assert!(!said.contains(" changed") && !said.contains(" wrote"), "{said}");
        assert_eq!(self.text(), before);
    }
}

#[test]
fn what_onboarding_writes_is_wired_and_unwired_again() {
    let scene = Scene::new();
    fs::create_dir_all(scene.config().parent().unwrap()).unwrap();
    let onboarded = fixtures::read("openclaw/onboarded.json");
    fs::write(scene.config(), &onboarded).unwrap();
    scene.wires();
    scene.is_settled();
    scene.hubkit(&["configure", "openclaw", "--remove"]);
    let onboarded = String::from_utf8(onboarded).unwrap();
    let left = [format!("plugins.entries.{PLUGIN}")];
    assert_eq!(onboarding::additions(&onboarded, &scene.text()), left);
}

#[test]
fn a_gateway_that_runs_takes_the_change() {
    let scene = Scene::new();
    let output = scene.openclaw(&onboarding::ARGUMENTS).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let gateway = Gateway::start(scene.openclaw(&[]), scene.home.path());

    scene.wires();
    prints(&gateway, &["config hot reload applied", "mcp.servers"]);
    prints(&gateway, &[LOADED]);
    scene.is_settled();

    let probe = scene.answer(&["mcp", "probe", "ci-hub", "--json"]);
    let tools: Vec<String> = HUB_TOOLS.iter().map(|tool| format!("ci-hub__{tool}")).collect();
    assert_eq!(probe["tools"], json!(tools), "{probe}");

    let wired = scene.text();
    let printed = gateway.stop();
    assert!(!printed.contains("restart required") && scene.text() == wired, "{printed}");
}

/// Waits until the gateway has printed a line with all of these.
fn prints(gateway: &Gateway, parts: &[&str]) {
    let begun = Instant::now();
    while !gateway.printed().lines().any(|line| parts.iter().all(|part| line.contains(part))) {
        assert!(begun.elapsed() < PATIENCE, "{parts:?} never came:\n{}", gateway.printed());
        sleep(Duration::from_millis(50));
    }
}
