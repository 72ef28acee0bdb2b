//! The real OpenClaw reads what hubkit wrote: its validator, its probe, its gateway, and its own rewriting.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails here")]

#[path = "openclaw/cases.rs"]
mod cases;
#[path = "openclaw/connection.rs"]
mod connection;
#[path = "openclaw/owner.rs"]
mod owner;
#[path = "openclaw/rewriting.rs"]
mod rewriting;
#[path = "openclaw/verdict.rs"]
mod verdict;
