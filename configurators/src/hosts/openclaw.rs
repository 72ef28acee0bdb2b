//! OpenClaw: `mcp.servers.ci-hub` in `openclaw.json`.

mod agents;
mod manifest;
mod plugin_policies;
mod policies;
mod scope;
mod server_tools;
mod stale;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hubkit_contract::reference::bearer_reference;

use crate::Value;
use crate::recipe::{Field, Format, Reader, Recipe, SecretStyle, Wanted};

/// OpenClaw takes a server without `transport` for SSE, prefers `command` over `url`, and refuses its whole
/// file for a retired key. An unset variable in `url` makes the file invalid, so the URL is a literal; a file
/// without `gateway.mode` keeps the gateway from starting, so a file made from nothing gets it.
pub static RECIPE: Recipe = Recipe {
    host: "openclaw",
    format: Format::Json5,
    entry: &["mcp", "servers", "ci-hub"],
    memory: None,
    is_reserved: |_| false,
    fields: &[
        Field { key: "url", wanted: Wanted::Url },
        Field { key: "transport", wanted: Wanted::Text("streamable-http") },
    ],
    before_headers: 2,
    unwanted: &[
        "type",
        "command",
        "args",
        "auth",
        "timeout",
        "connectTimeout",
        "connect_timeout",
        "workingDirectory",
        "supports_parallel_tool_calls",
        "ssl_verify",
        "client_cert",
        "client_key",
        "disabled",
    ],
    retired_switch: Some("disabled"),
    in_new_file: &[(&["gateway", "mode"], "local")],
    secrets: SecretStyle::Reference,
    is_reference: |text, variable| text == bearer_reference(variable),
    is_disabled: |entry| entry.get("enabled") == Some(&Value::Bool(false)),
    empty_is_clobbered: true,
    faults,
};

/// Keys that `plugins.entries.<id>` may hold.
const PLUGIN_ENTRY_KEYS: [&str; 5] = ["enabled", "hooks", "subagent", "llm", "config"];

/// `OPENCLAW_CONFIG_PATH`; else `OPENCLAW_STATE_DIR`; else `.openclaw` in the home directory, or the legacy
/// `.clawdbot` where only that exists. In a directory `openclaw.json`, or a legacy `clawdbot.json` where only
/// that exists. The home is `OPENCLAW_HOME`, `HOME` or `USERPROFILE`, where blank, `undefined` and `null` count
/// as unset.
///
/// # Errors
/// No home is set.
pub fn config_path(
    variable: &dyn Fn(&str) -> Option<OsString>,
    exists: &dyn Fn(&Path) -> bool,
) -> Result<PathBuf, &'static str> {
    let set = |name: &str| {
        let value = variable(name)?;
        match value.to_str().map(str::trim) {
            Some("" | "undefined" | "null") => None,
            Some(text) => Some(PathBuf::from(text)),
            None => Some(PathBuf::from(value)),
        }
    };
    let expanded = |path: PathBuf, home: &Option<PathBuf>| match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path,
    };
    let system_home = set("HOME").or_else(|| set("USERPROFILE"));
    let home = set("OPENCLAW_HOME").map(|home| expanded(home, &system_home)).or_else(|| system_home.clone());
    let expand = |path: PathBuf| expanded(path, &home);
    let in_directory = |directory: PathBuf| {
        let (current, legacy) = (directory.join("openclaw.json"), directory.join("clawdbot.json"));
        if !exists(&current) && exists(&legacy) { legacy } else { current }
    };
    if let Some(path) = set("OPENCLAW_CONFIG_PATH") {
        return Ok(expand(path));
    }
    if let Some(directory) = set("OPENCLAW_STATE_DIR") {
        return Ok(in_directory(expand(directory)));
    }
    let home = home.ok_or("OPENCLAW_STATE_DIR, OPENCLAW_HOME or HOME")?;
    let (current, legacy) = (home.join(".openclaw"), home.join(".clawdbot"));
    Ok(in_directory(if !exists(&current) && exists(&legacy) { legacy } else { current }))
}

/// Where OpenClaw keeps its state: the directory that [`config_path`] looks into, but for a file that is named by
/// itself.
///
/// # Errors
/// No home is set.
pub fn home(
    variable: &dyn Fn(&str) -> Option<OsString>,
    exists: &dyn Fn(&Path) -> bool,
) -> Result<PathBuf, &'static str> {
    let unnamed = |name: &str| if name == "OPENCLAW_CONFIG_PATH" { None } else { variable(name) };
    let file = config_path(&unnamed, exists)?;
    Ok(file.parent().unwrap_or(Path::new(".")).to_owned())
}

