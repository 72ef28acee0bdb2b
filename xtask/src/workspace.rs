//! Where the workspace and its target directory are, as cargo itself says.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The workspace that this program was built from.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The directory of the root `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// The target directory, wherever `CARGO_TARGET_DIR` or the user's configuration put it.
    pub(crate) target: PathBuf,
    cargo: PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    workspace_root: PathBuf,
    target_directory: PathBuf,
}

impl Workspace {
    /// Asks `cargo metadata`.
    ///
    /// # Errors
    /// When cargo cannot be run or its answer is not understood.
    pub(crate) fn find() -> Result<Self> {
        let cargo = PathBuf::from(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let answer = Command::new(&cargo)
            .args(["metadata", "--format-version", "1", "--no-deps", "--manifest-path"])
            .arg(&manifest)
            .stderr(Stdio::inherit())
            .output()
            .context("cargo cannot be started; run this as `cargo xtask`")?;
        if !answer.status.success() {
            bail!("`cargo metadata` failed for {}; its own message stands above", manifest.display());
        }
        let metadata: Metadata =
            serde_json::from_slice(&answer.stdout).context("`cargo metadata` gave an unexpected answer")?;
        Ok(Self { root: metadata.workspace_root, target: metadata.target_directory, cargo })
    }

    /// A cargo command in the workspace that builds into the same target directory.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.cargo);
        command.args(arguments).current_dir(&self.root).env("CARGO_TARGET_DIR", &self.target);
        command
    }

    /// Where the real hosts and the oracles are installed.
    pub(crate) fn hosts(&self) -> PathBuf {
        self.target.join("hosts")
    }

    /// The checked-in files about the hosts: versions, locks, oracle scripts.
    pub(crate) fn host_files(&self) -> PathBuf {
        self.root.join("tests/hosts")
    }
}
