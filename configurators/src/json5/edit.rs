//! Edits in two rounds, settings before removals, each followed by a new scan; at the end the proof over the
//! whole way. What cannot be proven together is tried one wish at a time.

use super::place::{Additions, Site};
use super::proof::{Texts, comments_kept, is_strict, second_reader};
use super::refuse;
use super::removal::remove;
use super::scan::scan;
use super::style::{Style, newline};
use super::tree::{Kind, Member, Node, Tree};
use super::wish::{Leaf, Wish, is_vacant, leaves};
use super::write::{Layout, New};
use crate::splice::{Splice, apply, ordered};
use crate::{Change, Refusal, RefusalKind};

/// A text with its tree.
type Read<'t, 'a> = (&'a str, &'t Tree<'a>);

/// The text in which all changes hold.
pub(super) fn edit(text: &str, tree: &Tree<'_>, changes: &[Change]) -> Result<String, Refusal> {
    let Some(leaves) = leaves(changes) else {
        // Their order matters, so each is done and proven before the next.
        return changes.iter().try_fold(text.to_owned(), |text, change| {
            let tree = scan(&text).map_err(|fault| refuse::fault(&text, fault))?;
            edit(&text, &tree, std::slice::from_ref(change))
        });
    };
    for leaf in &leaves {
        refuse::unsafe_keys(&leaf.path)?;
    }
    match together((text, tree), &leaves) {
        Err(refusal) if refusal.kind == RefusalKind::Unproven && leaves.len() > 1 => {
            leaves.iter().try_fold(text.to_owned(), |text, leaf| {
                let tree = scan(&text).map_err(|fault| refuse::fault(&text, fault))?;
                together((&text, &tree), std::slice::from_ref(leaf))
            })
        }
        done => done,
    }
}

/// The spliced text, if it is proven to lack the key at `path` and nothing else.
pub(super) fn without(old: Read<'_, '_>, path: &[&str], splices: &[Splice]) -> Option<String> {
    let text = apply(old.0, splices);
    let tree = rescan(old, splices, &text).ok()?;
    let leaves = [Leaf { path: path.to_vec(), wish: Wish::Remove }];
    prove(old, (&text, &tree), &leaves).ok()?;
    Some(text)
}

/// The spliced text, if it is proven to hold nothing in the place of the value at `path` and to be the same
/// otherwise.
pub(super) fn vacated(old: Read<'_, '_>, path: &[&str], splices: &[Splice]) -> Option<String> {
    let text = apply(old.0, splices);
    let tree = rescan(old, splices, &text).ok()?;
    // Not held to strict JSON: the spelling that comes back may have been the one thing that was not.
    second_reader(&text, &tree).ok()?;
    let texts = Texts { old: old.0, new: &text };
    let is_right = texts.vacated(old.1.root.as_ref(), tree.root.as_ref(), path);
    is_right.then_some(text)
}

fn together(old: Read<'_, '_>, leaves: &[Leaf<'_>]) -> Result<String, Refusal> {
    let (text, tree) = old;
    let Some(root) = &tree.root else { return begin(old, leaves) };
    if !matches!(root.kind, Kind::Object(_)) {
        return Err(refuse::not_a_mapping(text, root, &[]));
    }
    let splices = settings(old, root, leaves)?;
    if splices.is_empty() {
        return finish(old, old, leaves);
    }
    let set = apply(text, &splices);
    let set_tree = rescan(old, &splices, &set)?;
    finish(old, (&set, &set_tree), leaves)
}

/// The removals, and the proof if anything changed.
fn finish(old: Read<'_, '_>, set: Read<'_, '_>, leaves: &[Leaf<'_>]) -> Result<String, Refusal> {
    let splices = removals(set, leaves)?;
    if !splices.is_empty() {
        let text = apply(set.0, &splices);
        let tree = rescan(set, &splices, &text)?;
        prove(old, (&text, &tree), leaves)?;
        return Ok(text);
    }
    if !std::ptr::eq(old.1, set.1) {
        prove(old, set, leaves)?;
    }
    Ok(set.0.to_owned())
}

/// A file without a value: the whole document is new, behind the comments that stand there.
fn begin(old: Read<'_, '_>, leaves: &[Leaf<'_>]) -> Result<String, Refusal> {
    let text = old.0;
    let mut new = Additions::new();
    for leaf in leaves {
        if let Wish::Set(value) = leaf.wish {
            graft(&mut new, &leaf.path, value);
        }
    }
    if new.is_empty() {
        return Ok(text.to_owned());
    }
    let style = Style::fresh(newline(text));
    let object = style.value(&New::Object(new), Layout::Lines("")).map_err(refuse::unwritable)?;
    let on_new_line = text.trim_start_matches('\u{feff}').is_empty() || text.ends_with(['\n', '\r']);
    let start = if on_new_line { "" } else { style.newline };
    let splices = [Splice::insert(text.len(), format!("{start}{object}{}", style.newline))];
    let begun = apply(text, &splices);
    let tree = rescan(old, &splices, &begun)?;
    prove(old, (&begun, &tree), leaves)?;
    Ok(begun)
}

/// Where a path leads.
enum Place<'t, 'a, 'p> {
    /// To a member's value.
    Here(&'t Member<'a>),
    /// Past an object (the value of `owner`) that lacks the rest of the path.
    Missing { object: &'t Node<'a>, owner: Option<&'t Member<'a>>, rest: &'p [&'p str] },
    /// Past something that counts as an empty mapping.
    Vacant { owner: &'t Member<'a>, rest: &'p [&'p str] },
    /// Against a value that holds no keys; the path up to it.
    Blocked { node: &'t Node<'a>, path: &'p [&'p str] },
}

