//! The memory server in a host's file: over MCP, or as the plugin in OpenClaw's memory slot.

use std::path::PathBuf;

use hubkit_contract::hub_url;

use crate::credential::Credential;
use crate::part::{Intent, Part, Stop, Surroundings};
use crate::plugin::{self, PluginEntries};
use crate::recipe::{Reader, Recipe};
use crate::server::{Server, Transport};
use crate::{Change, Value};

/// The memory server as an MCP server.
///
/// Where its endpoint is, nobody has published, so it is not guessed: an entry that leads to the same origin is
/// adopted and refreshed, whatever its name; otherwise somebody has to say the path.
pub struct MemoryServer {
    /// The host's wiring.
    pub recipe: &'static Recipe,
    /// The entry's name where there is none yet.
    pub name: &'static str,
    /// Base URL of the memory server.
    pub base: String,
    /// Path of its MCP endpoint, where somebody said.
    pub path: Option<String>,
    /// What opens it.
    pub credential: Credential,
}

/// An entry that may be the memory server's.
struct Standing {
    name: String,
    url: String,
}

impl Part for MemoryServer {
    fn plan(&self, document: &dyn Reader, surroundings: Surroundings<'_>) -> Result<Intent, Stop> {
        let section = self.recipe.servers().join(".");
        let mut notice = None;
        let said = self.path.as_ref().map(|path| format!("{}{path}", self.base));
        let standing = self.standing(document);
        let ours = standing.iter().find(|standing| standing.name == self.name);
        let there = |standing: &&Standing| hub_url::same_origin(&standing.url, &self.base);
        let is_hidden = |standing: &&Standing| (self.recipe.is_reserved)(&standing.name);
        let adopted = standing.iter().filter(there).find(|standing| !is_hidden(standing));
        let hidden = standing.iter().filter(there).find(is_hidden);
        let (name, url) = match (ours, adopted, hidden, said) {
            (Some(ours), _, _, said) => {
                let moved = || hub_url::at_origin_of(&self.base, &ours.url);
                let url = said.or_else(moved).unwrap_or_else(|| ours.url.clone());
                (self.name, url)
            }
            (None, Some(adopted), _, said) => {
                notice = Some(format!(
                    "`{section}.{}` leads to the memory server: kept and refreshed",
                    adopted.name
                ));
                (adopted.name.as_str(), said.unwrap_or_else(|| adopted.url.clone()))
            }
            (None, None, Some(hidden), said) => {
                notice = Some(format!(
                    "`{section}.{}` has the name of a built-in toolset, so the agent never sees it: \
                     `{section}.{}` does its work now, remove the other",
                    hidden.name, self.name,
                ));
                (self.name, said.unwrap_or_else(|| hidden.url.clone()))
            }
            (None, None, None, Some(said)) => (self.name, said),
            (None, None, None, None) => {
                return Ok(Intent::skip(format!(
                    "no entry leads to {} and HUBKIT_MEMORY_MCP_PATH is not set: where it speaks MCP is not guessed",
                    self.base,
                )));
            }
        };
        let transport =
            Transport::Http { url, credential: Some(self.credential.clone()), headers: Vec::new() };
        let server = Server { recipe: self.recipe, name: name.to_owned(), transport };
        let mut intent = server.plan(document, surroundings)?;
        intent.notices.splice(0..0, notice);
        Ok(intent)
    }
}

impl MemoryServer {
    /// All entries with a URL but the Hub's.
    fn standing(&self, document: &dyn Reader) -> Vec<Standing> {
        let Some(Value::Map(servers)) = document.get(self.recipe.servers()) else { return Vec::new() };
        let with_url = servers.into_iter().filter_map(|(name, server)| {
            let url = server.get("url")?.as_str()?.to_owned();
            Some(Standing { name, url })
        });
        with_url.filter(|standing| standing.name != self.recipe.hub()).collect()
    }
}

/// The id of the memory plugin.
pub const PLUGIN: &str = "ci-memory";

/// Keys of the slot that a memory plugin fills.
const SLOT: [&str; 3] = ["plugins", "slots", "memory"];

/// The memory plugin in OpenClaw's slot. OpenClaw refuses its whole file for a slot that names a plugin which
/// is not there, so the slot is filled only when the files stand.
pub struct MemorySlot {
    /// OpenClaw's extensions directory.
    pub extensions: PathBuf,
}

impl Part for MemorySlot {
    fn plan(&self, document: &dyn Reader, surroundings: Surroundings<'_>) -> Result<Intent, Stop> {
        if !plugin::stands(document, &self.extensions, PLUGIN) {
            return Ok(Intent::skip(format!(
                "the plugin `{PLUGIN}` is not installed in {}, so OpenClaw would refuse its file for the slot; install it with --plugin",
                self.extensions.display(),
            )));
        }
        let slot = document.get(&SLOT);
        if let Some(taken) =
            slot.as_ref().and_then(Value::as_str).filter(|taken| *taken != PLUGIN && !taken.is_empty())
        {
            let line = document.line(&SLOT).map(|line| format!("line {line}: ")).unwrap_or_default();
            return Ok(Intent::skip(format!(
                "{line}`plugins.slots.memory` holds `{taken}`, which is kept; set it to `{PLUGIN}` to use the Hub's memory"
            )));
        }
        let entry = PluginEntries { ids: vec![PLUGIN.to_owned()], extensions: self.extensions.clone() };
        let mut intent = entry.plan(document, surroundings)?;
        if intent.disabled {
            return Ok(Intent { skipped: Some(format!("the plugin `{PLUGIN}` is switched off")), ..intent });
        }
        intent.changes.push(Change::set(&SLOT, PLUGIN.into()));
        intent.entries.push(SLOT.iter().map(|key| (*key).to_owned()).collect());
        Ok(intent)
    }
}

#[cfg(test)]
mod tests;
