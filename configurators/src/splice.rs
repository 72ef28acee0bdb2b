//! Replacing byte ranges of a text. All bytes outside the ranges are copied as they are.

use std::ops::Range;

/// One replacement: `text` instead of the bytes in `range`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Splice {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Splice {
    /// New text at `at`; nothing goes.
    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }

    /// The bytes in `range` go.
    pub(crate) fn delete(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }

    /// New text instead of the bytes in `range`.
    pub(crate) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }
}

/// Puts splices into the order of the text; insertions at one place keep their order. Deletions that touch
/// or overlap become one. `None` where anything else overlaps.
pub(crate) fn ordered(mut splices: Vec<Splice>) -> Option<Vec<Splice>> {
    splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let mut ordered: Vec<Splice> = Vec::with_capacity(splices.len());
    for splice in splices {
        match ordered.last_mut() {
            Some(last)
                if splice.text.is_empty() && last.text.is_empty() && splice.range.start <= last.range.end =>
            {
                last.range.end = last.range.end.max(splice.range.end);
            }
            Some(last) if splice.range.start < last.range.end => return None,
            _ => ordered.push(splice),
        }
    }
    Some(ordered)
}

/// The text with all splices done. They must be [`ordered`].
pub(crate) fn apply(text: &str, splices: &[Splice]) -> String {
    let added: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let mut spliced = String::with_capacity(text.len() + added);
    let mut at = 0;
    for splice in splices {
        spliced.push_str(&text[at..splice.range.start]);
        spliced.push_str(&splice.text);
        at = splice.range.end;
    }
    spliced.push_str(&text[at..]);
    spliced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertions_at_one_place_keep_their_order() {
        let splices = vec![Splice::insert(2, ","), Splice::replace(1..2, "B"), Splice::insert(2, "x")];
        assert_eq!(apply("abc", &ordered(splices).unwrap()), "aB,xc");
    }

    #[test]
    fn touching_deletions_become_one_and_other_overlaps_are_refused() {
        let splices = vec![Splice::delete(2..4), Splice::delete(1..3)];
        assert_eq!(apply("abcde", &ordered(splices).unwrap()), "ae");
        assert_eq!(ordered(vec![Splice::replace(1..3, "x"), Splice::delete(2..4)]), None);
    }
}
