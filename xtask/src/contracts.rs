//! `docs/CONTRACTS.md`, written by the test that otherwise compares it with `base/contract`.

use anyhow::Result;

use crate::progress;
use crate::tool::run_loud;
use crate::workspace::Workspace;

/// Writes the document.
///
/// # Errors
/// When `base/contract` does not build.
pub(crate) fn write(workspace: &Workspace) -> Result<()> {
    let arguments = ["test", "--quiet", "--locked", "--package", "hubkit-contract", "--test", "document"];
    run_loud(workspace.cargo(&arguments).env("HUBKIT_WRITE_CONTRACTS", "1"))?;
    progress::say("docs/CONTRACTS.md is what base/contract says");
    Ok(())
}
