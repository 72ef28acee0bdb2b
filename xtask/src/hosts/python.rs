//! A piece from pip, in its own environment. An environment works only where it was made, so it is
//! made at its final place and stamped last; one without its stamp is cleared first.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::stamp::Pin;
use super::{Site, clear};
use crate::tool;
use crate::versions::Piece;

/// The names under which a Python may be found, in the order in which they are tried.
const NAMES: &[&str] = &["python3", "python3.13", "python3.12", "python3.11"];

/// The minor versions of Python 3 that Hermes accepts.
const MINORS: std::ops::RangeInclusive<u32> = 11..=13;

const NEXT_VENV: &str = "Install the part of Python that makes environments (many distributions ship `venv` and \
    `ensurepip` in a package of their own), then run `cargo xtask hosts` again.";

const NEXT_PIP: &str = "Run `cargo xtask hosts` again: what is complete stays. If it fails in the same way, check that \
    pip works at all and that the versions in tests/hosts/versions.toml still exist.";

pub(super) fn install(site: &Site, piece: &Piece, pin: &Pin, files: &Path) -> Result<()> {
    let place = site.place(piece);
    let log = site.log(piece);
    let python = find()?;
    clear(&place)?;

    let mut make = clean(&python);
    make.args(["-m", "venv"]).arg(&place).stdin(site.lock.stdin()?);
    tool::run_logged(&mut make, &log, true, NEXT_VENV)?;

    let mut pip = clean(&place.join("bin/python"));
    pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar=off"]);
    pip.args(["--retries=5", "--timeout=60"]);
    if let Some(lock) = &piece.lock {
        pip.arg("--constraint").arg(files.join(lock));
    }
    pip.args(&piece.packages).stdin(site.lock.stdin()?);
    tool::run_logged(&mut pip, &log, false, NEXT_PIP)?;

    pin.write(&place)
}

/// A Python that Hermes accepts.
///
/// # Errors
/// When none of the names leads to one; the error says what was found.
pub(super) fn find() -> Result<PathBuf> {
    let mut seen = Vec::new();
    for &name in NAMES {
        let mut ask = clean(name.as_ref());
        ask.args(["-c", "import sys; print('%d.%d' % sys.version_info[:2])"]);
        match tool::answer(&mut ask) {
            Some(version) if is_accepted(&version) => return Ok(name.into()),
            Some(version) => seen.push(format!("{name} is Python {version}")),
            None => {}
        }
    }
    let seen =
        if seen.is_empty() { "found none".to_owned() } else { format!("found only: {}", seen.join(", ")) };
    bail!("Hermes needs Python 3.11, 3.12 or 3.13 ({seen}); install one of them and put it on the PATH")
}

/// A Python without what its caller's environment would make it import.
fn clean(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.env_remove("PYTHONPATH").env_remove("PYTHONHOME").env_remove("VIRTUAL_ENV");
    command
}

fn is_accepted(version: &str) -> bool {
    match version.split_once('.') {
        Some(("3", minor)) => minor.parse().is_ok_and(|minor: u32| MINORS.contains(&minor)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pythons_that_hermes_accepts() {
        for good in ["3.11", "3.12", "3.13"] {
            assert!(is_accepted(good), "{good}");
        }
        for bad in ["3.10", "3.14", "2.7", "3", "", "4.12"] {
            assert!(!is_accepted(bad), "{bad}");
        }
    }
}
