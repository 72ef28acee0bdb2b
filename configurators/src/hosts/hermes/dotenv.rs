//! The syntax of `.env` as Hermes reads it, which is that of the Python package python-dotenv: which line binds
//! which name to which text. Nothing is expanded here.

/// One line, or several where a quoted text goes on, that binds a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Binding {
    pub(super) name: String,
    /// The text; `None` for a name without `=`, which binds nothing.
    pub(super) text: Option<String>,
    /// The line of the name, from 1.
    pub(super) line: usize,
}

/// All bindings in file order. What cannot be read is passed over, as it is there.
pub(super) fn bindings(text: &str) -> Vec<Binding> {
    let mut reader = Reader { text, rest: text, counted: (0, 1) };
    let mut found = Vec::new();
    loop {
        reader.rest = reader.rest.trim_start();
        if reader.rest.is_empty() {
            return found;
        }
        let line = reader.line();
        match reader.binding() {
            Some(Some((name, text))) => found.push(Binding { name, text, line }),
            Some(None) => {}
            None => reader.skip_line(),
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
    /// How far lines are counted, and the line there.
    counted: (usize, usize),
}

impl<'t> Reader<'t> {
    /// The name and its text; `Some(None)` for a comment; `None` for what is neither, with `rest` where reading
    /// ended.
    fn binding(&mut self) -> Option<Option<(String, Option<String>)>> {
        if let Some(after) = self.rest.strip_prefix("export") {
            let name = blanks(after);
            if name.len() < after.len() {
                self.rest = name;
            }
        }
        let name = match self.rest.chars().next() {
            Some('#') => None,
            Some('\'') => Some(self.quoted_name()?),
            _ => Some(self.name()?),
        };
        self.rest = blanks(self.rest);
        let text = match self.rest.strip_prefix('=') {
            Some(after) => {
                self.rest = blanks(after);
                Some(self.value()?)
            }
            None => None,
        };
        self.end_of_line()?;
        Some(name.map(|name| (name, text)))
    }

    fn name(&mut self) -> Option<String> {
        let ends = |c: char| c == '=' || c == '#' || c.is_whitespace();
        let name = self.take_until(ends);
        (!name.is_empty()).then(|| name.to_owned())
    }

    fn quoted_name(&mut self) -> Option<String> {
        let (name, after) = self.rest.strip_prefix('\'')?.split_once('\'')?;
        self.rest = after;
        (!name.is_empty()).then(|| name.to_owned())
    }

    fn value(&mut self) -> Option<String> {
        match self.rest.chars().next() {
            Some(quote @ ('\'' | '"')) => self.quoted(quote),
            _ => {
                let line = self.take_until(|c| matches!(c, '\r' | '\n'));
                Some(before_comment(line).trim_end().to_owned())
            }
        }
    }

    /// A text in quotes, which may go over several lines.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let inside = self.rest.strip_prefix(quote)?;
        let end = closing(inside, quote)?;
        self.rest = inside.get(end + 1..)?;
        Some(unescaped(inside.get(..end)?, quote))
    }

    /// A comment and the end of the line.
    fn end_of_line(&mut self) -> Option<()> {
        let rest = blanks(self.rest);
        if rest.starts_with('#') {
            self.rest = rest;
            self.take_until(|c| matches!(c, '\r' | '\n'));
        }
        let rest = blanks(self.rest);
        self.rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\r', '\n'])).unwrap_or(rest);
        (self.rest.len() < rest.len() || rest.is_empty()).then_some(())
    }

    fn skip_line(&mut self) {
        self.take_until(|c| matches!(c, '\r' | '\n'));
    }

    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// The line that is read now. Only looks at what was read since it was asked last.
    fn line(&mut self) -> usize {
        let read = self.text.len() - self.rest.len();
        let since = self.text.get(self.counted.0..read).unwrap_or_default();
        let breaks =
            since.matches('\n').count() + since.matches('\r').count() - since.matches("\r\n").count();
        self.counted = (read, self.counted.1 + breaks);
        self.counted.1
    }
}

/// Without white space at the beginning of the line.
fn blanks(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() && !matches!(c, '\r' | '\n'))
}

