//! Byte splices and their application.

use std::ops::Range;

/// Replaces a byte range by a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Splice {
    pub(super) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }

    pub(super) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    pub(super) fn delete(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }
}

/// The text with all splices applied; those at one place in the given order. `None` where two overlap.
pub(super) fn apply(text: &str, splices: &[Splice]) -> Option<String> {
    let mut ordered: Vec<&Splice> = splices.iter().collect();
    ordered.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let grown: usize = ordered.iter().map(|splice| splice.text.len()).sum();
    let mut result = String::with_capacity(text.len() + grown);
    let mut at = 0;
    for splice in ordered {
        result.push_str(text.get(at..splice.range.start)?);
        result.push_str(&splice.text);
        at = splice.range.end;
    }
    result.push_str(text.get(at..)?);
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splices_apply_in_order_of_place() {
        let splices =
            [Splice::delete(4..6), Splice::insert(1, "X"), Splice::insert(1, "Y"), Splice::insert(6, "Z")];
        assert_eq!(apply("abcdefg", &splices).unwrap(), "aXYbcdZg");
    }

    #[test]
    fn overlapping_splices_are_refused() {
        assert_eq!(apply("abcdef", &[Splice::delete(1..4), Splice::delete(3..5)]), None);
        assert_eq!(apply("abcdef", &[Splice::delete(1..4), Splice::insert(2, "x")]), None);
    }
}
