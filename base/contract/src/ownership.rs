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
        keys: "`meta` and everything else",
        rule: "OpenClaw, the Hub and the user; never written",
    },
];
