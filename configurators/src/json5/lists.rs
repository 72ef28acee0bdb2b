//! Elements of lists: put behind the last one, or taken out with the comment behind them. Each turn is spliced,
//! scanned again and proven like every other edit; a list that is not there yet is set like any value.

mod append;
mod items;
mod proof;
mod take;

use super::decode::{means, value};
use super::edit;
use super::refuse;
use super::scan::scan;
use super::tree::{Kind, Tree};
use super::wish::is_vacant;
use crate::turn::{Direction, ListTurn, Turn, any_list, in_turn};
use crate::{Change, Refusal, Value};

/// The text in which all changes hold, those of lists included.
pub(super) fn edit(text: &str, tree: &Tree<'_>, changes: &[Change]) -> Result<String, Refusal> {
    if !any_list(changes) {
        return edit::edit(text, tree, changes);
    }
    in_turn(text, changes, |text, turn| {
        let tree = scan(text).map_err(|fault| refuse::fault(text, fault))?;
        match turn {
            Turn::Keys(changes) => edit::edit(text, &tree, changes),
            Turn::List(turn) => one_list(text, &tree, turn),
        }
    })
}

fn one_list(text: &str, tree: &Tree<'_>, turn: &ListTurn<'_>) -> Result<String, Refusal> {
    refuse::unsafe_keys(&turn.path)?;
    let standing = tree.root.as_ref().and_then(|root| root.at(&turn.path));
    let Some((list, Kind::List(items))) = standing.map(|node| (node, &node.kind)) else {
        return match (turn.direction, standing) {
            (Direction::Out, _) => Ok(text.to_owned()),
            (Direction::In, Some(node)) if !is_vacant(text, node) => {
                Err(refuse::not_a_list(text, node, &turn.path))
            }
            (Direction::In, _) => edit::edit(text, tree, &[turn.as_new_list(&turn.missing_from(&[], means))]),
        };
    };
    let values: Vec<Value> = items.iter().map(|item| value(text, item)).collect();
    let (added, splices) = match turn.direction {
        Direction::In => {
            let added = turn.missing_from(&values, means);
            let splices = append::behind(text, tree, list, &added).map_err(refuse::unwritable)?;
            (added, splices)
        }
        Direction::Out => {
            let indices = values.iter().enumerate().filter(|(_, value)| turn.takes(value, means));
            let gone: Vec<usize> = indices.map(|(index, _)| index).collect();
            (Vec::new(), take::out(text, tree, list, &gone))
        }
    };
    if splices.is_empty() {
        return Ok(text.to_owned());
    }
    proof::proven((text, tree), splices, turn, &added)
}
