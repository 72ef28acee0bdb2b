//! How new text was sewn into the old: learnt by comparing the gap between two neighbours before and after an
//! edit, and cut open again at the same stitches. Where the stitches are not found any more, there is no cut.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::gap::Gap;
use crate::splice::Splice;

/// The bytes around something new that are new as well, and those that went for it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seam {
    /// A separator that the neighbour in front got.
    #[serde(default, skip_serializing_if = "Gap::is_empty")]
    comma: Gap,
    /// New directly in front.
    #[serde(default, skip_serializing_if = "Gap::is_empty")]
    left: Gap,
    /// New directly behind.
    #[serde(default, skip_serializing_if = "Gap::is_empty")]
    right: Gap,
    /// What stood there instead of all that.
    #[serde(default, skip_serializing_if = "Gap::is_empty")]
    gone: Gap,
    /// What went a little further in front: how many bytes behind the neighbour, and what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    apart: Option<(usize, Gap)>,
    /// Whether a comment that is not ours followed on the same line.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    remark_follows: bool,
}

/// What stood between two neighbours, or around an empty place, before the edit.
#[derive(Debug, Clone)]
pub(crate) struct Before {
    /// The text.
    pub(crate) gap: String,
    /// The comments in it, which are not cut.
    pub(crate) remarks: Vec<Range<usize>>,
}

/// The text around something new, from the neighbour in front on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around<'t> {
    /// Up to what is new.
    pub(crate) lead: &'t str,
    /// From there to the neighbour behind.
    pub(crate) tail: &'t str,
    /// The rest of the file.
    pub(crate) rest: &'t str,
}

impl Before {
    /// Takes the text apart into what still stands at the front of `lead` and what still stands at the end of
    /// `tail`; what is left of both is new. As much as possible is taken to stand behind, so that new text begins
    /// where the old neighbour ends.
    fn fit<'t>(&self, lead: &'t str, tail: &'t str) -> Option<(&'t str, &'t str)> {
        let length = self.gap.len();
        let first = length - common_suffix(&self.gap, tail);
        let remark = self.remarks.iter().find(|remark| remark.start < first && first < remark.end);
        let at = remark.map_or(first, |remark| remark.end);
        let left = lead.strip_prefix(self.gap.get(..at)?)?;
        Some((left, &tail[..tail.len() - (length - at)]))
    }

    /// The same without the bytes in `cut`.
    fn without(&self, cut: Range<usize>) -> Self {
        let moved = |at: usize| if at < cut.end { at } else { at - cut.len() };
        let remarks = self.remarks.iter().map(|remark| moved(remark.start)..moved(remark.end)).collect();
        Self { gap: [&self.gap[..cut.start], &self.gap[cut.end..]].concat(), remarks }
    }
}

impl Seam {
    /// Learns how something was put between two neighbours.
    pub(crate) fn of_insertion(before: &Before, around: Around<'_>) -> Option<Self> {
        ["", ",", " ,"].into_iter().find_map(|comma| {
            let (left, right) = before.fit(around.lead.strip_prefix(comma)?, around.tail)?;
            Self::of(comma, left, right, "", None, around)
        })
    }

    /// Learns how something was put in the place of nothing, which had its spelling at `nothing`.
    pub(crate) fn of_filling(before: &Before, nothing: Range<usize>, around: Around<'_>) -> Option<Self> {
        let Around { lead, tail, .. } = around;
        let gap = before.gap.as_str();
        let inserted = || {
            let (left, right) = before.fit(lead, tail)?;
            Self::of("", left, right, "", None, around)
        };
        let replaced = || {
            let front = common_prefix(gap, lead);
            let behind = common_suffix(&gap[front..], tail);
            let gone = &gap[front..gap.len() - behind];
            Self::of("", &lead[front..], &tail[..tail.len() - behind], gone, None, around)
        };
        let apart = || {
            if gap.get(nothing.clone())?.is_empty() {
                return None;
            }
            let blanks = [' ', '\t'];
            let from = gap[..nothing.start].trim_end_matches(blanks).len();
            let to = gap.len() - gap[nothing.end..].trim_start_matches(blanks).len();
            let cuts = [(from, nothing.end), (nothing.start, nothing.end), (nothing.start, to), (from, to)];
            cuts.into_iter().find_map(|(from, to)| {
                let rest = before.without(from..to);
                let (left, right) = rest.fit(lead, tail)?;
                Self::of("", left, right, "", Some((from, &gap[from..to])), around)
            })
        };
        inserted().or_else(replaced).or_else(apart)
    }

    fn of(
        comma: &str,
        left: &str,
        right: &str,
        gone: &str,
        apart: Option<(usize, &str)>,
        around: Around<'_>,
    ) -> Option<Self> {
        let gap = |text: &str| Gap::try_from(text.to_owned()).ok();
        Some(Self {
            comma: gap(comma)?,
            left: gap(left)?,
            right: gap(right)?,
            gone: gap(gone)?,
            apart: match apart {
                Some((at, text)) => Some((at, gap(text)?)),
                None => None,
            },
            remark_follows: is_remark_behind(right, &around.tail[right.len()..], around.rest),
        })
    }

