//! Taking an entry out of a host's file again, and what was made for it.
//!
//! An edit leaves a [`Footprint`]: which sections it made, which empty ones it filled, and in which layout. With
//! it the removal gives back the very bytes that stood there before; without it, or where the file has been laid
//! out anew since, the entry goes and everything else stays what it means, as after every edit of this crate.
//! A section that was made for the entry goes with it, unless somebody has put something into it, be it a
//! comment. Every step is proven like an edit.
//!
//! A file that nobody else touched comes back byte for byte wherever the entry did not stand before. Where it
//! stood, the edit has no footprint: the removal takes the entry whole, as it was asked to. Where others have since
//! written around the entry on its own lines, or printed the file anew, the meaning comes back and not the layout;
//! and what a new file gets beside the entry stays with those who have built on it.
//!
//! Never here: a value of the file in a footprint, or a removal of what nobody asked for and hubkit did not make.

mod footprint;
mod gap;
mod seam;
pub(crate) mod site;
#[cfg(test)]
mod tests;

pub use footprint::Footprint;

use std::ops::Range;

use footprint::Was;
use site::{Ground, Held, Site};

use crate::recipe::Format;
use crate::splice::ordered;
use crate::{Change, Document, Refusal, Value, json5, yaml};

/// What a removal leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removed {
    /// The entry was not there, and nothing was left of it.
    Absent,
    /// This text without it.
    Text(String),
    /// Nothing that hubkit did not write, in a file that hubkit made: the file can go.
    File,
}

/// A path and a text that a file made from nothing gets beside the entry.
type Extra<'a> = (&'a [&'a str], &'a str);

/// The text without the entry. Sections of the footprint go when they are empty, and what they were comes back.
/// `in_new_file` is [`crate::recipe::Recipe::in_new_file`]: it goes as well where it is all that is left of a
/// file that held nothing.
///
/// Several entries are removed one after the other, the last one added first.
///
/// # Errors
/// A [`Refusal`] where the host would not read the file, or where the entry cannot be taken out safely.
pub fn remove(
    format: Format,
    text: &str,
    entry: &[&str],
    footprint: Option<&Footprint>,
    in_new_file: &[Extra<'_>],
) -> Result<Removed, Refusal> {
    let nothing_known = Footprint::default();
    let removal = Removal { entry, footprint: footprint.unwrap_or(&nothing_known), in_new_file };
    let mut current = text.to_owned();
    // Each step takes away at least one key on the way to the entry, or is the last one.
    for _ in 0..=entry.len() {
        let step = match format {
            Format::Yaml => removal.step(&yaml::YamlDocument::parse(&current)?, &current)?,
            Format::Json5 => removal.step(&json5::Json5Document::parse(&current)?, &current)?,
        };
        match step {
            Step::None => break,
            Step::Last(new) => {
                current = new;
                break;
            }
            Step::More(new) => current = new,
        }
    }
    if current == text {
        return Ok(Removed::Absent);
    }
    let may_go = removal.footprint.made_the_file()
        && match format {
            Format::Yaml => removal.nothing_left(&yaml::YamlDocument::parse(&current)?),
            Format::Json5 => removal.nothing_left(&json5::Json5Document::parse(&current)?),
        };
    Ok(if may_go { Removed::File } else { Removed::Text(current) })
}

/// What one look at the file led to.
enum Step {
    /// There is nothing to do.
    None,
    /// This text; there may be more to do.
    More(String),
    /// This text, and no more.
    Last(String),
}

struct Removal<'a> {
    entry: &'a [&'a str],
    footprint: &'a Footprint,
    in_new_file: &'a [Extra<'a>],
}

