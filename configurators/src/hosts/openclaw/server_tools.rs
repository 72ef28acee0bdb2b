//! The tools of one MCP server in OpenClaw's lists of tools: what an allow-list lets through, what a deny-list
//! shuts out. Tools are called `<server>__<tool>` there, and nobody here knows the second half.

use crate::Value;

/// Entries that mean the tools of all MCP servers.
const ALL_SERVERS: [&str; 2] = ["bundle-mcp", "group:plugins"];

/// The longest first half of a tool's name, characters.
const LONGEST: usize = 30;

/// The tools of one server.
pub(super) struct ServerTools {
    /// What their names begin with, in lower case, as OpenClaw compares them.
    prefix: String,
}

impl ServerTools {
    /// The tools of the server called `name` in the configuration.
    pub(super) fn of(name: &str) -> Self {
        let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '-' };
        let mut first: String = name.trim().chars().map(safe).collect();
        if !first.starts_with(|c: char| c.is_ascii_alphabetic()) {
            first.insert_str(0, "mcp-");
        }
        first.truncate(LONGEST);
        Self { prefix: format!("{}__", first.to_ascii_lowercase()) }
    }

    /// What their names begin with.
    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether an allow-list that holds `entry` may let one of them through.
    pub(super) fn is_let_through_by(&self, entry: &str) -> bool {
        match entry.split_once('*') {
            _ if ALL_SERVERS.contains(&entry) => true,
            // The star takes whatever is missing of the prefix.
            Some((head, _)) => self.prefix.starts_with(head) || head.starts_with(&self.prefix),
            None => entry.len() > self.prefix.len() && entry.starts_with(&self.prefix),
        }
    }

    /// Whether a deny-list that holds `entry` shuts all of them out.
    pub(super) fn is_shut_out_by(&self, entry: &str) -> bool {
        ALL_SERVERS.contains(&entry) || (entry.ends_with('*') && matches(entry, &self.prefix))
    }

    /// Whether `name` is written like one of them.
    pub(super) fn is_named(&self, name: &str) -> bool {
        name.to_ascii_lowercase().starts_with(&self.prefix)
    }
}

/// The entries of a list as OpenClaw compares them: without white space around, in lower case, none that is blank.
/// `None` for anything that is no list.
pub(super) fn entries(value: Option<&Value>) -> Option<Vec<String>> {
    let Some(Value::List(list)) = value else { return None };
    let texts = list.iter().filter_map(Value::as_str).map(|text| text.trim().to_ascii_lowercase());
    Some(texts.filter(|text| !text.is_empty()).collect())
}

/// Whether the whole of `text` matches `pattern`, which ends in a `*`; a `*` stands for any characters.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let mut rest = parts.next().and_then(|head| text.strip_prefix(head));
    for part in parts {
        rest = rest.and_then(|rest| rest.split_once(part)).map(|(_, rest)| rest);
    }
    rest.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_as_openclaw_makes_them() {
        for (name, prefix) in [
            ("ci-hub", "ci-hub__"),
            ("CI.Hub", "ci-hub__"),
            ("9lives", "mcp-9lives__"),
            ("a-name-of-more-than-thirty-characters", "a-name-of-more-than-thirty-cha__"),
        ] {
            assert_eq!(ServerTools::of(name).prefix(), prefix, "{name}");
        }
    }

    #[test]
    fn an_allow_list_lets_through_what_may_match() {
        let tools = ServerTools::of("ci-hub");
        for entry in [
            "*",
            "bundle-mcp",
            "group:plugins",
            "ci-hub__*",
            "ci-hub__hub_x",
            "ci-*",
            "*_list",
            "ci-hub__hub_*",
        ] {
            assert!(tools.is_let_through_by(entry), "{entry}");
        }
        for entry in ["read", "ci-hub", "ci-hub__", "ci-hubs__*", "web_*", "group:openclaw", "ci-hub2__x"] {
            assert!(!tools.is_let_through_by(entry), "{entry}");
        }
    }

    #[test]
    fn a_deny_list_shuts_out_only_what_matches_all() {
        let tools = ServerTools::of("ci-hub");
        for entry in ["*", "bundle-mcp", "group:plugins", "ci-hub__*", "ci-*", "c*b__*", "*__*"] {
            assert!(tools.is_shut_out_by(entry), "{entry}");
        }
        for entry in ["ci-hub__hub_*", "ci-hub", "*_list", "exec", "ci-hub__", "other__*"] {
            assert!(!tools.is_shut_out_by(entry), "{entry}");
        }
    }
}