fn faults(document: &dyn Reader, directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let at = |path: &[&str]| document.line(path).map(|line| format!("line {line}: ")).unwrap_or_default();
    let Some(Value::Map(root)) = document.get(&[]) else { return found };
    let has = |key: &str| root.iter().any(|(name, _)| name == key);
    let mode = document.get(&["gateway", "mode"]);
    if !root.is_empty() && !has("$include") && !matches!(mode, Some(Value::Str(_))) {
        found.push(
            "`gateway.mode` is missing: the gateway does not start without it (`local` is the usual)"
                .to_owned(),
        );
    }
    for depth in 0..=RECIPE.entry.len() {
        let path = [RECIPE.entry.get(..depth).unwrap_or_default(), &["$include"]].concat();
        if document.get(&path).is_some() {
            found.push(format!(
                "{}`$include`: this file alone is edited; what an included file says of `mcp.servers.ci-hub` still applies",
                at(&path),
            ));
        }
    }
    if has("mcpServers") {
        found.push(format!(
            "{}`mcpServers` at the root is no key of OpenClaw, which refuses the file for it; servers stand under `mcp.servers`",
            at(&["mcpServers"]),
        ));
    }
    if let Some(Value::Map(entries)) = document.get(&["plugins", "entries"]) {
        for (id, entry) in &entries {
            let Value::Map(members) = entry else { continue };
            for (key, _) in members.iter().filter(|(key, _)| !PLUGIN_ENTRY_KEYS.contains(&key.as_str())) {
                found.push(format!(
                    "{}`plugins.entries.{id}.{key}` is no key of OpenClaw, which refuses the file for it",
                    at(&["plugins", "entries", id, key]),
                ));
            }
        }
    }
    if let Some(Value::Str(id)) = document.get(&["plugins", "slots", "memory"])
        && id == "ci-memory"
        && document.get(&["plugins", "load", "paths"]).is_none()
        && !directory.join("extensions").join(&id).join("openclaw.plugin.json").exists()
    {
        found.push(format!(
            "{}`plugins.slots.memory` names `{id}`, which is not installed: OpenClaw refuses the file for it",
            at(&["plugins", "slots", "memory"]),
        ));
    }
    found.extend(policies::hiding(document, RECIPE.hub()));
    found.extend(plugin_policies::keeping_off(document));
    found.extend(stale::leftovers(document, directory));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(pairs: &[(&str, &str)], there: &[&str]) -> Result<PathBuf, &'static str> {
        config_path(
            &|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(*v)),
            &|path| there.iter().any(|there| path == Path::new(there)),
        )
    }

    #[test]
    fn the_file_is_found_as_openclaw_finds_it() {
        let home = ("HOME", "/h");
        for (pairs, there, expected) in [
            (vec![home], vec![], "/h/.openclaw/openclaw.json"),
            (vec![home], vec!["/h/.clawdbot"], "/h/.clawdbot/openclaw.json"),
            (vec![home], vec!["/h/.clawdbot", "/h/.clawdbot/clawdbot.json"], "/h/.clawdbot/clawdbot.json"),
            (vec![home], vec!["/h/.openclaw", "/h/.openclaw/clawdbot.json"], "/h/.openclaw/clawdbot.json"),
            (
                vec![home, ("OPENCLAW_STATE_DIR", "/s")],
                vec!["/h/.openclaw/openclaw.json"],
                "/s/openclaw.json",
            ),
            (vec![home, ("OPENCLAW_STATE_DIR", "~/s")], vec![], "/h/s/openclaw.json"),
            (vec![home, ("OPENCLAW_CONFIG_PATH", " ~/c.json5 ")], vec![], "/h/c.json5"),
            (vec![home, ("OPENCLAW_HOME", "undefined")], vec![], "/h/.openclaw/openclaw.json"),
            (vec![home, ("OPENCLAW_HOME", "~/o")], vec![], "/h/o/.openclaw/openclaw.json"),
            (vec![home, ("OPENCLAW_HOME", "/o")], vec![], "/o/.openclaw/openclaw.json"),
        ] {
            assert_eq!(path(&pairs, &there).unwrap(), Path::new(expected), "{pairs:?}");
        }
        assert!(path(&[("HOME", " ")], &[]).is_err());
    }
}