fn locate<'t, 'a, 'p>(text: &str, root: &'t Node<'a>, path: &'p [&'p str]) -> Option<Place<'t, 'a, 'p>> {
    let (mut object, mut owner) = (root, None);
    for (depth, key) in path.iter().enumerate() {
        let Some(member) = object.live(key) else {
            return Some(Place::Missing { object, owner, rest: &path[depth..] });
        };
        let rest = &path[depth + 1..];
        if rest.is_empty() {
            return Some(Place::Here(member));
        }
        match member.value.kind {
            Kind::Object(_) => (object, owner) = (&member.value, Some(member)),
            _ if is_vacant(text, &member.value) => return Some(Place::Vacant { owner: member, rest }),
            _ => return Some(Place::Blocked { node: &member.value, path: &path[..=depth] }),
        }
    }
    None
}

/// Additions to one object, or instead of one vacant value.
struct Group<'t, 'a, 'c> {
    /// `None`: the value of `owner` is vacant and goes.
    object: Option<&'t Node<'a>>,
    owner: Option<&'t Member<'a>>,
    at: usize,
    new: Additions<'c>,
}

/// The splices of all wishes that set something: replacements, and additions grouped by object.
fn settings(old: Read<'_, '_>, root: &Node<'_>, leaves: &[Leaf<'_>]) -> Result<Vec<Splice>, Refusal> {
    let (text, tree) = old;
    let mut replaced: Vec<(&Member<'_>, New<'_>)> = Vec::new();
    let mut groups: Vec<Group<'_, '_, '_>> = Vec::new();
    for leaf in leaves {
        let Wish::Set(wanted) = leaf.wish else { continue };
        let Some(place) = locate(text, root, &leaf.path) else { continue };
        let (object, owner, at, rest) = match place {
            Place::Here(member) if leaf.wish.holds(text, &member.value) => continue,
            Place::Here(member) if leaf.wish.is_mapping() && !is_vacant(text, &member.value) => {
                return Err(refuse::not_a_mapping(text, &member.value, &leaf.path));
            }
            Place::Here(member) => {
                replaced.push((member, New::Given(wanted)));
                continue;
            }
            Place::Blocked { node, path } => return Err(refuse::not_a_mapping(text, node, path)),
            Place::Missing { object, owner, rest } => (Some(object), owner, object.span.start, rest),
            Place::Vacant { owner, rest } => (None, Some(owner), owner.value.span.start, rest),
        };
        let index = groups.iter().position(|group| group.at == at).unwrap_or_else(|| {
            groups.push(Group { object, owner, at, new: Additions::new() });
            groups.len() - 1
        });
        graft(&mut groups[index].new, rest, wanted);
    }
    if replaced.is_empty() && groups.is_empty() {
        return Ok(Vec::new());
    }
    let style = Style::of(text, tree, is_strict(text));
    let site = Site { text, tree, style: &style };
    let mut splices = Vec::new();
    for group in groups {
        match (group.object, group.owner) {
            (Some(object), owner) => {
                splices.extend(site.add(object, owner, &group.new).map_err(refuse::unwritable)?);
            }
            (None, Some(owner)) => replaced.push((owner, New::Object(group.new))),
            (None, None) => {}
        }
    }
    for (owner, new) in &replaced {
        splices.push(site.replace(owner, new).map_err(refuse::unwritable)?);
    }
    ordered(splices).ok_or_else(refuse::unproven)
}

