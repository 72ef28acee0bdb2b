//! Text that carries layout and nothing else. All of a footprint that is not a key name is made of it, so that
//! no value of the user's can get into the state directory, and none out of it into a file.

use serde::{Deserialize, Serialize};

/// White space, separators, braces and the spellings of nothing: `null`, `~`, `''`, `{}`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Gap(String);

impl Gap {
    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl TryFrom<String> for Gap {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let word = ["null", "Null", "NULL"].into_iter().find(|word| text.contains(word)).unwrap_or("");
        // A backslash before a line break makes an empty string of two lines in JSON5.
        let is_layout = |c: char| c.is_whitespace() || "{},:~'\"\\\u{feff}".contains(c);
        if text.replacen(word, "", 1).chars().all(is_layout) {
            Ok(Self(text))
        } else {
            Err("no layout: something else than white space, separators and spellings of nothing")
        }
    }
}

impl From<Gap> for String {
    fn from(gap: Gap) -> Self {
        gap.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_passes_and_values_do_not() {
        for text in ["", " {}", "~", "\r\n\t", "{ }", " Null", "''", "\"\"", "'\\\n'", ",", ": {"] {
            assert!(Gap::try_from(text.to_owned()).is_ok(), "{text}");
        }
        for text in ["a", "0", "null null", "'x'", "# c", "// c", "[]", "&a {}", "!!map"] {
            assert!(Gap::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
