//! The Hub's own HTTP routes as a boot needs them: health, inference hand-out, memory state; and what the Hub's
//! Ollama serves.
//!
//! Blocking, for callers without an async runtime. Every call has one total time for everything together. It
//! connects directly unless a proxy is asked for, whatever the environment says; it follows no redirect to
//! another origin; it sends no header that a proxy would. What comes back is bounded and taken as data: nothing
//! that a server sent stands in an error beyond a status.

mod attempts;
mod base;
mod error;
mod exchange;
mod handout;
mod health;
mod hub;
mod link;
mod memory;
mod ollama;
mod options;
mod printable;

pub use error::HubError;
pub use handout::Handout;
pub use health::Health;
pub use hub::HubClient;
pub use memory::{MemoryLink, MemoryState};
pub use ollama::{ModelFacts, Ollama};
pub use options::Options;
