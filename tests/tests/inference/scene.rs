//! A home, a Hub in some mood, and one boot of the step `inference` in it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use hubkit_contract::handout::{self, App};
use hubkit_dev_hub::{DevHub, Inference, Options};
use hubkit_redaction::Secret;
use hubkit_tests::binary;
use serde_json::Value as Json;
use tempfile::TempDir;

/// A key as a cloud provider mints it: long enough to be a secret.
pub(crate) const REAL_KEY: &str = "sk-real-0123456789abcdef0123456789";

/// What a boot starts, so that a test sees the environment of the agent.
const AGENT: [&str; 3] = ["--", "env", "-0"];

/// The longest wait for a socket to go. It takes a moment; this only keeps a run from hanging for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Variables that the agent has from the test itself, or from starting.
const OWN: [&str; 4] = ["HOME", "PATH", "HUB_URL", "HUBKIT_INFERENCE_API_KEY"];

/// A home with a Hub.
pub(crate) struct Scene {
    home: TempDir,
    app: App,
    hub: Option<DevHub>,
    url: String,
}

/// What one boot did.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: Option<i32>,
    /// The report of the step.
    pub(crate) step: Json,
    /// The agent's environment; `None` where it was not started.
    pub(crate) agent: Option<BTreeMap<String, String>>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

/// Ports below those that the system gives to outgoing connections, so that nobody takes one while its Hub is
/// stopped. Each is tried once in a run.
fn ports() -> impl Iterator<Item = u16> {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = u16::try_from(std::process::id() % 8_000).unwrap_or_default();
    std::iter::repeat_with(move || 20_000 + (first + NEXT.fetch_add(1, Ordering::Relaxed)) % 12_000)
        .take(1_000)
}

/// Starts a Hub where one was a moment ago. A process that another test is just starting may hold a copy of the old
/// one's socket until it has become its program.
fn again(start: impl Fn() -> io::Result<DevHub>) -> DevHub {
    let begun = Instant::now();
    loop {
        match start() {
            Ok(hub) => return hub,
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => panic!("the Hub does not come back: {error}"),
        }
    }
}

/// One of both, with a Hub in its best mood.
pub(crate) fn both() -> [Scene; 2] {
    [Scene::hermes(Inference::default()), Scene::openclaw(Inference::default())]
}

impl Scene {
    pub(crate) fn hermes(inference: Inference) -> Self {
        Self::new(App::Hermes, inference)
    }

    pub(crate) fn openclaw(inference: Inference) -> Self {
        Self::new(App::OpenClaw, inference)
    }

    pub(crate) fn new(app: App, inference: Inference) -> Self {
        let home = TempDir::with_prefix("hubkit-inference-").unwrap();
        let mut scene = Self { home, app, hub: None, url: String::new() };
        scene.serve(inference);
        scene
    }

    /// Another mood of the Hub, at the same address.
    pub(crate) fn serve(&mut self, inference: Inference) {
        self.stop();
        let options =
            |port| Options { port, inference: inference.clone(), ..Options::new(Secret::new(REAL_KEY)) };
        let hub = match self.url.rsplit_once(':') {
            Some((_, port)) => again(|| DevHub::start_blocking(options(port.parse().unwrap()))),
            None => ports().find_map(|port| DevHub::start_blocking(options(port)).ok()).unwrap(),
        };
        self.url = hub.url();
        self.hub = Some(hub);
    }

    /// Stops the Hub; its address stays in `HUB_URL`.
    pub(crate) fn stop(&mut self) {
        drop(self.hub.take());
    }

    /// The Hub's base URL.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// How often the hand-out was asked for.
    pub(crate) fn asked(&self) -> usize {
        let requests = self.hub.as_ref().map(DevHub::requests).unwrap_or_default();
        requests.iter().filter(|request| request.path.starts_with("/api/inference/apps/")).count()
    }

    pub(crate) fn app(&self) -> App {
        self.app
    }

    pub(crate) fn path(&self) -> &Path {
        self.home.path()
    }

    /// The agent's home: `HERMES_HOME`, `OPENCLAW_STATE_DIR`.
    pub(crate) fn agent_home(&self) -> PathBuf {
        self.path().join(match self.app {
            App::Hermes => ".hermes",
            App::OpenClaw => ".openclaw",
        })
    }

    /// The host's configuration.
    pub(crate) fn config(&self) -> PathBuf {
        self.agent_home().join(match self.app {
            App::Hermes => "config.yaml",
            App::OpenClaw => "openclaw.json",
        })
    }

    /// The file of the step.
    pub(crate) fn env_file(&self) -> PathBuf {
        self.agent_home().join(".env.hub-bootstrap")
    }

