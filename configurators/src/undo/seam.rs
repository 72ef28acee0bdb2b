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

impl Seam {
    /// Learns how something was put between two neighbours. `gap` is what stood between them; now `lead` stands
    /// before it and `tail` behind it.
    pub(crate) fn of_insertion(gap: &str, lead: &str, tail: &str) -> Option<Self> {
        ["", ",", " ,"].into_iter().find_map(|comma| {
            let (left, right) = fit(gap, lead.strip_prefix(comma)?, tail)?;
            Self::of(comma, left, right, "", None, tail)
        })
    }

    /// Learns how something was put in the place of nothing, which had its spelling at `nothing` in `gap`.
    pub(crate) fn of_filling(gap: &str, nothing: Range<usize>, lead: &str, tail: &str) -> Option<Self> {
        let inserted = || Self::of("", fit(gap, lead, tail)?.0, fit(gap, lead, tail)?.1, "", None, tail);
        let replaced = || {
            let front = common_prefix(gap, lead);
            let behind = common_suffix(&gap[front..], tail);
            let gone = &gap[front..gap.len() - behind];
            Self::of("", &lead[front..], &tail[..tail.len() - behind], gone, None, tail)
        };
        inserted().or_else(replaced).or_else(|| {
            if gap.get(nothing.clone())?.is_empty() {
                return None;
            }
            let blanks = [' ', '\t'];
            let from = gap[..nothing.start].trim_end_matches(blanks).len();
            let to = gap.len() - gap[nothing.end..].trim_start_matches(blanks).len();
            let cuts = [(from, nothing.end), (nothing.start, nothing.end), (nothing.start, to), (from, to)];
            cuts.into_iter().find_map(|(from, to)| {
                let rest = [&gap[..from], &gap[to..]].concat();
                let (left, right) = fit(&rest, lead, tail)?;
                Self::of("", left, right, "", Some((from, &gap[from..to])), tail)
            })
        })
    }

    fn of(
        comma: &str,
        left: &str,
        right: &str,
        gone: &str,
        apart: Option<(usize, &str)>,
        tail: &str,
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
            remark_follows: is_remark_behind(right, &tail[right.len()..]),
        })
    }

    /// The splices that take `content` out of `text` again; `anchor` is the end of the neighbour in front. `None`
    /// where the text around it is not what this seam left there.
    pub(crate) fn open(&self, text: &str, anchor: usize, content: &Range<usize>) -> Option<Vec<Splice>> {
        let lead = text.get(anchor..content.start)?.strip_prefix(self.comma.as_str())?;
        let kept = lead.strip_suffix(self.left.as_str())?;
        let behind = text.get(content.end..)?.strip_prefix(self.right.as_str())?;
        if is_remark_behind(self.right.as_str(), behind) && !self.remark_follows {
            // Somebody has written behind our text since: that would slip behind the neighbour.
            return None;
        }
        let mut splices = Vec::new();
        let comma_end = anchor + self.comma.as_str().len();
        if !self.comma.is_empty() {
            splices.push(Splice::delete(anchor..comma_end));
        }
        if let Some((at, spelled)) = &self.apart {
            kept.get(..*at)?;
            splices.push(Splice::insert(comma_end + at, spelled.as_str()));
        }
        let from = comma_end + kept.len();
        splices.push(Splice::replace(from..content.end + self.right.as_str().len(), self.gone.as_str()));
        Some(splices)
    }
}

/// Takes `gap` apart into what still stands at the front of `lead` and what still stands at the end of `tail`;
/// what is left of both is new. As much as possible is taken to stand behind, so that new text begins where the
/// old neighbour ends.
fn fit<'t>(gap: &str, lead: &'t str, tail: &'t str) -> Option<(&'t str, &'t str)> {
    let behind = common_suffix(gap, tail);
    let left = lead.strip_prefix(&gap[..gap.len() - behind])?;
    Some((left, &tail[..tail.len() - behind]))
}

/// Whether a comment begins in `rest` on the line on which `before` ends.
fn is_remark_behind(before: &str, rest: &str) -> bool {
    !before.ends_with(['\n', '\r']) && rest.trim_start_matches([' ', '\t']).starts_with(['#', '/'])
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
        ] {
            let seam = Seam::of_insertion(gap, lead, tail).unwrap();
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
            (": { /* c */ }", 2..13, ": { /* c */ ", " }"),
            ("{} # c\n", 0..2, "# c\n", "\n"),
            (": ", 2..2, ":\n  ", "\n"),
        ] {
            let seam = Seam::of_filling(gap, nothing, lead, tail);
            assert_eq!(seam.and_then(|seam| opened(&seam, lead, tail)).as_deref(), Some(gap), "{gap:?}");
        }
    }

    #[test]
    fn other_stitches_are_not_cut() {
        let seam = Seam::of_insertion("\n", "\n  ", "\n").unwrap();
        assert_eq!(opened(&seam, "\n    # c\n ", "\n"), None);
        assert_eq!(opened(&seam, "\n  ", " # mine\n"), None);
        assert_eq!(opened(&seam, " # mine\n  ", "\nz: 1\n").as_deref(), Some(" # mine\nz: 1\n"));
    }

    #[test]
    fn what_is_no_layout_is_not_kept() {
        assert_eq!(Seam::of_filling(": 'secret'\n", 2..10, ": {", "}\n"), None);
    }
}
