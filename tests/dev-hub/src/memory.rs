//! `/api/memory-connect/apps/:urn/state`: how an app stands to the memory server.

use hubkit_contract::Urn;
use hyper::{HeaderMap, StatusCode};
use serde_json::json;

use crate::answer::{self, Answer};
use crate::bearer::Bearer;

/// How every app stands to the memory server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Memory {
    /// Nobody has decided.
    #[default]
    Unconfigured,
    /// Connected by the Hub.
    Connected,
    /// Not wanted.
    Skipped,
    /// Entered by the operator.
    Manual,
}

impl Memory {
    fn word(self) -> &'static str {
        match self {
            Self::Unconfigured => "unconfigured",
            Self::Connected => "connected",
            Self::Skipped => "skipped",
            Self::Manual => "manual",
        }
    }

    /// The answer, if the path is this route. The key is the managed key of every app.
    pub(crate) fn answer(self, path: &str, headers: &HeaderMap, bearer: &Bearer) -> Option<Answer> {
        let urn = path.strip_prefix("/api/memory-connect/apps/")?.strip_suffix("/state")?;
        if let Err(message) = bearer.check(headers) {
            return Some(answer::filtered(StatusCode::UNAUTHORIZED, message, path));
        }
        let urn = urn.replace("%3A", ":").replace("%3a", ":");
        if Urn::parse(&urn).is_none() {
            return Some(answer::filtered(StatusCode::NOT_FOUND, "App not found", path));
        }
        let connect_url = (self == Self::Unconfigured).then(|| format!("/apps/{urn}?connect=memory"));
        let body = json!({ "state": self.word(), "connectUrl": connect_url });
        Some(answer::json(StatusCode::OK, body.to_string()))
    }
}
