//! From the wanted tree to operations on the file, each with its ways. Decides what is already right and what
//! must be refused; never touches text.

use super::fill;
use super::lookup::{is_empty_section, is_plain_mapping, live, merged, occurrences};
use super::place::{self, Alternatives};
use super::refuse;
use super::remove;
use super::replace;
use super::style::Habits;
use super::tree::{Entry, Id, Tree};
use super::value;
use super::wanted::Wanted;
use crate::{Refusal, Value};

/// When an operation is done if not all can be done at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    Replace,
    Add,
    Remove,
}

/// One edit of one mapping.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) stage: Stage,
    /// What is wanted of this operation alone.
    pub(super) wanted: Wanted,
    /// Ways to do it, the best first.
    pub(super) ways: Alternatives,
    /// Where, for a message.
    pub(super) at: usize,
    /// The keys to where it is.
    pub(super) path: Vec<String>,
}

/// How far operations are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joined {
    /// Everything that one mapping loses is one operation; all operations fit together.
    PerMapping,
    /// Every removed key is one operation.
    PerKey,
}

/// The operations after which `wanted` holds; inner mappings before outer ones.
///
/// # Errors
/// A node on a path cannot be edited.
pub(super) fn plan(tree: &Tree<'_>, wanted: &Wanted, joined: Joined) -> Result<Vec<Operation>, Refusal> {
    let Wanted::Inside(members) = wanted else { return Ok(Vec::new()) };
    let mut planner =
        Planner { tree, habits: Habits::of(tree), joined, path: Vec::new(), operations: Vec::new() };
    let root = tree.root();
    if let Some(root) = root.filter(|root| !is_empty_section(tree, *root)) {
        planner.check_mapping(root)?;
    }
    if members.iter().all(|(key, wanted)| wanted.holds(tree, root, key)) {
        return Ok(Vec::new());
    }
    match tree.root() {
        Some(root) if !is_empty_section(tree, root) => {
            planner.mapping(root, None, None, members)?;
        }
        root => {
            if let Some(root) = root {
                planner.check_section(root)?;
            }
            let ways = fill::document(tree, &planner.habits, &values(members.iter()));
            planner.push(Stage::Add, members.to_vec(), ways, root.unwrap_or(0));
        }
    }
    Ok(planner.operations)
}

fn values<'w>(members: impl Iterator<Item = &'w (String, Wanted)>) -> Vec<(String, Value)> {
    members.filter_map(|(key, wanted)| Some((key.clone(), wanted.to_value()?))).collect()
}

struct Planner<'t, 'a> {
    tree: &'t Tree<'a>,
    habits: Habits,
    joined: Joined,
    path: Vec<String>,
    operations: Vec<Operation>,
}

impl Planner<'_, '_> {
    /// Plans the edits of one written-out mapping. `shared` is the first mapping on the way that an alias
    /// refers to.
    fn mapping(
        &mut self,
        map: Id,
        parent: Option<Entry>,
        shared: Option<Id>,
        members: &[(String, Wanted)],
    ) -> Result<(), Refusal> {
        let tree = self.tree;
        let shared = shared.or_else(|| tree.is_aliased(map).then_some(map));
        let mut added: Vec<&(String, Wanted)> = Vec::new();
        let mut removed: Vec<(&str, Vec<Entry>)> = Vec::new();
        for member @ (key, wanted) in members {
            if wanted.holds(tree, Some(map), key) {
                continue;
            }
            self.path.push(key.clone());
            match (live(tree, map, key), wanted) {
                (None, Wanted::Leaf(_)) => added.push(member),
                (None, Wanted::Inside(_)) if merged(tree, map, key).is_none() => added.push(member),
                (None, _) => return Err(self.shared(map, "comes through a merge key")),
                (Some(entry), Wanted::Leaf(value)) => {
                    self.refuse_shared(shared)?;
                    self.replace(entry, value)?;
                }
                (Some(entry), Wanted::Inside(inner)) => self.inside(map, entry, shared, inner)?,
                (Some(entry), Wanted::Gone) => {
                    if merged(tree, map, key).is_some() {
                        return Err(self.shared(entry.key, "comes through a merge key as well"));
                    }
                    let entries: Vec<Entry> = occurrences(tree, map, key).collect();
                    for entry in &entries {
                        self.refuse_used(entry.key)?;
                        self.refuse_used(entry.value)?;
                    }
                    removed.push((key, entries));
                }
            }
            self.path.pop();
        }
        if !added.is_empty() || !removed.is_empty() {
            self.refuse_shared(shared)?;
        }
        if !added.is_empty() {
            let ways = place::add(tree, &self.habits, map, &values(added.iter().copied()));
            self.push(Stage::Add, added.iter().map(|member| (*member).clone()).collect(), ways, map);
        }
        let groups: Vec<&[(&str, Vec<Entry>)]> = match self.joined {
            Joined::PerMapping if removed.is_empty() => Vec::new(),
            Joined::PerMapping => vec![&removed],
            Joined::PerKey => removed.chunks(1).collect(),
        };
        for group in groups {
            let entries: Vec<Entry> = group.iter().flat_map(|(_, entries)| entries.iter().copied()).collect();
            let leaves_empty = added.is_empty() && tree.entries(map).count() == entries.len();
            let ways = remove::entries(tree, map, parent, &entries, leaves_empty);
            let gone = group.iter().map(|(key, _)| ((*key).to_owned(), Wanted::Gone)).collect();
            self.push(Stage::Remove, gone, ways, entries.first().map_or(map, |entry| entry.key));
        }
        Ok(())
    }

