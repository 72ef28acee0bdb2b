//! Where lines begin and end around a byte. Looks only at the white space next to it, so that asking for
//! every token of a long line stays cheap.

use super::chars::{is_blank, is_break};

/// The start of the line that `at` is on, if nothing but white space stands before `at` on it.
pub(super) fn line_start(text: &str, at: usize) -> Option<usize> {
    let before = text[..at].trim_end_matches(is_blank);
    (before.is_empty() || before.ends_with(is_break)).then_some(before.len())
}

/// The spaces and tabs before `at`, if `at` is the first thing on its line.
pub(super) fn indentation(text: &str, at: usize) -> Option<&str> {
    let lead = &text[line_start(text, at)?..at];
    let plain = lead.trim_end_matches([' ', '\t']).len();
    Some(&lead[plain..])
}

/// Where the white space that ends at `at` begins, on the same line.
pub(super) fn before_blanks(text: &str, at: usize) -> usize {
    text[..at].trim_end_matches(is_blank).len()
}

/// Where the white space that begins at `at` ends, on the same line.
pub(super) fn after_blanks(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches(is_blank).len()
}

/// The bytes of the line break that stands at `at`; 0 where there is none. The end of the file is none.
pub(super) fn break_length(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if rest.starts_with("\r\n") {
        return 2;
    }
    rest.chars().next().filter(|c| is_break(*c)).map_or(0, char::len_utf8)
}

/// The line numbers, from 1, of ascending offsets, in one pass. CRLF, LF and a lone CR each end one line.
pub(super) fn lines(text: &str, offsets: &[usize]) -> Vec<usize> {
    let (mut line, mut at) = (1, 0);
    let count = |offset: &usize| {
        let passed = &text[at..*offset];
        line += passed.matches('\n').count() + passed.matches('\r').count() - passed.matches("\r\n").count();
        at = *offset;
        line
    };
    offsets.iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thing_on_a_line_has_an_indentation() {
        let text = "\u{feff} a\r\n\t b c";
        assert_eq!(indentation(text, 4), Some(" "));
        assert_eq!(indentation(text, 9), Some("\t "));
        assert_eq!(indentation(text, 11), None);
        assert_eq!(line_start(text, 9), Some(7));
        assert_eq!(break_length(text, 5), 2);
        assert_eq!(break_length(text, text.len()), 0);
        assert_eq!(lines("a\nb\r\nc\rd", &[0, 2, 5, 7]), [1, 2, 3, 4]);
        assert_eq!((before_blanks(text, 11), after_blanks(text, 10)), (10, 11));
    }
}
