//! What a host's file says of our entry: for whoever connects with exactly that.

use hubkit_contract::environment::HUB_MCP_API_KEY;
use hubkit_redaction::Secret;

use crate::recipe::{Format, Recipe};
use crate::{Document, Refusal, Value, json5, yaml};

/// The entry as it stands in the file; references are not expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its `url`.
    pub url: String,
    /// Its `Authorization` header, under whatever case it stands.
    pub authorization: Option<Secret>,
    /// Whether that header is a reference that the host expands to the value of `HUB_MCP_API_KEY`.
    pub is_reference: bool,
}

/// Reads the entry of `recipe` out of a file's text. `None` where there is none, or none with a `url`.
///
/// # Errors
/// The host's parser would not read the file.
pub fn read(recipe: &Recipe, text: &str) -> Result<Option<Entry>, Refusal> {
    let entry = match recipe.format {
        Format::Yaml => yaml::YamlDocument::parse(text)?.get(recipe.entry),
        Format::Json5 => json5::Json5Document::parse(text)?.get(recipe.entry),
    };
    let Some(entry) = entry else { return Ok(None) };
    let Some(url) = entry.get("url").and_then(Value::as_str) else { return Ok(None) };
    let authorization = authorizations(&entry).last().and_then(|(_, value)| value.as_str());
    Ok(Some(Entry {
        url: url.to_owned(),
        authorization: authorization.map(Secret::new),
        is_reference: authorization.is_some_and(|text| (recipe.is_reference)(text, HUB_MCP_API_KEY)),
    }))
}

/// The entry's headers that are `Authorization` in some spelling, in file order: HTTP ignores the case of names.
/// Where there are several, the last is the one that hubkit reads and keeps.
pub(crate) fn authorizations(entry: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = match entry.get("headers") {
        Some(Value::Map(members)) => members.as_slice(),
        _ => &[],
    };
    let headers = members.iter().map(|(name, value)| (name.as_str(), value));
    headers.filter(|(name, _)| name.eq_ignore_ascii_case("authorization"))
}
