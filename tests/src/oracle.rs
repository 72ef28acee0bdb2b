//! Independent readers of the formats: the very libraries that the hosts use, each in one process that
//! is kept for many documents.
//!
//! Never here: anything of ours that parses YAML or JSON5.

mod process;
mod tagged;

pub use tagged::Tagged;

use std::sync::{LazyLock, Mutex};

use process::Process;

static PYTHON: LazyLock<Mutex<Process>> = LazyLock::new(|| Mutex::new(Process::python()));
static NODE: LazyLock<Mutex<Process>> = LazyLock::new(|| Mutex::new(Process::node()));

/// `PyYAML`, YAML 1.1: what Hermes reads its configuration with.
#[derive(Debug, Clone, Copy)]
pub struct Pyyaml;

/// `ruamel.yaml`, told to read YAML 1.1 and to let the last of duplicate keys win (by itself it refuses
/// them).
#[derive(Debug, Clone, Copy)]
pub struct Ruamel;

/// npm's `json5`: what `OpenClaw` reads its configuration with.
#[derive(Debug, Clone, Copy)]
pub struct NpmJson5;

impl Pyyaml {
    /// What the loader on top of libyaml (`CSafeLoader`, the one that Hermes takes) reads.
    ///
    /// # Errors
    /// The library's own message for a document that it refuses.
    ///
    /// # Panics
    /// When the oracle is not installed or cannot be started.
    pub fn load(document: &[u8]) -> Result<Tagged, String> {
        process::ask(&PYTHON, "pyyaml-c", document)
    }

    /// What the loader in pure Python (`SafeLoader`) reads. It differs from the other in corners, tabs
    /// among them.
    ///
    /// # Errors
    /// As for [`Self::load`].
    ///
    /// # Panics
    /// As for [`Self::load`].
    pub fn load_pure(document: &[u8]) -> Result<Tagged, String> {
        process::ask(&PYTHON, "pyyaml", document)
    }
}

impl Ruamel {
    /// What the safe loader reads.
    ///
    /// # Errors
    /// The library's own message for a document that it refuses.
    ///
    /// # Panics
    /// When the oracle is not installed or cannot be started.
    pub fn load(document: &[u8]) -> Result<Tagged, String> {
        process::ask(&PYTHON, "ruamel", document)
    }
}

impl NpmJson5 {
    /// What `JSON5.parse` reads.
    ///
    /// # Errors
    /// The library's own message for a document that it refuses.
    ///
    /// # Panics
    /// When the oracle is not installed or cannot be started.
    pub fn load(document: &[u8]) -> Result<Tagged, String> {
        process::ask(&NODE, "json5", document)
    }

    /// What `JSON.parse` reads: refused here means that the document is not strict JSON.
    ///
    /// # Errors
    /// As for [`Self::load`].
    ///
    /// # Panics
    /// As for [`Self::load`].
    pub fn load_strict(document: &[u8]) -> Result<Tagged, String> {
        process::ask(&NODE, "json", document)
    }
}

#[cfg(test)]
mod tests;