impl<'r> Removal<'r> {
    fn step<'a>(&self, ground: &impl Ground<'a>, text: &str) -> Result<Step, Refusal> {
        let Some(mut gone) = self.first_to_go(ground) else { return Ok(Step::None) };
        if gone == self.entry
            && let Some(restored) = self.vacate(ground, text, gone, None)
        {
            // The user's own empty entry: it was there before, so it stays.
            return Ok(Step::Last(restored));
        }
        while let Some((name, section)) = gone.split_last() {
            if !self.is_all(ground, section, name) {
                break;
            }
            if let Some(restored) = self.vacate(ground, text, section, Some(gone)) {
                return Ok(Step::More(restored));
            }
            if !self.footprint.made(section) || has_remark_beside(ground, text, section, name) {
                break;
            }
            gone = section;
        }
        let exact = self.cut_out(ground, text, gone).map(Ok);
        let new = exact.unwrap_or_else(|| ground.edit(&[Change::remove(gone)]))?;
        Ok(if new == text { Step::None } else { Step::More(new) })
    }

    /// The entry, or a section on the way to it that was made for it and that is empty by now.
    fn first_to_go<'a>(&self, ground: &impl Ground<'a>) -> Option<&'r [&'r str]> {
        if ground.get(self.entry).is_some() {
            return Some(self.entry);
        }
        let way = (1..self.entry.len()).rev().map(|depth| &self.entry[..depth]);
        let (path, site) = way.filter_map(|path| Some((path, ground.site(path)?))).next()?;
        let is_nothing = matches!(site.held, Held::Nothing(_)) && remarks(ground, &site).next().is_none();
        (is_nothing && self.footprint.made(path)).then_some(path)
    }

    /// Whether the key is all that stands in the section, but for what a new file gets beside it.
    fn is_all<'a>(&self, ground: &impl Ground<'a>, section: &[&str], key: &str) -> bool {
        let Some(site) = ground.site(section) else { return false };
        if site.members().iter().all(|member| member.is(key)) {
            return true;
        }
        let Some(Value::Map(mut members)) = ground.get(section) else { return false };
        let has_others_than_strings = members.len() != site.members().len();
        members.retain(|(name, _)| name != key);
        section.is_empty() && !has_others_than_strings && self.is_extra(members)
    }

    /// Whether these are the members at the root that a new file gets.
    fn is_extra(&self, members: Vec<(String, Value)>) -> bool {
        let mut extra = Value::Map(Vec::new());
        for (path, text) in self.in_new_file {
            put(&mut extra, path, text);
        }
        Value::Map(members) == extra
    }

    /// Puts back what stood in the place of the value at `path`, where `gone` (or all) is what it holds now.
    fn vacate<'a>(
        &self,
        ground: &impl Ground<'a>,
        text: &str,
        path: &[&str],
        gone: Option<&[&str]>,
    ) -> Option<String> {
        let mark = self.footprint.mark(path).filter(|mark| mark.was != Was::Missing)?;
        let site = ground.site(path)?;
        let content = site.content()?;
        let own = match gone.and_then(<[&str]>::last) {
            Some(key) => site.members().get(site.index(key)?)?.span.clone(),
            None => content.clone(),
        };
        let is_foreign = |at: &usize| content.contains(at) && !own.contains(at);
        if ground.comments().iter().any(|comment| is_foreign(&comment.start)) {
            return None;
        }
        extents(ground, text, content).find_map(|content| {
            let splices = mark.seam.as_ref()?.open(text, site.open, &content)?;
            ground.vacated(path, &ordered(splices)?)
        })
    }

    /// Cuts the key at `path` out where it was sewn in.
    fn cut_out<'a>(&self, ground: &impl Ground<'a>, text: &str, path: &[&str]) -> Option<String> {
        let mark = self.footprint.mark(path).filter(|mark| mark.was == Was::Missing)?;
        let (key, section) = path.split_last()?;
        let site = ground.site(section)?;
        let index = site.index(key)?;
        let member = site.members().get(index)?.span.clone();
        extents(ground, text, member).find_map(|content| {
            let splices = mark.seam.as_ref()?.open(text, site.anchor(index), &content)?;
            ground.without(path, &ordered(splices)?)
        })
    }

    /// Whether the file holds nothing but what hubkit writes into a new one.
    fn nothing_left<'a>(&self, ground: &impl Ground<'a>) -> bool {
        let nothing = match ground.get(&[]) {
            None | Some(Value::Null) => true,
            Some(Value::Map(members)) => {
                let has_others_than_strings =
                    ground.site(&[]).is_none_or(|site| site.members().len() != members.len());
                members.is_empty() || (!has_others_than_strings && self.is_extra(members))
            }
            Some(_) => false,
        };
        nothing && ground.comments().is_empty()
    }
}

/// Comments that belong to what stands at `site`.
fn remarks<'g, 'a>(ground: &'g impl Ground<'a>, site: &'g Site) -> impl Iterator<Item = usize> + 'g {
    ground.comments().iter().map(|comment| comment.start).filter(|at| site.reach.contains(at))
}

/// A place in the text, then the same with the comment behind it on its line, which is about it.
fn extents<'a>(
    ground: &impl Ground<'a>,
    text: &str,
    place: Range<usize>,
) -> impl Iterator<Item = Range<usize>> {
    let behind = text.get(place.end..).unwrap_or_default();
    let next = text.len() - behind.trim_start_matches([' ', '\t']).len();
    let remark = ground.comments().iter().find(|comment| comment.start == next);
    let with_remark = remark.map(|remark| place.start..remark.end);
    std::iter::once(place).chain(with_remark)
}

/// Whether somebody has written a comment into the section that is not about its member `key`.
fn has_remark_beside<'a>(ground: &impl Ground<'a>, text: &str, section: &[&str], key: &str) -> bool {
    let Some(site) = ground.site(section) else { return true };
    let member = site.index(key).and_then(|index| site.members().get(index));
    let own = member.and_then(|member| extents(ground, text, member.span.clone()).last());
    remarks(ground, &site).any(|at| own.as_ref().is_none_or(|own| !own.contains(&at)))
}

fn put(place: &mut Value, path: &[&str], text: &str) {
    let Some((key, rest)) = path.split_first() else {
        *place = text.into();
        return;
    };
    if !matches!(place, Value::Map(_)) {
        *place = Value::Map(Vec::new());
    }
    let Value::Map(members) = place else { return };
    let index = members.iter().position(|(name, _)| name == key).unwrap_or_else(|| {
        members.push(((*key).to_owned(), Value::Map(Vec::new())));
        members.len() - 1
    });
    put(&mut members[index].1, rest, text);
}