/// Without a comment: a `#` that stands after white space.
fn before_comment(line: &str) -> &str {
    let mut before = None;
    for (index, c) in line.char_indices() {
        if c == '#' && before.is_some_and(char::is_whitespace) {
            return line.get(..index).unwrap_or(line);
        }
        before = Some(c);
    }
    line
}

/// Where the closing quote stands: the first that no backslash comes before, else the last of those.
fn closing(inside: &str, quote: char) -> Option<usize> {
    let mut escaped = None;
    let mut chars = inside.char_indices().peekable();
    while let Some((index, c)) = chars.next() {
        if c == quote {
            return Some(index);
        }
        if c == '\\'
            && let Some((next, _)) = chars.next_if(|(_, next)| *next == quote)
        {
            escaped = Some(next);
        }
    }
    escaped
}

fn unescaped(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = chars.peek().copied().filter(|_| c == '\\').and_then(|next| match (next, quote) {
            ('\\' | '\'', _) => Some(next),
            ('"', '"') => Some('"'),
            ('a', '"') => Some('\x07'),
            ('b', '"') => Some('\x08'),
            ('f', '"') => Some('\x0c'),
            ('n', '"') => Some('\n'),
            ('r', '"') => Some('\r'),
            ('t', '"') => Some('\t'),
            ('v', '"') => Some('\x0b'),
            _ => None,
        });
        if escaped.is_some() {
            chars.next();
        }
        out.push(escaped.unwrap_or(c));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row was read by python-dotenv as well, with the same outcome.
    #[test]
    fn lines_bind_as_python_dotenv_reads_them() {
        for (text, expected) in [
            ("A=1\nB=2", vec![("A", Some("1"), 1), ("B", Some("2"), 2)]),
            ("A=1\r\n\r\n  B = 2 \rC=3", vec![("A", Some("1"), 1), ("B", Some("2"), 3), ("C", Some("3"), 4)]),
            ("export A=\"v w\"", vec![("A", Some("v w"), 1)]),
            ("export\tA='v'", vec![("A", Some("v"), 1)]),
            ("export=5", vec![("export", Some("5"), 1)]),
            (
                "# A=1\nB=2 # c\nC=3#d\nD=#e",
                vec![("B", Some("2"), 2), ("C", Some("3#d"), 3), ("D", Some("#e"), 4)],
            ),
            ("A='x' # c", vec![("A", Some("x"), 1)]),
            ("A='x' y\nB=2", vec![("B", Some("2"), 2)]),
            ("A=\"x\nB=2", vec![("B", Some("2"), 2)]),
            ("A=\"x\ny\"\nB=2", vec![("A", Some("x\ny"), 1), ("B", Some("2"), 3)]),
            ("A=\"x\\\"y\\n\\q\"", vec![("A", Some("x\"y\n\\q"), 1)]),
            ("A='x\\'y\\n'", vec![("A", Some("x'y\\n"), 1)]),
            ("A=\"x\\\"\nB=2", vec![("A", Some("x\\"), 1), ("B", Some("2"), 2)]),
            ("A", vec![("A", None, 1)]),
            ("A b=1\nB=2", vec![("B", Some("2"), 2)]),
            ("=1\nB=", vec![("B", Some(""), 2)]),
            ("'A B'=1", vec![("A B", Some("1"), 1)]),
            ("A= \nB=2", vec![("A", Some(""), 1), ("B", Some("2"), 2)]),
            ("A=${B}x", vec![("A", Some("${B}x"), 1)]),
        ] {
            let found = bindings(text);
            let found: Vec<_> =
                found.iter().map(|it| (it.name.as_str(), it.text.as_deref(), it.line)).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn a_long_hostile_file_is_read_in_one_pass() {
        let text = "A=\"\\\"\nB='\n".repeat(100_000);
        assert!(bindings(&text).len() <= 200_000);
    }
}
