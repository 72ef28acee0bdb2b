//! What the Hub saw: one entry per answered request. Never a header's value but the user agent, never a body.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Entries that are kept; older ones go first.
const KEPT: usize = 10_000;

/// One answered request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// HTTP method.
    pub method: String,
    /// Path without the query, which may carry a credential.
    pub path: String,
    /// HTTP status of the answer.
    pub status: u16,
    /// `method` of the JSON-RPC message in the body, if there was one.
    pub rpc_method: Option<String>,
    /// Name of the tool, if the message was `tools/call`.
    pub tool: Option<String>,
    /// User agent, if the client named one.
    pub user_agent: Option<String>,
    /// Name of the model, if the request was a turn of a chat.
    pub model: Option<String>,
    /// Names of the tools that such a turn offered, in its order.
    pub offered: Vec<String>,
}

/// The log, shared between the server's thread and whoever asks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<VecDeque<Seen>>>);

impl Log {
    /// Appends an entry.
    pub(crate) fn push(&self, seen: Seen) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if log.len() == KEPT {
            log.pop_front();
        }
        log.push_back(seen);
    }

    /// A copy of what is there, oldest first.
    pub(crate) fn snapshot(&self) -> Vec<Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
