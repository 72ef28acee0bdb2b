//! Hermes Agent: `mcp_servers.hub` in `config.yaml`.

mod dotenv;
mod policies;
pub mod providers;
mod reserved;
pub mod shadow;
mod stale;

pub use reserved::is_reserved;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::small_file;
use crate::Value;
use crate::recipe::{Field, Format, Reader, Recipe, SecretStyle, Wanted};

/// Hermes speaks Streamable HTTP when there is a `url` and no `transport`; its time-outs must be YAML numbers,
/// a quoted one connects and then fails at every call.
pub static RECIPE: Recipe = Recipe {
    host: "hermes",
    format: Format::Yaml,
    entry: &["mcp_servers", "hub"],
    memory: Some("hub-memory"),
    is_reserved,
    fields: &[
        Field { key: "url", wanted: Wanted::Url },
        Field { key: "timeout", wanted: Wanted::DefaultNumber(180) },
        Field { key: "connect_timeout", wanted: Wanted::DefaultNumber(60) },
    ],
    before_headers: 1,
    unwanted: &["transport", "type", "command", "args", "auth"],
    retired_switch: None,
    in_new_file: &[],
    secrets: SecretStyle::Literal,
    is_reference,
    is_disabled,
    empty_is_clobbered: false,
    faults,
};

/// `HERMES_HOME` (trimmed; blank is unset), else `.hermes` in the home directory.
///
/// # Errors
/// Neither variable is set.
pub fn config_path(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<PathBuf, &'static str> {
    let set = |name: &str| {
        let value = variable(name)?;
        match value.to_str() {
            Some(text) => Some(OsString::from(text.trim())).filter(|text| !text.is_empty()),
            None => Some(value),
        }
    };
    if let Some(home) = set("HERMES_HOME") {
        return Ok(PathBuf::from(home).join("config.yaml"));
    }
    let home = set("HOME").ok_or("HERMES_HOME or HOME")?;
    Ok(PathBuf::from(home).join(".hermes").join("config.yaml"))
}

/// In `mcp_servers` Hermes expands `${NAME}` and `${env:NAME}`, with blanks inside the braces.
fn is_reference(text: &str, variable: &str) -> bool {
    let inside = text.strip_prefix("Bearer ${").and_then(|rest| rest.strip_suffix('}'));
    inside.is_some_and(|name| {
        let name = name.trim();
        name == variable || name.strip_prefix("env:").is_some_and(|name| name == variable)
    })
}

/// Hermes takes the usual words for `enabled`, quoted or not, and reads any number as enabled.
fn is_disabled(entry: &Value) -> bool {
    match entry.get("enabled") {
        Some(Value::Bool(enabled)) => !enabled,
        Some(Value::Str(word)) => {
            matches!(word.trim().to_ascii_lowercase().as_str(), "false" | "0" | "no" | "off")
        }
        _ => false,
    }
}

/// Longest name of a profile, with a line break, bytes.
const PROFILE_BYTES: usize = 65;

/// The profile that `hermes profile use` made the standing one: Hermes then reads that profile's file.
fn active_profile(directory: &Path) -> Option<String> {
    let text = small_file::read(&directory.join("active_profile"), PROFILE_BYTES).ok()?;
    let name = str::from_utf8(&text).ok()?.trim();
    // Whatever is no name is not shown either: an agent may have put anything there.
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (!name.is_empty() && name.chars().all(is_name) && name != "default").then(|| name.to_owned())
}

fn faults(document: &dyn Reader, directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(name) = active_profile(directory) {
        found.push(format!(
            "the active profile is `{name}`: Hermes reads profiles/{name}/config.yaml instead; wire it with --config, \
             or run `hermes profile use default`"
        ));
    }
    let at = |path: &[&str]| document.line(path).map(|line| format!("line {line}: ")).unwrap_or_default();
    if let Some(Value::Map(servers)) = document.get(&["mcp_servers"]) {
        for (name, server) in &servers {
            if name != "hub" && !matches!(server, Value::Map(_)) {
                found.push(format!(
                    "{}`mcp_servers.{name}` is {}, no mapping: `hermes mcp list` fails on it",
                    at(&["mcp_servers", name]),
                    server.kind(),
                ));
            }
        }
    }
    if let Some(Value::Map(headers)) = document.get(&["mcp_servers", "hub", "headers"]) {
        for (name, value) in &headers {
            if !matches!(value, Value::Str(_)) && !name.eq_ignore_ascii_case("authorization") {
                found.push(format!(
                    "{}header `{name}` is {}: Hermes hangs on it when it connects; put it in quotes",
                    at(&["mcp_servers", "hub", "headers", name]),
                    value.kind(),
                ));
            }
        }
    }
    found.extend(policies::hiding(document, RECIPE.hub()));
    found.extend(stale::leftovers(document));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_found_as_hermes_finds_it() {
        let path = |pairs: &[(&str, &str)]| {
            config_path(&|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(*v)))
        };
        assert_eq!(
            path(&[("HERMES_HOME", " /opt/data\n"), ("HOME", "/root")]).unwrap(),
            Path::new("/opt/data/config.yaml")
        );
        assert_eq!(
            path(&[("HERMES_HOME", " "), ("HOME", "/root")]).unwrap(),
            Path::new("/root/.hermes/config.yaml")
        );
        assert!(path(&[]).is_err());
    }

    #[test]
    fn a_standing_profile_is_found_and_other_files_are_not_read() {
        let home = std::env::temp_dir().join(format!("hubkit-profile-{}", std::process::id()));
        std::fs::create_dir(&home).unwrap();
        let mut found = vec![active_profile(&home)];
        for text in ["coder\n", "default\n", " ", &"x".repeat(66), "top secret"] {
            std::fs::write(home.join("active_profile"), text).unwrap();
            found.push(active_profile(&home));
        }
        std::fs::remove_dir_all(&home).unwrap();
        assert_eq!(found, [None, Some("coder".to_owned()), None, None, None, None]);
    }

    #[test]
    fn a_number_switches_nothing_off() {
        let entry = |value| Value::Map(vec![("enabled".to_owned(), value)]);
        assert!(!is_disabled(&entry(Value::Int(0))));
        assert!(is_disabled(&entry(Value::Bool(false))) && is_disabled(&entry(" No ".into())));
    }

    #[test]
    fn references_are_those_that_hermes_expands() {
        for text in
            ["Bearer ${HUB_MCP_API_KEY}", "Bearer ${env:HUB_MCP_API_KEY}", "Bearer ${ HUB_MCP_API_KEY }"]
        {
            assert!(is_reference(text, "HUB_MCP_API_KEY"), "{text}");
        }
        for text in [
            "Bearer $HUB_MCP_API_KEY",
            "${HUB_MCP_API_KEY}",
            "Bearer ${HUB_MCP_API_KEY:-x}",
            "Bearer ${OTHER}",
        ] {
            assert!(!is_reference(text, "HUB_MCP_API_KEY"), "{text}");
        }
    }
}
