//! Finds the name before a separator, across white space, comments and lines.

use super::value::Reader;

/// How far back a name is looked for, bytes.
pub(super) const NAME_BYTES: usize = 256;

/// A name before a separator.
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    /// Where it starts, without list dashes.
    pub(super) start: usize,
    /// The quote right before it, if the separator is inside the same string.
    pub(super) inside: Option<u8>,
    /// It had quotes of its own.
    pub(super) quoted: bool,
    /// The byte before it.
    pub(super) before: Option<u8>,
}

impl<'a> Reader<'a> {
    /// The name that ends before `at`, white space and comments between them aside.
    pub(super) fn name_before(&self, at: usize) -> Option<Name<'a>> {
        let from = self.text.floor_char_boundary(at.saturating_sub(NAME_BYTES));
        let mut before = self.text[from..at].trim_end_matches([' ', '\t']);
        while let Some(comment) = before.strip_suffix("*/") {
            before =
                comment.rfind("/*").map_or(comment, |start| &comment[..start]).trim_end_matches([' ', '\t']);
        }
        if before.is_empty() || before.ends_with(['\n', '\r']) {
            return self.name_above(from, before);
        }
        let quote = before.bytes().last().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        if let Some(quote) = quote {
            let inside = before[..before.len() - 1].trim_end_matches('\\');
            let start = inside.rfind([char::from(quote), '\n', '\r']).map_or(0, |start| start + 1);
            // The name stands where its quote does.
            let (start, text) = (from + start.saturating_sub(1), &inside[start..]);
            return Some(Name { text, start, inside: None, quoted: true, before: None });
        }
        let delimiter = |c: char| {
            matches!(
                c,
                ',' | '{'
                    | '}'
                    | '['
                    | ']'
                    | '('
                    | ')'
                    | '"'
                    | '\''
                    | '`'
                    | '<'
                    | '>'
                    | '|'
                    | ';'
                    | '?'
                    | '&'
                    | '#'
                    | '/'
                    | '='
                    | ':'
                    | '@'
                    | '\n'
                    | '\r'
            )
        };
        let start = before
            .rfind(delimiter)
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let previous = before[..start].bytes().last();
        // An apostrophe inside a word opens nothing.
        let in_word =
            before[..start].trim_end_matches(['"', '\'', '`']).ends_with(|c: char| c.is_alphanumeric());
        let inside = previous.filter(|byte| matches!(byte, b'"' | b'\'' | b'`') && !in_word);
        let text = before[start..].trim_start_matches([' ', '\t', '-', '?']);
        let start = from + before.len() - text.len();
        Some(Name { text, start, inside, quoted: false, before: previous })
    }

    /// The name on the lines above a separator that stands first on its line: `? name` of YAML, or a key
    /// whose colon was moved down.
    fn name_above(&self, from: usize, before: &'a str) -> Option<Name<'a>> {
        let above = before.trim_end();
        let start = above.match_indices(['\n', '\r']).rev().nth(2).map_or(0, |(at, _)| at + 1);
        let text = &above[start..];
        let at = from + before.len();
        (!text.is_empty()).then_some(Name { text, start: at, inside: None, quoted: false, before: None })
    }
}
