//! The one place that prints. Data goes to standard output, talk to standard error, and every line goes
//! through the redactor first.

use std::io::{self, Write as _};

use hubkit_redaction::Redactor;

/// Prints for one process.
pub(crate) struct Output {
    redactor: Redactor,
}

impl Output {
    /// Masks what `redactor` knows.
    pub(crate) fn new(redactor: Redactor) -> Self {
        Self { redactor }
    }

    /// Prints data: what a program reads, or what the user asked for by name. A reader that went away
    /// (`| head`) is no error.
    pub(crate) fn data(&self, text: &str) {
        let _ = write_line(io::stdout().lock(), &visible(&self.redactor.redact(text), &['\n', '\t']));
    }

    /// Says several lines to the person: a usage error.
    pub(crate) fn explain(&self, text: &str) {
        let _ = write_line(io::stderr().lock(), &visible(&self.redactor.redact(text), &['\n', '\t']));
    }

    /// Says a line to the person or the container's log.
    pub(crate) fn say(&self, text: &str) {
        let _ = write_line(io::stderr().lock(), &visible(&self.redactor.redact(text), &[]));
    }
}

/// Escapes control characters: names from a user's file must not forge a line of ours or drive a terminal.
fn visible(text: &str, kept: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim_end_matches('\n').chars() {
        if c.is_control() && !kept.contains(&c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

fn write_line(mut stream: impl io::Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.write_all(b"\n")?;
    stream.flush()
}

/// A panic says where and that it is a bug; not what it was about, since that may hold anything.
pub(crate) fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        let backtrace = std::backtrace::Backtrace::capture();
        let _ = writeln!(io::stderr().lock(), "hubkit: a bug{place}\n{backtrace}");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_a_file_cannot_forge_a_line() {
        assert_eq!(
            visible("a\n[Hub MCP] Server registered\u{1b}[0m", &[]),
            "a\\n[Hub MCP] Server registered\\u{1b}[0m"
        );
        assert_eq!(visible("+a\n-b\tc\r\n", &['\n', '\t']), "+a\n-b\tc\\r");
    }
}
