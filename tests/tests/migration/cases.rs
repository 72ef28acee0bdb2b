//! The rows about the environment and about entries and folders in the hosts' homes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use hubkit_contract::environment::{HUB_MCP_API_KEY, HUB_MCP_URL};
use hubkit_tests::scratch_home::KEY;
use hubkit_tests::{binary, table};
use tempfile::TempDir;

/// What a case starts with and how it must end. `HOME` stands for the scratch home in all texts.
pub(crate) struct Case {
    /// The row of the page.
    pub(crate) row: &'static str,
    /// The host's configuration; which host it is shows in its first letter.
    before: &'static str,
    /// Other files below the home.
    files: &'static [(&'static str, &'static str)],
    /// Variables beside the Hub's.
    variables: &'static [(&'static str, &'static str)],
    /// Arguments beside the host and the step.
    arguments: &'static [&'static str],
    /// Parts of what is said.
    says: &'static [&'static str],
    /// Lines of the configuration that are gone; every other one stands, in its order.
    gone: &'static [&'static str],
    /// Lines of it that have come.
    comes: &'static [&'static str],
}

const PLAIN: Case = Case {
    row: "",
    before: "",
    files: &[],
    variables: &[],
    arguments: &[],
    says: &[],
    gone: &[],
    comes: &[],
};

const URL: &str = "http://ci-hub:5002/api/mcp";
const OLD_URL: &str = "`HUB_MCP_URL` that ends in `/api/mcp/sse` or `/api/mcp/messages`";
const OLD_VARIABLES: &str = "`HUB_MCP_MESSAGES_URL`, `HUB_MCP_LEGACY_CLIENT`";
const OWN_ENTRY: &str = "`transport: sse` or a URL with `/sse` in the Hub's own entry";
const OTHER_ENTRY: &str = "the same in another entry that leads to the Hub";
const SECOND_ENTRY: &str = "a second entry that leads to the Hub";
const REGISTERED: &str =
    "a plugin folder under `plugins.load.paths` with the id of one that is installed now";
const OLD_PLUGIN: &str = "the old bundle of the plugin `ci-hub`, keys of the Hub in its `config`, staging folders among the extensions";

const OLD_MANIFEST: &str =
    r#"{ "id": "ci-hub", "configSchema": { "type": "object", "required": ["hubUrl", "hubApiKey"] } }"#;
const MANIFEST: &str = r#"{ "id": "ci-hub", "configSchema": { "type": "object" } }"#;
const INDEX: &str = "export default { id: 'ci-hub', name: 'x', register() {} };\n";

