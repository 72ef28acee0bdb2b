//! Boot plans: from the environment to edits of the host's files, then the agent.
//!
//! A boot is an ordered list of steps. Each step yields one [`StepReport`], whatever happens inside it; what
//! the process does with them (exit, or start the agent anyway) is decided in one place, [`boot`].
//!
//! Never here: output. Reports are data; the binary prints them through its redaction seam.

pub mod boot;
pub mod exec;
pub mod hub_mcp;
pub mod process;
pub mod report;

pub use boot::{Boot, Step};
pub use report::{Status, StepReport};
