//! What OpenClaw itself says of a home.

use std::process::Command;

use hubkit_contract::environment::HUB_MCP_API_KEY;
use hubkit_tests::hosts;
use hubkit_tests::scratch_home::ScratchHome;
use serde_json::Value as Json;

/// The token that configurations of the fixtures refer to; the gateway wants one.
const GATEWAY_TOKEN: (&str, &str) = ("OPENCLAW_GATEWAY_TOKEN", "gateway-token-of-the-tests-0123456789");

/// A path of the configuration and what OpenClaw finds there.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) path: String,
    pub(crate) message: String,
}

impl Finding {
    /// Whether it is about our entry.
    pub(crate) fn is_ours(&self) -> bool {
        self.path == "mcp.servers.ci-hub" || self.path.starts_with("mcp.servers.ci-hub.")
    }
}

/// The answer of `openclaw config validate`.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) valid: bool,
    pub(crate) issues: Vec<Finding>,
    pub(crate) warnings: Vec<Finding>,
}

/// `openclaw`, with the key in its environment as in the agent's container.
pub(crate) fn openclaw(home: &ScratchHome, key: &str) -> Command {
    let mut command = hosts::openclaw().command(home.path());
    command.env(HUB_MCP_API_KEY, key).envs([GATEWAY_TOKEN]);
    command
}

/// Runs `openclaw` and reads the JSON that it prints.
pub(crate) fn answer(home: &ScratchHome, key: &str, arguments: &[&str]) -> (Option<i32>, Json) {
    let output = openclaw(home, key).args(arguments).output().unwrap();
    let json = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("openclaw {arguments:?} printed no JSON ({error}): {output:?}"));
    (output.status.code(), json)
}

/// Runs `openclaw config validate`.
pub(crate) fn validate(home: &ScratchHome, key: &str) -> Verdict {
    let (code, json) = answer(home, key, &["config", "validate", "--json"]);
    let valid = json["valid"] == true;
    assert_eq!(code, Some(if valid { 0 } else { 1 }), "{json}");
    Verdict { valid, issues: findings(&json["issues"]), warnings: findings(&json["warnings"]) }
}

fn findings(json: &Json) -> Vec<Finding> {
    let text = |finding: &Json, member: &str| finding[member].as_str().unwrap_or_default().to_owned();
    let finding = |json: &Json| Finding { path: text(json, "path"), message: text(json, "message") };
    json.as_array().map(Vec::as_slice).unwrap_or_default().iter().map(finding).collect()
}
