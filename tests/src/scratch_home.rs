//! A home in a scratch directory with one host's configuration in it, and `hubkit bootstrap` in that home.

#![expect(clippy::panic, reason = "a home that cannot be made must fail the test that asked for it")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use hubkit_contract::environment::{HUB_MCP_API_KEY, HUB_MCP_URL};
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::binary;
use crate::hosts::{Hermes, Openclaw};

/// The key that these homes are wired with.
pub const KEY: &str = "canary-0123456789abcdef0123456789abcdef";

/// The tools that the development Hub shows to a key that may write.
pub const HUB_TOOLS: [&str; 6] = [
    "hub_get_inference_status",
    "hub_get_operation_status",
    "hub_list_installed_apps",
    "hub_restart_app",
    "hub_search_apps",
    "hub_system_load",
];

/// A home with room for one host's configuration. It goes when it is dropped.
#[derive(Debug)]
pub struct ScratchHome {
    directory: TempDir,
    host: &'static str,
    config: PathBuf,
}

/// What one `hubkit bootstrap` said.
#[derive(Debug)]
pub struct Booted {
    /// The exit code.
    pub code: Option<i32>,
    /// The report of its one step.
    pub step: Json,
    /// What it said on standard error.
    pub said: String,
}

impl ScratchHome {
    /// A home for Hermes.
    #[must_use]
    pub fn hermes() -> Self {
        Self::of("hermes", |home| Hermes::home(home).join("config.yaml"))
    }

    /// A home for OpenClaw.
    #[must_use]
    pub fn openclaw() -> Self {
        Self::of("openclaw", |home| Openclaw::state_dir(home).join("openclaw.json"))
    }

    fn of(host: &'static str, config: fn(&Path) -> PathBuf) -> Self {
        let directory = TempDir::with_prefix("hubkit-home-")
            .unwrap_or_else(|error| panic!("there is no room for a scratch home: {error}"));
        let config = config(directory.path());
        Self { directory, host, config }
    }

    /// The home itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Where the host's configuration stands, or will stand.
    #[must_use]
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// Makes the configuration these bytes, with mode 0600.
    ///
    /// # Panics
    /// When they cannot be written.
    #[must_use]
    pub fn with(self, bytes: &[u8]) -> Self {
        self.beside(&self.config, bytes);
        self
    }

    /// Puts another file into the directory of the configuration.
    ///
    /// # Panics
    /// When it cannot be written.
    #[must_use]
    pub fn with_neighbour(self, name: &str, bytes: &[u8]) -> Self {
        self.beside(&self.config.with_file_name(name), bytes);
        self
    }

    fn beside(&self, path: &Path, bytes: &[u8]) {
        let directory = path.parent().unwrap_or(self.path());
        fs::create_dir_all(directory)
            .and_then(|()| fs::write(path, bytes))
            .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o600)))
            .unwrap_or_else(|error| panic!("{} cannot be written: {error}", path.display()));
    }

    /// The bytes of the configuration.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn read(&self) -> Vec<u8> {
        fs::read(&self.config)
            .unwrap_or_else(|error| panic!("{} cannot be read: {error}", self.config.display()))
    }

    /// Runs the step `hub-mcp` of `hubkit bootstrap` for the host of this home.
    ///
    /// # Panics
    /// When it prints the key, or something else than its report.
    #[must_use]
    pub fn bootstrap(&self, url: &str, key: &str) -> Booted {
        let output = binary::command(self.path())
            .args(["bootstrap", self.host, "--json", "--steps", "hub-mcp"])
            .envs([(HUB_MCP_URL, url), (HUB_MCP_API_KEY, key)])
            .output()
            .unwrap_or_else(|error| panic!("hubkit does not start: {error}"));
        let [printed, said] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(!printed.contains(key) && !said.contains(key), "the key leaked:\n{printed}\n{said}");
        let report: Json = serde_json::from_str(&printed)
            .unwrap_or_else(|error| panic!("the report is no JSON ({error}):\n{printed}\n{said}"));
        Booted { code: output.status.code(), step: report["steps"][0].clone(), said }
    }

    /// Runs [`Self::bootstrap`] and expects the entry in place, whether or not it was already.
    ///
    /// # Panics
    /// When it is not.
    pub fn wire(&self, url: &str, key: &str) -> Booted {
        let booted = self.bootstrap(url, key);
        let registered = booted.said.lines().any(|line| line == "[Hub MCP] Server registered");
        assert!(booted.code == Some(0) && registered, "the entry is not in place: {booted:#?}");
        booted
    }

    /// Runs [`Self::bootstrap`] and expects that it finds nothing to do and leaves every byte.
    ///
    /// # Panics
    /// When it does something.
    pub fn is_wired(&self, url: &str, key: &str) {
        let before = self.read();
        let booted = self.wire(url, key);
        assert_eq!(booted.status(), "unchanged", "{booted:#?}");
        assert!(self.read() == before, "it says unchanged and wrote another text");
    }
}

impl Booted {
    /// How the step ended, by its name in the report.
    #[must_use]
    pub fn status(&self) -> &str {
        self.text("status")
    }

    /// A text of the report; empty where it is absent.
    #[must_use]
    pub fn text(&self, member: &str) -> &str {
        self.step[member].as_str().unwrap_or_default()
    }

    /// What a person is told beside the outcome, as it stands in the talk on standard error.
    #[must_use]
    pub fn notes(&self) -> Vec<&str> {
        self.said.lines().filter_map(|line| line.split_once(": note: ")).map(|(_, note)| note).collect()
    }
}
