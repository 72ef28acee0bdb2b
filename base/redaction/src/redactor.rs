//! Takes known secrets out of text.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use crate::Secret;

/// What stands in the output where a secret stood.
const MASK: &str = "[redacted]";

/// The shortest secret that is masked, bytes. Shorter ones are placeholders (`ollama`) and would make output
/// unreadable.
pub const SHORTEST: usize = 16;

/// The known secrets of this process, in every spelling in which output could carry them.
///
/// Spellings: as it is, as a JSON string's inside, percent-encoded, and Base64 (both alphabets, without
/// padding, so that padded text is covered too).
#[derive(Clone, Default)]
pub struct Redactor {
    needles: Vec<String>,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").field("spellings", &self.needles.len()).finish()
    }
}

impl Redactor {
    /// Knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Masks `secret` from now on. Secrets of fewer than 16 bytes are not masked.
    pub fn add(&mut self, secret: &Secret) {
        let text = secret.expose();
        if text.len() < SHORTEST {
            return;
        }
        let spellings = [
            text.to_owned(),
            json_inside(text),
            percent_encoded(text),
            STANDARD_NO_PAD.encode(text),
            URL_SAFE_NO_PAD.encode(text),
        ];
        for spelling in spellings {
            if !self.needles.contains(&spelling) {
                self.needles.push(spelling);
            }
        }
        // Longest first: a secret that contains another must go as a whole.
        self.needles.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
    }

    /// `text` without any known secret.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        self.needles.iter().fold(text.to_owned(), |text, needle| {
            if text.contains(needle.as_str()) { text.replace(needle.as_str(), MASK) } else { text }
        })
    }
}

fn json_inside(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor(secret: &str) -> Redactor {
        let mut redactor = Redactor::new();
        redactor.add(&Secret::new(secret));
        redactor
    }

    #[test]
    fn every_spelling_is_masked() {
        let secret = "canary\"\\/+ é-0123456789";
        let redactor = redactor(secret);
        for spelling in [
            secret.to_owned(),
            json_inside(secret),
            percent_encoded(secret),
            base64::engine::general_purpose::STANDARD.encode(secret),
            base64::engine::general_purpose::URL_SAFE.encode(secret),
        ] {
            let out = redactor.redact(&format!("before {spelling} after"));
            assert!(!out.contains(&spelling), "{spelling} survived in {out}");
            assert!(out.starts_with("before [redacted]") && out.contains(" after"), "{out}");
        }
    }

    #[test]
    fn sixteen_bytes_are_masked_and_fifteen_are_not() {
        assert_eq!(redactor("0123456789abcdef").redact("0123456789abcdef"), "[redacted]");
        assert_eq!(redactor("0123456789abcde").redact("0123456789abcde"), "0123456789abcde");
    }

    #[test]
    fn a_secret_that_contains_another_goes_as_a_whole() {
        let mut redactor = redactor("0123456789abcdef");
        redactor.add(&Secret::new("0123456789abcdef-and-more"));
        assert_eq!(redactor.redact("x 0123456789abcdef-and-more y"), "x [redacted] y");
    }

    #[test]
    fn debug_and_display_show_nothing() {
        let secret = Secret::new("0123456789abcdef");
        assert_eq!(format!("{secret} {secret:?}"), "[redacted] [redacted]");
    }
}
