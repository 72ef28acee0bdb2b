//! A host's wiring as data: where the entry stands, what must be in it, what must not.
//!
//! Adding a host is one file under `hosts/`.

use std::path::Path;

use crate::{Document, Duplicate, Position, Value};

/// The syntax of a host's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// YAML 1.1 as PyYAML reads it.
    Yaml,
    /// JSON5 as npm `json5` reads it.
    Json5,
}

/// How a host's file gives the agent its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretStyle {
    /// The key itself.
    Literal,
    /// `${VARIABLE}`, expanded by the host from its environment.
    Reference,
}

impl SecretStyle {
    /// The stable name in `--json` output and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Literal => "literal",
            Self::Reference => "env",
        }
    }
}

/// What one field of the entry must hold.
#[derive(Debug, Clone, Copy)]
pub enum Wanted {
    /// The Hub's MCP endpoint.
    Url,
    /// This text.
    Text(&'static str),
    /// This number where the user has none: a number of the user's own is left alone. In a quoted form,
    /// which the host does not take for a number, it is replaced.
    DefaultNumber(i64),
}

/// One field of the entry.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its key in the entry.
    pub key: &'static str,
    /// What it must hold.
    pub wanted: Wanted,
}

/// A host's wiring.
pub struct Recipe {
    /// The host's name on the command line.
    pub host: &'static str,
    /// The syntax of its file.
    pub format: Format,
    /// Keys from the root to the Hub's entry.
    pub entry: &'static [&'static str],
    /// The name of the memory server's entry, where the host reaches memory over MCP.
    pub memory: Option<&'static str>,
    /// Fields of the entry, in the order in which a new entry holds them. The headers, with our
    /// `Authorization` and whatever the user added, come after the first [`Recipe::before_headers`] of them.
    pub fields: &'static [Field],
    /// How many of `fields` a new entry holds before its headers.
    pub before_headers: usize,
    /// Keys that must not stand in the entry: they select another transport or authentication, or make
    /// the host refuse its file.
    pub unwanted: &'static [&'static str],
    /// One of `unwanted` that switched the entry off in older files; where it did, `enabled: false` says so now.
    pub retired_switch: Option<&'static str>,
    /// Whether the host hides a server of this name behind something of its own.
    pub is_reserved: fn(&str) -> bool,
    /// What a file made from nothing gets beside the entry: a path and a text.
    pub in_new_file: &'static [(&'static [&'static str], &'static str)],
    /// How the key is written where nothing speaks against it.
    pub secrets: SecretStyle,
    /// Whether a header value is `Bearer` and a reference that this host expands to the value of the named
    /// variable.
    pub is_reference: fn(&str, &str) -> bool,
    /// Whether the entry's value says that the user switched it off.
    pub is_disabled: fn(&Value) -> bool,
    /// Whether an empty file beside a backup is taken for clobbered and refused.
    pub empty_is_clobbered: bool,
    /// Faults outside our reach that keep the host from using the entry.
    pub faults: Faults,
}

impl Recipe {
    /// Keys from the root to the section that holds all MCP servers.
    #[must_use]
    pub fn servers(&self) -> &'static [&'static str] {
        self.entry.split_last().map_or(&[], |(_, section)| section)
    }

    /// The name of the Hub's entry in that section.
    #[must_use]
    pub fn hub(&self) -> &'static str {
        self.entry.last().copied().unwrap_or_default()
    }

    /// Keys from the root to the entry of the MCP server `name`.
    #[must_use]
    pub fn server_path<'n>(&self, name: &'n str) -> Vec<&'n str> {
        self.servers().iter().copied().chain([name]).collect()
    }
}

/// Looks for faults that hubkit leaves alone and reports. The directory is the file's own.
pub type Faults = fn(&dyn Reader, &Path) -> Vec<String>;

/// Read access to a document without its type.
pub trait Reader {
    /// See [`Document::get`].
    fn get(&self, path: &[&str]) -> Option<Value>;
    /// See [`Document::position`].
    fn position(&self, path: &[&str]) -> Option<Position>;
    /// See [`Document::duplicates`].
    fn duplicates(&self, path: &[&str]) -> Vec<Duplicate>;
    /// The line of a key, for messages.
    fn line(&self, path: &[&str]) -> Option<usize> {
        self.position(path).map(|position| position.line)
    }
}

/// A [`Document`] as a [`Reader`].
pub(crate) struct AsReader<'d, D>(pub(crate) &'d D);

impl<'a, D: Document<'a>> Reader for AsReader<'_, D> {
    fn get(&self, path: &[&str]) -> Option<Value> {
        self.0.get(path)
    }

    fn position(&self, path: &[&str]) -> Option<Position> {
        self.0.position(path)
    }

    fn duplicates(&self, path: &[&str]) -> Vec<Duplicate> {
        self.0.duplicates(path)
    }
}
