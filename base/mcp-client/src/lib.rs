//! MCP client over Streamable HTTP on the official SDK.
//!
//! It connects directly (no proxy), follows no redirect, and never shows a credential. Nothing here writes
//! JSON-RPC by hand: the SDK speaks both eras.

mod contact;
mod endpoint;
mod error;
mod http;

pub use contact::{Contact, Limits, first_contact};
pub use endpoint::Endpoint;
pub use error::ContactError;
