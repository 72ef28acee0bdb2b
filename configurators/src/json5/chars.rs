//! Which characters are white space, line breaks and parts of a bare key, as npm `json5` 2.2.3 has them.
//!
//! Never looser than npm's tables: a character that is a letter only in a newer Unicode is refused.

use super::newer_letters::NEWER_THAN_NPM;

/// Whether `c` ends a line (and with it a `//` comment).
pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Whether `c` is white space that does not end a line.
pub(super) fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\t' | '\u{b}' | '\u{c}' | ' ' | '\u{a0}' | '\u{feff}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// Whether a bare key may start with `c`.
///
/// Outside ASCII this and [`continues_key`] only take out what npm refuses and the `json5` crate takes; the
/// crate, which reads every text as well, refuses the rest.
pub(super) fn starts_key(c: char) -> bool {
    match c {
        '$' | '_' => true,
        c if c.is_ascii() => c.is_ascii_alphabetic(),
        // Marks in npm's Unicode 10, letters since.
        '\u{1cf2}' | '\u{1cf3}' => false,
        c => !is_blank(c) && !is_break(c) && !is_newer(c),
    }
}

/// Whether a bare key may go on with `c`.
pub(super) fn continues_key(c: char) -> bool {
    match c {
        '$' | '_' => true,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        c => !is_blank(c) && !is_break(c) && !is_newer(c),
    }
}

fn is_newer(c: char) -> bool {
    let code = u32::from(c);
    let after = NEWER_THAN_NPM.partition_point(|(first, _)| *first <= code);
    after > 0 && NEWER_THAN_NPM[after - 1].1 >= code
}
