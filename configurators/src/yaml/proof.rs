//! The proof: an edited file differs from the original in the wanted keys and in nothing else.
//!
//! Compared are the trees (scalars with their styles, tags, anchors and what aliases refer to, order,
//! duplicates, block and flow style) and the comments. Bytes outside the splices are equal by construction.

use super::events::Tag;
use super::lookup::{is_empty_section, key_text, live};
use super::tree::{Entry, Id, Kind, Tree};
use super::value;
use super::wanted::Wanted;
use crate::Value;
use crate::splice::Splice;

/// Whether all comments that no splice replaces stand in the new text, in their order, and no others.
pub(super) fn comments_kept(old: &Tree<'_>, new: &Tree<'_>, splices: &[Splice]) -> bool {
    let mut ranges: Vec<_> =
        splices.iter().map(|splice| &splice.range).filter(|range| !range.is_empty()).collect();
    ranges.sort_by_key(|range| range.start);
    let replaced = |start: usize, end: usize| {
        let before = &ranges[..ranges.partition_point(|range| range.start < end)];
        before.last().is_some_and(|range| start < range.end)
    };
    let kept = old.comments.iter().filter(|comment| !replaced(comment.start, comment.end));
    kept.map(|comment| &old.text[comment.clone()])
        .eq(new.comments.iter().map(|comment| &new.text[comment.clone()]))
}

/// Whether `wanted` holds in the new tree and everything else is as in the old one.
pub(super) fn only_wanted_differs(old: &Tree<'_>, new: &Tree<'_>, wanted: &Wanted) -> bool {
    let Wanted::Inside(members) = wanted else { return false };
    let mut anchors = Anchors(Vec::new());
    let root = new.root();
    let same = match (old.root().filter(|root| !is_empty_section(old, *root)), root) {
        (Some(old_root), Some(new_root)) => anchors.mapping(old, old_root, new, new_root, members),
        (None, Some(new_root)) => is_printed(new, new_root, wanted),
        (_, None) => false,
    };
    same && members.iter().all(|(key, wanted)| wanted.holds(new, root, key))
}

/// Whether nothing stands in the new tree in the place of the value at `path`, and everything else is as in the
/// old one.
pub(super) fn only_vacated_differs(old: &Tree<'_>, new: &Tree<'_>, path: &[&str]) -> bool {
    match (old.root(), new.root()) {
        (Some(old_root), None) => path.is_empty() && is_bare(old, old_root),
        _ => same_but_for(old, new, path, &mut |anchors, old_id, new_id| {
            let (a, b) = (old.node(old_id), new.node(new_id));
            is_empty_section(new, new_id) && a.tag == b.tag && anchors.pair(a.anchor, b.anchor)
        }),
    }
}

/// Whether everything is as in the old tree but the live value at `path`, about which `judge` decides.
pub(super) fn same_but_for(old: &Tree<'_>, new: &Tree<'_>, path: &[&str], judge: &mut Judge<'_>) -> bool {
    match (old.root(), new.root()) {
        (Some(old_root), Some(new_root)) => {
            Anchors(Vec::new()).same_but_for(old, old_root, new, new_root, path, judge)
        }
        _ => false,
    }
}

/// Decides about an old and a new node.
pub(super) type Judge<'j> = dyn FnMut(&mut Anchors, Id, Id) -> bool + 'j;

/// Whether the new node is exactly what is printed for `wanted`. It may have kept the anchor or tag of what it
/// replaces; its descendants have none.
pub(super) fn is_printed(new: &Tree<'_>, id: Id, wanted: &Wanted) -> bool {
    let Some(value) = wanted.to_value() else { return false };
    let after = new.node(id).after;
    new.follow(id) == id
        && after - id == nodes_in(&value)
        && (id + 1..after).all(|inside| is_bare(new, inside))
        && value::of(new, id) == value
}

/// Whether a node carries nothing beside its content.
pub(super) fn is_bare(new: &Tree<'_>, id: Id) -> bool {
    new.node(id).anchor == 0 && new.node(id).tag == Tag::None
}

/// How many nodes a value has when it is printed.
fn nodes_in(value: &Value) -> usize {
    let inside: usize = match value {
        Value::List(items) => items.iter().map(nodes_in).sum(),
        Value::Map(members) => members.iter().map(|(_, value)| 1 + nodes_in(value)).sum(),
        _ => 0,
    };
    1 + inside
}

/// Which new anchor each old anchor became.
pub(super) struct Anchors(Vec<Option<usize>>);

