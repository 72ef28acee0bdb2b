//! Whole edits, text in and text out, and what is refused.

mod adding;
mod laws;
mod lists;
mod reading;
mod refusing;
mod removing;

use super::Json5Document;
use crate::{Change, Document, Refusal, Value};

const ENTRY: [&str; 3] = ["mcp", "servers", "ci-hub"];

/// What a recipe wants in OpenClaw's file.
fn entry() -> Value {
    let headers = map(&[("Authorization", "Bearer ${HUB_MCP_API_KEY}".into())]);
    map(&[
        ("url", "https://hub.example/api/mcp".into()),
        ("transport", "streamable-http".into()),
        ("headers", headers),
    ])
}

fn map(members: &[(&str, Value)]) -> Value {
    Value::Map(members.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
}

fn edit(text: &str, changes: &[Change]) -> Result<String, Refusal> {
    Json5Document::parse(text)?.edit(changes)
}

/// Edits, and holds that a second run finds nothing to do.
fn edited(text: &str, changes: &[Change]) -> String {
    let once = edit(text, changes).unwrap();
    assert_eq!(edit(&once, changes).unwrap(), once, "second run");
    once
}

/// `a: 1` set in `text`.
fn with_a(text: &str) -> String {
    edited(text, &[Change::set(&["a"], Value::Int(1))])
}

/// `a` and `b` removed from `text`.
fn without_ab(text: &str) -> String {
    edited(text, &[Change::remove(&["a"]), Change::remove(&["b"])])
}
