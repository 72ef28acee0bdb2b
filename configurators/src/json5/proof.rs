//! The proof behind every edit, and the second reader. Knows nothing of how an edit was made.
//!
//! Values are compared as source text where nothing was wanted, so an untouched number keeps its spelling,
//! an untouched object its comments, order and duplicates.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::decode::{means, number, string, value};
use super::tree::{Kind, Member, Node, Tree};
use super::wish::{Leaf, Wish, is_vacant};
use crate::Position;
use crate::splice::{Splice, apply};

/// What the `json5` crate says against a text that the scanner took.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Objection {
    /// It does not read it.
    Syntax(Option<Position>),
    /// It reads something else.
    Differs,
}

/// Has the `json5` crate read `text` and compares every key and value with the tree. A text without a value
/// passes.
///
/// The scanner went first, so the nesting is known to be within the limit.
pub(super) fn second_reader(text: &str, tree: &Tree<'_>) -> Result<(), Objection> {
    let Some(root) = &tree.root else { return Ok(()) };
    let differs = Cell::new(false);
    let readable = readable(text, &tree.halves);
    let mut reader = json5::Deserializer::from_str(&readable);
    let same = Same { text, node: root, differs: &differs };
    match same.deserialize(&mut reader) {
        Ok(()) => Ok(()),
        Err(_) if differs.get() => Err(Objection::Differs),
        Err(error) => {
            let one_based = |at: json5::Position| Position { line: at.line + 1, column: at.column + 1 };
            Err(Objection::Syntax(error.position().map(one_based)))
        }
    }
}

/// The text with an escape of U+FFFD, which is as long, for every half of a surrogate pair: Rust's strings,
/// and so the crate, cannot hold halves.
fn readable<'a>(text: &'a str, halves: &[usize]) -> Cow<'a, str> {
    if halves.is_empty() {
        return Cow::Borrowed(text);
    }
    let escape = r"\ufffd";
    let splices: Vec<Splice> =
        halves.iter().map(|half| Splice::replace(*half..half + escape.len(), escape)).collect();
    Cow::Owned(apply(text, &splices))
}

/// Whether `text`, a byte order mark aside, is strict JSON.
pub(super) fn is_strict(text: &str) -> bool {
    // Values are skipped, not built: no recursion, whatever the nesting.
    serde_json::from_str::<IgnoredAny>(text.strip_prefix('\u{feff}').unwrap_or(text)).is_ok()
}

/// A node that the reader's next value must equal.
#[derive(Clone, Copy)]
struct Same<'t, 'a> {
    text: &'a str,
    node: &'t Node<'a>,
    differs: &'t Cell<bool>,
}

impl<'a> Same<'_, 'a> {
    fn raw(&self) -> &'a str {
        &self.text[self.node.span.clone()]
    }

    fn check<E: Error>(&self, same: bool) -> Result<(), E> {
        if same {
            return Ok(());
        }
        self.differs.set(true);
        Err(E::custom("read differently"))
    }

    fn number<E: Error>(&self, read: f64) -> Result<(), E> {
        let own = number(self.raw());
        self.check(matches!(self.node.kind, Kind::Number) && (own == read || (own.is_nan() && read.is_nan())))
    }
}

impl<'de> DeserializeSeed<'de> for Same<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Same<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value that the scanner read")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.check(matches!(self.node.kind, Kind::Null))
    }

    fn visit_bool<E: Error>(self, read: bool) -> Result<(), E> {
        self.check(matches!(self.node.kind, Kind::Bool(own) if own == read))
    }

    #[expect(clippy::cast_precision_loss, reason = "the host holds every number as a double")]
    fn visit_i64<E: Error>(self, read: i64) -> Result<(), E> {
        self.number(read as f64)
    }

    #[expect(clippy::cast_precision_loss, reason = "the host holds every number as a double")]
    fn visit_u64<E: Error>(self, read: u64) -> Result<(), E> {
        self.number(read as f64)
    }

    fn visit_f64<E: Error>(self, read: f64) -> Result<(), E> {
        self.number(read)
    }

    fn visit_str<E: Error>(self, read: &str) -> Result<(), E> {
        self.check(matches!(self.node.kind, Kind::Text) && string(self.raw()) == read)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut read: A) -> Result<(), A::Error> {
        let Kind::List(items) = &self.node.kind else { return self.check(false) };
        for node in items {
            let item = read.next_element_seed(Same { node, ..self })?;
            self.check(item.is_some())?;
        }
        let rest: Option<IgnoredAny> = read.next_element()?;
        self.check(rest.is_none())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut read: A) -> Result<(), A::Error> {
        let Kind::Object(members) = &self.node.kind else { return self.check(false) };
        for member in members {
            let key: Option<String> = read.next_key()?;
            self.check(key.is_some_and(|key| key == member.name))?;
            read.next_value_seed(Same { node: &member.value, ..self })?;
        }
        let rest: Option<IgnoredAny> = read.next_key()?;
        self.check(rest.is_none())
    }
}

/// Whether every comment of the old text that no splice took stands in the new one, in order, and no other.
pub(super) fn comments_kept(old: (&str, &Tree<'_>), splices: &[Splice], new: (&str, &Tree<'_>)) -> bool {
    let mut splices = splices.iter().peekable();
    let kept = old.1.comments.iter().filter(|comment| {
        while splices.next_if(|splice| splice.range.end <= comment.start).is_some() {}
        splices.peek().is_none_or(|splice| splice.range.start >= comment.end)
    });
    kept.map(|comment| &old.0[comment.clone()]).eq(new
        .1
        .comments
        .iter()
        .map(|comment| &new.0[comment.clone()]))
}

/// Two texts between which only the wanted values may differ.
#[derive(Clone, Copy)]
pub(super) struct Texts<'o, 'n> {
    pub(super) old: &'o str,
    pub(super) new: &'n str,
}