    /// The splices that take `content` out of `text` again; `anchor` is the end of the neighbour in front. `None`
    /// where the text around it is not what this seam left there.
    pub(crate) fn open(&self, text: &str, anchor: usize, content: &Range<usize>) -> Option<Vec<Splice>> {
        let lead = text.get(anchor..content.start)?.strip_prefix(self.comma.as_str())?;
        let kept = lead.strip_suffix(self.left.as_str())?;
        let behind = text.get(content.end..)?.strip_prefix(self.right.as_str())?;
        if is_remark_behind(self.right.as_str(), behind, "") && !self.remark_follows {
            // Somebody has written behind our text since: that would slip behind the neighbour.
            return None;
        }
        let mut splices = Vec::new();
        let comma_end = anchor + self.comma.as_str().len();
        let mut to = content.end + self.right.as_str().len();
        let separator = behind.len() - behind.trim_start_matches([' ', '\t']).len() + 1;
        if behind.get(..separator).is_some_and(|behind| behind.ends_with(',')) && !self.comma.is_empty() {
            // Something stands behind it by now: the neighbour keeps its separator, and ours goes.
            to += separator;
        } else if !self.comma.is_empty() {
            splices.push(Splice::delete(anchor..comma_end));
        }
        if let Some((at, spelled)) = &self.apart {
            kept.get(..*at)?;
            splices.push(Splice::insert(comma_end + at, spelled.as_str()));
        }
        let from = comma_end + kept.len();
        splices.push(Splice::replace(from..to, self.gone.as_str()));
        Some(splices)
    }
}

/// Whether a comment is the next thing on the line on which `before` ends.
fn is_remark_behind(before: &str, tail: &str, rest: &str) -> bool {
    let next = tail.chars().chain(rest.chars()).find(|c| !matches!(c, ' ' | '\t'));
    !before.ends_with(['\n', '\r']) && matches!(next, Some('#' | '/'))
}

/// The bytes with which both texts begin.
fn common_prefix(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

/// The bytes with which both texts end.
fn common_suffix(a: &str, b: &str) -> usize {
    a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splice::{apply, ordered};

    fn before(gap: &str) -> Before {
        let remarks = gap.match_indices(['#', '/']).map(|(at, _)| at).next().into_iter();
        let end = |at: usize| gap[at..].find(['\n', '\r']).map_or(gap.len(), |end| at + end);
        Before { gap: gap.to_owned(), remarks: remarks.map(|at| at..end(at)).collect() }
    }

    /// What is left of `lead` `x` `tail` when the seam is opened.
    fn opened(seam: &Seam, lead: &str, tail: &str) -> Option<String> {
        let text = format!("{lead}x{tail}");
        let splices = seam.open(&text, 0, &(lead.len()..lead.len() + 1))?;
        Some(apply(&text, &ordered(splices)?))
    }

    #[test]
    fn insertions_are_taken_back() {
        for (gap, lead, tail) in [
            ("\n", "\n  ", "\n"),
            ("", "\n", ""),
            (" // c\n}", ", // c\n  ", "\n}"),
            (", // c\n}", ", // c\n  ", ",\n}"),
            (" }", ", ", " }"),
            (":}", ": ,", "}"),
            ("\n# about the next\n", "\n", "\n# about the next\n"),
            ("// { }\r", "// { }\r{\r  ", "\r}\r"),
        ] {
            let seam = Seam::of_insertion(&before(gap), Around { lead, tail, rest: "" }).unwrap();
            assert_eq!(opened(&seam, lead, tail).as_deref(), Some(gap));
        }
    }

    #[test]
    fn the_spelling_of_nothing_comes_back() {
        for (gap, nothing, lead, tail) in [
            (": {}\n", 2..4, ":\n  ", "\n"),
            (": {} # c\n", 2..4, ": # c\n  ", "\n"),
            (":   ~  # c\n", 4..5, ":  # c\n  ", "\n"),
            (": null", 2..6, ": {", "}"),
            (":{ }", 1..4, ":{\n  ", "\n}"),
            (": { /* c\n*/ }", 2..13, ": { /* c\n*/ ", " }"),
            ("{} # c\n", 0..2, "# c\n", "\n"),
            (": ", 2..2, ":\n  ", "\n"),
        ] {
            let seam = Seam::of_filling(&before(gap), nothing, Around { lead, tail, rest: "" });
            assert_eq!(seam.and_then(|seam| opened(&seam, lead, tail)).as_deref(), Some(gap), "{gap:?}");
        }
    }

    #[test]
    fn other_stitches_are_not_cut() {
        let seam = Seam::of_insertion(&before("\n"), Around { lead: "\n  ", tail: "\n", rest: "" }).unwrap();
        assert_eq!(opened(&seam, "\n    # c\n ", "\n"), None);
        assert_eq!(opened(&seam, "\n  ", " # mine\n"), None);
        assert_eq!(opened(&seam, " # mine\n  ", "\nz: 1\n").as_deref(), Some(" # mine\nz: 1\n"));
    }

    #[test]
    fn a_new_neighbour_behind_keeps_what_it_needs() {
        let around = Around { lead: ", // c\n  ", tail: "\n}", rest: "" };
        let seam = Seam::of_insertion(&before(" // c\n}"), around).unwrap();
        let opened = opened(&seam, ", // c\n  ", ",\n  z: 1\n}");
        assert_eq!(opened.as_deref(), Some(", // c\n  z: 1\n}"));
    }

    #[test]
    fn what_is_no_layout_is_not_kept() {
        assert_eq!(
            Seam::of_filling(&before(": 'secret'\n"), 2..10, Around { lead: ": {", tail: "}\n", rest: "" }),
            None
        );
    }
}
