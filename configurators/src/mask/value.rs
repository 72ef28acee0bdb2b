//! Finds the values that stand behind suspicious names: after a colon, an equals sign, in the next list item.

use std::ops::Range;

use super::name::{Suspicion, counts, in_query, is_value, suspicion};
use super::reference;

/// How far back a name is looked for, bytes.
const NAME_BYTES: usize = 256;
/// How far back the name of a `{name, value}` pair is looked for, bytes.
const PAIR_BYTES: usize = 160;
/// The longest literal, bytes.
const LITERAL_BYTES: usize = 40;
/// Steps allowed per byte of text. Past it the text is too strange to be read cheaply, and all of it is masked.
const STEPS_PER_BYTE: usize = 64;

/// A name before a separator.
struct Name<'a> {
    text: &'a str,
    /// Where it starts, without list dashes.
    start: usize,
    /// The quote right before it, if the separator is inside the same string.
    inside: Option<u8>,
    /// It had quotes of its own.
    quoted: bool,
    /// The byte before it.
    before: Option<u8>,
}

pub(super) struct Reader<'a> {
    text: &'a str,
    steps: usize,
    /// Where the current line starts.
    line: usize,
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

    fn spend(&mut self, steps: usize) -> Option<()> {
        self.steps = self.steps.checked_sub(steps + 1)?;
        Some(())
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn line_end(&mut self, at: usize) -> Option<usize> {
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

    fn value(
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
    fn delimited(&mut self, start: usize, suspicion: Suspicion, found: &mut Vec<Range<usize>>) -> Option<()> {
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
    fn close(&mut self, from: usize, quote: u8) -> Option<usize> {
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

    /// The name that ends before `at`, white space and comments between them aside.
    fn name_before(&self, at: usize) -> Option<Name<'a>> {
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
