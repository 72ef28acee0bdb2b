//! Plugins in a host's configuration: what makes the host load one that is installed.
//!
//! Never installs files; an entry without files is what keeps a gateway from starting cleanly, so whoever asks
//! for an entry has installed them before.

mod hermes;
mod openclaw;

pub use hermes::HermesPlugins;
pub use openclaw::{PluginEntries, stands};

#[cfg(test)]
mod tests;
