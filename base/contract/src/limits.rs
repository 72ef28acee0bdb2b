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
];
