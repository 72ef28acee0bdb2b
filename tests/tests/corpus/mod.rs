//! The rows of a corpus, and how one is judged.

use std::path::Path;

use hubkit_tests::oracle::Tagged;
use serde_json::Value as Json;

use crate::lossless::jobs;
use crate::lossless::judge::{self, Case, Engine, Oracles, Outcome};

const URL: &str = "http://ci-hub:5002/api/mcp";

/// One document and what is expected of its edit.
pub(crate) struct Row {
    /// Its name.
    pub name: String,
    /// The document.
    pub text: String,
    /// `edit`, `refuse`, `noop` or `either`.
    pub expect: String,
}

/// Runs a test with a stack on which the oracle's answer to a very deep document fits. The editors themselves
/// get by without.
pub(crate) fn with_a_large_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024 * 1024).spawn(test).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// The rows of a corpus file among the fixtures.
pub(crate) fn rows(file: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(fixtures().join(file)).unwrap();
    let rows: Vec<Json> = serde_json::from_str(&text).unwrap();
    assert!(rows.len() > 30, "{file} has {} rows", rows.len());
    let field = |row: &Json, name: &str| row[name].as_str().unwrap().to_owned();
    let row =
        |row: &Json| Row { name: field(row, "name"), text: field(row, "text"), expect: field(row, "expect") };
    rows.iter().map(row).collect()
}

/// The files of a directory among the fixtures; all but `refused` must be edited.
pub(crate) fn files(directory: &str, ending: &str, refused: &[&str]) -> Vec<Row> {
    let mut rows = Vec::new();
    for entry in std::fs::read_dir(fixtures().join(directory)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.contains(ending) {
            let expect = if refused.contains(&name.as_str()) { "refuse" } else { "edit" };
            let text = std::fs::read_to_string(&path).unwrap();
            rows.push(Row { name, text, expect: expect.to_owned() });
        }
    }
    assert!(refused.iter().all(|name| rows.iter().any(|row| row.name == *name)), "{directory}");
    assert!(rows.len() > refused.len(), "{directory} has no file to edit");
    rows
}

fn fixtures() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Wires `entry` in the row's document and judges the result, and a second run over it.
pub(crate) fn judge<E: Engine>(row: &Row, entry: &[&str], comments: &[String], oracles: &Oracles) -> Outcome {
    let read = oracles.read(&row.text);
    let standing = read.as_ref().ok().and_then(|tree| tree.at(entry));
    let is_there = matches!(standing, Some(Tagged::Map(members)) if !members.is_empty());
    let changes = if is_there { jobs::update(entry, URL) } else { jobs::add(entry, URL) };
    let case = Case {
        text: &row.text,
        read: &read,
        comments,
        zone: 0..row.text.len(),
        adds_only: !is_there && read.as_ref().is_ok_and(|tree| nothing_to_fill(tree, entry)),
    };
    if let Ok(tree) = &read
        && let Err(fault) = judge::same_reading::<E>(&row.text, tree)
    {
        panic!("{}: {fault}", row.name);
    }
    match judge::edit::<E>(&case, &changes, oracles) {
        Ok((outcome, Some(after))) => {
            if let Err(fault) = judge::again::<E>(&after, &changes) {
                panic!("{}: {fault}", row.name);
            }
            outcome
        }
        Ok((outcome, None)) => outcome,
        Err(fault) => panic!("{}: {fault}", row.name),
    }
}

/// Whether the new text needs no place that something empty holds.
fn nothing_to_fill(tree: &Tagged, entry: &[&str]) -> bool {
    (0..=entry.len()).all(|depth| match tree.at(&entry[..depth]) {
        None => true,
        Some(Tagged::Map(members)) => !members.is_empty(),
        Some(_) => false,
    })
}

/// Holds the outcome against the row's expectation. Where a row refuses because of a duplicate key, an edit of
/// the last one with a warning is right as well.
pub(crate) fn assert_expected(row: &Row, outcome: Outcome, duplicates: usize) {
    let is_right = match row.expect.as_str() {
        "edit" => outcome == Outcome::Edited,
        "noop" => outcome == Outcome::Unchanged,
        "refuse" => outcome == Outcome::Refused || (outcome == Outcome::Edited && duplicates > 0),
        "either" => true,
        other => panic!("{}: unknown expectation {other}", row.name),
    };
    assert!(is_right, "{}: expected {}, got {outcome:?}", row.name, row.expect);
}