impl Anchors {
    /// Whether both nodes have an anchor, or none has.
    pub(super) fn pair(&mut self, old: usize, new: usize) -> bool {
        if old != 0 && new != 0 {
            self.0.resize(self.0.len().max(old + 1), None);
            self.0[old] = Some(new);
        }
        (old == 0) == (new == 0)
    }

    /// Whether two nodes are the same but for their descendants.
    fn node(&mut self, old: &Tree<'_>, old_id: Id, new: &Tree<'_>, new_id: Id) -> bool {
        let (a, b) = (old.node(old_id), new.node(new_id));
        let same_kind = match (&a.kind, &b.kind) {
            (Kind::Alias(old), Kind::Alias(new)) => {
                self.0.get(*old).is_some_and(|paired| *paired == Some(*new))
            }
            (a, b) => a == b,
        };
        let same_nothing = old.is_empty_plain(old_id) == new.is_empty_plain(new_id);
        same_kind && same_nothing && a.tag == b.tag && self.pair(a.anchor, b.anchor)
    }

    /// Whether two nodes are the same with all their descendants.
    pub(super) fn subtree(&mut self, old: &Tree<'_>, old_id: Id, new: &Tree<'_>, new_id: Id) -> bool {
        let (old_after, new_after) = (old.node(old_id).after, new.node(new_id).after);
        old_after - old_id == new_after - new_id
            && (old_id..old_after)
                .zip(new_id..new_after)
                .all(|(a, b)| old.node(a).after - a == new.node(b).after - b && self.node(old, a, new, b))
    }

