//! The id of a plugin as the name of its folder.

use super::error::FolderError;

/// The longest id, characters.
pub(super) const LONGEST: usize = 100;

/// Whether `id` is one safe component of a path, with a form in which it is read the same everywhere.
///
/// # Errors
/// [`FolderError::BadId`] when it is not.
pub(super) fn check(id: &str) -> Result<(), FolderError> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let begins = id.bytes().next().is_some_and(is_plain);
    if begins && id.len() <= LONGEST && id.bytes().all(|byte| is_plain(byte) || b"._-".contains(&byte)) {
        Ok(())
    } else {
        Err(FolderError::BadId { id: id.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_one_plain_word() {
        let longest = "a".repeat(LONGEST);
        for id in ["ci-hub", "ci_memory", "0", "a.b", "a..b", longest.as_str()] {
            assert_eq!(check(id), Ok(()), "{id}");
        }
        let longer = "a".repeat(LONGEST + 1);
        for id in [
            "",
            ".",
            "..",
            ".hidden",
            "-x",
            "_x",
            "A",
            "a/b",
            "../a",
            "a\\b",
            "a b",
            "a\n",
            "a\0",
            "é",
            "@scope/x",
            longer.as_str(),
        ] {
            assert_eq!(check(id), Err(FolderError::BadId { id: id.to_owned() }), "{id:?}");
        }
    }
}
