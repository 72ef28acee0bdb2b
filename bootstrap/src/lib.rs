//! Boot plans: from the environment to edits of the host's files, then the agent.
//!
//! A boot is an ordered list of steps. Each step first does what it does by itself (asks the Hub, writes a file
//! of its own), then says what it wants of the host's configuration; that file is edited once for all of them.
//! Every step yields one [`StepReport`], whatever happens inside it; what the process does with them (exit, or
//! start the agent anyway) is decided in one place, [`boot`].
//!
//! Never here: output. Reports are data; the binary prints them through its redaction seam.

pub mod boot;
pub mod configure;
pub mod context;
pub mod exec;
pub mod hub_mcp;
pub mod inference;
pub mod memory;
pub mod plugin;
pub mod process;
mod record;
mod removal;
pub mod report;
pub mod server;
mod shadow;
mod wiring;

pub use boot::{Boot, BootReport, Step};
pub use context::Wish;
pub use report::{Status, StepReport};
