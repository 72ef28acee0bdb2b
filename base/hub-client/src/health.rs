//! Whether the Hub lives.

use serde_json::Value;

use crate::attempts::Failure;
use crate::error::HubError;
use crate::exchange::Question;
use crate::link::Link;

/// What only newer Hubs have: it says nothing about what the Hub depends on.
const LIVENESS: &str = "/api/health/live";
/// What every Hub has: it answers 503 while something that the Hub depends on is down.
const READINESS: &str = "/api/health";

/// What the Hub said about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Whether it said `ok`.
    pub is_ok: bool,
    /// Which route answered.
    pub path: &'static str,
}

/// Asks the liveness route, and the readiness route where that does not exist or is a web page.
pub(crate) fn ask(link: &Link) -> Result<Health, HubError> {
    let attempts = link.attempts();
    let mut path = LIVENESS;
    let mut question = Question::get(link.base.route(path)?);
    let mut asked = link.ask(&attempts, &question);
    if matches!(&asked, Err(Failure::Status { status: 404, .. } | Failure::Final(HubError::Protocol { .. })))
    {
        path = READINESS;
        question = Question::get(link.base.route(path)?);
        asked = link.ask(&attempts, &question);
    }
    let reply = asked.map_err(|failure| failure.into_error(&question.shown(), &link.options))?;
    match reply.json.get("status").and_then(Value::as_str) {
        Some(status) => Ok(Health { is_ok: status == "ok", path }),
        None => Err(HubError::protocol(&question.shown(), "JSON without a status")),
    }
}
