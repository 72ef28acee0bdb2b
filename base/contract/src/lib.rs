//! What every command promises: environment names and their intake, exit codes, limits, the URN.
//!
//! Pure: nothing here opens a file, a socket or a clock; what must be read (a `*_FILE`) comes in through a
//! parameter. `docs/CONTRACTS.md` is generated from this crate and a test holds them together.

pub mod clean;
pub mod environment;
pub mod exit;
pub mod handout;
pub mod hub_url;
pub mod intake;
pub mod limits;
pub mod markdown;
pub mod ownership;
pub mod reference;
pub mod reports;
pub mod stale;
pub mod urn;

pub use intake::{Intake, IntakeError, Source, Taken};
pub use urn::Urn;
