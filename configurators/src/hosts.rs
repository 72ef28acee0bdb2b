//! The hosts: one file each, holding its recipe and the rule by which it finds its configuration.

pub mod hermes;
mod old_entry;
pub mod openclaw;
mod place;
pub(crate) mod small_file;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::recipe::Recipe;

/// The agents that hubkit wires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Hermes Agent.
    Hermes,
    /// OpenClaw.
    OpenClaw,
}

impl Host {
    /// The host's wiring.
    #[must_use]
    pub fn recipe(self) -> &'static Recipe {
        match self {
            Self::Hermes => &hermes::RECIPE,
            Self::OpenClaw => &openclaw::RECIPE,
        }
    }

    /// The configuration file that the host itself would read in this environment.
    ///
    /// # Errors
    /// The names of the variables of which one must be set.
    pub fn config_path(
        self,
        variable: &dyn Fn(&str) -> Option<OsString>,
        exists: &dyn Fn(&Path) -> bool,
    ) -> Result<PathBuf, &'static str> {
        match self {
            Self::Hermes => hermes::config_path(variable),
            Self::OpenClaw => openclaw::config_path(variable, exists),
        }
    }

    /// The agent's home: the directory of its configuration file, unless that is named by itself.
    ///
    /// # Errors
    /// The names of the variables of which one must be set.
    pub fn home(
        self,
        variable: &dyn Fn(&str) -> Option<OsString>,
        exists: &dyn Fn(&Path) -> bool,
    ) -> Result<PathBuf, &'static str> {
        match self {
            Self::Hermes => Ok(hermes::config_path(variable)?.parent().unwrap_or(Path::new(".")).to_owned()),
            Self::OpenClaw => openclaw::home(variable, exists),
        }
    }
}
