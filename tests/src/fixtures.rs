//! The fixtures, by name. They are read, never written.

#![expect(clippy::panic, reason = "a missing fixture must fail the test that asked for it, with a sentence")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The place of a fixture.
#[must_use]
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// The bytes of a fixture.
///
/// # Panics
/// When there is none of this name.
#[must_use]
pub fn read(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap_or_else(|error| panic!("the fixture {name} cannot be read: {error}"))
}

/// The names of the files in a directory of fixtures.
///
/// # Panics
/// When there is no such directory.
#[must_use]
pub fn names(directory: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(path(directory))
        .unwrap_or_else(|error| panic!("the fixtures {directory} cannot be listed: {error}"));
    entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}
