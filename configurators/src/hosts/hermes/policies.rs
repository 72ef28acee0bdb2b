//! Settings of Hermes that hide an MCP server's tools from the agent although the server is wired and
//! `hermes mcp test` is content. They are reported, never changed.

use super::reserved::is_toolset;
use crate::Value;
use crate::hosts::place::at;
use crate::recipe::Reader;

/// The entry in a platform's list that shuts all MCP servers out.
const NO_SERVERS: &str = "no_mcp";

/// Words that stand for every toolset there is.
const EVERYTHING: [&str; 2] = ["all", "*"];

/// Settings of an entry that must be numbers, and what becomes of a text.
const NUMBERS: [(&str, &str); 2] = [
    ("timeout", "its tools are listed, and every call of them fails"),
    ("connect_timeout", "the agent never connects, although `hermes mcp test` does"),
];

/// What hides the tools of the MCP server `name`, and what breaks its neighbours in the same way, one sentence each.
pub(super) fn hiding(document: &dyn Reader, name: &str) -> Vec<String> {
    let servers = match document.get(&["mcp_servers"]) {
        Some(Value::Map(servers)) => servers,
        _ => return Vec::new(),
    };
    let is_on = |server: &Value| matches!(server, Value::Map(_)) && !super::is_disabled(server);
    let servers: Vec<(String, Value)> = servers.into_iter().filter(|(_, server)| is_on(server)).collect();
    let mut found = Vec::new();
    for (neighbour, server) in &servers {
        found.extend(quoted_numbers(document, neighbour, server));
        if is_toolset(neighbour) {
            found.push(format!(
                "{}`mcp_servers.{neighbour}` has the name of a built-in toolset, so the agent never sees its tools: \
                 give it another name",
                at(document, &["mcp_servers", neighbour]),
            ));
        }
    }
    for (neighbour, _) in servers.iter().filter(|(neighbour, _)| EVERYTHING.contains(&neighbour.as_str())) {
        found.push(format!(
            "{}`mcp_servers.{neighbour}` has the name by which Hermes means all toolsets, and it fails on it when it \
             lists its tools: give it another name",
            at(document, &["mcp_servers", neighbour]),
        ));
    }
    let Some((_, server)) = servers.iter().find(|(other, _)| other == name) else { return found };
    found.extend(filter(document, name, server));
    found.extend(disabled(document, name));
    found.extend(platforms(document, name, &servers));
    found
}

fn quoted_numbers(document: &dyn Reader, name: &str, server: &Value) -> Vec<String> {
    let is_text = |key: &str| matches!(server.get(key), Some(Value::Str(_)));
    let said = NUMBERS.iter().filter(|(key, _)| is_text(key)).map(|(key, consequence)| {
        format!(
            "{}`mcp_servers.{name}.{key}` is a string, where Hermes needs a number: {consequence}; write a plain number",
            at(document, &["mcp_servers", name, key]),
        )
    });
    said.collect()
}

/// The filter in the server's own entry, which compares the names that the server itself uses.
fn filter(document: &dyn Reader, name: &str, server: &Value) -> Option<String> {
    let label = format!("mcp_servers.{name}.tools");
    let tools = match server.get("tools")? {
        tools @ Value::Map(_) => tools,
        Value::Null | Value::Bool(false) => return None,
        Value::List(list) if list.is_empty() => return None,
        Value::Str(text) if text.is_empty() => return None,
        other => {
            let place = at(document, &["mcp_servers", name, "tools"]);
            return Some(format!(
                "{place}`{label}` is {}, and Hermes registers no tool of `{name}` for it: make it a mapping with \
                 `include` or `exclude`",
                other.kind(),
            ));
        }
    };
    let list = |key: &str| match tools.get(key) {
        Some(Value::Str(text)) => vec![text.clone()],
        Some(Value::List(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let (include, exclude) = (list("include"), list("exclude"));
    let said = |key: &str, why: &str| {
        let place = at(document, &["mcp_servers", name, "tools", key]);
        Some(format!("{place}`{label}.{key}` lets no tool of `{name}` through: {why}"))
    };
    // The hosts' own names: `mcp__hub__…`, before version 0.18 `mcp_hub_…`.
    let prefixes = [format!("mcp__{name}__"), format!("mcp_{name}_")];
    let is_prefixed = |tool: &String| prefixes.iter().any(|prefix| tool.starts_with(prefix.as_str()));
    let is_pattern = |tool: &String| tool.contains(['*', '?']);
    if !include.is_empty() {
        if include.iter().all(|tool| tool.trim().is_empty() || is_prefixed(tool)) {
            return said("include", "it takes the server's own names of its tools, without `mcp__`");
        }
        if include.iter().all(is_pattern) {
            return said("include", "Hermes 0.19 takes its patterns for whole names; name the tools");
        }
    } else if exclude.iter().any(|tool| tool == "*") {
        return said("exclude", "it excludes everything in versions of Hermes that take patterns");
    }
    None
}

/// `agent.disabled_toolsets`, which goes over everything else.
fn disabled(document: &dyn Reader, name: &str) -> Option<String> {
    let path = ["agent", "disabled_toolsets"];
    let Some(Value::List(list)) = document.get(&path) else { return None };
    let ours = [name.to_owned(), format!("mcp-{name}")];
    let entry = list.iter().filter_map(Value::as_str).find(|entry| ours.iter().any(|ours| ours == entry))?;
    Some(format!(
        "{}`agent.disabled_toolsets` holds `{entry}`, which hides the tools of `{name}`: take it out",
        at(document, &path),
    ))
}

/// The lists of the platforms. One that names an MCP server lets only those through that it names.
fn platforms(document: &dyn Reader, name: &str, servers: &[(String, Value)]) -> Vec<String> {
    let Some(Value::Map(platforms)) = document.get(&["platform_toolsets"]) else { return Vec::new() };
    let canonical = format!("mcp-{name}");
    let said = |(platform, list): &(String, Value)| {
        let Value::List(list) = list else { return None };
        let list: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
        if list.iter().any(|entry| EVERYTHING.contains(entry) || *entry == canonical) {
            return None;
        }
        let is_shut = list.contains(&NO_SERVERS);
        if list.contains(&name) && !is_shut {
            return None;
        }
        // A toolset of the same name is meant by the toolset's name.
        let named = servers.iter().map(|(other, _)| other.as_str());
        let other = named.filter(|other| !is_toolset(other)).find(|other| list.contains(other));
        let place = at(document, &["platform_toolsets", platform]);
        let label = format!("platform_toolsets.{platform}");
        if is_shut {
            return Some(format!(
                "{place}`{label}` holds `{NO_SERVERS}`, which hides the tools of `{name}` on {platform}: take it out"
            ));
        }
        other.map(|other| {
            format!(
                "{place}`{label}` names the MCP server `{other}`, so it is a list of all servers that {platform} gets: \
                 add `{name}` to it"
            )
        })
    };
    platforms.iter().filter_map(said).collect()
}

#[cfg(test)]
#[path = "policies_tests.rs"]
mod tests;
