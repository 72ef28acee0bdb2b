//! A random document and the tape it is told from. The generators of both formats write it; the random tests and
//! the fuzz targets read it.

pub(crate) mod tape;

use tape::Tape;

/// Characters that mean something in one of the formats, or are easily overlooked.
const DAMAGE: &[&str] = &[
    "\t", "\r", "\n", " ", ":", ",", "'", "\"", "{", "}", "[", "]", "#", "//", "/*", "*/", "-", "?", "&a ",
    "*a ", "!", "|", "\\", "\u{a0}", "\u{feff}", "\u{0}", "\u{85}", "\u{200b}", "---\n", "...\n", "%", "@",
    "0", "<<: ", "\u{2028}",
];

/// A random document, in terms that both formats share.
pub(crate) struct Sample {
    /// The text.
    pub text: String,
    /// Comments that must stay.
    pub comments: Vec<String>,
    /// What wiring may touch.
    pub zone: std::ops::Range<usize>,
    /// Whether wiring only adds.
    pub adds_only: bool,
    /// Whether wiring may be refused.
    pub hard: bool,
}

impl Sample {
    /// The same with one character too many or too few. Nothing but the host knows what it is now.
    pub(crate) fn damaged(self, tape: &mut Tape<'_>) -> Self {
        let mut text = self.text;
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        if !starts.is_empty() {
            let at = starts[tape.below(starts.len())];
            match tape.below(3) {
                0 => drop(text.remove(at)),
                1 => text.truncate(at),
                _ => text.insert_str(at, tape.pick(DAMAGE)),
            }
        }
        Self { zone: 0..text.len(), text, comments: Vec::new(), adds_only: false, hard: true }
    }
}
