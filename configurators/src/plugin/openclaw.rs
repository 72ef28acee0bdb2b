//! OpenClaw: entries under `plugins.entries`, and the other places that name a plugin.

use std::path::{Path, PathBuf};

use crate::hosts::small_file;
use crate::part::{Intent, Part, Stop, Surroundings};
use crate::recipe::Reader;
use crate::{Change, Refusal, RefusalKind, Value};

/// The file that makes a folder a plugin.
const MANIFEST: &str = "openclaw.plugin.json";

/// Largest manifest that is looked into, bytes.
const MANIFEST_BYTES: usize = 64 * 1024;

/// Keys of the section of entries.
const ENTRIES: [&str; 2] = ["plugins", "entries"];

/// Keys of the list of further plugin folders.
const PATHS: [&str; 3] = ["plugins", "load", "paths"];

/// Keys of the list that shuts every other plugin out.
const ALLOW: [&str; 2] = ["plugins", "allow"];

/// The entries that make the gateway load installed plugins.
pub struct PluginEntries {
    /// The plugins.
    pub ids: Vec<String>,
    /// Where they stand.
    pub extensions: PathBuf,
}

impl Part for PluginEntries {
    fn plan(&self, document: &dyn Reader, _surroundings: Surroundings<'_>) -> Result<Intent, Stop> {
        let mut intent = Intent::default();
        for id in &self.ids {
            entry(document, id, &mut intent)?;
        }
        self.list(document, &mut intent);
        self.register_once(document, &mut intent);
        Ok(intent)
    }
}

/// One entry; a plugin that the user switched off stays off.
fn entry(document: &dyn Reader, id: &str, intent: &mut Intent) -> Result<(), Refusal> {
    let path = [ENTRIES[0], ENTRIES[1], id];
    let entry = document.get(&path);
    intent.entries.push(path.iter().map(|key| (*key).to_owned()).collect());
    match &entry {
        None | Some(Value::Null) => {
            let enabled = Value::Map(vec![("enabled".to_owned(), Value::Bool(true))]);
            intent.changes.push(Change::set(&path, enabled));
        }
        Some(Value::Map(_)) if is_off(entry.as_ref()) => {
            intent.disabled = true;
            intent.notices.push(format!("the plugin `{id}` is switched off, which is respected"));
        }
        Some(Value::Map(_)) => {
            intent.changes.push(Change::set(&[ENTRIES[0], ENTRIES[1], id, "enabled"], Value::Bool(true)));
        }
        Some(other) => {
            return Err(Refusal {
                kind: RefusalKind::NotAMapping,
                at: document.position(&path),
                what: format!("`{}` is {}, where a mapping should stand", path.join("."), other.kind()),
                next: "remove it or make it a mapping",
            });
        }
    }
    Ok(())
}

fn is_off(entry: Option<&Value>) -> bool {
    entry.and_then(|entry| entry.get("enabled")) == Some(&Value::Bool(false))
}

impl PluginEntries {
    /// A list that shuts others out is never made, but where there is one the plugins must be in it.
    fn list(&self, document: &dyn Reader, intent: &mut Intent) {
        let Some(Value::List(allowed)) = document.get(&ALLOW) else { return };
        let missing = self.ids.iter().filter(|id| !allowed.iter().any(|listed| listed.as_str() == Some(id)));
        intent.changes.extend(missing.map(|id| Change::append(&ALLOW, Value::Str(id.clone()))));
    }

    /// A folder that is registered under the same id loses its registration, because the plugin stands among the
    /// extensions now; one that *is* the installed folder stays.
    fn register_once(&self, document: &dyn Reader, intent: &mut Intent) {
        let Some(Value::List(paths)) = document.get(&PATHS) else { return };
        for path in &paths {
            let folder = path.as_str().map(Path::new);
            let other = folder
                .and_then(|folder| Some((folder, id_in(folder)?)))
                .filter(|(folder, id)| self.ids.contains(id) && *folder != self.extensions.join(id));
            if let Some((folder, id)) = other {
                intent.notices.push(format!(
                    "`plugins.load.paths` named {} for the plugin `{id}` as well: taken out, so that it is not loaded twice",
                    folder.display(),
                ));
                intent.changes.push(Change::drop(&PATHS, path.clone()));
            }
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
    let text = String::from_utf8(small_file::read(&folder.join(MANIFEST), MANIFEST_BYTES).ok()?).ok()?;
    let manifest: serde_json::Value = ::json5::from_str(&text).ok()?;
    manifest.get("id")?.as_str().map(str::to_owned)
}