impl Texts<'_, '_> {
    /// Whether `new` is `old` with every wish granted and nothing else changed. The leaves' first `depth`
    /// keys lead here.
    pub(super) fn granted(
        self,
        old: Option<&Node<'_>>,
        new: Option<&Node<'_>>,
        wishes: &[&Leaf<'_>],
        depth: usize,
    ) -> bool {
        if wishes.is_empty() {
            return match (old, new) {
                (Some(old), Some(new)) => self.same_source(&old.span, &new.span),
                (None, None) => true,
                _ => false,
            };
        }
        if let [leaf] = wishes
            && leaf.path.len() == depth
        {
            return self.leaf(old, new, &leaf.wish);
        }
        if wishes.iter().all(|leaf| matches!(leaf.wish, Wish::Remove))
            && !old.is_some_and(|old| matches!(old.kind, Kind::Object(_)))
        {
            return self.granted(old, new, &[], depth);
        }
        let (old_members, fits) = match old.map(|old| &old.kind) {
            Some(Kind::Object(members)) => (members.as_slice(), true),
            _ => (&[][..], old.is_none_or(|old| is_vacant(self.old, old))),
        };
        let Some(Kind::Object(new_members)) = new.map(|new| &new.kind) else { return false };
        fits && self.members(old_members, new_members, wishes, depth)
    }

    /// Whether `new` is `old` with nothing in the place of the value at `path` and nothing else changed.
    pub(super) fn vacated(self, old: Option<&Node<'_>>, new: Option<&Node<'_>>, path: &[&str]) -> bool {
        let is_vacated = |new: &Node<'_>| match &new.kind {
            Kind::Object(members) => members.is_empty(),
            _ => is_vacant(self.new, new),
        };
        if path.is_empty() {
            return new.is_none_or(is_vacated);
        }
        self.same_but_for(old, new, path, &|_, new| new.is_none_or(is_vacated))
    }

    /// Whether `new` is `old` but for the live value at `path`, about which `judge` decides.
    pub(super) fn same_but_for(
        self,
        old: Option<&Node<'_>>,
        new: Option<&Node<'_>>,
        path: &[&str],
        judge: &dyn Fn(&Node<'_>, Option<&Node<'_>>) -> bool,
    ) -> bool {
        let Some((key, rest)) = path.split_first() else { return old.is_some_and(|old| judge(old, new)) };
        let (Some(Kind::Object(old)), Some(Kind::Object(new))) =
            (old.map(|old| &old.kind), new.map(|new| &new.kind))
        else {
            return false;
        };
        let live = old.iter().rposition(|member| member.name == *key);
        live.is_some()
            && old.len() == new.len()
            && old.iter().zip(new).enumerate().all(|(index, (a, b))| {
                self.same_source(&a.key, &b.key)
                    && if live == Some(index) {
                        self.same_but_for(Some(&a.value), Some(&b.value), rest, judge)
                    } else {
                        self.same_source(&a.value.span, &b.value.span)
                    }
            })
    }

    pub(super) fn same_source(self, old: &std::ops::Range<usize>, new: &std::ops::Range<usize>) -> bool {
        self.old[old.clone()] == self.new[new.clone()]
    }

    fn leaf(self, old: Option<&Node<'_>>, new: Option<&Node<'_>>, wish: &Wish<'_>) -> bool {
        let Wish::Set(wanted) = wish else { return new.is_none() };
        let Some(new) = new else { return false };
        match old {
            Some(old) if wish.holds(self.old, old) => self.same_source(&old.span, &new.span),
            Some(old) if wish.is_mapping() && !is_vacant(self.old, old) => false,
            _ => means(&value(self.new, new), wanted),
        }
    }

    /// The old members in their order, less the removed ones, then the added ones.
    fn members(self, old: &[Member<'_>], new: &[Member<'_>], wishes: &[&Leaf<'_>], depth: usize) -> bool {
        let mut groups: Vec<(&str, Vec<&Leaf<'_>>)> = Vec::new();
        for leaf in wishes {
            let Some(key) = leaf.path.get(depth) else { return false };
            match groups.iter_mut().find(|(name, _)| name == key) {
                Some((_, group)) => group.push(leaf),
                None => groups.push((key, vec![leaf])),
            }
        }
        let of = |name: &str| groups.iter().find(|(key, _)| *key == name).map(|(_, group)| group.as_slice());
        let removed = |group: &[&Leaf<'_>]| {
            group.iter().any(|leaf| leaf.path.len() == depth + 1 && matches!(leaf.wish, Wish::Remove))
        };
        let mut rest = new.iter();
        for (index, member) in old.iter().enumerate() {
            let group = of(&member.name);
            if group.is_some_and(removed) {
                continue;
            }
            let Some(counterpart) = rest.next() else { return false };
            let live = group.is_some() && !old[index + 1..].iter().any(|later| later.name == member.name);
            let wanted = group.filter(|_| live).unwrap_or_default();
            if !self.same_source(&member.key, &counterpart.key)
                || !self.granted(Some(&member.value), Some(&counterpart.value), wanted, depth + 1)
            {
                return false;
            }
        }
        let added: Vec<&Member<'_>> = rest.collect();
        let placed = added.iter().enumerate().all(|(index, member)| {
            of(&member.name).is_some_and(|group| self.granted(None, Some(&member.value), group, depth + 1))
                && !old.iter().any(|earlier| earlier.name == member.name)
                && !added[..index].iter().any(|earlier| earlier.name == member.name)
        });
        placed
            && groups.iter().all(|(name, group)| {
                new.iter().any(|member| member.name == *name)
                    || self.granted(None, None, group, depth + 1)
                    || removed(group)
            })
    }
}
