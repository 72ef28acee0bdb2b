//! The agents of an OpenClaw configuration: `agents.entries`, or the older `agents.list` where that is missing.

use crate::Value;
use crate::hosts::place::at;
use crate::recipe::Reader;

/// One configured agent.
pub(super) struct Agent {
    /// How a person finds it in the file: `agents.entries.main`, `agents.list[0]`.
    pub(super) label: String,
    /// Keys to it, or to the list that it stands in.
    pub(super) path: Vec<String>,
    /// Whether `path` leads to itself, so that its keys can be found.
    pub(super) is_keyed: bool,
    /// Its settings.
    pub(super) value: Value,
}

impl Agent {
    /// Where the last of `keys` stands.
    pub(super) fn at(&self, document: &dyn Reader, keys: &[&str]) -> String {
        let further = if self.is_keyed { keys } else { &[] };
        let path: Vec<&str> = self.path.iter().map(String::as_str).chain(further.iter().copied()).collect();
        at(document, &path)
    }
}

/// All agents in file order. Nothing for a file that leaves it to the one agent there is by default.
pub(super) fn agents(document: &dyn Reader) -> Vec<Agent> {
    let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect();
    match (document.get(&["agents", "entries"]), document.get(&["agents", "list"])) {
        (Some(Value::Map(entries)), _) => entries
            .into_iter()
            .map(|(id, value)| Agent {
                label: format!("agents.entries.{id}"),
                path: keys(&["agents", "entries", &id]),
                is_keyed: true,
                value,
            })
            .collect(),
        (None, Some(Value::List(list))) => list
            .into_iter()
            .enumerate()
            .map(|(index, value)| Agent {
                label: format!("agents.list[{index}]"),
                path: keys(&["agents", "list"]),
                is_keyed: false,
                value,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The model that settings with a key `model` name first, as `provider/model`.
pub(super) fn primary_model(settings: &Value) -> Option<&str> {
    let model = settings.get("model")?;
    model.as_str().or_else(|| model.get("primary")?.as_str())
}
