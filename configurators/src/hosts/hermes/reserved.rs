//! Names of Hermes's own that an MCP server must not have: Hermes looks among its built-in toolsets first, so the
//! agent never sees the server's tools, although `hermes mcp test` is content.

/// The built-in toolsets of Hermes 0.19.
const TOOLSETS: [&str; 33] = [
    "browser",
    "clarify",
    "code_execution",
    "coding",
    "computer_use",
    "context_engine",
    "cronjob",
    "debugging",
    "delegation",
    "discord",
    "discord_admin",
    "feishu_doc",
    "feishu_drive",
    "file",
    "homeassistant",
    "image_gen",
    "kanban",
    "memory",
    "project",
    "safe",
    "search",
    "session_search",
    "skills",
    "spotify",
    "terminal",
    "todo",
    "tts",
    "video",
    "video_gen",
    "vision",
    "web",
    "x_search",
    "yuanbao",
];

/// What follows `hermes-` in the names of its bundles, one for each way of talking to it.
const BUNDLES: [&str; 24] = [
    "acp",
    "api-server",
    "bluebubbles",
    "cli",
    "cron",
    "dingtalk",
    "discord",
    "email",
    "feishu",
    "gateway",
    "homeassistant",
    "matrix",
    "mattermost",
    "qqbot",
    "signal",
    "slack",
    "sms",
    "telegram",
    "webhook",
    "wecom",
    "wecom-callback",
    "weixin",
    "whatsapp",
    "yuanbao",
];

/// The beginning of the names of bundles, also of those that plugins bring.
const BUNDLE: &str = "hermes-";

/// Words of a list of toolsets that name none.
const WORDS: [&str; 3] = ["all", "*", "no_mcp"];

/// Whether an MCP server should not get this name in Hermes: a built-in toolset's, a bundle's, or a word that means
/// something else where toolsets are listed.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    is_toolset(name) || name.starts_with(BUNDLE) || WORDS.contains(&name)
}

/// Whether Hermes has a toolset or bundle of this name built in.
pub(super) fn is_toolset(name: &str) -> bool {
    TOOLSETS.contains(&name) || name.strip_prefix(BUNDLE).is_some_and(|rest| BUNDLES.contains(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_names_are_reserved_and_ours_are_not() {
        for name in
            ["memory", "web", "todo", "hermes-cli", "hermes-whatsapp", "hermes-of-a-plugin", "all", "no_mcp"]
        {
            assert!(is_reserved(name), "{name}");
        }
        for name in ["hub", "hub-memory", "mcp-hub", "ci-hub", "Memory", "memory2", "hermes", "github"] {
            assert!(!is_reserved(name), "{name}");
        }
        assert!(!is_toolset("hermes-of-a-plugin") && !is_toolset("all") && is_toolset("hermes-sms"));
    }
}
