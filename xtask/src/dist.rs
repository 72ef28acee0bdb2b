//! `cargo xtask dist`: the binary that is shipped, and the proof that it needs nothing but a kernel.

mod elf;

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;
use crate::{privilege, progress, tool};

/// What is shipped runs on this.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Builds, checks and places the binary.
///
/// # Errors
/// When it does not build, asks for a loader or a library, or does not run in an empty root directory.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    progress::stage("build", || {
        let mut cargo =
            workspace.cargo(&["build", "--locked", "--package", "hubkit", "--no-default-features"]);
        cargo.args(["--profile", "dist", "--target", TARGET]);
        cargo.env("RUSTFLAGS", "-C target-feature=+crt-static").env_remove("CARGO_ENCODED_RUSTFLAGS");
        tool::run_loud(&mut cargo)
    })?;
    let built = workspace.target.join(TARGET).join("dist/hubkit");
    progress::stage("static", || {
        let file = fs::read(&built).with_context(|| format!("cannot read {}", built.display()))?;
        let needs = elf::needs(&file).with_context(|| format!("in {}", built.display()))?;
        if !needs.is_empty() {
            bail!("{} is not static: it asks for {}", built.display(), needs.join(" and "));
        }
        Ok(())
    })?;
    let directory = workspace.target.join("dist");
    let version = progress::stage("empty root", || run_alone(&built, &directory.join("empty-root")))?;

    let placed = directory.join("hubkit");
    let unfinished = directory.join("hubkit.new");
    fs::copy(&built, &unfinished)
        .and_then(|_| fs::rename(&unfinished, &placed))
        .with_context(|| format!("cannot place {}", placed.display()))?;
    progress::result(&description(&placed, &version)?);
    Ok(())
}

/// Runs the binary as the only file below a root directory, and returns what it says of its version.
fn run_alone(built: &Path, root: &Path) -> Result<String> {
    if root.exists() {
        fs::remove_dir_all(root).with_context(|| format!("cannot clear {}", root.display()))?;
    }
    fs::create_dir_all(root).with_context(|| format!("cannot make {}", root.display()))?;
    fs::copy(built, root.join("hubkit")).context("cannot copy the binary into the empty root")?;
    let mut command = Command::new("unshare");
    if !privilege::is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    command.arg("--root").arg(root).args(["/hubkit", "--version"]).env_clear();
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    let output = command.output().context("unshare (util-linux) cannot be started; install it")?;
    fs::remove_dir_all(root).with_context(|| format!("cannot clear {}", root.display()))?;
    if !output.status.success() {
        bail!(
            "`hubkit --version` in an empty root directory {}: {}",
            tool::ending(output.status),
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn description(placed: &Path, version: &str) -> Result<String> {
    let size = fs::metadata(placed).with_context(|| format!("cannot read {}", placed.display()))?.len();
    let sum = tool::answer(Command::new("sha256sum").arg("--binary").arg(placed))
        .context("sha256sum (coreutils) cannot be run; install it")?;
    let sum = sum.split_whitespace().next().unwrap_or_default();
    Ok(format!("{}\n{version}, static\n{size} bytes\nsha256 {sum}", placed.display()))
}