    fn inside(
        &mut self,
        map: Id,
        entry: Entry,
        shared: Option<Id>,
        inner: &[(String, Wanted)],
    ) -> Result<(), Refusal> {
        if !is_empty_section(self.tree, entry.value) {
            self.check_mapping(entry.value)?;
            return self.mapping(entry.value, Some(entry), shared, inner);
        }
        self.refuse_shared(shared)?;
        self.check_section(entry.value)?;
        let ways = fill::section(self.tree, &self.habits, map, entry, &values(inner.iter()));
        // The operation's path leads to the mapping that is filled.
        self.push(Stage::Add, inner.to_vec(), ways, entry.value);
        Ok(())
    }

    fn replace(&mut self, entry: Entry, wanted: &Value) -> Result<(), Refusal> {
        self.refuse_used(entry.value)?;
        if matches!(wanted, Value::Map(_)) && !is_empty_section(self.tree, entry.value) {
            self.check_mapping(entry.value)?;
        }
        let ways = replace::value(self.tree, &self.habits, entry, wanted);
        let Some(key) = self.path.pop() else { return Ok(()) };
        self.push(Stage::Replace, vec![(key.clone(), Wanted::Leaf(wanted.clone()))], ways, entry.value);
        self.path.push(key);
        Ok(())
    }

    fn push(&mut self, stage: Stage, members: Vec<(String, Wanted)>, ways: Alternatives, node: Id) {
        let at = if self.tree.len() == 0 { 0 } else { self.tree.node(node).props };
        let wanted = Wanted::at(&self.path, members);
        self.operations.push(Operation { stage, wanted, ways, at, path: self.path.clone() });
    }

    /// The node must be a mapping that is written out, with no tag but its own.
    fn check_mapping(&self, id: Id) -> Result<(), Refusal> {
        let (tree, node) = (self.tree, self.tree.node(id));
        if tree.follow(id) != id {
            return Err(self.shared(id, "is an alias"));
        }
        if !tree.is_mapping(id) {
            let kind = value::of(tree, id).kind();
            return Err(refuse::not_a_mapping(tree.text, node.props, &self.path, kind));
        }
        if !is_plain_mapping(tree, id) {
            return Err(self.tagged(id));
        }
        Ok(())
    }

    /// The node holds the place of a mapping: nobody else may use it and no tag may say otherwise.
    fn check_section(&self, id: Id) -> Result<(), Refusal> {
        if self.tree.is_aliased(id) {
            return Err(self.shared(id, "is shared through an anchor"));
        }
        let untagged = self.tree.node(id).tag == super::events::Tag::None;
        if untagged || is_plain_mapping(self.tree, id) { Ok(()) } else { Err(self.tagged(id)) }
    }

    fn tagged(&self, id: Id) -> Refusal {
        let what = format!("{} carries a tag", refuse::named(&self.path));
        refuse::tagged(self.tree.text, self.tree.node(id).props, what)
    }

    fn shared(&self, id: Id, how: &str) -> Refusal {
        refuse::shared(self.tree.text, self.tree.node(id).props, &self.path, how)
    }

    fn refuse_shared(&self, shared: Option<Id>) -> Result<(), Refusal> {
        shared.map_or(Ok(()), |id| {
            Err(self.shared(id, "is, or lies in, a mapping that is shared through an anchor"))
        })
    }

    fn refuse_used(&self, id: Id) -> Result<(), Refusal> {
        match self.tree.used_from_outside(id) {
            Some(used) => Err(self.shared(used, "holds an anchor that is used elsewhere")),
            None => Ok(()),
        }
    }
}
