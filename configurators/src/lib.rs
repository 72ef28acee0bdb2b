//! Lossless edits of the hosts' configuration files, and one recipe per host.
//!
//! The flow of every edit: parse, find the live node (the last duplicate, as both hosts read it),
//! splice bytes, parse again, prove that nothing but the wanted keys differs, only then hand the new
//! text on. No proof means a [`Refusal`] and untouched bytes.
//!
//! Never here: a socket, an async runtime, a clock that decides anything, a line on standard output.

pub mod change;
pub mod compose;
pub mod credential;
pub mod diff;
pub mod document;
pub mod entry;
pub mod file;
pub mod folder;
pub mod hosts;
pub mod json5;
pub mod mask;
pub mod memory;
pub mod model;
pub mod part;
pub mod plugin;
pub mod recipe;
pub mod refusal;
pub mod server;
mod splice;
mod turn;
pub mod undo;
pub mod value;
pub mod yaml;

pub use change::{Action, Change};
pub use document::{Document, Duplicate};
pub use hosts::Host;
pub use refusal::{Position, Refusal, RefusalKind};
pub use value::Value;
