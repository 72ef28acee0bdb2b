//! What every command promises: environment names and their intake, exit codes, limits, the URN.
//!
//! Pure: nothing here opens a file, a socket or a clock; what it must read (a `*_FILE`) comes in through a
//! parameter. `docs/CONTRACTS.md` is generated from this crate and a test holds them together.

pub mod exit;
pub mod limits;
