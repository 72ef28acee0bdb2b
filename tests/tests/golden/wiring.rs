//! Our entry, added by the real recipe and taken out again.

use std::path::Path;

use hubkit_configurators::compose::compose;
use hubkit_configurators::credential::Credential;
use hubkit_configurators::part::Surroundings;
use hubkit_configurators::recipe::Format;
use hubkit_configurators::server::{Server, Transport};
use hubkit_configurators::undo::{Footprint, Removed, remove};
use hubkit_configurators::{Change, Document, Host, Refusal, Value, json5, yaml};
use hubkit_redaction::Secret;

/// One server in a host's file.
pub(crate) struct Entry {
    pub host: Host,
    pub name: String,
}

/// There and back.
pub(crate) struct Round {
    /// With the entry.
    pub added: String,
    /// With the entry taken out again; `None`: the file can go.
    pub removed: Option<String>,
}

impl Entry {
    /// The server `name` of a host.
    pub(crate) fn new(host: Host, name: &str) -> Self {
        Self { host, name: name.to_owned() }
    }

    /// The Hub.
    pub(crate) fn hub(host: Host) -> Self {
        Self::new(host, host.recipe().hub())
    }

    /// Keys from the root.
    pub(crate) fn path(&self) -> Vec<&str> {
        self.host.recipe().server_path(&self.name)
    }

    /// The text with the entry; `None` where it is refused.
    pub(crate) fn added(&self, original: Option<&str>) -> Option<String> {
        let credential = Credential {
            variable: "HUB_MCP_API_KEY",
            key: Secret::new("0123456789abcdef0123456789abcdef"),
            secrets: None,
            reference_resolves: true,
            or_literal: false,
        };
        let url = "http://ci-hub:5002/api/mcp".to_owned();
        let transport = Transport::Http { url, credential: Some(credential), headers: Vec::new() };
        let server = Server { recipe: self.host.recipe(), name: self.name.clone(), transport };
        let around =
            Surroundings { directory: Path::new("/nonexistent"), world_readable: false, backups: &[] };
        let composed = compose(self.host.recipe(), original.map(str::as_bytes), around, &[&server]).ok()?;
        composed.parts.first()?.as_ref().ok()?;
        Some(composed.text.unwrap_or_else(|| original.unwrap_or_default().to_owned()))
    }

    /// What was made between two texts, as it comes back from the state directory.
    pub(crate) fn footprint(&self, before: Option<&str>, after: &str) -> Option<Footprint> {
        let found = Footprint::of(self.host.recipe().format, before, after, &self.path())?;
        let kept = serde_json::to_string(&found).unwrap();
        assert!(!kept.contains("0123456789abcdef"), "a value in a footprint: {kept}");
        let read: Footprint = serde_json::from_str(&kept).unwrap();
        assert_eq!(read, found);
        Some(read)
    }

    /// Takes the entry out; `None`: the file can go.
    pub(crate) fn removed(
        &self,
        text: &str,
        footprint: Option<&Footprint>,
    ) -> Result<Option<String>, Refusal> {
        let recipe = self.host.recipe();
        Ok(match remove(recipe.format, text, &self.path(), footprint, recipe.in_new_file)? {
            Removed::Absent => Some(text.to_owned()),
            Removed::Text(text) => Some(text),
            Removed::File => None,
        })
    }

    /// There and back.
    pub(crate) fn round(&self, original: Option<&str>) -> Round {
        let added = self.added(original).unwrap();
        let footprint = self.footprint(original, &added);
        let removed = self.removed(&added, footprint.as_ref()).unwrap();
        Round { added, removed }
    }

    /// The entry as the editor reads it.
    pub(crate) fn read(&self, text: &str) -> Option<Value> {
        read(self.host, text, &self.path())
    }
}

/// What the editor reads at `path`.
pub(crate) fn read(host: Host, text: &str, path: &[&str]) -> Option<Value> {
    match host.recipe().format {
        Format::Yaml => yaml::YamlDocument::parse(text).unwrap().get(path),
        Format::Json5 => json5::Json5Document::parse(text).unwrap().get(path),
    }
}

/// What somebody else makes of a text.
pub(crate) fn edited(host: Host, text: &str, changes: &[Change]) -> Result<String, Refusal> {
    match host.recipe().format {
        Format::Yaml => yaml::YamlDocument::parse(text)?.edit(changes),
        Format::Json5 => json5::Json5Document::parse(text)?.edit(changes),
    }
}

/// What a text means apart from the entry, sections on the way to it that hold nothing, and what a new file gets;
/// as text, because not-a-number is no equal of itself.
pub(crate) fn without_traces(entry: &Entry, text: &str) -> String {
    let mut tree = read(entry.host, text, &[]).unwrap_or(Value::Null);
    prune(&mut tree, &entry.path());
    for (path, _) in entry.host.recipe().in_new_file {
        prune(&mut tree, path);
    }
    if is_nothing(&tree) { String::new() } else { format!("{tree:?}") }
}

fn prune(place: &mut Value, path: &[&str]) {
    let (Some((key, rest)), Value::Map(members)) = (path.split_first(), place) else { return };
    if let Some((_, inside)) = members.iter_mut().find(|(name, _)| name == key) {
        prune(inside, rest);
    }
    members.retain(|(name, value)| name != key || !(is_nothing(value) || rest.is_empty()));
}

/// Whether a value holds no more than a place.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Str(text) => text.is_empty(),
        Value::Map(members) => members.is_empty(),
        _ => false,
    }
}
