//! The development Hub and the first contact, from outside.

#![expect(clippy::unwrap_used, reason = "a test says that something is wrong by panicking")]

mod answers;
mod contact;
mod inference;
mod life;
mod raw;
mod scripted;
mod stub;
