//! The manifest of a Hermes plugin: its name, and whether there is anything to load.

use std::path::Path;

use super::contents::Contents;
use super::error::FolderError;
use super::id;
use crate::yaml::YamlDocument;
use crate::{Document, Value};

/// The files that make a folder a plugin; the first that is there counts.
const MANIFESTS: [&str; 2] = ["plugin.yaml", "plugin.yml"];

/// The code.
const CODE: &str = "__init__.py";

/// The name by which Hermes lists the plugin, which need not be the folder's: that of the manifest, else that of
/// the folder.
pub(super) fn name(contents: &Contents<'_>, root: &Path) -> Result<String, FolderError> {
    let found = MANIFESTS.iter().find_map(|name| Some((*name, contents.file(name)?)));
    let Some((file, bytes)) = found else {
        return Err(FolderError::NoManifest { path: root.join(MANIFESTS[0]) });
    };
    let wrong = |what: String| FolderError::Manifest { path: root.join(file), what };
    let text =
        std::str::from_utf8(bytes).map_err(|_| wrong("it is not valid UTF-8; save it as such".to_owned()))?;
    let manifest = YamlDocument::parse(text).map_err(|refusal| {
        let at = refusal.at.map(|at| format!(" at {at}")).unwrap_or_default();
        wrong(format!("{}{at}; {}", refusal.what, refusal.next))
    })?;
    let name = match manifest.get(&["name"]) {
        Some(Value::Str(name)) if !name.trim().is_empty() => name,
        _ => root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
    };
    id::check(&name)?;
    if contents.file(CODE).is_none() {
        return Err(wrong(format!("there is no {CODE} beside it, so Hermes has nothing to load; add it")));
    }
    Ok(name)
}
