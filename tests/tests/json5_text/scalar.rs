//! Scalars and keys of every spelling.

use super::Writer;

const STRICT: &[&str] = &[
    "1",
    "\"x\"",
    "true",
    "false",
    "null",
    "-0.5",
    "1e3",
    "\"\"",
    "\"a\\\"b\"",
    "\"\\u00e9\\n\"",
    "\"// no\"",
    "\"/* no */\"",
    "\"{,}\"",
    "\"${VAR}\"",
    "\"é漢🛰\"",
    "[]",
    "{}",
    "12345678901234567890",
];

const LOOSE: &[&str] = &[
    "+1",
    ".5",
    "5.",
    "0x1F",
    "-0xA",
    "NaN",
    "-Infinity",
    "'x'",
    "'it\\'s'",
    "'\"'",
    "\"it's\"",
    "'\\x41'",
    "\"a\\\nb\"",
    "'\\0'",
    "'\\v\\q'",
    "[1,]",
    "{a:1,}",
    "1E+2",
];

const KEYS: &[(&str, &str)] = &[
    ("\"key", "\""),
    ("\"with space", "\""),
    ("\"é", "\""),
    ("\"\\u006b", "\""),
    ("\"a.b/", "\""),
    ("\"$", "\""),
    ("key", ""),
    ("$k_", ""),
    ("é", ""),
    ("\\u006b", ""),
    ("'q", "'"),
    ("'a\"b", "'"),
    ("漢", ""),
    ("_", ""),
];

impl Writer<'_> {
    /// A value without anything under it.
    pub(super) fn scalar(&mut self) -> String {
        if self.strict || self.tape.below(2) == 0 {
            return self.tape.pick(STRICT).to_owned();
        }
        self.tape.pick(LOOSE).to_owned()
    }

    /// A key that no other member has, and that JavaScript does not sort.
    pub(super) fn key(&mut self) -> String {
        self.keys += 1;
        let choices = if self.strict { &KEYS[..6] } else { KEYS };
        let (open, close) = choices[self.tape.below(choices.len())];
        format!("{open}{}{close}", self.keys)
    }
}
