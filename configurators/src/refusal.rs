//! Why a file's content was left as it is. Exit code 65 for all of them.

use std::fmt;

/// A place in a text file, counted from one; the column counts characters, as editors do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1. CRLF, LF and a lone CR each end one line.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
}

impl Position {
    /// The position of byte `offset` in `text`. An offset past the end, or inside a character, gives the
    /// position of the nearest character boundary before it.
    #[must_use]
    pub fn of(text: &str, offset: usize) -> Self {
        let end = text.floor_char_boundary(offset.min(text.len()));
        let before = &text[..end];
        let mut line = 1;
        let mut start = 0;
        let bytes = before.as_bytes();
        for (i, byte) in bytes.iter().enumerate() {
            let ends_line = *byte == b'\n' || (*byte == b'\r' && text.as_bytes().get(i + 1) != Some(&b'\n'));
            if ends_line {
                line += 1;
                start = i + 1;
            }
        }
        Self { line, column: before[start..].chars().count() + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The kinds of refusal, stable names for machine output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// Not valid UTF-8.
    Encoding,
    /// The host's parser would not read it.
    Syntax,
    /// More than one YAML document.
    SeveralDocuments,
    /// The root, a section on our path or our entry is not a mapping.
    NotAMapping,
    /// A node on our path is an alias, comes through a merge key, or is shared through an anchor.
    Shared,
    /// A node on our path carries a custom tag.
    Tagged,
    /// Nested past the limit.
    TooDeep,
    /// Larger than the limit.
    TooLarge,
    /// An empty file beside a backup: something clobbered it.
    Clobbered,
    /// No placement of the new text could be proven harmless.
    Unproven,
}

impl RefusalKind {
    /// The stable name in `--json` output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Encoding => "encoding",
            Self::Syntax => "syntax",
            Self::SeveralDocuments => "several_documents",
            Self::NotAMapping => "not_a_mapping",
            Self::Shared => "shared",
            Self::Tagged => "tagged",
            Self::TooDeep => "too_deep",
            Self::TooLarge => "too_large",
            Self::Clobbered => "clobbered",
            Self::Unproven => "unproven",
        }
    }
}

/// A file's content was refused: what, where, what to do. Carries no text of the file but key names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Which kind.
    pub kind: RefusalKind,
    /// Where, if one place can be named.
    pub at: Option<Position>,
    /// What is wrong, a lower-case fragment.
    pub what: String,
    /// What a person can do about it, a lower-case fragment.
    pub next: &'static str,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.next)
    }
}

impl std::error::Error for Refusal {}