    /// Whether two mappings differ in the wanted members alone.
    fn mapping(
        &mut self,
        old: &Tree<'_>,
        old_map: Id,
        new: &Tree<'_>,
        new_map: Id,
        members: &[(String, Wanted)],
    ) -> bool {
        let emptied = new.node(new_map).after == new_map + 1;
        let (a, b) = (old.node(old_map), new.node(new_map));
        let same_style = a.kind == b.kind || (emptied && new.is_mapping(new_map));
        if !same_style || a.tag != b.tag || !self.pair(a.anchor, b.anchor) {
            return false;
        }
        let lives: Vec<Option<Entry>> = members.iter().map(|(key, _)| live(old, old_map, key)).collect();
        let index_of = |tree: &Tree<'_>, entry: Entry| {
            let text = key_text(tree, entry.key)?;
            members.iter().position(|(key, _)| key == text)
        };
        let mut added = vec![false; members.len()];
        let mut is_addition = |entry: Entry| {
            let Some(index) = index_of(new, entry).filter(|index| lives[*index].is_none()) else {
                return false;
            };
            !std::mem::replace(&mut added[index], true)
                && is_bare(new, entry.key)
                && is_bare(new, entry.value)
                && is_printed(new, entry.value, &members[index].1)
        };
        let mut new_entries = new.entries(new_map).peekable();
        for entry in old.entries(old_map) {
            let index = index_of(old, entry);
            let wanted = index.map(|index| &members[index].1);
            if wanted == Some(&Wanted::Gone) {
                continue;
            }
            while new_entries.next_if(|entry| is_addition(*entry)).is_some() {}
            let Some(found) = new_entries.next() else { return false };
            if !self.subtree(old, entry.key, new, found.key) {
                return false;
            }
            let is_live = index.is_some_and(|index| lives[index] == Some(entry));
            let same = match wanted.filter(|_| is_live) {
                None => self.subtree(old, entry.value, new, found.value),
                Some(wanted) => self.wanted(old, entry.value, new, found.value, wanted),
            };
            if !same {
                return false;
            }
        }
        new_entries.all(&mut is_addition)
    }

    /// Whether two nodes are the same but for the live value at `path` below, about which `judge` decides.
    fn same_but_for(
        &mut self,
        old: &Tree<'_>,
        old_id: Id,
        new: &Tree<'_>,
        new_id: Id,
        path: &[&str],
        judge: &mut Judge<'_>,
    ) -> bool {
        let Some((key, rest)) = path.split_first() else { return judge(self, old_id, new_id) };
        let live = live(old, old_id, key);
        let same_count = old.entries(old_id).count() == new.entries(new_id).count();
        live.is_some()
            && same_count
            && self.node(old, old_id, new, new_id)
            && old.entries(old_id).zip(new.entries(new_id)).all(|(a, b)| {
                self.subtree(old, a.key, new, b.key)
                    && if live == Some(a) {
                        self.same_but_for(old, a.value, new, b.value, rest, judge)
                    } else {
                        self.subtree(old, a.value, new, b.value)
                    }
            })
    }

    /// Whether a member that was there has become what is wanted, or stayed because it was right.
    fn wanted(&mut self, old: &Tree<'_>, old_id: Id, new: &Tree<'_>, new_id: Id, wanted: &Wanted) -> bool {
        match wanted {
            Wanted::Gone => false,
            Wanted::Leaf(value) if value::equals(old, old_id, value) => {
                self.subtree(old, old_id, new, new_id)
            }
            Wanted::Leaf(_) => is_printed(new, new_id, wanted),
            Wanted::Inside(members) => {
                let found = old.follow(old_id);
                let right = members.iter().all(|(key, wanted)| {
                    wanted.holds(old, Some(found).filter(|found| old.is_mapping(*found)), key)
                });
                if right {
                    self.subtree(old, old_id, new, new_id)
                } else if is_empty_section(old, old_id) {
                    is_printed(new, new_id, wanted)
                } else {
                    self.mapping(old, old_id, new, new_id, members)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Change;

    fn differs(old: &str, new: &str, changes: &[Change]) -> bool {
        let (old, new) = (Tree::parse(old).unwrap(), Tree::parse(new).unwrap());
        only_wanted_differs(&old, &new, &Wanted::of(changes).unwrap())
    }

    const OLD: &str = "a: &x 1\nm:\n  k: 1\n  s: 'q'\n  r: *x\nz: {p: [1]}\n";

    #[test]
    fn the_wanted_change_and_nothing_else_passes() {
        let set = [Change::set(&["m", "k"], Value::Int(2)), Change::set(&["m", "n", "o"], "x".into())];
        let right = "a: &x 1\nm:\n  n: {o: x}\n  k: 2\n  s: 'q'\n  r: *x\nz: {p: [1]}\n";
        assert!(differs(OLD, right, &set));
        for (from, to) in [
            ("k: 2", "k: 3"),
            ("k: 2", "k: '2'"),
            ("o: x", "o: y"),
            ("o: x", "o: x, p: 1"),
            ("{o: x}", "&y {o: x}"),
            ("'q'", "\"q\""),
            ("'q'", "q"),
            ("&x 1", "1\nb: &x 1"),
            ("*x", "1"),
            ("{p: [1]}", "{p: [1, 2]}"),
            ("{p: [1]}", "\n  p: [1]"),
            ("{p: [1]}", "!!map {p: [1]}"),
            ("z:", "z: 1\nz:"),
            ("m:", "m: !!map"),
            ("  s: 'q'\n", ""),
            ("  n: {o: x}\n", ""),
            ("  n: {o: x}\n", "  n: {o: x}\n  n: {o: x}\n"),
            ("  s: 'q'\n  r: *x\n", "  r: *x\n  s: 'q'\n"),
        ] {
            let wrong = right.replace(from, to);
            assert!(!differs(OLD, &wrong, &set), "{wrong}");
        }
    }

    #[test]
    fn a_removed_key_is_gone_and_the_rest_is_there() {
        let gone = [Change::remove(&["m", "k"])];
        assert!(differs(OLD, &OLD.replace("  k: 1\n", ""), &gone));
        assert!(!differs(OLD, OLD, &gone));
        assert!(!differs(OLD, &OLD.replace("  k: 1\n  s: 'q'\n", ""), &gone));
        assert!(differs("m:\n  k: 1\nz: 1\n", "m: {}\nz: 1\n", &gone));
        assert!(!differs("m:\n  k: 1\nz: 1\n", "m:\nz: 1\n", &gone));
    }

    #[test]
    fn an_alias_must_still_mean_the_same_node() {
        let set = [Change::set(&["k"], Value::Int(2))];
        let old = "a: &x 1\nb: &y 1\nc: *x\nk: 1\n";
        assert!(differs(old, &old.replace("k: 1", "k: 2"), &set));
        assert!(!differs(old, &old.replace("k: 1", "k: 2").replace("*x", "*y"), &set));
    }

    #[test]
    fn comments_are_kept_but_those_in_replaced_ranges() {
        let kept = |old: &str, new: &str, splices: &[Splice]| {
            comments_kept(&Tree::parse(old).unwrap(), &Tree::parse(new).unwrap(), splices)
        };
        let old = "a: 1 # x\n# y\nb: 2\n";
        assert!(kept(old, old, &[Splice::insert(9, "# z")]));
        assert!(kept(old, "# y\nb: 2\n", &[Splice::delete(0..9)]));
        assert!(!kept(old, "a: 1\n# y\nb: 2\n", &[Splice::delete(13..15)]));
        assert!(!kept(old, "a: 1 # x\n# y\nb: 2 # z\n", &[]));
    }
}
