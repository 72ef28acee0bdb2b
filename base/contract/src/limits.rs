//! Limits, one table. Sizes and depths are tested at the limit and one past it.

/// A host's configuration file, bytes. Larger files are refused.
pub const CONFIG_FILE_BYTES: usize = 16 * 1024 * 1024;
/// Nesting of mappings and sequences in a configuration file, the root being 1. Deeper files are refused.
pub const CONFIG_NESTING: usize = 128;
/// A secret that redaction masks, shortest, bytes.
pub const SECRET_BYTES_MASKED: usize = hubkit_redaction::SHORTEST;
/// A file named by a `*_FILE` variable, bytes.
pub const SECRET_FILE_BYTES: usize = 64 * 1024;
/// How often an edit is planned anew because the file changed under it, before exit 75.
pub const REPLACE_ATTEMPTS: usize = 8;
/// How long the directory lock is waited for, milliseconds, before exit 75.
pub const LOCK_WAIT_MS: u64 = 10_000;
/// An answer of the Hub or of Ollama, bytes.
pub const HUB_ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// One value of the Hub's inference hand-out, bytes.
pub const HANDOUT_VALUE_BYTES: usize = 4096;
/// Redirects within the Hub's own origin that one request follows.
pub const HUB_REDIRECTS: usize = 3;
/// How long the Hub is asked, retries and pauses included, when an earlier answer is at hand, milliseconds.
pub const HUB_BUDGET_CACHED_MS: u64 = 3_000;
/// How long the Hub is asked, retries and pauses included, when nothing is at hand, milliseconds.
pub const HUB_BUDGET_MS: u64 = 30_000;
/// A plugin's folder, all files together, bytes. Larger ones are refused.
pub const PLUGIN_BYTES: usize = 64 * 1024 * 1024;
/// Files and directories in a plugin's folder.
pub const PLUGIN_ENTRIES: usize = 2_000;
/// Directories inside each other in a plugin's folder, below the folder itself.
pub const PLUGIN_LEVELS: usize = 32;
/// A plugin's manifest, and its `package.json`, bytes. OpenClaw's own limit.
pub const PLUGIN_MANIFEST_BYTES: usize = 256 * 1024;

/// The smallest context of a model that Hermes works with, tokens.
pub const HERMES_CONTEXT_TOKENS: u32 = 64_000;

/// One row of the documented table.
pub struct Row {
    /// What is limited.
    pub what: &'static str,
    /// The number.
    pub value: u64,
    /// Its unit.
    pub unit: &'static str,
    /// What happens past it.
    pub past: &'static str,
}

/// All limits in the order of the documentation.
pub const TABLE: &[Row] = &[
    Row {
        what: "configuration file",
        value: CONFIG_FILE_BYTES as u64,
        unit: "bytes",
        past: "refused, exit 65",
    },
    Row {
        what: "nesting in a configuration file",
        value: CONFIG_NESTING as u64,
        unit: "levels",
        past: "refused, exit 65",
    },
    Row {
        what: "secret that redaction masks, shortest",
        value: SECRET_BYTES_MASKED as u64,
        unit: "bytes",
        past: "shorter ones are placeholders",
    },
    Row {
        what: "file named by a `*_FILE` variable",
        value: SECRET_FILE_BYTES as u64,
        unit: "bytes",
        past: "refused, exit 78",
    },
    Row {
        what: "plans of one edit while the file keeps changing",
        value: REPLACE_ATTEMPTS as u64,
        unit: "attempts",
        past: "exit 75",
    },
    Row { what: "wait for the directory lock", value: LOCK_WAIT_MS, unit: "milliseconds", past: "exit 75" },
    Row {
        what: "answer of the Hub or of Ollama",
        value: HUB_ANSWER_BYTES as u64,
        unit: "bytes",
        past: "breaks the protocol, exit 6",
    },
    Row {
        what: "value of the inference hand-out",
        value: HANDOUT_VALUE_BYTES as u64,
        unit: "bytes",
        past: "not taken, named",
    },
    Row {
        what: "redirects within the Hub's origin",
        value: HUB_REDIRECTS as u64,
        unit: "per request",
        past: "breaks the protocol, exit 6",
    },
    Row {
        what: "asking the Hub, when an earlier answer is at hand",
        value: HUB_BUDGET_CACHED_MS,
        unit: "milliseconds in total",
        past: "the earlier answer stays, marked stale",
    },
    Row {
        what: "asking the Hub, when nothing is at hand",
        value: HUB_BUDGET_MS,
        unit: "milliseconds in total",
        past: "the step is skipped, said loudly",
    },
    Row {
        what: "plugin folder, all files together",
        value: PLUGIN_BYTES as u64,
        unit: "bytes",
        past: "refused, exit 65",
    },
    Row {
        what: "files and directories in a plugin folder",
        value: PLUGIN_ENTRIES as u64,
        unit: "entries",
        past: "refused, exit 65",
    },
    Row {
        what: "nesting in a plugin folder",
        value: PLUGIN_LEVELS as u64,
        unit: "levels",
        past: "refused, exit 65",
    },
    Row {
        what: "manifest and `package.json` of a plugin",
        value: PLUGIN_MANIFEST_BYTES as u64,
        unit: "bytes",
        past: "refused, exit 65",
    },
    Row {
        what: "context of Hermes's model, smallest",
        value: HERMES_CONTEXT_TOKENS as u64,
        unit: "tokens",
        past: "the model is not written, exit 78",
    },
];
