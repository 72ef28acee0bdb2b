//! The file replacement against a real file system: links, attributes, limits, races, other users, mounts.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails here")]

#[path = "files/attacks.rs"]
mod attacks;
#[path = "files/attributes.rs"]
mod attributes;
#[path = "files/failures.rs"]
mod failures;
#[path = "files/in_place.rs"]
mod in_place;
#[path = "files/in_place_mounts.rs"]
mod in_place_mounts;
#[path = "files/links.rs"]
mod links;
#[path = "files/mounts.rs"]
mod mounts;
#[path = "files/outcomes.rs"]
mod outcomes;
#[path = "files/own_files.rs"]
mod own_files;
#[path = "files/owners.rs"]
mod owners;
#[path = "files/races.rs"]
mod races;
#[path = "files/recoveries.rs"]
mod recoveries;
#[path = "files/removals.rs"]
mod removals;
#[path = "files/users.rs"]
mod users;

use std::convert::Infallible;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use hubkit_configurators::file::{
    Current, EditError, FileError, Mode, NoProbe, Outcome, Plan, Probe, Target, edit,
};

/// What [`append`] adds.
const LINE: &str = "ours: here\n";

/// Adds [`LINE`] unless it is there.
fn add(current: Current<'_>) -> Result<Plan<()>, Infallible> {
    let bytes = current.bytes.unwrap_or_default();
    if String::from_utf8_lossy(bytes).contains(LINE) {
        return Ok(Plan::Keep(()));
    }
    Ok(Plan::Replace { bytes: [bytes, LINE.as_bytes()].concat(), note: () })
}

fn append_with(path: &Path, mode: Mode, probe: &dyn Probe) -> Result<Outcome<()>, FileError> {
    edit(&Target::new(path, mode), probe, add).map_err(|error| match error {
        EditError::File(error) => error,
        EditError::Plan(never) => match never {},
    })
}

fn append_in_place(path: &Path, state: &Path, probe: &dyn Probe) -> Result<Outcome<()>, FileError> {
    edit(&Target::new(path, Mode::Write).with_state(state), probe, add).map_err(|error| match error {
        EditError::File(error) => error,
        EditError::Plan(never) => match never {},
    })
}

fn append(path: &Path) -> Result<Outcome<()>, FileError> {
    append_with(path, Mode::Write, &NoProbe)
}

/// The names in a directory, sorted.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Mode, owner and group.
fn rights(path: &Path) -> (u32, u32, u32) {
    let meta = fs::symlink_metadata(path).unwrap();
    (meta.mode() & 0o7777, meta.uid(), meta.gid())
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

fn own(path: &Path, uid: u32, gid: u32) {
    std::os::unix::fs::lchown(path, Some(uid), Some(gid)).unwrap();
}
