//! Paths in messages, spelled so that a person can paste them into a shell.
//!
//! Names under an agent's home are the agent's to choose, and the reader may be root: nothing of a name may
//! reach the terminal or the shell as anything but the name.

use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A path as one shell word: bare where that is safe, else single-quoted, else in the `$'…'` form.
pub(super) struct Shown<'a>(pub(super) &'a Path);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.as_os_str().as_bytes();
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.chars().any(is_tricky));
        match text {
            Some(text) if !text.is_empty() && text.bytes().all(is_bare) => f.write_str(text),
            Some(text) => write!(f, "'{}'", text.replace('\'', r"'\''")),
            None => {
                f.write_str("$'")?;
                for byte in bytes {
                    match byte {
                        b'\'' | b'\\' => write!(f, "\\{}", char::from(*byte))?,
                        b' '..=b'~' => write!(f, "{}", char::from(*byte))?,
                        byte => write!(f, "\\x{byte:02x}")?,
                    }
                }
                f.write_str("'")
            }
        }
    }
}

fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/._-+,:@%=".contains(&byte) || !byte.is_ascii()
}

/// Characters that move a cursor, hide, or reorder text.
fn is_tricky(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
        || (c.is_whitespace() && c != ' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    fn shown(bytes: &[u8]) -> String {
        Shown(Path::new(OsStr::from_bytes(bytes))).to_string()
    }

    #[test]
    fn ordinary_paths_stay_bare() {
        assert_eq!(shown(b"/home/agent/.hermes/config.yaml"), "/home/agent/.hermes/config.yaml");
        assert_eq!(shown("/home/zoë/c.yaml".as_bytes()), "/home/zoë/c.yaml");
    }

    #[test]
    fn shell_words_are_quoted() {
        assert_eq!(shown(b"/a b"), "'/a b'");
        assert_eq!(shown(b"/x;rm -rf ~"), "'/x;rm -rf ~'");
        assert_eq!(shown(b"/it's"), r"'/it'\''s'");
        assert_eq!(shown(b"/$(id)"), "'/$(id)'");
        assert_eq!(shown(b""), "''");
    }

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(shown(b"/a\n\x1b[2J'\\"), r"$'/a\x0a\x1b[2J\'\\'");
        assert_eq!(shown(b"/\xff"), r"$'/\xff'");
        assert_eq!(shown("/a\u{202e}b".as_bytes()), r"$'/a\xe2\x80\xaeb'");
    }
}
