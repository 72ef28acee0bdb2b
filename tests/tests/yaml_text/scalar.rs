//! Scalars and keys of every style.

use super::Writer;

const PLAIN: &[&str] = &[
    "word",
    "two words",
    "a#b",
    "http://h:1/x?y=z#f",
    "x:y",
    "-5",
    "-x",
    "?q",
    "007",
    "0o17",
    "0x1F",
    "1_000",
    "12:30:45",
    "1e3",
    "1.5",
    ".inf",
    "-.INF",
    ".nan",
    "yes",
    "Off",
    "TRUE",
    "n",
    "~",
    "Null",
    "2026-11-30",
    "0b11",
    "+12",
    "1.",
    "é漢",
    "🛰",
    "C:\\x",
    "a'b\"c",
    "${VAR}",
    "1,000",
    "a{b}",
    "!",
    "<",
    "a, b",
    "x]",
];

const SINGLE: &[&str] = &["'it''s'", "''", "'# no'", "'a: b'", "'\"'", "'{}'", "' x '", "'\u{e9}'"];

const DOUBLE: &[&str] = &[
    "\"x\"",
    "\"\"",
    "\"# no\"",
    "\"a\\\"b\"",
    "\"\\u00e9\\x41\\t\"",
    "\"\\N\\_\\L\"",
    "\"a: b, [c]\"",
    "\"\\\\\"",
    "\" x \"",
    "\"\u{1f6f0}\"",
];

const KEYS: &[&str] =
    &["key", "other", "with space", "x-y", "é", "\"q\"", "'s'", "\"\\u006b\"", "a.b", "k/1"];

impl Writer<'_> {
    /// A scalar on one line.
    pub(super) fn scalar(&mut self) -> String {
        let text = match self.tape.below(4) {
            0 | 1 => match self.tape.pick(PLAIN) {
                // A lone `!` is a tag and needs something behind it.
                "!" => self.tape.pick(&["! x", "! 1.5", "! yes", "! 'off'", "! ~", "! \"a b\""]),
                plain => plain,
            },
            2 => self.tape.pick(SINGLE),
            _ => self.tape.pick(DOUBLE),
        };
        text.to_owned()
    }

    /// A key that no other member has.
    pub(super) fn key(&mut self) -> String {
        self.keys += 1;
        let number = self.keys;
        let shape = self.tape.pick(KEYS);
        match shape.strip_suffix(['"', '\'']) {
            Some(open) => format!("{open}{number}{}", &shape[shape.len() - 1..]),
            None => format!("{shape}{number}"),
        }
    }

    /// A scalar over several lines.
    pub(super) fn long_scalar(&mut self, indent: usize) {
        let (open, close) = self.tape.pick(&[&("\"", "\""), &("'", "'"), &("", "")]);
        self.blank();
        self.out.push_str(open);
        self.out.push_str("first part");
        for _ in 0..=self.tape.below(2) {
            self.end_line();
            if self.tape.rarely(4) {
                self.end_line();
            }
            let deeper = indent + 1 + self.tape.below(4);
            self.pad(deeper);
            self.out.push_str("and more");
        }
        self.out.push_str(close);
        self.rest_of_line();
    }

    /// A literal or folded block.
    pub(super) fn block_scalar(&mut self, indent: usize) {
        let style = self.tape.pick(&["|", ">", "|-", ">-", "|+", ">+"]);
        let deeper = 1 + self.tape.below(4);
        self.blank();
        self.out.push_str(style);
        let explicit = self.tape.rarely(5);
        if explicit {
            // Only the engine's own parser and the oracle know what an indicator at the root counts from.
            self.out.push_str(&deeper.to_string());
        }
        self.rest_of_line();
        for number in 0..self.tape.below(4) {
            if number > 0 && self.tape.rarely(4) {
                self.end_line();
                continue;
            }
            let more = if number > 0 { self.tape.below(3) } else { 0 };
            self.pad(indent + deeper + more);
            let text = self.tape.pick(&["text", "# no comment", "mcp_servers:", "- {", "a: 'b", "\u{e9}  "]);
            self.out.push_str(text);
            self.end_line();
        }
        for _ in 0..self.tape.below(3) {
            self.end_line();
        }
        self.after_block = true;
    }
}
