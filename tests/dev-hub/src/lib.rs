//! A development Hub on loopback: health and `/api/mcp`, for the demo and the tests.
//!
//! It answers as the Hub does where a client can tell: the statuses and bodies of the Bearer check, sessions
//! that get lost, both eras of MCP, the names and annotations of real tools. It never listens beyond
//! loopback, never keeps a key in its log, and never changes anything: its tools answer from fixed data.

mod answer;
mod bearer;
mod endpoint;
mod fleet;
mod hub;
mod key;
mod options;
mod routes;
mod seen;
mod tools;

pub use hub::DevHub;
pub use key::{generate_key, write_new_key_file};
pub use options::{Capability, Options};
pub use seen::Seen;
