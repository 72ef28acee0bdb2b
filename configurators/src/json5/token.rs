//! The tokens of JSON5 that need more than one look: strings, numbers, words, bare keys.

use std::borrow::Cow;

use super::chars::{continues_key, starts_key};
use super::scan::{Fault, Scanner};
use super::tree::Kind;

impl<'a> Scanner<'a> {
    /// A string from its opening quote to behind its closing one.
    pub(super) fn quoted(&mut self, quote: u8) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.byte() {
                None => return Err(self.fault_at(start, "a string that starts here does not end")),
                Some(b'\\') => self.escape()?,
                Some(b'\n' | b'\r') => return Err(self.fault("a line break inside a string")),
                Some(byte) => {
                    self.at += 1;
                    if byte == quote {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// One escape of a string, from its backslash on.
    fn escape(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        match self.byte() {
            Some(b'x') => {
                self.at += 1;
                self.hex_digits(2)?;
            }
            Some(b'u') => {
                self.at += 1;
                let unit = self.hex_digits(4)?;
                self.surrogates(start, unit);
            }
            Some(b'0') => {
                self.at += 1;
                if self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
                    return Err(self.fault_at(start, "an octal escape"));
                }
            }
            Some(b'1'..=b'9') => return Err(self.fault_at(start, "an octal escape")),
            Some(b'\r') if self.text[self.at..].starts_with("\r\n") => self.at += 2,
            _ => match self.char() {
                Some(c) => self.at += c.len_utf8(),
                None => return Err(self.fault("the file ends too early")),
            },
        }
        Ok(())
    }

    /// Takes the second half of a surrogate pair, or notes the half that has no other one. JavaScript keeps
    /// such halves, and writes them as escapes again, so files that it wrote may hold them.
    fn surrogates(&mut self, start: usize, unit: u32) {
        let second = self.text[self.at..].strip_prefix("\\u").and_then(|rest| rest.get(..4));
        let low = second.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match (unit, low) {
            (0xd800..=0xdbff, Some(0xdc00..=0xdfff)) => self.at += "\\uXXXX".len(),
            (0xd800..=0xdfff, _) => self.halves.push(start),
            _ => {}
        }
    }

    fn hex_digits(&mut self, count: usize) -> Result<u32, Fault> {
        let mut unit = 0;
        for _ in 0..count {
            let digit = self.byte().and_then(|byte| char::from(byte).to_digit(16));
            unit = unit * 16 + digit.ok_or_else(|| self.fault("an escape lacks hexadecimal digits"))?;
            self.at += 1;
        }
        Ok(unit)
    }

    /// A key without quotes.
    pub(super) fn bare_key(&mut self) -> Result<Cow<'a, str>, Fault> {
        let start = self.at;
        let mut decoded = None;
        while let Some(c) = self.char() {
            let here = self.at;
            let first = here == start;
            let fits = |c: char| if first { starts_key(c) } else { continues_key(c) };
            if c == '\\' {
                let decoded = decoded.get_or_insert_with(|| self.text[start..here].to_owned());
                self.at += 1;
                if self.byte() != Some(b'u') {
                    return Err(self.fault("a key escape other than \\u"));
                }
                self.at += 1;
                // npm looks at each half of a pair alone, and neither is a letter.
                let escaped = char::from_u32(self.hex_digits(4)?).filter(|c| fits(*c));
                decoded.push(escaped.ok_or_else(|| self.fault_at(here, "an escape that no key may hold"))?);
            } else if fits(c) {
                self.at += c.len_utf8();
                if let Some(decoded) = &mut decoded {
                    decoded.push(c);
                }
            } else {
                break;
            }
        }
        if self.at == start {
            return Err(self.fault("no key where one must stand"));
        }
        Ok(decoded.map_or(Cow::Borrowed(&self.text[start..self.at]), Cow::Owned))
    }

    /// `null`, `true`, `false` or a number.
    pub(super) fn literal(&mut self) -> Result<Kind<'a>, Fault> {
        let rest = &self.text[self.at..];
        let words = [("null", Kind::Null), ("true", Kind::Bool(true)), ("false", Kind::Bool(false))];
        for (word, kind) in words {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        self.number()?;
        Ok(Kind::Number)
    }

    fn number(&mut self) -> Result<(), Fault> {
        if matches!(self.byte(), Some(b'+' | b'-')) {
            self.at += 1;
        }
        let rest = &self.text[self.at..];
        if let Some(word) = ["Infinity", "NaN"].into_iter().find(|word| rest.starts_with(word)) {
            self.at += word.len();
            return Ok(());
        }
        if rest.starts_with("0x") || rest.starts_with("0X") {
            self.at += 2;
            return match self.skip_while(|byte| byte.is_ascii_hexdigit()) {
                0 => Err(self.fault("a number lacks its digits")),
                _ => Ok(()),
            };
        }
        let start = self.at;
        let leading = self.skip_while(|byte| byte.is_ascii_digit());
        if leading > 1 && rest.starts_with('0') {
            return Err(self.fault_at(start, "a number with a leading zero"));
        }
        let mut fraction = 0;
        if self.byte() == Some(b'.') {
            self.at += 1;
            fraction = self.skip_while(|byte| byte.is_ascii_digit());
        }
        if leading + fraction == 0 {
            return Err(self.fault_at(start, "no value where one must stand"));
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.skip_while(|byte| byte.is_ascii_digit()) == 0 {
                return Err(self.fault("a number lacks its exponent"));
            }
        }
        Ok(())
    }

    fn skip_while(&mut self, wanted: fn(&u8) -> bool) -> usize {
        let count = self.text.as_bytes()[self.at..].iter().take_while(|byte| wanted(byte)).count();
        self.at += count;
        count
    }
}

/// Whether `text` could stand as a bare key in plain ASCII.
pub(super) fn is_plain_key(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii() && starts_key(c))
        && chars.all(|c| c.is_ascii() && continues_key(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_keys() {
        for text in ["a", "$include", "_x9", "null"] {
            assert!(is_plain_key(text), "{text}");
        }
        for text in ["", "9a", "ci-hub", "é", "a b"] {
            assert!(!is_plain_key(text), "{text}");
        }
    }
}
