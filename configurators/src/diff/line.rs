//! One line of a diff: masked, control characters drawn, and cut where it is too long to read.

use std::ops::Range;

use crate::mask::spans;

/// What stands for something hidden.
const HIDDEN: &str = "[redacted]";
/// The longest line that is shown whole, characters.
const LONG: usize = 500;
/// What is shown on either side of a change in a longer line, characters.
const AROUND: usize = 200;
/// The longest change that is shown whole, characters.
const CHANGE: usize = 2000;

/// A line that may be shown.
pub(super) struct Line {
    /// Without its line break; nothing in it is secret any more.
    pub(super) text: String,
    /// What a person sees of the line break; nothing for a plain line feed.
    pub(super) ending: &'static str,
    /// The line is the file's last one and has no line break.
    pub(super) unterminated: bool,
}

/// The lines of a text with their breaks: CRLF, LF or a lone CR.
pub(super) fn split(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
            lines.push(start..at + 1);
            start = at + 1;
        }
    }
    if start < text.len() {
        lines.push(start..text.len());
    }
    lines
}

impl Line {
    /// The line at `range` of `text`. `hidden`: what must not be shown, ascending, from this line on.
    pub(super) fn new(
        text: &str,
        range: Range<usize>,
        hidden: &[Range<usize>],
        mask: &dyn Fn(&str) -> String,
    ) -> Self {
        let whole = &text[range.clone()];
        let content = whole.trim_end_matches(['\n', '\r']);
        let ending = if whole.len() > content.len() && whole.contains('\r') { "␍" } else { "" };
        let end = range.start + content.len();
        let known = mask(content);
        let spread = hidden
            .iter()
            .take_while(|hidden| hidden.start < end)
            .any(|hidden| hidden.start < range.start || hidden.end > end);
        let shown = if known == content {
            hide(text, range.start..end, hidden)
        } else if spread {
            HIDDEN.to_owned()
        } else {
            // The looks of a secret that we know could have hidden half of it, and nobody the other half.
            hide(&known, 0..known.len(), &spans(&known))
        };
        Self { text: drawn(&mask(&shown)), ending, unterminated: whole.len() == content.len() }
    }
}

/// The text at `range` with everything in `hidden` replaced.
fn hide(text: &str, range: Range<usize>, hidden: &[Range<usize>]) -> String {
    let mut shown = String::with_capacity(range.len());
    let mut at = range.start;
    for hidden in hidden.iter().take_while(|hidden| hidden.start < range.end) {
        let part = hidden.start.max(at)..hidden.end.min(range.end);
        let Some(secret) = text.get(part.clone()) else { continue };
        // White space at the edges keeps the line's indentation and its shape.
        let lead = secret.len() - secret.trim_start().len();
        shown.push_str(&text[at..part.start]);
        shown.push_str(&secret[..lead]);
        if !secret.trim().is_empty() {
            shown.push_str(HIDDEN);
            shown.push_str(&secret[secret.trim_end().len()..]);
        }
        at = part.end;
    }
    shown.push_str(&text[at..range.end]);
    shown
}

/// Draws what a terminal would act on or not show at all.
pub(super) fn drawn(text: &str) -> String {
    let mut drawn = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => drawn.push(c),
            '\r' => drawn.push('␍'),
            '\0'..='\u{1f}' => drawn.extend(char::from_u32(0x2400 + u32::from(c))),
            '\u{feff}'
            | '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => {
                drawn.extend(c.escape_unicode());
            }
            c if c.is_control() => drawn.extend(c.escape_unicode()),
            c => drawn.push(c),
        }
    }
    drawn
}

/// The part of a long line around its difference to `other`; its beginning where there is no other line.
///
/// Both are masked already, so wherever the cut falls, it shows nothing that the whole line would not.
pub(super) fn cut(text: &str, other: Option<&str>) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= LONG {
        return text.to_owned();
    }
    let (first, last) = match other {
        None => (0, 0),
        Some(other) => {
            let other: Vec<char> = other.chars().collect();
            let same =
                |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(a, b)| a == b).count();
            let prefix = same(&mut chars.iter().copied().zip(other.iter().copied()));
            let suffix = same(&mut chars.iter().rev().copied().zip(other.iter().rev().copied()));
            let suffix = suffix.min(chars.len().min(other.len()) - prefix);
            (prefix, (chars.len() - suffix).min(prefix + CHANGE))
        }
    };
    let from = first.saturating_sub(AROUND);
    let to = (last + AROUND).min(chars.len());
    let mut part = String::new();
    if from > 0 {
        part.push_str(&format!("…({from} characters)… "));
    }
    part.extend(&chars[from..to]);
    if to < chars.len() {
        part.push_str(&format!(" …({} characters)…", chars.len() - to));
    }
    part
}
