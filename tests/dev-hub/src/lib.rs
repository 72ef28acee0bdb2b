//! A development Hub on loopback: health, `/api/mcp`, inference hand-out and memory state, and a stub of a model,
//! for the demo and the tests.
//!
//! It answers as the Hub does where a client can tell: the statuses and bodies of the Bearer check, sessions
//! that get lost, both eras of MCP, the names and annotations of real tools, the managed keys of a hand-out. It
//! never listens beyond loopback, never keeps a key in its log, and never changes anything: its tools answer from
//! fixed data.

mod answer;
mod bearer;
mod endpoint;
mod fleet;
mod handout;
mod hub;
mod inference;
mod key;
mod memory;
mod options;
mod routes;
mod script;
mod seen;
mod stub;
mod tools;

pub use hub::DevHub;
pub use inference::{CHAT_MODEL, ChatModel, EMBEDDING_MODEL, Inference};
pub use key::{generate_key, write_new_key_file};
pub use memory::Memory;
pub use options::{Capability, Options};
pub use script::{Instead, Script};
pub use seen::Seen;
pub use stub::MODEL_ANSWER;