pub(crate) const CASES: &[(&str, Case)] = &[
    (
        "the stream's URL, Hermes",
        Case {
            row: OLD_URL,
            before: "model: x\n",
            variables: &[(HUB_MCP_URL, "http://ci-hub:5002/api/mcp/sse")],
            says: &["HUB_MCP_URL", "older transport"],
            comes: &["    url: \"http://ci-hub:5002/api/mcp\""],
            ..PLAIN
        },
    ),
    (
        "the messages' URL, OpenClaw",
        Case {
            row: OLD_URL,
            before: "{\n  gateway: { mode: \"local\" },\n}\n",
            variables: &[(HUB_MCP_URL, "http://ci-hub:5002/api/mcp/messages?sessionId=1")],
            says: &["HUB_MCP_URL", "older transport"],
            comes: &["        url: \"http://ci-hub:5002/api/mcp\","],
            ..PLAIN
        },
    ),
    (
        "variables that nothing reads",
        Case {
            row: OLD_VARIABLES,
            before: "model: x\n",
            variables: &[
                ("HUB_MCP_MESSAGES_URL", "http://ci-hub:5002/api/mcp/messages"),
                ("HUB_MCP_LEGACY_CLIENT", "true"),
            ],
            says: &[
                "HUB_MCP_MESSAGES_URL is of the older transport and is not read: unset it",
                "HUB_MCP_LEGACY_CLIENT asks for a client that no longer exists, and is not read: unset it",
            ],
            ..PLAIN
        },
    ),
    (
        "its own entry, Hermes",
        Case {
            row: OWN_ENTRY,
            before: "mcp_servers:\n  hub:   # mine\n    url: http://ci-hub:5002/api/mcp/sse\n    transport: sse\n    \
                timeout: 99\n",
            says: &[
                "`mcp_servers.hub` pointed to another URL before",
                "taken out of `mcp_servers.hub`: `transport`",
            ],
            gone: &["    url: http://ci-hub:5002/api/mcp/sse", "    transport: sse"],
            comes: &["    url: \"http://ci-hub:5002/api/mcp\""],
            ..PLAIN
        },
    ),
    (
        "its own entry, OpenClaw",
        Case {
            row: OWN_ENTRY,
            before: "{\n  mcp: { servers: { \"ci-hub\": {\n    url: \"http://ci-hub:5002/api/mcp\",\n    \
                transport: \"sse\",\n    headers: { Authorization: \"Bearer ${HUB_MCP_API_KEY}\" },\n  } } },\n}\n",
            says: &["hub-mcp: changed"],
            gone: &["    transport: \"sse\","],
            comes: &["    transport: \"streamable-http\","],
            ..PLAIN
        },
    ),
    (
        "another entry, Hermes",
        Case {
            row: OTHER_ENTRY,
            before: "mcp_servers:\n  notes: {url: 'http://notes/sse', transport: sse}\n  \
                old: {url: 'http://ci-hub:5002/api/mcp/sse', transport: sse}\n",
            says: &["line 3: `mcp_servers.old.url` ends in `/sse`", "remove the entry"],
            comes: &["  hub:"],
            ..PLAIN
        },
    ),
    (
        "another entry, OpenClaw",
        Case {
            row: OTHER_ENTRY,
            before: "{\n  mcp: { servers: {\n    hub: { url: \"http://ci-hub:5002/api/mcp\", transport: \"sse\" },\n  \
                } },\n}\n",
            says: &["`mcp.servers.hub.transport` is `sse`", "remove the entry"],
            ..PLAIN
        },
    ),
    (
        "a second entry, Hermes",
        Case {
            row: SECOND_ENTRY,
            before: "mcp_servers:\n  twin:\n    url: http://ci-hub:5002/api/mcp\n  ci-hub: {url: 'http://old/api/mcp'}\n",
            says: &[
                "`mcp_servers.twin` leads to the same Hub: the agent sees its tools twice",
                "line 4: `mcp_servers.ci-hub` leads to a Hub beside `mcp_servers.hub`",
            ],
            ..PLAIN
        },
    ),
    (
        "a second entry, OpenClaw",
        Case {
            row: SECOND_ENTRY,
            before: "{\n  mcp: { servers: {\n    twin: { url: \"http://ci-hub:5002/api/mcp\" },\n  } },\n}\n",
            says: &["`mcp.servers.twin` leads to the same Hub: the agent sees its tools twice"],
            ..PLAIN
        },
    ),
    (
        "a folder that is registered",
        Case {
            row: REGISTERED,
            before: "{\n  plugins: {\n    load: { paths: [\n      \"HOME/old/ci-hub\",\n      \"HOME/other\",\n    ] },\n  },\n}\n",
            files: &[
                ("old/ci-hub/openclaw.plugin.json", MANIFEST),
                ("other/openclaw.plugin.json", r#"{ "id": "other" }"#),
                ("new/openclaw.plugin.json", MANIFEST),
                ("new/index.js", INDEX),
            ],
            arguments: &["--plugin", "HOME/new"],
            says: &[
                "`plugins.load.paths` named HOME/old/ci-hub for the plugin `ci-hub` as well: taken out",
                "wrote: HOME/.openclaw/extensions/ci-hub",
            ],
            gone: &["      \"HOME/old/ci-hub\","],
            ..PLAIN
        },
    ),
    (
        "the old plugin among the extensions",
        Case {
            row: OLD_PLUGIN,
            before: "{\n  gateway: { mode: \"local\" },\n}\n",
            files: &[(".openclaw/extensions/ci-hub/openclaw.plugin.json", OLD_MANIFEST)],
            says: &[
                "HOME/.openclaw/extensions/ci-hub/openclaw.plugin.json is the older plugin: it demands `hubUrl` and \
                 `hubApiKey`",
                "put the current one in its place",
            ],
            ..PLAIN
        },
    ),
    (
        "the old plugin where its script registered it",
        Case {
            row: OLD_PLUGIN,
            before: "{\n  plugins: {\n    load: { paths: [\"HOME/app/plugins/ci-hub\", \"HOME/gone\"] },\n  },\n}\n",
            files: &[("app/plugins/ci-hub/openclaw.plugin.json", MANIFEST)],
            says: &[
                "line 3: `plugins.load.paths` names HOME/app/plugins/ci-hub, as the older script did: \
                 `hubkit bootstrap openclaw --plugin HOME/app/plugins/ci-hub` puts it among the extensions",
                "line 3: `plugins.load.paths` names HOME/gone, which is not there: take it out",
            ],
            ..PLAIN
        },
    ),
    (
        "keys of the Hub in the old plugin's settings",
        Case {
            row: OLD_PLUGIN,
            before: "{\n  plugins: { entries: { \"ci-hub\": {\n    config: {\n      hubApiKey: \"k-0123456789abcdef\",\n    \
                },\n  } } },\n}\n",
            says: &["line 4: `plugins.entries.ci-hub.config.hubApiKey` holds a credential", "take it out"],
            ..PLAIN
        },
    ),
    (
        "a staging folder",
        Case {
            row: OLD_PLUGIN,
            before: "{\n  gateway: { mode: \"local\" },\n}\n",
            files: &[
                (".openclaw/extensions/ci-hub/openclaw.plugin.json", MANIFEST),
                (".openclaw/extensions/.ci-hub.new/openclaw.plugin.json", MANIFEST),
            ],
            says: &[
                "HOME/.openclaw/extensions/.ci-hub.new says that it is the plugin `ci-hub`, and OpenClaw takes it \
                 instead of the right one: remove it",
            ],
            ..PLAIN
        },
    ),
];

#[test]
fn every_leftover_is_said_and_nothing_else_is_touched() {
    table::each(CASES, ends_so);
}

fn ends_so(name: &str, case: &Case) {
    let home = TempDir::with_prefix("hubkit-migration-").unwrap();
    let here = |text: &str| text.replace("HOME", home.path().to_str().unwrap());
    let (host, file, step) = match case.before.chars().next() {
        Some('{') => ("openclaw", ".openclaw/openclaw.json", "plugin,hub-mcp"),
        _ => ("hermes", ".hermes/config.yaml", "hub-mcp"),
    };
    let before = here(case.before);
    put(&home.path().join(file), &before);
    for (path, text) in case.files {
        put(&home.path().join(path), text);
    }

    let mut command = binary::command(home.path());
    command.args(["bootstrap", host, "--steps", step]).args(case.arguments.iter().map(|word| here(word)));
    command.env(HUB_MCP_URL, URL).env(HUB_MCP_API_KEY, KEY).envs(case.variables.iter().copied());
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.contains("[Hub MCP] Server registered"), "{name}: {said}");
    for part in case.says {
        assert!(said.contains(&here(part)), "{name}: {part:?} is not in\n{said}");
    }
    for (_, value) in case.variables.iter().filter(|(_, value)| value.starts_with("http")) {
        assert!(!said.contains(value), "{name}: a value is said: {said}");
    }
    assert!(!said.contains(KEY) && !said.contains("k-0123456789abcdef"), "{name}: a key is said: {said}");

    let after = fs::read_to_string(home.path().join(file)).unwrap();
    let gone: Vec<String> = case.gone.iter().map(|line| here(line)).collect();
    let mut left = after.lines();
    for line in before.lines().filter(|line| !gone.iter().any(|gone| gone == line)) {
        assert!(left.any(|other| other == line), "{name}: {line:?} does not stand in\n{after}");
    }
    for line in &gone {
        assert!(!after.lines().any(|other| other == line), "{name}: {line:?} still stands in\n{after}");
    }
    for line in case.comes {
        assert!(after.lines().any(|other| other == *line), "{name}: {line:?} did not come into\n{after}");
    }
    for (path, text) in case.files {
        assert_eq!(fs::read_to_string(home.path().join(path)).unwrap(), *text, "{name}: {path}");
    }
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}
