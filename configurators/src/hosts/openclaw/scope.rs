//! A place of an OpenClaw configuration that says which tools there are: `profile`, `allow`, `alsoAllow`, `deny`.

use super::agents::Agent;
use super::server_tools::entries;
use crate::Value;
use crate::hosts::place::at;
use crate::recipe::Reader;

/// The one profile that leaves MCP servers out.
pub(super) const NARROW: &str = "minimal";

/// One such mapping.
pub(super) struct Scope {
    /// How a person finds it in the file.
    pub(super) label: String,
    /// Whose it is, where it is not everybody's.
    pub(super) agent: Option<String>,
    /// The provider or model that it is for, where it is not for all.
    models: Option<String>,
    /// Keys to it, or to what is nearest to it.
    path: Vec<String>,
    /// Whether `path` leads to itself.
    is_keyed: bool,
    value: Value,
}

impl Scope {
    /// `tools`, which is everybody's.
    pub(super) fn global(document: &dyn Reader) -> Self {
        let value = document.get(&["tools"]).unwrap_or(Value::Null);
        let label = "tools".to_owned();
        Self { path: vec![label.clone()], label, is_keyed: true, agent: None, models: None, value }
    }

    /// `tools` of one agent.
    pub(super) fn of_agent(agent: &Agent) -> Self {
        let outer = Self {
            label: agent.label.clone(),
            path: agent.path.clone(),
            is_keyed: agent.is_keyed,
            agent: Some(agent.label.clone()),
            models: None,
            value: agent.value.clone(),
        };
        outer.inside("tools")
    }

    /// The mapping under `key` in this one.
    fn inside(&self, key: &str) -> Self {
        let further = self.is_keyed.then(|| key.to_owned());
        Self {
            label: format!("{}.{key}", self.label),
            path: self.path.iter().cloned().chain(further).collect(),
            is_keyed: self.is_keyed,
            agent: self.agent.clone(),
            models: self.models.clone(),
            value: self.value.get(key).cloned().unwrap_or(Value::Null),
        }
    }

    /// What is said here for the sandbox.
    pub(super) fn sandbox(&self) -> Self {
        self.inside("sandbox").inside("tools")
    }

    /// What is said here for `model`: under its full name, else under its provider.
    pub(super) fn for_model(&self, model: &str) -> Option<Self> {
        let by_provider = self.inside("byProvider");
        let Value::Map(policies) = &by_provider.value else { return None };
        let model = model.trim().to_ascii_lowercase();
        let provider = model.split('/').next().unwrap_or_default();
        let named = |wanted: &str| policies.iter().rfind(|(key, _)| key.trim().eq_ignore_ascii_case(wanted));
        let (key, _) = named(&model).or_else(|| named(provider))?;
        let mut inner = by_provider.inside(key);
        inner.models = Some(key.clone());
        Some(inner)
    }

    /// Where `key` stands.
    pub(super) fn at(&self, document: &dyn Reader, key: &str) -> String {
        let further = self.is_keyed.then_some(key);
        let path: Vec<&str> = self.path.iter().map(String::as_str).chain(further).collect();
        at(document, &path)
    }

    /// From whom it hides something, as the end of a sentence.
    pub(super) fn whom(&self) -> String {
        let agent = self.agent.iter().map(|agent| format!(" from `{agent}`"));
        let models = self.models.iter().map(|models| format!(" with models of `{models}`"));
        agent.chain(models).collect()
    }

    /// Whether `key` stands here.
    pub(super) fn has(&self, key: &str) -> bool {
        self.value.get(key).is_some()
    }

    /// Whether `key` is a list here.
    pub(super) fn has_list(&self, key: &str) -> bool {
        matches!(self.value.get(key), Some(Value::List(_)))
    }

    /// Whether `key` is a list here with something in it.
    pub(super) fn is_filled(&self, key: &str) -> bool {
        matches!(self.value.get(key), Some(Value::List(list)) if !list.is_empty())
    }

    /// The entries of the list `key`, as OpenClaw compares them; none where there is no list.
    pub(super) fn list(&self, key: &str) -> Vec<String> {
        entries(self.value.get(key)).unwrap_or_default()
    }

    /// Whether the profile leaves MCP servers out.
    pub(super) fn is_narrow(&self) -> bool {
        self.value.get("profile").and_then(Value::as_str) == Some(NARROW)
    }
}
