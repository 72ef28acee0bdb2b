//! How far a value reaches: strings, lists, block and plain scalars, also over several lines.

use std::ops::Range;

use super::name::{Suspicion, counts};
use super::reference;
use super::value::Reader;

/// The longest literal, bytes.
const LITERAL_BYTES: usize = 40;

impl Reader<'_> {
    pub(super) fn value(
        &mut self,
        start: usize,
        column: usize,
        suspicion: Suspicion,
        counts: bool,
        found: &mut Vec<Range<usize>>,
    ) -> Option<()> {
        let rest = &self.text[start..];
        let line_end = self.line_end(start)?;
        match self.byte(start) {
            None | Some(b'\n' | b'\r' | b'#') => self.below(line_end, column, suspicion, found),
            Some(b'/') if rest.starts_with("//") => self.below(line_end, column, suspicion, found),
            Some(b'"' | b'\'' | b'`' | b'\\' | b'{' | b'[') => self.delimited(start, suspicion, found),
            _ => {
                let line = &self.text[start..line_end];
                if let Some(length) = literal(line, counts) {
                    if length.1 {
                        found.push(start..start + length.0);
                    }
                    return Some(());
                }
                let behind = reference(line).map_or(line, |length| &line[length..]);
                let only_reference = behind.len() < line.len()
                    && (behind.trim_start_matches([' ', '\t', ',', '}', ']']).is_empty()
                        || behind.trim_start().starts_with(['#', '/']));
                if !only_reference {
                    found.push(start..line_end);
                }
                self.continuation(line_end, column, found)
            }
        }
    }

    /// A string, list or mapping that starts at `start`.
    pub(super) fn delimited(
        &mut self,
        start: usize,
        suspicion: Suspicion,
        found: &mut Vec<Range<usize>>,
    ) -> Option<()> {
        let end = match self.byte(start)? {
            b'\\' => {
                let escapes = self.text[start..].find(|c| c != '\\').unwrap_or(0);
                let Some(quote @ (b'"' | b'\'')) = self.byte(start + escapes) else {
                    let end = self.line_end(start)?;
                    found.push(start..end);
                    return Some(());
                };
                let inside = start + escapes + 1;
                let close = format!("{}{}", "\\".repeat(escapes), char::from(quote));
                let end = self.text[inside..].find(&close).map_or(self.text.len(), |length| inside + length);
                self.spend((end - inside) / 16)?;
                found.push(inside..end);
                return Some(());
            }
            quote @ (b'"' | b'\'' | b'`') => self.close(start + 1, quote)?,
            _ if suspicion == Suspicion::Weak => return Some(()),
            _ => self.bracket_end(start)?,
        };
        found.push(start + 1..end);
        // Whatever still sticks to the closing quote is not trusted to be something else.
        let sticks = self.text[(end + 1).min(self.text.len())..]
            .find(|c: char| c.is_whitespace() || matches!(c, ',' | '}' | ']' | ')' | ':' | '"' | '\''))
            .unwrap_or(self.text.len().saturating_sub(end + 1));
        if sticks > 0 {
            found.push(end..end + 1 + sticks);
        }
        self.spend(sticks)
    }

    /// Where the string that began before `from` ends. Takes both formats' escapes, so it may end late.
    pub(super) fn close(&mut self, from: usize, quote: u8) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while let Some(byte) = bytes.get(at) {
            let doubled = quote == b'\'' && *byte == quote && bytes.get(at + 1) == Some(&quote);
            match *byte {
                b'\\' => at += 2,
                _ if doubled => at += 2,
                byte if byte == quote => break,
                _ => at += 1,
            }
        }
        self.spend(at - from)?;
        Some(self.text.ceil_char_boundary(at.min(self.text.len())))
    }

    /// Where the bracket that opens at `start` closes.
    fn bracket_end(&mut self, start: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut at = start;
        while let Some(byte) = self.byte(at) {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                b'"' | b'\'' => at = self.close(at + 1, byte)?,
                _ => {}
            }
            at += 1;
        }
        self.spend(at.saturating_sub(start))?;
        Some(at.min(self.text.len()))
    }

    /// A value that starts on a later line than its name.
    fn below(
        &mut self,
        line_end: usize,
        column: usize,
        suspicion: Suspicion,
        found: &mut Vec<Range<usize>>,
    ) -> Option<()> {
        let mut at = line_end;
        loop {
            at += self.text[at..].len() - self.text[at..].trim_start().len();
            let rest = &self.text[at..];
            if rest.starts_with('#') || rest.starts_with("//") {
                at = self.line_end(at)?;
            } else if rest.starts_with("/*") {
                at += rest.find("*/").map_or(rest.len(), |length| length + 2);
            } else {
                break;
            }
        }
        self.spend((at - line_end) / 16)?;
        match self.byte(at) {
            Some(quote @ (b'"' | b'\'')) => {
                let end = self.close(at + 1, quote)?;
                let behind = self.text.get(end + 1..).unwrap_or_default().trim_start_matches([' ', '\t']);
                if !behind.starts_with(':') {
                    found.push(at + 1..end);
                }
            }
            Some(b'{' | b'[') => self.delimited(at, suspicion, found)?,
            _ => {}
        }
        let line = &self.text[at..self.line_end(at)?];
        let section = line.contains(':') || line.starts_with("- ");
        if suspicion == Suspicion::Weak && section {
            Some(())
        } else {
            self.continuation(line_end, column, found)
        }
    }

    /// The lines below that belong to a value whose name stands at `column`: block and folded scalars, plain
    /// ones over several lines, lists.
    fn continuation(&mut self, line_end: usize, column: usize, found: &mut Vec<Range<usize>>) -> Option<()> {
        let mut at = line_end;
        let lead = self.text[self.line..].trim_start_matches([' ', '\t']);
        let in_comment = lead.starts_with(['#', '/']);
        // Prose in a comment has its colons too, and what follows it is more prose.
        let name = lead[..lead.find(':').unwrap_or(0)].trim_matches(['#', '/', ' ', '\t', '-', '*']);
        let in_comment = in_comment && !name.contains(' ') && !counts(name);
        while at < self.text.len() {
            at += if self.text[at..].starts_with("\r\n") { 2 } else { 1 };
            let end = self.line_end(at)?;
            let line = &self.text[at..end];
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            let inside = &line[indent..];
            let item = indent == column && (inside == "-" || inside.starts_with("- "));
            let commented = line.len() - line.trim_start_matches([' ', '\t', '#', '/', '*']).len();
            if (indent > column && !inside.is_empty()) || item {
                found.push(at + indent..end);
            } else if inside.starts_with('#') || inside.starts_with("//") {
                if in_comment && commented > column {
                    found.push(at + commented..end);
                }
            } else if !inside.is_empty() {
                break;
            }
            at = end;
            self.spend(line.len() / 16)?;
        }
        Some(())
    }
}

