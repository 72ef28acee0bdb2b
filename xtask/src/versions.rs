//! The checked-in file of versions: what is installed for the tests, and how. Reads; never installs.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The file's name below the directory of the host files.
pub(crate) const FILE: &str = "versions.toml";

/// The tool that installs a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Installer {
    /// The system's npm.
    Npm,
    /// The `venv` and `pip` of a Python that the hosts accept.
    Python,
}

/// One thing to install. The fields are explained at the head of the file itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Piece {
    pub(crate) name: String,
    pub(crate) with: Installer,
    pub(crate) packages: Vec<String>,
    pub(crate) lock: Option<String>,
    pub(crate) proof: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    piece: Vec<Piece>,
}

/// Reads the pieces in their order.
///
/// # Errors
/// When the file cannot be read, is not what this program expects, or a package has no exact version.
pub(crate) fn read(directory: &Path) -> Result<Vec<Piece>> {
    let path = directory.join(FILE);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).with_context(|| format!("in {}", path.display()))
}

fn parse(text: &str) -> Result<Vec<Piece>> {
    let file: File = toml::from_str(text)?;
    for piece in &file.piece {
        if piece.packages.is_empty() {
            bail!("the piece `{}` names no package", piece.name);
        }
        for package in &piece.packages {
            piece.with.split(package)?;
        }
    }
    Ok(file.piece)
}

impl Installer {
    /// A package's name and its exact version.
    ///
    /// # Errors
    /// When the version is missing or a range.
    pub(crate) fn split(self, package: &str) -> Result<(&str, &str)> {
        let separator = match self {
            Self::Npm => "@",
            Self::Python => "==",
        };
        match package.rsplit_once(separator) {
            Some((name, version)) if !name.is_empty() && is_exact(version) => Ok((name, version)),
            _ => bail!("`{package}` has no exact version; write it as NAME{separator}VERSION"),
        }
    }
}

fn is_exact(version: &str) -> bool {
    version.starts_with(|first: char| first.is_ascii_digit())
        && version.chars().all(|part| part.is_ascii_alphanumeric() || ".-+".contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checked_in_file_is_understood() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/hosts");
        let pieces = read(&directory).unwrap();
        let names: Vec<_> = pieces.iter().map(|piece| piece.name.as_str()).collect();
        assert_eq!(names, ["node", "openclaw", "hermes", "oracle-python", "oracle-node"]);
        for lock in pieces.iter().filter_map(|piece| piece.lock.as_ref()) {
            let text = fs::read_to_string(directory.join(lock)).unwrap();
            assert!(!text.contains("://"), "{lock} carries an address; make it anew as {FILE} says");
        }
    }

    #[test]
    fn only_exact_versions_are_taken() {
        assert_eq!(Installer::Npm.split("@scope/name@1.2.3").unwrap(), ("@scope/name", "1.2.3"));
        assert_eq!(Installer::Python.split("a[b]==1.0rc1").unwrap(), ("a[b]", "1.0rc1"));
        for vague in ["name", "name@^1", "name@latest", "@scope/name"] {
            assert!(Installer::Npm.split(vague).is_err(), "{vague}");
        }
        for vague in ["name", "name>=1", "name==1.*", "==1"] {
            assert!(Installer::Python.split(vague).is_err(), "{vague}");
        }
    }
}
