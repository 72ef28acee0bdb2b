//! A unified diff for people, in which no credential of the user's file shows.
//!
//! Every line goes through the mask, context included. The lines are compared before masking, so a changed
//! credential shows as a changed line. Not a patch: masked, cut and control characters drawn.

mod line;

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use crate::mask::spans;
use line::{Line, cut, drawn};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// The difference between `old` and `new` in unified format, `name` in both headers; empty where there is
/// none. `mask` takes the secrets that the caller knows out of a text.
///
/// Missing line breaks at the end of a file, carriage returns and control characters are shown. A line of
/// more than 500 characters is cut to the region around its change.
#[must_use]
pub fn unified(name: &str, old: &str, new: &str, mask: &dyn Fn(&str) -> String) -> String {
    if old == new {
        return String::new();
    }
    let (old_lines, new_lines) = (line::split(old), line::split(new));
    let texts = |text: &str, lines: &[Range<usize>]| -> Vec<String> {
        lines.iter().map(|line| text[line.clone()].to_owned()).collect()
    };
    let ops = capture_diff_slices(Algorithm::Myers, &texts(old, &old_lines), &texts(new, &new_lines));
    let old = Side { text: old, lines: old_lines, hidden: spans(old), mask };
    let new = Side { text: new, lines: new_lines, hidden: spans(new), mask };
    let name = drawn(&mask(name));
    let mut out = format!("--- {name}\n+++ {name}\n");
    for hunk in group_diff_ops(ops, CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let old_range = header(first.old_range().start, last.old_range().end);
        let new_range = header(first.new_range().start, last.new_range().end);
        out.push_str(&format!("@@ -{old_range} +{new_range} @@\n"));
        for op in &hunk {
            print(&mut out, op, &old, &new);
        }
    }
    out
}

/// `start,count` as unified diffs write it.
fn header(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        count => format!("{},{count}", start + 1),
    }
}

fn print(out: &mut String, op: &DiffOp, old: &Side<'_>, new: &Side<'_>) {
    if let DiffOp::Equal { old_index, len, .. } = *op {
        for index in old_index..old_index + len {
            let line = old.line(index);
            push(out, ' ', &line, &cut(&line.text, None));
        }
        return;
    }
    let removed: Vec<Line> = op.old_range().map(|index| old.line(index)).collect();
    let added: Vec<Line> = op.new_range().map(|index| new.line(index)).collect();
    for (sign, lines, others) in [('-', &removed, &added), ('+', &added, &removed)] {
        for (index, line) in lines.iter().enumerate() {
            let other = others.get(index).map(|other| other.text.as_str());
            push(out, sign, line, &cut(&line.text, other));
        }
    }
}

fn push(out: &mut String, sign: char, line: &Line, text: &str) {
    out.push(sign);
    out.push_str(text);
    out.push_str(line.ending);
    out.push('\n');
    if line.unterminated {
        out.push_str("\\ No newline at end of file\n");
    }
}

/// One of the two texts.
struct Side<'a> {
    text: &'a str,
    lines: Vec<Range<usize>>,
    /// What must not be shown, ascending.
    hidden: Vec<Range<usize>>,
    mask: &'a dyn Fn(&str) -> String,
}

impl Side<'_> {
    /// A line as it may be shown, not cut yet.
    fn line(&self, index: usize) -> Line {
        let range = self.lines.get(index).cloned().unwrap_or_default();
        let first = self.hidden.partition_point(|hidden| hidden.end <= range.start);
        Line::new(self.text, range, &self.hidden[first..], self.mask)
    }
}

#[cfg(test)]
mod tests;
