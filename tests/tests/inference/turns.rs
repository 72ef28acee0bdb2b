//! The real hosts take what bootstrap wrote: their own judgement of the file, one turn of the agent with the model
//! that the Hub chose, and their own rewriting of the file afterwards.

use std::ffi::OsStr;
use std::fs;
use std::process::{Command, Output, Stdio};

use hubkit_contract::environment::HUB_MCP_API_KEY;
use hubkit_contract::handout::App;
use hubkit_dev_hub::{CHAT_MODEL, DevHub, Inference, MODEL_ANSWER, Options, Seen};
use hubkit_redaction::Secret;
use hubkit_tests::scratch_home::{HUB_TOOLS, KEY};
use hubkit_tests::{binary, fixtures, hosts};
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::scene::REAL_KEY;

/// A home of a real host with a Hub that has its tools and its model.
struct Real {
    home: TempDir,
    hub: DevHub,
    app: App,
}

impl Real {
    fn new(app: App, inference: Inference) -> Self {
        let home = TempDir::with_prefix("hubkit-real-").unwrap();
        let hub = DevHub::start_blocking(Options { inference, ..Options::new(Secret::new(KEY)) }).unwrap();
        Self { home, hub, app }
    }

    /// Puts the host's configuration.
    fn configured(self, text: &[u8]) -> Self {
        let path = self.config();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn config(&self) -> std::path::PathBuf {
        match self.app {
            App::Hermes => hosts::Hermes::home(self.home.path()).join("config.yaml"),
            App::OpenClaw => hosts::Openclaw::state_dir(self.home.path()).join("openclaw.json"),
        }
    }

    fn text(&self) -> String {
        fs::read_to_string(self.config()).unwrap()
    }

    /// The host's own command, by itself.
    fn host(&self, arguments: &[&str]) -> Command {
        let mut command = match self.app {
            App::Hermes => hosts::hermes().command(self.home.path()),
            App::OpenClaw => hosts::openclaw().command(self.home.path()),
        };
        command.args(arguments).env(HUB_MCP_API_KEY, KEY).stdin(Stdio::null());
        command
    }

    /// The host's command as the last step of a boot with all steps, as a container's entrypoint starts it.
    fn booted(&self, arguments: &[&str]) -> Output {
        let host = self.host(arguments);
        let command: Vec<_> = std::iter::once(host.get_program()).chain(host.get_args()).collect();
        self.boots(&command)
    }

    /// A boot with all steps, in the environment that the host's command has.
    fn boots(&self, command: &[&OsStr]) -> Output {
        let name = match self.app {
            App::Hermes => "hermes",
            App::OpenClaw => "openclaw",
        };
        let mut hubkit = Command::new(binary::hubkit());
        hubkit.args(["bootstrap", name, "--strict", "--"]).args(command);
        hubkit.env_clear().env("HUB_URL", self.hub.url()).current_dir(self.home.path()).stdin(Stdio::null());
        hubkit.envs(self.host(&[]).get_envs().filter_map(|(name, value)| Some((name, value?))));
        hubkit.output().unwrap()
    }

    /// A boot writes what it has to.
    fn is_wired(&self) {
        let output = self.boots(&[OsStr::new("true")]);
        assert!(output.status.success(), "{}", said(&output));
    }

    /// A boot finds nothing to do about the model.
    fn is_settled(&self) {
        let before = self.text();
        let output = self.boots(&[OsStr::new("true")]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        assert!(said.contains(" inference: unchanged"), "{said}");
        assert_eq!(self.text(), before, "{said}");
    }

    /// The turns that the stub of a model answered.
    fn turns(&self) -> Vec<Seen> {
        self.hub.requests().into_iter().filter(|request| request.model.is_some()).collect()
    }
}

fn said(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Every turn asked for the Hub's choice at `path` and got its answer. Returns the tools of those that offered any.
fn took_the_hubs_model(real: &Real, path: &str) -> Vec<Vec<String>> {
    let turns = real.turns();
    assert!(!turns.is_empty(), "{:?}", real.hub.requests());
    for turn in &turns {
        assert_eq!((turn.path.as_str(), turn.model.as_deref(), turn.status), (path, Some(CHAT_MODEL), 200));
    }
    let offered: Vec<_> =
        turns.into_iter().map(|turn| turn.offered).filter(|tools| !tools.is_empty()).collect();
    assert!(!offered.is_empty(), "no turn offered a tool: {:?}", real.hub.requests());
    offered
}

/// OpenClaw offers its model a search over the tools of MCP servers; the Hub's own log shows that it has them.
fn listed_the_hubs_tools(real: &Real) {
    let requests = real.hub.requests();
    let is_list = |seen: &Seen| seen.rpc_method.as_deref() == Some("tools/list") && seen.status == 200;
    assert!(requests.iter().any(is_list), "{requests:?}");
}

#[test]
fn hermes_completes_a_turn_with_the_hubs_model_and_tools() {
    for text in [None, Some(fixtures::read("hermes/seeded-model.yaml"))] {
        let real = Real::new(App::Hermes, Inference::default());
        let real = match text {
            Some(text) => real.configured(&text),
            None => real,
        };
        let output = real.booted(&["-z", "Which apps are installed?"]);
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), MODEL_ANSWER, "{}", said(&output));
        for tools in took_the_hubs_model(&real, "/v1/chat/completions") {
            let hubs: Vec<_> = tools.iter().filter_map(|tool| tool.strip_prefix("mcp__hub__")).collect();
            assert_eq!(hubs, HUB_TOOLS, "{tools:?}");
        }
        real.is_settled();

        let migrated = real.host(&["config", "migrate"]).output().unwrap();
        assert!(migrated.status.success(), "{}", said(&migrated));
        assert!(real.text().contains("_config_version"), "it was not rewritten: {}", real.text());
        real.is_settled();
    }
}

#[test]
fn hermes_starts_a_turn_at_its_smallest_context_and_hubkit_refuses_what_it_would_refuse() {
    let real = Real::new(App::Hermes, Inference { num_ctx: Some(64_000), ..Inference::default() });
    let output = real.booted(&["-z", "hi"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), MODEL_ANSWER, "{}", said(&output));
    // The same file with one token less, written by hand: Hermes itself says no.
    let less = real.text().replace("context_length: 64000", "context_length: 63999");
    let real = real.configured(less.as_bytes());
    let output = real.host(&["-z", "hi"]).output().unwrap();
    assert!(!output.status.success() && said(&output).contains("64,000"), "{}", said(&output));
}

/// Says hello to OpenClaw as the last step of a boot.
fn greeted(real: &Real) {
    let output =
        real.booted(&["agent", "--local", "--agent", "main", "--session-id", "X", "--message", "hi"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains(MODEL_ANSWER), "{}", said(&output));
    assert!(!said(&output).contains("api.openai.com"), "{}", said(&output));
}

/// What OpenClaw says of its file, which must be good; warnings that are about the model.
fn is_valid(real: &Real) {
    let mut command = real.host(&["config", "validate", "--json"]);
    command.env("HUBKIT_INFERENCE_API_KEY", REAL_KEY);
    let output = command.output().unwrap();
    let verdict: Json = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", said(&output));
    });
    assert_eq!(verdict["valid"], true, "{verdict}\n{}", real.text());
    let about_models =
        verdict.to_string().contains("models.providers") || verdict.to_string().contains("agents.");
    assert!(!about_models, "{verdict}");
}