    /// The text of the host's configuration; empty where there is none.
    pub(crate) fn config_text(&self) -> String {
        fs::read_to_string(self.config()).unwrap_or_default()
    }

    /// The text of the step's file; empty where there is none.
    pub(crate) fn env_text(&self) -> String {
        fs::read_to_string(self.env_file()).unwrap_or_default()
    }

    /// OpenClaw's configuration as a value. The files of these tests are strict JSON.
    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.config_text()).unwrap()
    }

    /// Puts a file into the agent's home, 0600.
    pub(crate) fn put(&self, name: &str, text: &str) {
        self.put_with(name, text, 0o600);
    }

    pub(crate) fn put_with(&self, name: &str, text: &str, mode: u32) {
        let path = self.agent_home().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Puts the host's configuration, 0600.
    pub(crate) fn configured(self, text: &str) -> Self {
        let config = self.config();
        self.put(config.file_name().unwrap().to_str().unwrap(), text);
        self
    }

    /// `hubkit bootstrap` of this step alone, without a command.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let host = match self.app {
            App::Hermes => "hermes",
            App::OpenClaw => "openclaw",
        };
        let mut command = binary::command(self.path());
        command.args(["bootstrap", host, "--steps", "inference", "--json"]).args(arguments);
        command.env("HUB_URL", &self.url).current_dir(self.path());
        command
    }

    /// A boot that becomes the agent.
    pub(crate) fn boot(&self) -> Ran {
        self.boot_with(&[], &[])
    }

    /// A boot that becomes the agent, with further arguments and variables.
    pub(crate) fn boot_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
        let ran = self.run(&[arguments, &AGENT].concat(), variables);
        if let Some(agent) = &ran.agent {
            self.check_names(agent, variables);
        }
        ran
    }

    /// A boot without an agent.
    pub(crate) fn alone(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
        self.run(arguments, variables)
    }

    fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
        let output = self.command(arguments).envs(variables.iter().copied()).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let (report, rest) = out.split_once('\n').unwrap_or_else(|| panic!("no report: {out}\n{err}"));
        let report: Json = serde_json::from_str(report).unwrap_or_else(|error| panic!("{error}: {out}"));
        let started = !rest.is_empty();
        let agent = started.then(|| {
            let pairs = rest.split_terminator('\0').map(|pair| pair.split_once('=').unwrap());
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        });
        assert_eq!(report["steps"].as_array().map(Vec::len), Some(1), "{report}");
        Ran { code: output.status.code(), step: report["steps"][0].clone(), agent, out, err }
    }

    /// The agent's environment holds nothing but what the test gave it and what is listed.
    fn check_names(&self, agent: &BTreeMap<String, String>, variables: &[(&str, &str)]) {
        for name in agent.keys() {
            let known = OWN.contains(&name.as_str())
                || handout::is_listed(self.app, name)
                || variables.iter().any(|(given, _)| given == name);
            assert!(known, "the agent has {name}: {agent:?}");
        }
    }

    /// Reads the step's file as strictly as it is written: every line a comment of ours, or a listed name with a
    /// value in single quotes. Returns the values.
    pub(crate) fn kept(&self) -> BTreeMap<String, String> {
        let text = self.env_text();
        let mut kept = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with("# ")) {
            let (name, value) = line.split_once('=').unwrap_or_else(|| panic!("{line} in {text}"));
            assert!(handout::is_listed(self.app, name), "{name} in {text}");
            let inside = value.strip_prefix('\'').and_then(|value| value.strip_suffix('\''));
            let value = inside.unwrap_or_else(|| panic!("{line} in {text}")).replace(r"'\''", "\0");
            assert!(!value.contains('\''), "{line} in {text}");
            assert!(kept.insert(name.to_owned(), value.replace('\0', "'")).is_none(), "{name} twice: {text}");
        }
        kept
    }
}

impl Ran {
    /// How the step ended.
    pub(crate) fn status(&self) -> &str {
        self.text("status")
    }

    /// Why.
    pub(crate) fn reason(&self) -> &str {
        self.text("reason")
    }

    pub(crate) fn text(&self, member: &str) -> &str {
        self.step[member].as_str().unwrap_or_default()
    }

    /// What a person is told beside the outcome.
    pub(crate) fn notices(&self) -> String {
        let notices = self.step["notices"].as_array().map(Vec::as_slice).unwrap_or_default();
        notices.iter().filter_map(Json::as_str).collect::<Vec<_>>().join("\n")
    }

    /// A variable of the agent; `None` where it has none.
    pub(crate) fn agent(&self, name: &str) -> Option<&str> {
        self.agent.as_ref().unwrap().get(name).map(String::as_str)
    }

    /// The exit code and how the step ended.
    pub(crate) fn ended(&self) -> (Option<i32>, &str) {
        (self.code, self.status())
    }
}
