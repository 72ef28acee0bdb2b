//! Finds what could be a credential in a configuration file of either format, comments included.
//!
//! Reads by appearance, not by grammar, because it must also hold on files that no parser takes. When in
//! doubt it masks. `${NAME}` references are shown. Never sees the process's own secrets; those are the
//! redactor's business.

mod extent;
mod name;
mod name_before;
mod shape;
mod value;

use std::ops::Range;

use value::Reader;

/// The byte ranges of `text` that must not be shown: ascending, apart, on character boundaries.
#[must_use]
pub fn spans(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    shape::find(text, &mut found);
    if Reader::new(text).find(&mut found).is_none() {
        found.clear();
        found.push(0..text.len());
        return found;
    }
    let shown = shown(text);
    without(merged(found), &shown)
}

/// Joins ranges that touch or overlap.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Takes `shown` (ascending, apart) out of `ranges` (ascending, apart).
fn without(ranges: Vec<Range<usize>>, shown: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut left = Vec::with_capacity(ranges.len());
    let mut next = 0;
    for mut range in ranges {
        while next < shown.len() && shown[next].end <= range.start {
            next += 1;
        }
        let mut index = next;
        while index < shown.len() && shown[index].start < range.end {
            if shown[index].start > range.start {
                left.push(range.start..shown[index].start);
            }
            range.start = shown[index].end.max(range.start);
            index += 1;
        }
        if range.start < range.end {
            left.push(range);
        }
    }
    left
}

/// What is never a secret wherever it stands: `${NAME}` references, and an authorization scheme before one.
fn shown(text: &str) -> Vec<Range<usize>> {
    let mut shown = Vec::new();
    for (at, _) in text.match_indices("${") {
        let Some(length) = reference(&text[at..]) else { continue };
        let before = text[..at].trim_end_matches(' ');
        let scheme = ["bearer", "basic", "token"].into_iter().find_map(|scheme| {
            let start = before.len().checked_sub(scheme.len())?;
            let fits = before.get(start..)?.eq_ignore_ascii_case(scheme);
            let alone = !before.get(..start)?.ends_with(|c: char| c.is_alphanumeric());
            (fits && alone && before.len() < at).then_some(start)
        });
        shown.push(scheme.unwrap_or(at)..at + length);
    }
    shown
}

/// The length of the `${NAME}` that `text` starts with. A default inside the braces makes it none.
fn reference(text: &str) -> Option<usize> {
    let name = text.strip_prefix("${")?;
    let length = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let named = length > 0 && !name.starts_with(|c: char| c.is_ascii_digit());
    (named && name[length..].starts_with('}')).then_some("${}".len() + length)
}

#[cfg(test)]
mod tests;
