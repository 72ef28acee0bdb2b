//! The manifest of an OpenClaw plugin, as far as hubkit looks into it. Its folder may be the agent's.

use std::path::Path;

use crate::hosts::small_file;

/// The file that makes a folder a plugin.
pub(super) const NAME: &str = "openclaw.plugin.json";

/// Largest manifest that is looked into, bytes.
const BYTES: usize = 64 * 1024;

/// Settings that only the Hub's older plugin demands.
const OLD_DEMANDS: [&str; 2] = ["hubUrl", "hubApiKey"];

/// What a manifest says.
pub(super) struct Manifest {
    pub(super) id: String,
    /// Settings of the Hub's older plugin without which OpenClaw refuses the entry.
    pub(super) old_demands: Vec<&'static str>,
}

impl Manifest {
    /// Reads the manifest in `folder`; `None` where there is none that could be read.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let bytes = small_file::read(&folder.join(NAME), BYTES).ok()?;
        let manifest: serde_json::Value = ::json5::from_str(std::str::from_utf8(&bytes).ok()?).ok()?;
        let required = manifest.pointer("/configSchema/required").and_then(|list| list.as_array());
        let demands = |key: &&str| required.is_some_and(|list| list.iter().any(|listed| listed == *key));
        Some(Self {
            id: manifest.get("id")?.as_str()?.trim().to_owned(),
            old_demands: OLD_DEMANDS.into_iter().filter(demands).collect(),
        })
    }
}
