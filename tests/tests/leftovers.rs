//! What older wiring left is recognised by a boot: mended where it is hubkit's own, named where it is not.

use std::fs;

use hubkit_tests::{binary, table};
use tempfile::TempDir;

const KEY: &str = "canary-0123456789abcdef0123456789abcdef";
const URL: &str = "http://ci-hub:5002/api/mcp";

/// One leftover.
struct Left {
    host: &'static str,
    /// The host's configuration as it stands.
    config: &'static str,
    /// A variable beside the Hub's own, or instead of one.
    variable: (&'static str, &'static str),
    /// A folder among the extensions that holds the older plugin.
    folder: Option<&'static str>,
    /// What the report says.
    said: &'static str,
    /// What the configuration does not hold afterwards.
    gone: &'static str,
}

const NONE: Left =
    Left { host: "hermes", config: "", variable: ("HUB_MCP_URL", URL), folder: None, said: "", gone: "/sse" };

const OPENCLAW: Left = Left { host: "openclaw", config: "{gateway:{mode:'local'}}", ..NONE };

const LEFT: &[(&str, Left)] = &[
    (
        "the URL of the older transport",
        Left {
            variable: ("HUB_MCP_URL", "http://ci-hub:5002/api/mcp/sse"),
            said: "HUB_MCP_URL is of the Hub's older transport: `/api/mcp` is used",
            ..NONE
        },
    ),
    (
        "its second URL",
        Left {
            variable: ("HUB_MCP_MESSAGES_URL", "http://ci-hub:5002/api/mcp/messages"),
            said: "HUB_MCP_MESSAGES_URL is of the older transport and is not read: unset it",
            ..NONE
        },
    ),
    (
        "the Hub's own entry on it",
        Left {
            config: "mcp_servers: {hub: {url: 'http://ci-hub:5002/api/mcp/sse', transport: sse}}\n",
            said: "taken out of `mcp_servers.hub`: `transport`",
            gone: "sse",
            ..NONE
        },
    ),
    (
        "another entry on it",
        Left {
            config: "mcp_servers: {ci-hub: {url: 'http://ci-hub:5002/api/mcp/sse', transport: sse}}\n",
            said: "line 1: `mcp_servers.ci-hub.url` ends in `/sse`",
            gone: "(nothing is taken from it)",
            ..NONE
        },
    ),
    (
        "a second entry",
        Left {
            config: "mcp_servers: {old: {url: 'http://ci-hub:5002/api/mcp'}}\n",
            said: "`mcp_servers.old` leads to the same Hub: the agent sees its tools twice",
            ..NONE
        },
    ),
    (
        "a registered folder that is gone",
        Left {
            config: "{gateway:{mode:'local'},plugins:{load:{paths:['/nowhere/plugins/ci-hub']}}}",
            said: "`plugins.load.paths` names /nowhere/plugins/ci-hub, which is not there",
            ..OPENCLAW
        },
    ),
    (
        "a credential of the older plugin",
        Left {
            config: "{gateway:{mode:'local'},plugins:{entries:{'ci-hub':{config:{hubApiKey:'x'}}}}}",
            said: "`plugins.entries.ci-hub.config.hubApiKey` holds a credential",
            ..OPENCLAW
        },
    ),
    (
        "a folder that was being put there",
        Left {
            folder: Some(".ci-hub.tmp-1"),
            said: ".ci-hub.tmp-1 says that it is the plugin `ci-hub`",
            ..OPENCLAW
        },
    ),
    (
        "the older plugin",
        Left { folder: Some("ci-hub"), said: "is the older plugin: it demands `hubUrl`", ..OPENCLAW },
    ),
];

#[test]
fn every_leftover_is_mended_or_named() {
    table::each(LEFT, |_, left| {
        let home = TempDir::new().unwrap();
        let (state, file) = match left.host {
            "hermes" => (home.path().join(".hermes"), "config.yaml"),
            _ => (home.path().join(".openclaw"), "openclaw.json"),
        };
        fs::create_dir(&state).unwrap();
        fs::write(state.join(file), left.config).unwrap();
        if let Some(folder) = left.folder {
            let folder = state.join("extensions").join(folder);
            fs::create_dir_all(&folder).unwrap();
            let manifest = r#"{"id":"ci-hub","configSchema":{"type":"object","required":["hubUrl"]}}"#;
            fs::write(folder.join("openclaw.plugin.json"), manifest).unwrap();
        }
        let mut command = binary::command(home.path());
        command.args(["bootstrap", left.host, "--steps", "hub-mcp"]);
        command.envs([("HUB_MCP_URL", URL), ("HUB_MCP_API_KEY", KEY), left.variable]);
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.contains(left.said), "{said}");
        let text = fs::read_to_string(state.join(file)).unwrap();
        assert!(text.contains(URL) && !text.contains(left.gone), "{text}");
        assert!(!said.contains(KEY), "the key leaked: {said}");
    });
}
