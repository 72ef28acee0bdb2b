//! Whether an app is connected to a memory server.

use hubkit_contract::{Urn, limits};
use hubkit_redaction::Secret;
use serde_json::Value;

use crate::error::HubError;
use crate::exchange::Question;
use crate::handout::is_plain_text;
use crate::link::Link;

/// How an app stands to the memory server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryLink {
    /// Nobody has decided yet.
    Unconfigured,
    /// The Hub gives the app the server's URL and token.
    Connected,
    /// The user wants none.
    Skipped,
    /// The operator entered URL and token; the Hub leaves them alone.
    Manual,
}

/// What the Hub said about an app's memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryState {
    /// How the app stands to it.
    pub link: MemoryLink,
    /// Where a person connects the two, if the Hub says so.
    pub connect_url: Option<String>,
}

/// Asks for the state of `urn`, whose managed key `key` is.
pub(crate) fn ask(link: &Link, urn: &Urn, key: &Secret) -> Result<MemoryState, HubError> {
    // The parts of a URN are letters, digits and `-_.`, so the colon between them is all that is encoded.
    let path = format!("/api/memory-connect/apps/{}%3A{}/state", urn.app(), urn.store());
    let question = Question { bearer: Some(key), ..Question::get(link.base.route(&path)?) };
    let url = question.shown();
    let reply =
        link.ask(&link.attempts(), &question).map_err(|failure| failure.into_error(&url, &link.options))?;
    let link = match reply.json.get("state").and_then(Value::as_str) {
        Some("unconfigured") => MemoryLink::Unconfigured,
        Some("connected") => MemoryLink::Connected,
        Some("skipped") => MemoryLink::Skipped,
        Some("manual") => MemoryLink::Manual,
        Some(_) => return Err(HubError::protocol(&url, "a state that is not known")),
        None => return Err(HubError::protocol(&url, "JSON without a state")),
    };
    let connect_url = reply.json.get("connectUrl").and_then(Value::as_str);
    let connect_url = connect_url.filter(|url| is_plain_text(url, limits::HANDOUT_VALUE_BYTES));
    Ok(MemoryState { link, connect_url: connect_url.map(str::to_owned) })
}
