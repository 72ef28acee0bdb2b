//! The lines of a text around a byte: where they begin and end, how they are indented, how they end.
//!
//! Every question costs the length of the line it is about. CRLF, LF and a lone CR each end one line.

/// A text seen as lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines<'a> {
    pub(super) text: &'a str,
}

impl<'a> Lines<'a> {
    fn is_break(byte: u8) -> bool {
        matches!(byte, b'\n' | b'\r')
    }

    /// Where the line of byte `at` begins; after a byte order mark in the first line.
    pub(super) fn start(self, at: usize) -> usize {
        let before = &self.text.as_bytes()[..at];
        match before.iter().rposition(|byte| Self::is_break(*byte)) {
            Some(line_break) => line_break + 1,
            None if self.text.starts_with('\u{feff}') => at.min('\u{feff}'.len_utf8()),
            None => 0,
        }
    }

    /// Where the line of byte `at` ends, before its line break.
    pub(super) fn content_end(self, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at..];
        at + rest.iter().position(|byte| Self::is_break(*byte)).unwrap_or(rest.len())
    }

    /// Where the next line begins, or the end of the text.
    pub(super) fn end(self, at: usize) -> usize {
        let end = self.content_end(at);
        match &self.text.as_bytes()[end..] {
            [b'\r', b'\n', ..] => end + 2,
            [_, ..] => end + 1,
            [] => end,
        }
    }

    /// Whether a line begins at `at`.
    pub(super) fn is_start(self, at: usize) -> bool {
        match at.checked_sub(1) {
            None => true,
            Some(before) => {
                Self::is_break(self.text.as_bytes()[before])
                    || (at == '\u{feff}'.len_utf8() && self.text.starts_with('\u{feff}'))
            }
        }
    }

    /// After the blanks at `at`.
    pub(super) fn skip_blanks(self, at: usize) -> usize {
        at + self.text.as_bytes()[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Before the blanks in front of `at`.
    pub(super) fn back_over_blanks(self, at: usize) -> usize {
        at - self.text.as_bytes()[..at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Whether nothing but blanks and a comment stands between `at`, the end of a token, and the end of its line.
    pub(super) fn only_trivia_after(self, at: usize) -> bool {
        let end = self.content_end(at);
        matches!(self.text[at..end].trim_start_matches([' ', '\t']).chars().next(), None | Some('#'))
    }

    /// How many spaces stand before `at`, if nothing else does in its line.
    pub(super) fn indentation(self, at: usize) -> Option<usize> {
        let spaces = self.text.as_bytes()[..at].iter().rev().take_while(|byte| **byte == b' ').count();
        self.is_start(at - spaces).then_some(spaces)
    }

    /// The blanks before `at`, if nothing else stands before it in its line.
    pub(super) fn lead(self, at: usize) -> Option<&'a str> {
        let from = self.back_over_blanks(at);
        self.is_start(from).then(|| &self.text[from..at])
    }

    /// How many characters stand before `at` in its line.
    pub(super) fn column(self, at: usize) -> usize {
        self.text[self.start(at)..at].chars().count()
    }

    /// The indentation of the line that begins at `start`, if it holds a comment alone.
    pub(super) fn comment_indentation(self, start: usize) -> Option<usize> {
        let line = &self.text[start..self.content_end(start)];
        let content = line.trim_start_matches(' ');
        content.trim_start().starts_with('#').then_some(line.len() - content.len())
    }

    /// Whether the line that begins at `start` is blank.
    pub(super) fn is_blank(self, start: usize) -> bool {
        self.skip_blanks(start) == self.content_end(start)
    }

    /// The line break to use at `at`: that of the line before, else that of the line after, else LF.
    pub(super) fn ending(self, at: usize) -> &'static str {
        let bytes = self.text.as_bytes();
        let before = bytes[..at].iter().rposition(|byte| Self::is_break(*byte));
        let after = || bytes[at..].iter().position(|byte| Self::is_break(*byte)).map(|found| at + found);
        match before.or_else(after).map(|at| (at, bytes[at])) {
            Some((at, b'\n')) if at > 0 && bytes[at - 1] == b'\r' => "\r\n",
            Some((at, b'\r')) if bytes.get(at + 1) == Some(&b'\n') => "\r\n",
            Some((_, b'\r')) => "\r",
            _ => "\n",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_endings() {
        let lines = Lines { text: "\u{feff}a\r\n  b # c\rd\n" };
        assert_eq!((lines.start(4), lines.content_end(3), lines.end(3)), (3, 4, 6));
        assert_eq!((lines.start(8), lines.end(8)), (6, 14));
        assert_eq!(lines.indentation(8), Some(2));
        assert_eq!(lines.indentation(3), Some(0));
        assert_eq!(lines.indentation(9), None);
        assert!(lines.only_trivia_after(9));
        assert!(!lines.only_trivia_after(8));
        assert_eq!((lines.ending(3), lines.ending(9), lines.ending(14)), ("\r\n", "\r\n", "\r"));
        assert_eq!(lines.ending(16), "\n");
    }

    #[test]
    fn comments_are_trivia_behind_a_token() {
        let lines = Lines { text: "a #b\n#c\n" };
        assert!(lines.only_trivia_after(1));
        assert!(!lines.only_trivia_after(0));
        assert_eq!(lines.comment_indentation(5), Some(0));
        assert_eq!(lines.comment_indentation(0), None);
    }
}
