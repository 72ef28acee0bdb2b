//! Finds the values that stand behind suspicious names: after a colon, an equals sign, in the next list item.

use std::ops::Range;

use super::name::{Suspicion, counts, in_query, is_value, suspicion};
use super::name_before::{NAME_BYTES, Name};

/// How far back the name of a `{name, value}` pair is looked for, bytes.
const PAIR_BYTES: usize = 160;
/// Steps allowed per byte of text. Past it the text is too strange to be read cheaply, and all of it is masked.
const STEPS_PER_BYTE: usize = 64;

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    steps: usize,
    /// Where the current line starts.
    pub(super) line: usize,
    /// From somewhere in a line to its end: the last answer of [`Reader::line_end`].
    ending: Range<usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            steps: text.len().saturating_mul(STEPS_PER_BYTE).saturating_add(1 << 20),
            line: 0,
            ending: 0..0,
        }
    }

    /// Adds what must be masked. `None`: gave up, everything must be.
    pub(super) fn find(mut self, found: &mut Vec<Range<usize>>) -> Option<()> {
        for (at, byte) in self.text.bytes().enumerate() {
            match byte {
                b':' => self.colon(at, found)?,
                b'=' => self.equals(at, found)?,
                b',' => self.pair(at, found)?,
                b'-' if self.text.as_bytes()[at..].starts_with(b"--") => self.flag(at, found)?,
                b'\n' | b'\r' => self.line = at + 1,
                _ => {}
            }
        }
        Some(())
    }

    pub(super) fn spend(&mut self, steps: usize) -> Option<()> {
        self.steps = self.steps.checked_sub(steps + 1)?;
        Some(())
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn line_end(&mut self, at: usize) -> Option<usize> {
        if !(self.ending.start..=self.ending.end).contains(&at) {
            let length = self.text[at..].find(['\n', '\r']).unwrap_or(self.text.len() - at);
            self.spend(length / 16)?;
            self.ending = at..at + length;
        }
        Some(self.ending.end)
    }

    /// `name: value` of both formats and of header lines.
    fn colon(&mut self, at: usize, found: &mut Vec<Range<usize>>) -> Option<()> {
        self.spend(NAME_BYTES / 8)?;
        let Some(name) = self.name_before(at) else { return Some(()) };
        let after = &self.text[at + 1..];
        let port = name.before == Some(b'/') && after.starts_with(|c: char| c.is_ascii_digit());
        if port || after.starts_with("//") {
            return Some(());
        }
        let Some(suspicion) = self.suspicion_of(&name) else { return Some(()) };
        let start = self.skip_blanks(at + 1)?;
        let column = name.start.saturating_sub(self.line);
        if let Some(quote) = name.inside {
            let close = self.close(start, quote)?;
            // In a comment a quote may well stay open; elsewhere a string may go over several lines.
            let commented = self.text[self.line..].trim_start_matches([' ', '\t']).starts_with(['#', '/']);
            let end = if commented { close.min(self.line_end(start)?) } else { close };
            found.push(start..end);
            return Some(());
        }
        self.value(start, column, suspicion, counts(name.text), found)
    }

    fn suspicion_of(&self, name: &Name<'_>) -> Option<Suspicion> {
        let paired = || {
            let from = self.text.floor_char_boundary(name.start.saturating_sub(PAIR_BYTES));
            is_value(name.text).then(|| suspicion(&self.text[from..name.start])).flatten()
        };
        suspicion(name.text).or_else(paired)
    }

    /// `name=value` of environments, flags and URLs.
    fn equals(&mut self, at: usize, found: &mut Vec<Range<usize>>) -> Option<()> {
        self.spend(NAME_BYTES / 8)?;
        let Some(name) = self.name_before(at) else { return Some(()) };
        let query = matches!(name.before, Some(b'?' | b'&' | b';' | b'#'));
        // What stands further before is prose or a command.
        let (mut words, text) = (0, name.text);
        let start = text.rfind(|c: char| {
            words += usize::from(c == ' ');
            words == 2
        });
        let text = &text[start.map_or(0, |start| start + 1)..];
        if suspicion(text).is_none() && !(query && in_query(text)) {
            return Some(());
        }
        let start = self.skip_blanks(at + 1)?;
        if let Some(quote @ (b'"' | b'\'')) = self.byte(start)
            && name.inside != Some(quote)
        {
            found.push(start + 1..self.close(start + 1, quote)?);
            return Some(());
        }
        let rest = &self.text[start..];
        let stops =
            |c: char| matches!(c, '\n' | '\r' | '"' | '\'' | '`') || (query && matches!(c, '&' | '#' | ' '));
        let length = rest.find(stops).unwrap_or(rest.len());
        self.spend(length / 16)?;
        found.push(start..start + length);
        Some(())
    }

    /// `"name", "value"`: a header or flag and its value as two items of a list.
    fn pair(&mut self, at: usize, found: &mut Vec<Range<usize>>) -> Option<()> {
        self.spend(NAME_BYTES / 8)?;
        let Some(name) = self.name_before(at).filter(|name| name.quoted) else { return Some(()) };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '\\');
        if !name.text.chars().all(plain) || suspicion(name.text) != Some(Suspicion::Strong) {
            return Some(());
        }
        let start = at + 1 + (self.text[at + 1..].len() - self.text[at + 1..].trim_start().len());
        match self.byte(start) {
            Some(b'"' | b'\'') => self.delimited(start, Suspicion::Weak, found),
            _ => Some(()),
        }
    }

    /// `--name value`, in one string, in two list items, or on two lines of a list.
    fn flag(&mut self, at: usize, found: &mut Vec<Range<usize>>) -> Option<()> {
        let name = &self.text[at + 2..];
        let length =
            name.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).unwrap_or(name.len());
        self.spend(length)?;
        if suspicion(&name[..length.min(NAME_BYTES)]).is_none() {
            return Some(());
        }
        let behind = &name[length..];
        let gap = behind.len() - behind.trim_start_matches(['"', '\'', ',', ' ', '\t', '\n', '\r']).len();
        let (mut gap, mut value) = (gap, &behind[gap..]);
        if let Some(item) = value.strip_prefix("- ") {
            let inner = item.trim_start_matches(['"', '\'', ' ']);
            (gap, value) = (gap + value.len() - inner.len(), inner);
        }
        if gap == 0 || value.starts_with("--") || value.starts_with([':', '=']) {
            return Some(());
        }
        let end = value.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')).unwrap_or(value.len());
        let start = at + 2 + length + gap;
        self.spend(gap + end)?;
        found.push(start..start + end);
        Some(())
    }

    fn skip_blanks(&mut self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let rest = &self.text[at..];
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\u{a0}', '\u{feff}']).len();
            let rest = &rest[blanks..];
            at += blanks;
            let Some(inside) = rest.strip_prefix("/*") else { break };
            let length = inside.find("*/");
            self.spend(length.unwrap_or(inside.len()) / 16)?;
            match length {
                Some(length) => at += length + "/**/".len(),
                None => break,
            }
        }
        self.spend((at - from) / 16)?;
        Some(at)
    }
}
