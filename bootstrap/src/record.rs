//! What hubkit has made in the hosts' files, kept in the state directory so that it can be taken out again.
//!
//! It holds key names and layout, never a value. It lies where the agent can write, so it is a hint: it widens what
//! an undo takes away by empty sections, and nothing else.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use hubkit_configurators::file::{self, Current, EditError, FileError, NoProbe, Plan, Target};
use hubkit_configurators::undo::Footprint;
use hubkit_contract::limits::CONFIG_FILE_BYTES;
use serde::{Deserialize, Serialize};

use crate::context::Context;

/// The file's name in the state directory.
const NAME: &str = "undo.json";

/// The version of this format.
const VERSION: u8 = 1;

#[derive(Serialize, Deserialize)]
struct Record {
    version: u8,
    /// Footprints by the physical path of the file.
    files: BTreeMap<String, Footprint>,
}

impl Default for Record {
    fn default() -> Self {
        Self { version: VERSION, files: BTreeMap::new() }
    }
}

impl Record {
    /// Anything that is no record of this version is as good as none.
    fn parse(bytes: Option<&[u8]>) -> Self {
        let record: Option<Self> = bytes.and_then(|bytes| serde_json::from_slice(bytes).ok());
        record.filter(|record| record.version == VERSION).unwrap_or_default()
    }
}

/// The footprint in the file at `path`, as far as it is known.
pub(crate) fn of(context: &Context<'_>, path: &Path) -> Option<Footprint> {
    let bytes = file::read_own(&place(context), CONFIG_FILE_BYTES).ok()??;
    Record::parse(Some(&bytes)).files.remove(&key(path))
}

/// Keeps what an edit made in the file at `path`, beside what is known already.
///
/// # Errors
/// The record cannot be written. The edit itself stands.
pub(crate) fn keep(context: &Context<'_>, path: &Path, made: Footprint) -> Result<(), FileError> {
    change(context, |record| {
        let earlier = record.files.remove(&key(path));
        if let Some(footprint) = Footprint::merge(earlier, Some(made.clone())) {
            record.files.insert(key(path), footprint);
        }
    })
}

/// Replaces what is known of the file at `path` after something was taken out of it.
///
/// # Errors
/// The record cannot be written. The removal itself stands.
pub(crate) fn replace(context: &Context<'_>, path: &Path, left: Option<Footprint>) -> Result<(), FileError> {
    change(context, |record| {
        match left.clone() {
            Some(footprint) => record.files.insert(key(path), footprint),
            None => record.files.remove(&key(path)),
        };
    })
}

fn change(context: &Context<'_>, mut work: impl FnMut(&mut Record) + Send) -> Result<(), FileError> {
    let target = Target::own(place(context), context.mode());
    let result = file::edit(&target, &NoProbe, |current: Current<'_>| {
        let mut record = Record::parse(current.bytes);
        work(&mut record);
        Ok::<_, Infallible>(match serde_json::to_vec(&record) {
            _ if record.files.is_empty() => Plan::Remove { note: () },
            Ok(bytes) => Plan::Replace { bytes, note: () },
            Err(_) => Plan::Keep(()),
        })
    });
    match result {
        Ok(_) => Ok(()),
        Err(EditError::File(error)) => Err(error),
        Err(EditError::Plan(never)) => match never {},
    }
}

fn place(context: &Context<'_>) -> PathBuf {
    context.state.join(NAME)
}

/// Paths are keys of a JSON object; one that is no UTF-8 is kept under its replacement characters.
fn key(path: &Path) -> String {
    path.display().to_string()
}
