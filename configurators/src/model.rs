//! The Hub's inference in a host's file: Hermes's `model` block, OpenClaw's provider `ci-hub`.
//!
//! A model that the user chose stays the user's: it is replaced only where somebody asked for the Hub's.

mod hermes;
mod openclaw;

pub use hermes::HermesModel;
pub use openclaw::{ASSUMED_CONTEXT, Api, OfferedModel, OpenClawProvider};
