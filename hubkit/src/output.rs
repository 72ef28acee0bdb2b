//! The one place that prints. Data goes to standard output, talk to standard error, and every line goes
//! through the redactor first.

use std::cell::{Cell, RefCell};
use std::io::{self, Write as _};

use hubkit_contract::exit;
use hubkit_redaction::{Redactor, Secret};

/// Prints for one process.
pub(crate) struct Output {
    redactor: RefCell<Redactor>,
    data_was_lost: Cell<bool>,
}

impl Output {
    /// Masks what `redactor` knows.
    pub(crate) fn new(redactor: Redactor) -> Self {
        Self { redactor: RefCell::new(redactor), data_was_lost: Cell::new(false) }
    }

    /// Masks `secret` from now on, too.
    pub(crate) fn learn(&self, secret: &Secret) {
        self.redactor.borrow_mut().add(secret);
    }

    /// Prints data: what a program reads, or what the user asked for by name. A reader that went away
    /// (`| head`) is no error.
    pub(crate) fn data(&self, text: &str) {
        let written =
            write_line(io::stdout().lock(), &visible(&self.redactor.borrow().redact(text), &['\n', '\t']));
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.data_was_lost.set(true);
            self.say(&format!("hubkit: cannot write to standard output: {error}"));
        }
    }

    /// The exit code of a command that answered `code`: data that was asked for and is lost is no success.
    pub(crate) fn exit_code(&self, code: u8) -> u8 {
        if code == exit::DONE && self.data_was_lost.get() { exit::CANNOT_WRITE } else { code }
    }

    /// Says several lines to the person: a usage error.
    pub(crate) fn explain(&self, text: &str) {
        let _ =
            write_line(io::stderr().lock(), &visible(&self.redactor.borrow().redact(text), &['\n', '\t']));
    }

    /// Says a line to the person or the container's log.
    pub(crate) fn say(&self, text: &str) {
        let _ = write_line(io::stderr().lock(), &visible(&self.redactor.borrow().redact(text), &[]));
    }
}

/// Escapes control characters and those that reorder or hide text: names from a user's file must not forge a line of ours or drive a terminal.
fn visible(text: &str, kept: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim_end_matches('\n').chars() {
        if (c.is_control() || is_deceptive(c)) && !kept.contains(&c) {
            out.extend(c.escape_default())
        } else {
            out.push(c)
        }
    }
    out
}

/// Marks that change the direction of text or show nothing.
fn is_deceptive(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
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
        assert_eq!(visible("a\u{202e}b", &['\n']), "a\\u{202e}b");
        assert_eq!(visible("+a\n-b\tc\r\n", &['\n', '\t']), "+a\n-b\tc\\r");
    }
}
