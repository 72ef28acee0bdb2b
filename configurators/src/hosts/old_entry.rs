//! Entries of MCP servers that older set-ups left: to the Hub over its older transport, or under the name that the
//! Hub has in the other host.

use hubkit_contract::{hub_url, stale};

use crate::Value;
use crate::hosts::place::at;
use crate::recipe::{Reader, Recipe};

/// What was left in the section of servers, one sentence each. `foreign` is the Hub's name in the other host.
pub(super) fn leftovers(document: &dyn Reader, recipe: &Recipe, foreign: &str) -> Vec<String> {
    let section = recipe.servers();
    let Some(Value::Map(servers)) = document.get(section) else { return Vec::new() };
    let url = |server: &Value| server.get("url").and_then(Value::as_str).map(|url| url.trim().to_owned());
    let hub = servers.iter().find(|(name, _)| name == recipe.hub()).and_then(|(_, server)| url(server));
    let mut found = Vec::new();
    for (name, server) in &servers {
        let Some(url) = url(server) else { continue };
        let label = format!("{}.{name}", section.join("."));
        let place = |key: &str| at(document, &[section, &[name, key]].concat());
        let next = if name == recipe.hub() {
            format!("`hubkit bootstrap {}` mends it where the Hub's variables are set", recipe.host)
        } else {
            "remove the entry".to_owned()
        };
        let is_sse = server.get("transport").and_then(Value::as_str) == Some("sse");
        if let Some(end) = old_end(&url, hub.as_deref()) {
            found.push(format!(
                "{}`{label}.url` ends in `{end}`, where the Hub's older transport was: {next}",
                place("url")
            ));
        } else if is_sse && hub.as_ref().is_some_and(|hub| is_same(hub, &url)) {
            found.push(format!(
                "{}`{label}.transport` is `sse`, which the Hub no longer speaks: {next}",
                place("transport")
            ));
        } else if name == foreign && is_endpoint(&url) && hub.as_ref().is_some_and(|hub| !is_same(hub, &url))
        {
            found.push(format!(
                "{}`{label}` leads to a Hub beside `{}.{}`, and looks like an older script's: {next}",
                at(document, &[section, &[name]].concat()),
                section.join("."),
                recipe.hub(),
            ));
        }
    }
    found
}

/// The end of `url` that belongs to the older transport, where it is the Hub's: below its endpoint, or a part of
/// that endpoint's path at the same place.
fn old_end(url: &str, hub: Option<&str>) -> Option<&'static str> {
    let end = stale::retired_end(url)?;
    let is_above = |hub: &str| {
        let base = url.find(end).and_then(|found| url.get(..found)).unwrap_or(url);
        hub_url::same_origin(hub, url) && hub.starts_with(base)
    };
    (stale::renewed(url).is_some() || hub.is_some_and(is_above)).then_some(end)
}

fn is_same(a: &str, b: &str) -> bool {
    a.trim_end_matches('/') == b.trim_end_matches('/')
}

fn is_endpoint(url: &str) -> bool {
    url.trim_end_matches('/').ends_with(hub_url::MCP_PATH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document as _;
    use crate::hosts::{hermes, openclaw};
    use crate::json5::Json5Document;
    use crate::recipe::AsReader;
    use crate::yaml::YamlDocument;

    fn hermes(servers: &str) -> Vec<String> {
        let text = format!("mcp_servers:\n{servers}");
        leftovers(&AsReader(&YamlDocument::parse(&text).unwrap()), &hermes::RECIPE, "ci-hub")
    }

    fn openclaw(servers: &str) -> Vec<String> {
        let text = format!("{{ mcp: {{ servers: {{\n{servers} }} }} }}");
        leftovers(&AsReader(&Json5Document::parse(&text).unwrap()), &openclaw::RECIPE, "hub")
    }

    const HUB: &str = "  hub: {url: 'http://ci-hub:5002/api/mcp'}\n";

    #[test]
    fn the_older_transport_is_known_by_its_urls() {
        for (entry, part) in [
            (
                "  old: {url: 'http://elsewhere/api/mcp/sse'}\n",
                "line 3: `mcp_servers.old.url` ends in `/sse`",
            ),
            ("  old: {url: 'http://ci-hub:5002/sse'}\n", "line 3: `mcp_servers.old.url` ends in `/sse`"),
            ("  old: {url: 'http://ci-hub:5002/api/mcp/messages?id=1'}\n", "ends in `/messages`"),
            (
                "  old: {url: 'http://ci-hub:5002/api/mcp/', transport: sse}\n",
                "`mcp_servers.old.transport` is `sse`",
            ),
            (
                "  ci-hub: {url: 'http://localhost:3000/api/mcp'}\n",
                "line 3: `mcp_servers.ci-hub` leads to a Hub beside",
            ),
        ] {
            let said = hermes(&format!("{HUB}{entry}"));
            assert!(said.len() == 1 && said[0].contains(part), "{entry}: {said:?}");
            assert!(said[0].ends_with("remove the entry"), "{said:?}");
        }
        let own = hermes("  hub: {url: 'http://ci-hub:5002/api/mcp/sse'}\n");
        assert!(own.len() == 1 && own[0].contains("`hubkit bootstrap hermes` mends it"), "{own:?}");
    }

    #[test]
    fn servers_of_others_are_left_alone() {
        for entry in [
            "  old: {url: 'http://legacy:9121/sse', transport: sse}\n",
            "  app: {url: 'http://ci-hub:5002/apps/notes/sse', transport: sse}\n",
            "  time: {command: uvx}\n",
            "  twin: {url: 'http://ci-hub:5002/api/mcp'}\n",
            "  ci-hub: {url: 'http://ci-hub:5002/api/mcp'}\n",
            "  ci-hub: {url: 'http://github.lan/mcp'}\n",
            "  broken: 3\n",
        ] {
            assert_eq!(hermes(&format!("{HUB}{entry}")), Vec::<String>::new(), "{entry}");
        }
        assert_eq!(hermes("  ci-hub: {url: 'http://x/api/mcp'}\n"), Vec::<String>::new(), "the only entry");
    }

    #[test]
    fn openclaw_has_the_same_leftovers_under_other_names() {
        let hub = "\"ci-hub\": { url: \"http://h:1/api/mcp\" },\n";
        let said = openclaw(&format!("{hub}hub: {{ url: \"http://h:1/messages\" }}"));
        assert!(
            said.len() == 1 && said[0].starts_with("line 3: `mcp.servers.hub.url` ends in `/messages`"),
            "{said:?}"
        );
        let said = openclaw(&format!("{hub}hub: {{ url: \"http://old:2/api/mcp\" }}"));
        assert!(
            said.len() == 1 && said[0].contains("leads to a Hub beside `mcp.servers.ci-hub`"),
            "{said:?}"
        );
        assert_eq!(openclaw(hub), Vec::<String>::new());
    }
}
