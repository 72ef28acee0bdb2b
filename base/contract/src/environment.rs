//! The environment variables that hubkit reads, by name.
//!
//! `HUB_API_KEY` is deliberately absent: it is the operator's device key, which the Hub strips from the
//! environments of apps. hubkit never reads it.

/// Base URL of the Hub.
pub const HUB_URL: &str = "HUB_URL";
/// The Hub's MCP endpoint (Streamable HTTP).
pub const HUB_MCP_URL: &str = "HUB_MCP_URL";
/// The app's managed MCP key.
pub const HUB_MCP_API_KEY: &str = "HUB_MCP_API_KEY";
/// Authenticates wakes from the Hub.
pub const HUB_WAKE_SECRET: &str = "HUB_WAKE_SECRET";
/// Opt-out of the MCP wiring.
pub const HUB_MCP_ENABLED: &str = "HUB_MCP_ENABLED";
/// The app's key for the Hub's app routes.
pub const HUB_APP_KEY: &str = "HUB_APP_KEY";
/// Who this app is.
pub const CI_APP_URN: &str = "CI_APP_URN";
/// Base URL of the memory server.
pub const CI_SERVER_URL: &str = "CI_SERVER_URL";
/// Credential of the memory server.
pub const CI_SERVER_TOKEN: &str = "CI_SERVER_TOKEN";
/// Where Ollama listens.
pub const OLLAMA_HOST: &str = "OLLAMA_HOST";
/// Context length for the local model.
pub const CI_LLM_NUM_CTX: &str = "CI_LLM_NUM_CTX";
/// Where hubkit keeps its own records.
pub const HUBKIT_STATE_DIR: &str = "HUBKIT_STATE_DIR";
/// Where the memory server speaks MCP.
pub const HUBKIT_MEMORY_MCP_PATH: &str = "HUBKIT_MEMORY_MCP_PATH";
/// Plugin folders to install.
pub const HUBKIT_PLUGIN_DIR: &str = "HUBKIT_PLUGIN_DIR";
/// The proxy for the Hub, where there must be one.
pub const HUBKIT_HUB_PROXY: &str = "HUBKIT_HUB_PROXY";
/// Whose model the agent uses.
pub const HUBKIT_MODEL: &str = "HUBKIT_MODEL";

/// Where messages went in the Hub's older transport.
pub const HUB_MCP_MESSAGES_URL: &str = "HUB_MCP_MESSAGES_URL";
/// Asked an older plugin for an MCP client of its own.
pub const HUB_MCP_LEGACY_CLIENT: &str = "HUB_MCP_LEGACY_CLIENT";

/// One row of the documented table.
pub struct Row {
    /// The variable.
    pub name: &'static str,
    /// Whether it holds a secret, and so has a `*_FILE` form and is masked in all output.
    pub secret: bool,
    /// What it is for.
    pub purpose: &'static str,
    /// What is accepted, and what becomes of stray characters.
    pub accepted: &'static str,
}

/// All variables in the order of the documentation.
pub const TABLE: &[Row] = &[
    Row {
        name: HUB_URL,
        secret: false,
        purpose: "base URL of the Hub",
        accepted: "http(s) URL; trailing slashes and a trailing `/api` or `/api/mcp` are taken off (noted)",
    },
    Row {
        name: HUB_MCP_URL,
        secret: false,
        purpose: "the Hub's MCP endpoint; default `HUB_URL` + `/api/mcp`",
        accepted: "http(s) URL, used as given, but that `/api/mcp/sse` and `/api/mcp/messages`, the older transport's, become `/api/mcp` (noted)",
    },
    Row {
        name: HUB_MCP_API_KEY,
        secret: true,
        purpose: "the app's managed MCP key",
        accepted: "visible ASCII; a leading `Bearer ` is taken off (noted); `${…}`, `<…>` and other placeholders are refused",
    },
    Row {
        name: HUB_WAKE_SECRET,
        secret: true,
        purpose: "authenticates wakes from the Hub",
        accepted: "text without control characters",
    },
    Row {
        name: HUB_MCP_ENABLED,
        secret: false,
        purpose: "`false` skips the MCP wiring; default `true`",
        accepted: "`true`, `1`, `yes`, `on`, `false`, `0`, `no`, `off`, any case; any other word is refused",
    },
    Row {
        name: HUB_APP_KEY,
        secret: true,
        purpose: "the app's key for the Hub's app routes",
        accepted: "as `HUB_MCP_API_KEY`",
    },
    Row { name: CI_APP_URN, secret: false, purpose: "who this app is", accepted: "`<app>:<store>`" },
    Row {
        name: CI_SERVER_URL,
        secret: false,
        purpose: "base URL of the memory server",
        accepted: "http(s) URL",
    },
    Row {
        name: CI_SERVER_TOKEN,
        secret: true,
        purpose: "credential of the memory server",
        accepted: "as `HUB_MCP_API_KEY`",
    },
    Row {
        name: OLLAMA_HOST,
        secret: false,
        purpose: "where Ollama listens",
        accepted: "http(s) URL, or `host[:port]`, which becomes `http://host[:port]`",
    },
    Row {
        name: CI_LLM_NUM_CTX,
        secret: false,
        purpose: "context length for the local model, tokens",
        accepted: "a positive whole number",
    },
    Row {
        name: HUBKIT_STATE_DIR,
        secret: false,
        purpose: "where hubkit keeps its own records; default `.hubkit` in the agent's home",
        accepted: "an absolute path",
    },
    Row {
        name: HUBKIT_MEMORY_MCP_PATH,
        secret: false,
        purpose: "path of the memory server's MCP endpoint below `CI_SERVER_URL`; without it an entry that leads there is refreshed and nothing is guessed",
        accepted: "a path that begins with `/`",
    },
    Row {
        name: HUBKIT_PLUGIN_DIR,
        secret: false,
        purpose: "plugin folders that the step `plugin` installs, beside those of `--plugin`",
        accepted: "absolute paths, separated by `:`",
    },
    Row {
        name: HUBKIT_HUB_PROXY,
        secret: false,
        purpose: "HTTP proxy for requests to the Hub; without it they go straight there, whatever `HTTP_PROXY` says",
        accepted: "http(s) URL",
    },
    Row {
        name: HUBKIT_MODEL,
        secret: false,
        purpose: "`hub`: the Hub's model replaces one that the user chose; `keep` (default): it does not",
        accepted: "`keep`, `hub`",
    },
    Row {
        name: HUB_MCP_MESSAGES_URL,
        secret: false,
        purpose: "of the older transport; only looked for",
        accepted: "nothing: where it is set, a note says that nothing reads it",
    },
    Row {
        name: HUB_MCP_LEGACY_CLIENT,
        secret: false,
        purpose: "of an older plugin; only looked for",
        accepted: "nothing: where it asks for that client, a note says that nothing reads it",
    },
];

/// The variable that names a file holding the secret `name`.
#[must_use]
pub fn file_form(name: &str) -> String {
    format!("{name}_FILE")
}
