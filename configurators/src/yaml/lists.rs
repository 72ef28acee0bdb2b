//! Elements of lists: put behind the last one, or taken out with the comment behind them. A list that is shared
//! is refused, one that is not there yet is set like any value.

mod append;
mod items;
mod manner;
mod proof;
mod same;
mod take;
#[cfg(test)]
mod tests;

use super::edit::{self, spliced};
use super::events::Tag;
use super::lookup::{effective, is_empty_section, is_plain_mapping, live};
use super::place::Alternatives;
use super::refuse;
use super::style::Habits;
use super::tree::{Entry, Id, Kind, Tree};
use super::value;
use super::wanted::{Wanted, is_writable};
use crate::turn::{Direction, ListTurn, Turn, any_list, in_turn};
use crate::{Change, Refusal, Value};
use same::same;

/// The text in which all changes hold, those of lists included.
pub(super) fn edit(tree: &Tree<'_>, changes: &[Change]) -> Result<String, Refusal> {
    if !any_list(changes) {
        return edit::edit(tree, &Wanted::of(changes)?);
    }
    in_turn(tree.text, changes, |text, turn| {
        let tree = Tree::parse(text)?;
        match turn {
            Turn::Keys(changes) => edit::edit(&tree, &Wanted::of(changes)?),
            Turn::List(turn) => one_list(&tree, turn),
        }
    })
}

fn one_list(tree: &Tree<'_>, turn: &ListTurn<'_>) -> Result<String, Refusal> {
    let path: Vec<String> = turn.path.iter().map(|key| (*key).to_owned()).collect();
    let unproven = |at, what: String| Err(refuse::unproven(tree.text, at, what));
    if path.is_empty() {
        return unproven(None, "the whole document should be a list".to_owned());
    }
    if turn.direction == Direction::In && !turn.values.iter().all(|value| is_writable(value)) {
        return unproven(
            None,
            format!("{} should hold a value that cannot be written", refuse::named(&path)),
        );
    }
    let standing = effective(tree, &turn.path);
    let Some(list) = standing.filter(|id| matches!(tree.node(*id).kind, Kind::Sequence { .. })) else {
        return match (turn.direction, standing) {
            (Direction::Out, _) => Ok(tree.text.to_owned()),
            (Direction::In, Some(other)) if tree.is_mapping(other) || !is_empty_section(tree, other) => {
                let kind = value::of(tree, other).kind();
                Err(refuse::not_a_list(tree.text, tree.node(other).props, &path, kind))
            }
            (Direction::In, _) => {
                edit::edit(tree, &Wanted::of(&[turn.as_new_list(&turn.missing_from(&[], same))])?)
            }
        };
    };
    let elements = match value::of(tree, list) {
        Value::List(elements) => elements,
        _ => Vec::new(),
    };
    let (mut added, mut gone) = (Vec::new(), Vec::new());
    match turn.direction {
        Direction::In => added = turn.missing_from(&elements, same),
        Direction::Out => {
            let items = tree.children(list).zip(&elements);
            gone.extend(items.filter(|(_, element)| turn.takes(element, same)).map(|(item, _)| item));
        }
    }
    if added.is_empty() && gone.is_empty() {
        return Ok(tree.text.to_owned());
    }
    let entry = written_out(tree, &path)?;
    if let Some(used) = gone.iter().find_map(|item| tree.used_from_outside(*item)) {
        let at = tree.node(used).props;
        return Err(refuse::shared(tree.text, at, &path, "holds an anchor that is used elsewhere"));
    }
    let ways: Alternatives = match turn.direction {
        Direction::In => append::ways(tree, &Habits::of(tree), entry, &added),
        Direction::Out => take::ways(tree, entry.value, &gone),
    };
    let is_right = |new: &Tree<'_>| proof::only_list_differs(tree, new, &turn.path, &gone, &added);
    match ways.iter().find_map(|way| spliced(tree, way, is_right)) {
        Some(text) => Ok(text),
        None => {
            let what = format!("no edit of the list {} could be proven harmless", refuse::named(&path));
            unproven(Some(tree.node(list).props), what)
        }
    }
}

/// The entry of the list at `path`, which is written out where it stands and nowhere shared.
fn written_out(tree: &Tree<'_>, path: &[String]) -> Result<Entry, Refusal> {
    let shared = |id: Id, path: &[String], how| refuse::shared(tree.text, tree.node(id).props, path, how);
    let mut at = Entry { key: 0, value: 0 };
    for depth in 0..=path.len() {
        let here = &path[..depth];
        let id = at.value;
        if tree.follow(id) != id {
            return Err(shared(id, here, "is an alias"));
        }
        if tree.is_aliased(id) {
            return Err(shared(id, here, "is, or lies in, something that is shared through an anchor"));
        }
        let is_plain = match tree.node(id).kind {
            Kind::Sequence { .. } => {
                matches!(tree.node(id).tag, Tag::None | Tag::NonSpecific | Tag::Seq)
            }
            _ => is_plain_mapping(tree, id),
        };
        if !is_plain {
            let what = format!("{} carries a tag", refuse::named(here));
            return Err(refuse::tagged(tree.text, tree.node(id).props, what));
        }
        if let Some(key) = path.get(depth) {
            at = live(tree, id, key)
                .ok_or_else(|| shared(id, &path[..=depth], "comes through a merge key"))?;
        }
    }
    Ok(at)
}
