//! A piece from npm: installed into a sibling directory, stamped there, then moved into place.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::stamp::Pin;
use super::{Site, clear};
use crate::tool;
use crate::versions::Piece;

const NEXT: &str = "Run `cargo xtask hosts` again: what is complete stays. If it fails in the same way, check that npm \
    works at all (`npm ping`) and that the version in tests/hosts/versions.toml still exists.";

/// Patience for a slow network. Install scripts are left out: nothing here needs them, and they would
/// run foreign code that npm's newer versions do not run either.
const OPTIONS: &[&str] = &[
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--ignore-scripts",
    "--loglevel=warn",
    "--fetch-retries=5",
    "--fetch-retry-maxtimeout=60000",
    "--fetch-timeout=300000",
];

pub(super) fn install(
    site: &Site,
    piece: &Piece,
    pin: &Pin,
    files: &Path,
    node: Option<&Path>,
) -> Result<()> {
    let place = site.place(piece);
    let partial = site.directory.join(format!("{}.partial", piece.name));
    let stale = site.directory.join(format!("{}.stale", piece.name));
    clear(&partial)?;
    clear(&stale)?;
    fs::create_dir_all(&partial).with_context(|| format!("cannot make {}", partial.display()))?;

    let manifest = partial.join("package.json");
    fs::write(&manifest, package_json(piece)?)
        .with_context(|| format!("cannot write {}", manifest.display()))?;
    let mut command = Command::new("npm");
    match &piece.lock {
        Some(lock) => {
            let lock = files.join(lock);
            fs::copy(&lock, partial.join("package-lock.json"))
                .with_context(|| format!("cannot copy {}", lock.display()))?;
            command.arg("ci");
        }
        None => {
            command.args(["install", "--no-package-lock"]);
        }
    }
    command.args(OPTIONS).current_dir(&partial).stdin(site.lock.stdin()?);
    if let Some(node) = node {
        command.env("PATH", with_first(node)?);
    }
    tool::run_logged(&mut command, &site.log(piece), true, NEXT)?;

    pin.write(&partial)?;
    if place.exists() {
        fs::rename(&place, &stale).with_context(|| format!("cannot move {} away", place.display()))?;
    }
    fs::rename(&partial, &place).with_context(|| format!("cannot move {} into place", partial.display()))?;
    clear(&stale)
}

/// The manifest that asks for the piece's packages and nothing else.
fn package_json(piece: &Piece) -> Result<String> {
    let mut dependencies = Map::new();
    for package in &piece.packages {
        let (name, version) = piece.with.split(package)?;
        dependencies.insert(name.to_owned(), Value::from(version));
    }
    Ok(json!({ "private": true, "dependencies": dependencies }).to_string())
}

/// The PATH with this directory before all others.
fn with_first(directory: &Path) -> Result<std::ffi::OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(directory.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(all).with_context(|| format!("{} cannot stand in a PATH", directory.display()))
}
