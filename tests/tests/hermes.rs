//! The real Hermes reads what hubkit wrote: its loader, its own test of a server, a turn of the agent, and its
//! own rewriting.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails here")]

#[path = "hermes/agent.rs"]
mod agent;
#[path = "hermes/beginnings.rs"]
mod beginnings;
#[path = "hermes/cases.rs"]
mod cases;
#[path = "hermes/connection.rs"]
mod connection;
#[path = "hermes/rewriting.rs"]
mod rewriting;
#[path = "hermes/turn.rs"]
mod turn;