#[test]
fn openclaw_completes_a_turn_at_the_hubs_ollama() {
    let real = Real::new(App::OpenClaw, Inference::default());
    greeted(&real);
    took_the_hubs_model(&real, "/api/chat");
    listed_the_hubs_tools(&real);
    is_valid(&real);
    real.is_settled();
    // A command of OpenClaw's own writes its file anew.
    let server = r#"{"command":"uvx","args":["mcp-server-time"],"enabled":false}"#;
    let before = real.text();
    let set = real.host(&["mcp", "set", "other", server]).output().unwrap();
    assert!(set.status.success() && real.text() != before, "{}", said(&set));
    real.is_settled();
}

#[test]
fn openclaw_completes_a_turn_at_a_server_of_openais_kind_with_a_real_key() {
    let extra = vec![("OPENAI_API_KEY".to_owned(), REAL_KEY.to_owned())];
    let inference = Inference { provider: "vllm".to_owned(), extra, ..Inference::default() };
    let real = Real::new(App::OpenClaw, inference);
    greeted(&real);
    assert!(real.text().contains("${HUBKIT_INFERENCE_API_KEY}"), "{}", real.text());
    took_the_hubs_model(&real, "/v1/chat/completions");
    listed_the_hubs_tools(&real);
    is_valid(&real);
    real.is_settled();
}

#[test]
fn openclaw_takes_every_file_that_the_step_writes() {
    let empty_provider = r#"{"gateway":{"mode":"local"},"models":{"mode":"merge","providers":{"ci-hub":{"baseUrl":"http://127.0.0.1:1","apiKey":"ollama","api":"ollama"}}}}"#;
    let users = r#"{gateway:{mode:"local"},agents:{defaults:{model:{primary:"openai/gpt-x"},models:{"openai/gpt-x":{}}}}}"#;
    for text in [
        empty_provider.as_bytes().to_vec(),
        users.as_bytes().to_vec(),
        fixtures::read("openclaw/onboarded.json"),
    ] {
        let real = Real::new(App::OpenClaw, Inference::default()).configured(&text);
        real.is_wired();
        is_valid(&real);
        real.is_settled();
    }
    // Before the Hub has chosen, the list of models is what Ollama lists.
    let starting = hubkit_dev_hub::ChatModel::Starting;
    let real = Real::new(App::OpenClaw, Inference { chat_model: starting, ..Inference::default() });
    real.is_wired();
    is_valid(&real);
}