/// Adds a value at `path` below new members.
fn graft<'c>(new: &mut Additions<'c>, path: &[&'c str], wanted: &'c crate::Value) {
    let Some((key, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        new.push((key, New::Given(wanted)));
        return;
    }
    let index = new.iter().position(|(name, _)| name == key).unwrap_or_else(|| {
        new.push((key, New::Object(Vec::new())));
        new.len() - 1
    });
    if let New::Object(members) = &mut new[index].1 {
        graft(members, rest, wanted);
    }
}

/// The splices of all removals, every occurrence of a key, grouped by object.
fn removals(set: Read<'_, '_>, leaves: &[Leaf<'_>]) -> Result<Vec<Splice>, Refusal> {
    let (text, tree) = set;
    let Some(root) = &tree.root else { return Ok(Vec::new()) };
    let mut groups: Vec<(&Node<'_>, Vec<usize>)> = Vec::new();
    for leaf in leaves.iter().filter(|leaf| leaf.wish == Wish::Remove) {
        let Some((key, parents)) = leaf.path.split_last() else { continue };
        let Some(object) = root.at(parents) else { continue };
        let members = object.members().iter().enumerate();
        let found: Vec<usize> = members.filter(|(_, m)| m.name == *key).map(|(index, _)| index).collect();
        match groups.iter_mut().find(|(node, _)| std::ptr::eq(*node, object)) {
            Some((_, gone)) => gone.extend(found),
            None if found.is_empty() => {}
            None => groups.push((object, found)),
        }
    }
    let mut splices = Vec::new();
    for (object, mut gone) in groups {
        gone.sort_unstable();
        splices.extend(remove(text, tree, object, &gone));
    }
    ordered(splices).ok_or_else(refuse::unproven)
}

/// Scans a spliced text and holds its comments against the old ones.
fn rescan<'n>(old: Read<'_, '_>, splices: &[Splice], new: &'n str) -> Result<Tree<'n>, Refusal> {
    let tree = scan(new).map_err(|fault| refuse::spliced(new, fault))?;
    if !comments_kept(old, splices, (new, &tree)) {
        return Err(refuse::unproven());
    }
    Ok(tree)
}

fn prove(old: Read<'_, '_>, new: Read<'_, '_>, leaves: &[Leaf<'_>]) -> Result<(), Refusal> {
    let ((old_text, old_tree), (text, tree)) = (old, new);
    let root = tree.root.as_ref().ok_or_else(refuse::unproven)?;
    second_reader(text, tree).map_err(|_| refuse::unproven())?;
    let must_be_strict = match old_tree.root {
        Some(_) => is_strict(old_text),
        None => old_text.strip_prefix('\u{feff}').unwrap_or(old_text).trim_ascii().is_empty(),
    };
    if must_be_strict && !is_strict(text) {
        return Err(refuse::unproven());
    }
    let wishes: Vec<&Leaf<'_>> = leaves.iter().collect();
    let granted = Texts { old: old_text, new: text }.granted(old_tree.root.as_ref(), Some(root), &wishes, 0);
    if granted { Ok(()) } else { Err(refuse::unproven()) }
}
