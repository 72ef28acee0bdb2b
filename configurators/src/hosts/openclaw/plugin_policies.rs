//! Settings of OpenClaw that keep plugins from being loaded on which the Hub's wiring rests: the provider plugin
//! of Ollama, and the Hub's own two. They are reported, never changed.
//!
//! `plugins.allow` is no obstacle to a plugin whose entry is enabled or that fills the memory slot: the gateway adds
//! it to the list by itself.

use super::server_tools::entries;
use crate::Value;
use crate::hosts::place::at;
use crate::recipe::Reader;

/// The plugin without which no model of Ollama works, and the `api` of providers that need it.
const OLLAMA: &str = "ollama";

/// The Hub's own plugins.
const OURS: [&str; 2] = ["ci-hub", "ci-memory"];

/// What keeps a plugin off that this configuration counts on, one sentence each.
pub(super) fn keeping_off(document: &dyn Reader) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(Value::Map(providers)) = document.get(&["models", "providers"])
        && let Some((provider, _)) =
            providers.iter().find(|(_, it)| it.get("api").and_then(Value::as_str) == Some(OLLAMA))
    {
        let consequence = format!("the models of `models.providers.{provider}` (api `{OLLAMA}`) do not work");
        found.extend(off(document, OLLAMA, &consequence));
        let switch = ["plugins", "entries", OLLAMA, "enabled"];
        match document.get(&switch) {
            Some(Value::Bool(true)) => {}
            Some(Value::Bool(false)) => found.push(format!(
                "{}`plugins.entries.{OLLAMA}.enabled` is false: {consequence}; take it out",
                at(document, &switch),
            )),
            _ => found.extend(unlisted(document, OLLAMA, &consequence)),
        }
    }
    for id in OURS.into_iter().filter(|id| is_wanted(document, id)) {
        let consequence = format!("the gateway does not load the plugin `{id}`");
        found.extend(off(document, id, &consequence));
    }
    found
}

/// Whether the file counts on the plugin `id`.
fn is_wanted(document: &dyn Reader, id: &str) -> bool {
    let entry = document.get(&["plugins", "entries", id, "enabled"]);
    let slot = document.get(&["plugins", "slots", "memory"]);
    entry == Some(Value::Bool(true)) || slot.as_ref().and_then(Value::as_str) == Some(id)
}

fn off(document: &dyn Reader, id: &str, consequence: &str) -> Option<String> {
    if document.get(&["plugins", "enabled"]) == Some(Value::Bool(false)) {
        let place = at(document, &["plugins", "enabled"]);
        return Some(format!("{place}`plugins.enabled` is false: {consequence}; take it out"));
    }
    let denied = entries(document.get(&["plugins", "deny"]).as_ref())?;
    denied.iter().any(|denied| denied == id).then(|| {
        let place = at(document, &["plugins", "deny"]);
        format!("{place}`plugins.deny` holds `{id}`: {consequence}; take it out")
    })
}

fn unlisted(document: &dyn Reader, id: &str, consequence: &str) -> Option<String> {
    let allowed = entries(document.get(&["plugins", "allow"]).as_ref())?;
    (!allowed.is_empty() && !allowed.iter().any(|allowed| allowed == id)).then(|| {
        let place = at(document, &["plugins", "allow"]);
        format!("{place}`plugins.allow` does not hold `{id}`: {consequence}; add it")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document as _;
    use crate::json5::Json5Document;
    use crate::recipe::AsReader;

    fn said(plugins: &str, rest: &str) -> Vec<String> {
        let text = format!("{{\n  plugins: {plugins},\n{rest} }}");
        keeping_off(&AsReader(&Json5Document::parse(&text).unwrap()))
    }

    const PROVIDER: &str = "models: { providers: { \"ci-hub\": { api: \"ollama\" } } }";

    #[test]
    fn a_provider_of_ollama_needs_its_plugin() {
        for (plugins, part) in [
            ("{ enabled: false }", "line 2: `plugins.enabled` is false"),
            ("{ deny: [\" Ollama \"] }", "line 2: `plugins.deny` holds `ollama`"),
            ("{ allow: [\"ci-hub\"] }", "line 2: `plugins.allow` does not hold `ollama`"),
            (
                "{ entries: { ollama: { enabled: false } } }",
                "line 2: `plugins.entries.ollama.enabled` is false",
            ),
        ] {
            let said = said(plugins, PROVIDER);
            assert!(said.len() == 1 && said[0].starts_with(part), "{plugins}: {said:?}");
            assert!(said[0].contains("models.providers.ci-hub"), "{said:?}");
        }
        for plugins in [
            "{}",
            "{ enabled: true, deny: [\"x\"] }",
            "{ allow: [] }",
            "{ allow: [\"ollama\"] }",
            "{ allow: [\"x\"], entries: { ollama: { enabled: true } } }",
        ] {
            assert_eq!(said(plugins, PROVIDER), Vec::<String>::new(), "{plugins}");
        }
        let other = "models: { providers: { x: { api: \"openai-completions\" } } }";
        assert_eq!(said("{ allow: [\"x\"] }", other), Vec::<String>::new());
        assert_eq!(said("{ enabled: false }", ""), Vec::<String>::new(), "no plugin is counted on");
    }

    #[test]
    fn our_plugins_are_kept_off_by_the_switch_and_the_deny_list_alone() {
        for (plugins, id) in [
            ("{ enabled: false, entries: { \"ci-hub\": { enabled: true } } }", "`ci-hub`"),
            ("{ deny: [\"ci-hub\"], entries: { \"ci-hub\": { enabled: true } } }", "`ci-hub`"),
            ("{ deny: [\"ci-memory\"], slots: { memory: \"ci-memory\" } }", "`ci-memory`"),
        ] {
            let said = said(plugins, "");
            assert!(said.len() == 1 && said[0].contains(id), "{plugins}: {said:?}");
        }
        for plugins in [
            "{ deny: [\"ci-hub\"], entries: { \"ci-hub\": { enabled: false } } }",
            "{ deny: [\"ci-hub\"] }",
            "{ allow: [\"x\"], entries: { \"ci-hub\": { enabled: true } } }",
            "{ allow: [\"x\"], slots: { memory: \"ci-memory\" } }",
        ] {
            assert_eq!(said(plugins, ""), Vec::<String>::new(), "{plugins}");
        }
    }
}
