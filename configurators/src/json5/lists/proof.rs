//! The proof of a list's edit: the old text but for one list, which is the old one with the new elements behind
//! it, or without those that go. Knows nothing of how the edit was made.

use crate::json5::decode::{means, value};
use crate::json5::proof::{Texts, comments_kept, is_strict, second_reader};
use crate::json5::refuse;
use crate::json5::scan::scan;
use crate::json5::tree::{Kind, Node, Tree};
use crate::splice::{Splice, apply, ordered};
use crate::turn::ListTurn;
use crate::{Refusal, Value};

/// The spliced text, if it is proven.
pub(super) fn proven(
    old: (&str, &Tree<'_>),
    splices: Vec<Splice>,
    turn: &ListTurn<'_>,
    added: &[&Value],
) -> Result<String, Refusal> {
    let splices = ordered(splices).ok_or_else(refuse::unproven)?;
    let text = apply(old.0, &splices);
    let tree = scan(&text).map_err(|fault| refuse::spliced(&text, fault))?;
    let texts = Texts { old: old.0, new: &text };
    let is_right = comments_kept(old, &splices, (&text, &tree))
        && second_reader(&text, &tree).is_ok()
        && (is_strict(&text) || !is_strict(old.0))
        && texts.same_but_for(old.1.root.as_ref(), tree.root.as_ref(), &turn.path, &|old, new| {
            is_wanted(texts, old, new, turn, added)
        });
    if is_right { Ok(text) } else { Err(refuse::unproven()) }
}

fn is_wanted(
    texts: Texts<'_, '_>,
    old: &Node<'_>,
    new: Option<&Node<'_>>,
    turn: &ListTurn<'_>,
    added: &[&Value],
) -> bool {
    let (Kind::List(old), Some(Kind::List(new))) = (&old.kind, new.map(|new| &new.kind)) else {
        return false;
    };
    let stays = |item: &&Node<'_>| !turn.takes(&value(texts.old, item), means);
    let kept: Vec<&Node<'_>> = old.iter().filter(stays).collect();
    new.len() == kept.len() + added.len()
        && kept.iter().zip(new).all(|(old, new)| texts.same_source(&old.span, &new.span))
        && new[kept.len()..].iter().zip(added).all(|(new, added)| means(&value(texts.new, new), added))
}
