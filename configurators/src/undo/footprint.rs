//! What an edit brought into being around an entry. Found by comparing the file before and after the edit.

use std::ops::Range;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::seam::{Around, Before, Seam};
use super::site::{Ground, Held};
use crate::recipe::Format;
use crate::{json5, yaml};

/// What an edit brought into being beside the entry itself, so that it can be taken away again. Holds key names
/// and layout (white space, separators, spellings of nothing), never a value and never a comment.
///
/// One footprint serves a whole file: those of several edits are joined by [`Footprint::merge`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footprint {
    marks: Vec<Mark>,
}

/// One key that was made, or one empty place that was filled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mark {
    /// Keys from the root.
    path: Vec<String>,
    pub(super) was: Was,
    /// How it is sewn in; nothing inside of what was made as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seam: Option<Seam>,
}

/// What was in a place before an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Was {
    /// No such key.
    Missing,
    /// `null`, nothing, `''` or `{}`; of the root: no value.
    Empty,
    /// No file.
    NoFile,
}

impl Footprint {
    /// What the edit that made `after` of `before` (`None`: there was no file) brought into being for `entry`.
    /// `None`: nothing, the entry stood and was changed inside at most; or the edit did not make it.
    ///
    /// An edit that makes several entries has a footprint for each. Edits that follow one another are looked at
    /// one by one: the finer the steps, the more of the layout can be found again.
    #[must_use]
    pub fn of(format: Format, before: Option<&str>, after: &str, entry: &[&str]) -> Option<Self> {
        use crate::Document;
        let texts = (before, after);
        let text = before.unwrap_or_default();
        match format {
            Format::Yaml => {
                let parse = yaml::YamlDocument::parse;
                Self::between(texts, (&parse(text).ok()?, &parse(after).ok()?), entry)
            }
            Format::Json5 => {
                let parse = json5::Json5Document::parse;
                Self::between(texts, (&parse(text).ok()?, &parse(after).ok()?), entry)
            }
        }
    }

    /// Both footprints as one. Where a later edit made or filled something again, what is known of it from
    /// earlier is out of date; an entry that was added and later only refreshed keeps its first footprint.
    #[must_use]
    pub fn merge(earlier: Option<Self>, later: Option<Self>) -> Option<Self> {
        let (Some(earlier), Some(later)) = (earlier.clone(), later.clone()) else { return earlier.or(later) };
        let is_out_of_date = |mark: &Mark| {
            // What both know is of one edit that made several entries.
            let made_anew = |new: &&Mark| mark.path == new.path || !earlier.marks.contains(new);
            later.marks.iter().filter(made_anew).any(|new| mark.path.starts_with(&new.path))
        };
        let kept = earlier.marks.iter().filter(|mark| !is_out_of_date(mark));
        let marks = kept.chain(&later.marks).cloned().collect();
        Some(Self { marks })
    }

    /// What is left of it for a file that now holds `text`: marks of what is not there any more are of no use.
    #[must_use]
    pub fn left_in(self, format: Format, text: &str) -> Option<Self> {
        use crate::Document;
        match format {
            Format::Yaml => self.on(&yaml::YamlDocument::parse(text).ok()?),
            Format::Json5 => self.on(&json5::Json5Document::parse(text).ok()?),
        }
    }

    fn on<'a>(mut self, ground: &impl Ground<'a>) -> Option<Self> {
        self.marks.retain(|mark| {
            let path: Vec<&str> = mark.path.iter().map(String::as_str).collect();
            ground.site(&path).is_some_and(|site| !matches!(site.held, Held::Nothing(_)))
        });
        (!self.marks.is_empty()).then_some(self)
    }

    pub(super) fn mark(&self, path: &[&str]) -> Option<&Mark> {
        self.marks.iter().find(|mark| mark.path == path)
    }

    /// Whether there was no file.
    pub(super) fn made_the_file(&self) -> bool {
        self.mark(&[]).is_some_and(|mark| mark.was == Was::NoFile)
    }

    /// Whether the key at `path` did not exist.
    pub(super) fn made(&self, path: &[&str]) -> bool {
        self.mark(path).is_some_and(|mark| mark.was == Was::Missing)
    }

    /// [`Footprint::of`] for texts that are parsed already.
    pub(crate) fn between<'o, 'n>(
        (before, after): (Option<&str>, &str),
        (old, new): (&impl Ground<'o>, &impl Ground<'n>),
        entry: &[&str],
    ) -> Option<Self> {
        new.get(entry)?;
        let text = before.unwrap_or_default();
        let depth = (0..=entry.len()).find(|depth| is_the_end(old, entry, *depth))?;
        let path = &entry[..depth];
        let (was, is) = (old.site(path)?, new.site(path)?);
        let (mark, known) = match (was.held, entry.get(depth)) {
            (Held::Nothing(nothing), _) => {
                let content = is.content()?;
                let seam = Seam::of_filling(
                    &gap(text, old, was.open..was.close)?,
                    nothing.start.saturating_sub(was.open)..nothing.end.saturating_sub(was.open),
                    around(after, is.open, content, is.close)?,
                );
                let was = if depth == 0 && before.is_none() { Was::NoFile } else { Was::Empty };
                (Mark { path: owned(path), was, seam }, depth)
            }
            (Held::Members(_), Some(key)) => {
                let was = old.site(path)?;
                let index = is.index(key)?;
                let known: HashSet<&str> =
                    was.members().iter().filter_map(|member| member.name.as_deref()).collect();
                let is_new = |index: &usize| {
                    let name = is.members().get(*index).and_then(|member| member.name.as_deref());
                    name.is_some_and(|name| !known.contains(name))
                };
                // What was made beside it in the same edit is sewn in together with it.
                let first = (0..index).rev().take_while(is_new).last().unwrap_or(index);
                let last = (index..is.members().len()).take_while(is_new).last()?;
                let old_before = (0..first).filter(|index| !is_new(index)).count();
                let new = is.start_or_close(first)..is.anchor(last + 1);
                let seam = Seam::of_insertion(
                    &gap(text, old, was.anchor(old_before)..was.start_or_close(old_before))?,
                    around(after, is.anchor(first), new, is.start_or_close(last + 1))?,
                );
                (Mark { path: owned(&entry[..=depth]), was: Was::Missing, seam }, depth + 1)
            }
            _ => return None,
        };
        let inside = (known + 1..entry.len()).map(|depth| Mark {
            path: owned(&entry[..depth]),
            was: Was::Missing,
            seam: None,
        });
        Some(Self { marks: std::iter::once(mark).chain(inside).collect() })
    }
}

/// Whether what stands along `entry` is over at `depth`: its next key is missing, or it is the entry.
fn is_the_end<'a>(ground: &impl Ground<'a>, entry: &[&str], depth: usize) -> bool {
    let Some(site) = ground.site(&entry[..depth]) else { return true };
    entry.get(depth).is_none_or(|key| site.index(key).is_none())
}

fn gap<'a>(text: &str, ground: &impl Ground<'a>, place: Range<usize>) -> Option<Before> {
    let gap = text.get(place.clone())?.to_owned();
    let inside = ground.comments().iter().filter(|comment| place.contains(&comment.start));
    let remarks = inside.map(|comment| comment.start - place.start..comment.end - place.start).collect();
    Some(Before { gap, remarks })
}

fn around(text: &str, from: usize, new: Range<usize>, to: usize) -> Option<Around<'_>> {
    Some(Around { lead: text.get(from..new.start)?, tail: text.get(new.end..to)?, rest: text.get(to..)? })
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|key| (*key).to_owned()).collect()
}
