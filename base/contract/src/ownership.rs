//! Who owns which key of which file. hubkit writes its own keys and leaves every other byte alone.

/// One row of the documented table.
pub struct Row {
    /// The host.
    pub host: &'static str,
    /// The file, relative to the host's home.
    pub file: &'static str,
    /// Keys, in dotted form.
    pub keys: &'static str,
    /// Who writes them, and what hubkit does there.
    pub rule: &'static str,
}

/// All rows in the order of the documentation.
pub const TABLE: &[Row] = &[
    Row {
        host: "Hermes",
        file: "config.yaml",
        keys: "`mcp_servers.hub.url`, `.headers.Authorization`",
        rule: "hubkit, replaced at every run where they differ by value",
    },
    Row {
        host: "Hermes",
        file: "config.yaml",
        keys: "`mcp_servers.hub.timeout`, `.connect_timeout`",
        rule: "the user where they are YAML numbers; else hubkit writes 180 and 60",
    },
    Row {
        host: "Hermes",
        file: "config.yaml",
        keys: "`mcp_servers.hub.{transport,type,command,args,auth}`",
        rule: "removed by hubkit: they would select another transport or authentication",
    },
    Row {
        host: "Hermes",
        file: "config.yaml",
        keys: "`mcp_servers.hub.*` otherwise (`tools`, `enabled`, other headers …)",
        rule: "the user; `enabled: false` is respected and reported",
    },
    Row {
        host: "Hermes",
        file: "config.yaml",
        keys: "`mcp_servers.hub-memory`, or the entry that leads to `CI_SERVER_URL`",
        rule: "as the Hub's entry; the entry keeps its name and, unless `HUBKIT_MEMORY_MCP_PATH` is set, its path",
    },
    Row {
        host: "Hermes",
        file: "config.yaml",
        keys: "`model.{default,provider,base_url,api_key,context_length}`",
        rule: "hubkit where the block is missing, empty, leads to the Hub's endpoint or is Hermes's untouched template while no other provider has a key; otherwise the user, unless `HUBKIT_MODEL=hub`, which also takes `model.api_mode` of the provider before away",
    },
    Row {
        host: "Hermes",
        file: "config.yaml",
        keys: "`plugins.enabled`",
        rule: "the user; hubkit adds the name of a plugin that it installs, unless `plugins.disabled` has it",
    },
    Row {
        host: "Hermes",
        file: ".env.hub-bootstrap",
        keys: "the whole file, mode 0600",
        rule: "hubkit; listed names alone, values in single quotes; a name that the Hub manages and no longer hands out goes, any other listed name stays",
    },
    Row {
        host: "Hermes",
        file: ".env",
        keys: "everything",
        rule: "Hermes and the user; never written, names that shadow what hubkit gives are reported",
    },
    Row {
        host: "Hermes",
        file: "config.yaml",
        keys: "`_config_version`, `platform_toolsets` and everything else",
        rule: "Hermes and the user; never written",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`mcp.servers.ci-hub.url`, `.transport`, `.headers.Authorization`",
        rule: "hubkit, replaced at every run where they differ by value",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`mcp.servers.ci-hub.{type,command,args,auth}` and the retired keys that make OpenClaw refuse its file",
        rule: "removed by hubkit",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`mcp.servers.ci-hub.*` otherwise (`toolFilter`, `enabled`, other headers …)",
        rule: "the user; `enabled: false` is respected and reported",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`gateway.mode`",
        rule: "hubkit writes `local` into a file that it makes from nothing; never otherwise",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`models.providers.ci-hub.{baseUrl,api,apiKey}`",
        rule: "the Hub and hubkit, replaced where they differ by value",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`models.providers.ci-hub.models`",
        rule: "the Hub, hubkit and the user: missing models are added, none is changed or taken out; what is no longer served is reported",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`models.mode`",
        rule: "hubkit writes `merge` where it is not set",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`agents.defaults.model`, and its name in `agents.defaults.models` where that limits models",
        rule: "hubkit where it is not set or is a `ci-hub/…` that is no longer served; otherwise the user, unless `HUBKIT_MODEL=hub`",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`plugins.entries.ID.enabled`",
        rule: "hubkit writes `true` for a plugin that it installs; `false` is respected and reported",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`plugins.allow`, `plugins.load.paths`",
        rule: "the user; a plugin that is installed is added to an `allow` that exists, and another folder of the same plugin is taken out of `load.paths`",
    },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`plugins.slots.memory`",
        rule: "hubkit writes `ci-memory` where it is not set and the plugin's files stand; otherwise the user",
    },
    Row {
        host: "OpenClaw",
        file: "extensions/ID",
        keys: "the whole folder of a plugin that hubkit installs",
        rule: "hubkit; replaced as a whole where it differs. One of root's in an agent's tree that differs is refused (73)",
    },
    Row { host: "OpenClaw", file: ".env.hub-bootstrap", keys: "as for Hermes", rule: "hubkit" },
    Row {
        host: "OpenClaw",
        file: "openclaw.json",
        keys: "`meta` and everything else",
        rule: "OpenClaw, the Hub and the user; never written",
    },
    Row {
        host: "both",
        file: ".hubkit/",
        keys: "records for an undo, backups of a write in place, folders being made ready",
        rule: "hubkit; mode 0700. `HUBKIT_STATE_DIR` names another place",
    },
];
