//! A credential in a host's file as a reference to the environment.

use crate::environment::HUB_MCP_API_KEY;

/// The header value that both hosts expand when they load their file: `Bearer ${HUB_MCP_API_KEY}`.
#[must_use]
pub fn bearer_reference() -> String {
    format!("Bearer ${{{HUB_MCP_API_KEY}}}")
}
