//! Hermes in a home, as the agent's container starts it.

use std::process::{Command, Stdio};

use hubkit_contract::environment::HUB_MCP_API_KEY;
use hubkit_tests::hosts;
use hubkit_tests::scratch_home::{KEY, ScratchHome};
use serde_json::Value as Json;

/// Prints the servers as Hermes's loader reads them and as its agent uses them, and everything but our entry as
/// Hermes reads it in the file on standard input and in the wired one.
const LOAD: &str = r#"
import json, sys
from hermes_cli.config import load_config, read_raw_config
from tools.mcp_tool import _load_mcp_config
from utils import fast_safe_load

def others(config):
    config = dict(config or {})
    servers = dict(config.pop("mcp_servers", None) or {})
    servers.pop("hub", None)
    return repr(sorted(config.items(), key=repr)), repr(sorted(servers.items(), key=repr))

print(json.dumps({
    "read": load_config().get("mcp_servers"),
    "used": _load_mcp_config(),
    "others_before": others(fast_safe_load(sys.stdin.buffer.read())),
    "others_after": others(read_raw_config()),
}, default=str))
"#;

/// `hermes`, with the key in its environment.
pub(crate) fn hermes(home: &ScratchHome) -> Command {
    let mut command = hosts::hermes().command(home.path());
    command.env(HUB_MCP_API_KEY, KEY).stdin(Stdio::null());
    command
}

/// What `hermes` prints on standard output. Its exit status says nothing.
pub(crate) fn says(home: &ScratchHome, arguments: &[&str]) -> String {
    let output = hermes(home).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// What Hermes loads from a home; `before` is the text of its configuration before it was wired.
pub(crate) fn load(home: &ScratchHome, before: &[u8]) -> Json {
    let text = home.path().join("before.yaml");
    std::fs::write(&text, before).unwrap();
    let mut command = hosts::hermes().python_command(home.path());
    command.args(["-c", LOAD]).env(HUB_MCP_API_KEY, KEY).stdin(std::fs::File::open(text).unwrap());
    let output = command.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let last = printed.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|error| panic!("Hermes loads nothing ({error}): {output:?}"))
}
