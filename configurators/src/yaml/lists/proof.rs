//! The proof of a list's edit: the old tree but for one list, which is the old one with the new elements behind
//! it, or without those that go. Knows nothing of how the edit was made.

use crate::Value;
use crate::yaml::proof::{is_bare, is_printed, same_but_for};
use crate::yaml::tree::{Id, Kind, Tree};
use crate::yaml::wanted::Wanted;

/// Whether the list at `path` lacks the items in `gone`, which are in their order, and has `added` behind its others, and all else is as
/// it was.
pub(super) fn only_list_differs(
    old: &Tree<'_>,
    new: &Tree<'_>,
    path: &[&str],
    gone: &[Id],
    added: &[&Value],
) -> bool {
    same_but_for(old, new, path, &mut |anchors, old_list, new_list| {
        let (a, b) = (old.node(old_list), new.node(new_list));
        let is_empty = new.children(new_list).next().is_none();
        let same_kind = match (&a.kind, &b.kind) {
            (Kind::Sequence { flow: old }, Kind::Sequence { flow: new }) => old == new || is_empty,
            _ => false,
        };
        if !same_kind || a.tag != b.tag || !anchors.pair(a.anchor, b.anchor) {
            return false;
        }
        let mut items = new.children(new_list);
        let mut kept = old.children(old_list).filter(|item| gone.binary_search(item).is_err());
        kept.all(|item| items.next().is_some_and(|found| anchors.subtree(old, item, new, found)))
            && added.iter().all(|value| {
                let wanted = Wanted::Leaf((*value).clone());
                items.next().is_some_and(|found| is_bare(new, found) && is_printed(new, found, &wanted))
            })
            && items.next().is_none()
    })
}
