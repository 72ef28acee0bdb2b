//! Text from a server, made fit for a person's eyes: one line, bounded, without control characters.

use hubkit_contract::clean;

/// At most `most` characters of `text`, each that could move a cursor or hide replaced by a question mark, white
/// space by one space.
pub(crate) fn printable(text: &str, most: usize) -> String {
    let mut out = String::new();
    for (count, c) in text.trim().chars().enumerate() {
        if count == most {
            out.push('…');
            break;
        }
        let is_hidden = clean::first_control(c.encode_utf8(&mut [0; 4])).is_some();
        out.push(match c {
            c if c.is_whitespace() => ' ',
            _ if is_hidden => '?',
            c => c,
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_without_control_characters() {
        assert_eq!(printable(" a\r\nb\tc\u{1b}[31m\u{202e}é ", 20), "a  b c?[31m?é");
        assert_eq!(printable("\0", 20), "?");
    }

    #[test]
    fn at_the_limit_it_stays_and_one_past_it_is_cut() {
        assert_eq!(printable("éab", 3), "éab");
        assert_eq!(printable("éabc", 3), "éab…");
    }
}
