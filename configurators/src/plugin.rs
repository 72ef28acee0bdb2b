//! A plugin in OpenClaw's file: its entry, and the other places that name it.
//!
//! Never installs files; an entry without files is what keeps a gateway from starting cleanly, so whoever asks
//! for an entry has installed them before.

use std::path::{Path, PathBuf};

use crate::part::{Intent, Part, Stop, Surroundings};
use crate::recipe::Reader;
use crate::{Change, Refusal, RefusalKind, Value};

/// The file that makes a folder a plugin.
pub const MANIFEST: &str = "openclaw.plugin.json";

/// Largest manifest that is looked into, bytes.
const MANIFEST_BYTES: u64 = 64 * 1024;

/// Keys of the section of entries.
const ENTRIES: [&str; 2] = ["plugins", "entries"];

/// Keys of the list of further plugin folders.
const PATHS: [&str; 3] = ["plugins", "load", "paths"];

/// Keys of the list that shuts every other plugin out.
const ALLOW: [&str; 2] = ["plugins", "allow"];

/// The entry that makes the gateway load an installed plugin.
pub struct PluginEntry {
    id: String,
    installed: PathBuf,
}

impl PluginEntry {
    /// The entry of the plugin `id`, which stands in `extensions`.
    #[must_use]
    pub fn new(id: &str, extensions: &Path) -> Self {
        Self { id: id.to_owned(), installed: extensions.join(id) }
    }
}

impl Part for PluginEntry {
    fn plan(&self, document: &dyn Reader, _surroundings: Surroundings<'_>) -> Result<Intent, Stop> {
        let id = self.id.as_str();
        let path = [ENTRIES[0], ENTRIES[1], id];
        let entry = document.get(&path);
        let disabled = entry.as_ref().and_then(|entry| entry.get("enabled")) == Some(&Value::Bool(false));
        let mut intent = Intent { disabled, ..Intent::default() };
        intent.entries.push(path.iter().map(|key| (*key).to_owned()).collect());
        match &entry {
            None | Some(Value::Null) => {
                let enabled = Value::Map(vec![("enabled".to_owned(), Value::Bool(true))]);
                intent.changes.push(Change::set(&path, enabled));
            }
            Some(Value::Map(_)) if disabled => {}
            Some(Value::Map(_)) => {
                intent.changes.push(Change::set(&[ENTRIES[0], ENTRIES[1], id, "enabled"], Value::Bool(true)));
            }
            Some(other) => {
                return Err(Refusal {
                    kind: RefusalKind::NotAMapping,
                    at: document.position(&path),
                    what: format!("`{}` is {}, where a mapping should stand", path.join("."), other.kind()),
                    next: "remove it or make it a mapping",
                }
                .into());
            }
        }
        self.list(document, &mut intent);
        self.register_once(document, &mut intent);
        Ok(intent)
    }
}

impl PluginEntry {
    /// A list that shuts others out is never made, but where there is one the plugin must be in it.
    fn list(&self, document: &dyn Reader, intent: &mut Intent) {
        if let Some(Value::List(mut allowed)) = document.get(&ALLOW)
            && !allowed.iter().any(|allowed| allowed.as_str() == Some(&self.id))
        {
            allowed.push(Value::Str(self.id.clone()));
            intent.changes.push(Change::set(&ALLOW, Value::List(allowed)));
        }
    }

    /// A folder that is registered under the same id loses its registration, because the plugin stands among the
    /// extensions now; one that *is* the installed folder stays.
    fn register_once(&self, document: &dyn Reader, intent: &mut Intent) {
        let Some(Value::List(paths)) = document.get(&PATHS) else { return };
        let is_other = |path: &Value| {
            path.as_str().map(Path::new).is_some_and(|path| {
                path != self.installed && id_in(path).as_deref() == Some(self.id.as_str())
            })
        };
        let kept: Vec<Value> = paths.iter().filter(|path| !is_other(path)).cloned().collect();
        if kept.len() != paths.len() {
            intent.notices.push(format!(
                "`plugins.load.paths` named another folder of the plugin `{}`: taken out, so that it is not loaded twice",
                self.id
            ));
            intent.changes.push(Change::set(&PATHS, Value::List(kept)));
        }
    }
}

/// Whether the plugin `id` is installed: among the extensions, or in a registered folder.
#[must_use]
pub fn stands(document: &dyn Reader, extensions: &Path, id: &str) -> bool {
    let registered = match document.get(&PATHS) {
        Some(Value::List(paths)) => paths,
        _ => Vec::new(),
    };
    let registered = registered.iter().filter_map(|path| path.as_str()).map(PathBuf::from);
    std::iter::once(extensions.join(id)).chain(registered).any(|folder| id_in(&folder).as_deref() == Some(id))
}

/// The id in the manifest of a plugin folder. The folder may be the agent's: a small regular file is read, or
/// nothing.
fn id_in(folder: &Path) -> Option<String> {
    let path = folder.join(MANIFEST);
    let small = path.metadata().is_ok_and(|stat| stat.is_file() && stat.len() <= MANIFEST_BYTES);
    let text = small.then(|| std::fs::read_to_string(path).ok()).flatten()?;
    let manifest: serde_json::Value = ::json5::from_str(&text).ok()?;
    manifest.get("id")?.as_str().map(str::to_owned)
}