/// The length of a `null`, boolean or number at the start of `line`, and whether it must be masked.
fn literal(line: &str, counts: bool) -> Option<(usize, bool)> {
    let longest = &line[..line.floor_char_boundary(LITERAL_BYTES)];
    let end = longest.find([',', '}', ']', ' ', '\t', '#', '/']).unwrap_or(longest.len());
    let word = &line[..end];
    if !ends_value(&line[end..]) {
        return None;
    }
    let number = word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
        && word[1..].chars().all(|c| c.is_ascii_hexdigit() || matches!(c, '.' | 'x' | '_'));
    let amount = counts && word.len() <= 9 && word.bytes().all(|byte| byte.is_ascii_digit());
    match word {
        "null" | "~" | "true" | "false" | "yes" | "no" | "on" | "off" => Some((end, false)),
        _ if number => Some((end, !amount)),
        _ => None,
    }
}

/// Whether `behind` shows that the value before it is over: a line's end, a comment, or more of a mapping.
/// A plain YAML scalar may hold commas and braces and goes on behind them.
fn ends_value(behind: &str) -> bool {
    let trimmed = behind.trim_start();
    if trimmed.is_empty() || (trimmed.starts_with(['#', '/']) && trimmed.len() < behind.len()) {
        return true;
    }
    let Some(rest) = trimmed.strip_prefix([',', '}', ']']) else { return false };
    let word =
        rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '$')).unwrap_or(rest.len());
    rest.is_empty()
        || rest.starts_with(['"', '\'', '}', ']', ',', ' ', '\t'])
        || (word > 0 && rest[word..].starts_with(':'))
}
