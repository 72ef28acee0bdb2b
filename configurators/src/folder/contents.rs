//! What a plugin's folder holds, or should hold: names and bytes, in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use hubkit_contract::limits::{PLUGIN_BYTES, PLUGIN_ENTRIES, PLUGIN_LEVELS};

use super::error::FolderError;

/// The mode of every directory, and of a file that can be run.
pub(super) const OPEN: u32 = 0o755;
/// The mode of every other file.
pub(super) const PLAIN: u32 = 0o644;

/// A directory.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Contents<'a>(pub(super) BTreeMap<OsString, Entry<'a>>);

/// Something in a directory.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    /// A directory.
    Directory(Contents<'a>),
    /// A regular file.
    File {
        /// All of it.
        bytes: Cow<'a, [u8]>,
        /// [`OPEN`] or [`PLAIN`].
        mode: u32,
    },
}

impl<'a> Contents<'a> {
    /// Files given by relative paths.
    ///
    /// # Errors
    /// When a path is not plain, or a limit is passed.
    pub(super) fn embedded(files: &[(&'a str, &'a [u8])]) -> Result<Self, FolderError> {
        let mut budget = Budget::default();
        let mut root = Self::default();
        for (path, bytes) in files {
            let bad = || FolderError::BadPath { path: PathBuf::from(path) };
            budget.bytes(bytes.len(), Path::new(path))?;
            let components: Vec<&str> = path.split('/').collect();
            let plain =
                |name: &&str| !name.is_empty() && *name != "." && *name != ".." && !name.contains('\0');
            if !components.iter().all(plain) {
                return Err(bad());
            }
            let Some((name, directories)) = components.split_last() else { return Err(bad()) };
            budget.level(directories.len(), Path::new(path))?;
            let mut inside = &mut root;
            for directory in directories {
                if !inside.0.contains_key(OsStr::new(directory)) {
                    budget.entry(Path::new(path))?;
                }
                let entry =
                    inside.0.entry(directory.into()).or_insert_with(|| Entry::Directory(Self::default()));
                let Entry::Directory(next) = entry else { return Err(bad()) };
                inside = next;
            }
            budget.entry(Path::new(path))?;
            let file = Entry::File { bytes: Cow::Borrowed(bytes), mode: PLAIN };
            if inside.0.insert(name.into(), file).is_some() {
                return Err(bad());
            }
        }
        Ok(root)
    }

    /// The bytes of the file at a relative path of plain components; a leading `./` is fine.
    pub(super) fn file(&self, path: &str) -> Option<&[u8]> {
        let mut inside = self;
        let mut components = path.split('/').filter(|name| *name != ".").peekable();
        while let Some(name) = components.next() {
            match (inside.0.get(OsStr::new(name))?, components.peek()) {
                (Entry::File { bytes, .. }, None) => return Some(bytes),
                (Entry::Directory(next), Some(_)) => inside = next,
                _ => return None,
            }
        }
        None
    }
}

/// What may still be taken in.
#[derive(Debug, Default)]
pub(super) struct Budget {
    entries: usize,
    bytes: usize,
}

impl Budget {
    /// One more file or directory; `path` is named when that is one too many.
    pub(super) fn entry(&mut self, path: &Path) -> Result<(), FolderError> {
        self.entries += 1;
        within(self.entries, PLUGIN_ENTRIES, "files and directories", path)
    }

    /// More bytes.
    pub(super) fn bytes(&mut self, bytes: usize, path: &Path) -> Result<(), FolderError> {
        self.bytes = self.bytes.saturating_add(bytes);
        within(self.bytes, PLUGIN_BYTES, "bytes", path)
    }

    /// How many bytes there is room for.
    pub(super) fn room(&self) -> usize {
        PLUGIN_BYTES.saturating_sub(self.bytes)
    }

    /// A directory at this depth, the folder itself being 0.
    pub(super) fn level(&self, depth: usize, path: &Path) -> Result<(), FolderError> {
        within(depth, PLUGIN_LEVELS, "levels of directories", path)
    }
}

fn within(count: usize, limit: usize, unit: &'static str, path: &Path) -> Result<(), FolderError> {
    if count <= limit { Ok(()) } else { Err(FolderError::TooMuch { path: path.to_owned(), limit, unit }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_files_become_a_tree() {
        let files: &[(&str, &[u8])] = &[("a.js", b"1"), ("skills/x/SKILL.md", b"2"), ("skills/y", b"3")];
        let contents = Contents::embedded(files).unwrap();
        for (path, bytes) in files {
            assert_eq!(contents.file(path), Some(*bytes), "{path}");
            assert_eq!(contents.file(&format!("./{path}")), Some(*bytes), "{path}");
        }
        for path in ["", ".", "skills", "skills/x", "a.js/b", "..", "../a.js", "/a.js", "skills//y"] {
            assert_eq!(contents.file(path), None, "{path}");
        }
    }

    #[test]
    fn paths_that_lead_out_or_nowhere_are_refused() {
        for path in ["", "/a", "a/", "a//b", "./a", "a/../b", "..", "a\0b"] {
            let error = Contents::embedded(&[(path, b"")]).unwrap_err();
            assert_eq!(error, FolderError::BadPath { path: path.into() });
            assert_eq!(error.exit_code(), 65);
        }
        for files in [[("a", &b""[..]), ("a", b"")], [("a", b""), ("a/b", b"")], [("a/b", b""), ("a", b"")]] {
            assert!(matches!(Contents::embedded(&files), Err(FolderError::BadPath { .. })), "{files:?}");
        }
    }

    #[test]
    fn limits_hold_at_the_limit_and_one_past_it() {
        let names: Vec<String> = (0..=PLUGIN_ENTRIES).map(|number| format!("f{number}")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&name[..], &b""[..])).collect();
        assert!(Contents::embedded(&files[..PLUGIN_ENTRIES]).is_ok());
        let unit = |files: &[(&str, &[u8])]| match Contents::embedded(files) {
            Err(FolderError::TooMuch { unit, .. }) => unit,
            other => panic!("{other:?}"),
        };
        assert_eq!(unit(&files), "files and directories");
        let deep = |levels: usize| "d/".repeat(levels) + "f";
        assert!(Contents::embedded(&[(&deep(PLUGIN_LEVELS), b"")]).is_ok());
        assert_eq!(unit(&[(&deep(PLUGIN_LEVELS + 1), b"")]), "levels of directories");
        let large = vec![0; PLUGIN_BYTES];
        assert!(Contents::embedded(&[("f", &large)]).is_ok());
        assert_eq!(unit(&[("f", &large), ("g", b"x")]), "bytes");
    }
}
