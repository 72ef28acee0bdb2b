//! What older set-ups left in OpenClaw's configuration and among its plugins. It is reported; an upgrade of the
//! plugin or a person takes it away.

use std::ffi::OsStr;
use std::path::Path;

use super::manifest::{self, Manifest};
use crate::Value;
use crate::hosts::old_entry;
use crate::hosts::place::at;
use crate::recipe::Reader;

/// The Hub's plugins.
const OURS: [&str; 2] = ["ci-hub", "ci-memory"];

/// Settings of the older plugin that hold a credential.
const CREDENTIALS: [&str; 3] = ["hubApiKey", "mcpApiKey", "wakeSecret"];

/// Folders among the extensions that are looked at, at most.
const FOLDERS: usize = 1000;

/// What was left, one sentence each. `directory` is that of the configuration.
pub(super) fn leftovers(document: &dyn Reader, directory: &Path) -> Vec<String> {
    let extensions = directory.join("extensions");
    let mut found = old_entry::leftovers(document, &super::RECIPE, "hub");
    found.extend(load_paths(document));
    found.extend(doubles(&extensions));
    found.extend(credentials(document));
    found.extend(demands(&extensions.join("ci-hub")));
    found
}

/// Further plugin folders that are gone, or that the older script registered.
fn load_paths(document: &dyn Reader) -> Vec<String> {
    let path = ["plugins", "load", "paths"];
    let Some(Value::List(paths)) = document.get(&path) else { return Vec::new() };
    let place = at(document, &path);
    let folders = paths.iter().filter_map(Value::as_str).map(|text| Path::new(text.trim()));
    let said = |folder: &Path| {
        let shown = folder.display();
        // What is not absolute begins where OpenClaw was started, or in its user's home.
        if folder.is_absolute() && matches!(folder.try_exists(), Ok(false)) {
            return Some(format!(
                "{place}`plugins.load.paths` names {shown}, which is not there: take it out"
            ));
        }
        let is_old = folder.ends_with("plugins/ci-hub");
        let demands = folder.is_absolute().then(|| demands(folder)).flatten();
        if is_old && demands.is_none() {
            return Some(format!(
                "{place}`plugins.load.paths` names {shown}, as the older script did: \
                 `hubkit bootstrap openclaw --plugin {shown}` puts it among the extensions and takes this out"
            ));
        }
        demands.map(|demands| format!("{place}{demands}"))
    };
    folders.filter_map(said).collect()
}

/// Folders among the extensions that OpenClaw takes for the same plugin as one of the Hub's.
fn doubles(extensions: &Path) -> Vec<String> {
    let Ok(listing) = extensions.read_dir() else { return Vec::new() };
    let mut names: Vec<_> = listing.take(FOLDERS).flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let mut found = Vec::new();
    for name in names.iter().filter(|name| !is_passed_over(name)) {
        let folder = extensions.join(name);
        let Some(manifest) = Manifest::read(&folder) else { continue };
        let same = |id: &&str| *id == manifest.id && OsStr::new(*id) != name.as_os_str();
        let Some(id) = OURS.into_iter().find(same) else { continue };
        // OpenClaw goes by name and keeps the first.
        let wins = name.as_os_str() < OsStr::new(id);
        found.push(format!(
            "{} says that it is the plugin `{id}`{}: remove it",
            folder.display(),
            if wins {
                ", and OpenClaw takes it instead of the right one"
            } else {
                " too, left by an upgrade"
            },
        ));
    }
    found
}

/// Whether OpenClaw itself passes over a folder of this name.
fn is_passed_over(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    name.ends_with(".bak") || [".backup-", ".disabled"].iter().any(|part| name.contains(part))
}

/// Credentials that the older plugin took from the file.
fn credentials(document: &dyn Reader) -> Vec<String> {
    let path = ["plugins", "entries", "ci-hub", "config"];
    let Some(Value::Map(config)) = document.get(&path) else { return Vec::new() };
    let is_literal =
        |value: &Value| value.as_str().is_some_and(|text| !text.is_empty() && !text.contains("${"));
    let held = config.iter().filter(|(key, value)| CREDENTIALS.contains(&key.as_str()) && is_literal(value));
    let said = held.map(|(key, _)| {
        format!(
            "{}`{}.{key}` holds a credential, which the plugin takes from the environment: take it out",
            at(document, &[path.as_slice(), &[key]].concat()),
            path.join("."),
        )
    });
    said.collect()
}

/// What the plugin in `folder` demands, if it is the older one.
fn demands(folder: &Path) -> Option<String> {
    let manifest = Manifest::read(folder)?;
    (manifest.id == "ci-hub" && !manifest.old_demands.is_empty()).then(|| {
        format!(
            "{} is the older plugin: it demands {} in `plugins.entries.ci-hub.config`, and OpenClaw refuses the file \
             without; put the current one in its place",
            folder.join(manifest::NAME).display(),
            manifest.old_demands.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" and "),
        )
    })
}

#[cfg(test)]
#[path = "stale_tests.rs"]
mod tests;
