//! A YAML file as an undo sees it. Shared nodes are left to the planner, which refuses them by name.

use super::YamlDocument;
use super::edit;
use super::lines::Lines;
use super::lookup::{is_empty_section, key_text, live};
use super::place::{end_of, past_comments};
use super::tree::{Entry, Id, Tree};
use crate::splice::Splice;
use crate::undo::site::{Ground, Held, Member, Site};

impl<'a> Ground<'a> for YamlDocument<'a> {
    fn site(&self, path: &[&str]) -> Option<Site> {
        let tree = &self.tree;
        let Some(root) = tree.root() else {
            let close = tree.document_end.unwrap_or(tree.text.len());
            let all = 0..tree.text.len();
            return path.is_empty().then_some(Site { open: 0, held: Held::Nothing(0..0), close, reach: all });
        };
        let (mut value, mut owner) = (root, None);
        for key in path {
            let entry = live(tree, value, key)?;
            (value, owner) = (entry.value, Some(entry));
        }
        Some(site(tree, value, owner))
    }

    fn comments(&self) -> &[std::ops::Range<usize>] {
        &self.tree.comments
    }

    fn without(&self, path: &[&str], splices: &[Splice]) -> Option<String> {
        edit::without(&self.tree, path, splices)
    }

    fn vacated(&self, path: &[&str], splices: &[Splice]) -> Option<String> {
        edit::vacated(&self.tree, path, splices)
    }
}

fn site(tree: &Tree<'_>, value: Id, owner: Option<Entry>) -> Site {
    let node = tree.node(value);
    let open = owner.map_or(0, |owner| tree.node(owner.key).end);
    let span = if tree.is_implied(value) { open..open } else { node.start..node.end };
    let held = if is_empty_section(tree, value) {
        Held::Nothing(span)
    } else if tree.is_mapping(value) {
        Held::Members(tree.entries(value).map(|entry| member(tree, entry)).collect())
    } else {
        Held::Other(span)
    };
    let next = (node.after < tree.len()).then(|| tree.node(node.after).props);
    let close = next.or(tree.document_end).unwrap_or(tree.text.len());
    Site { open, held, close, reach: open..owner.map_or(tree.text.len(), |owner| reach(tree, owner)) }
}

fn member(tree: &Tree<'_>, entry: Entry) -> Member {
    let name = key_text(tree, entry.key).map(str::to_owned);
    Member { name, span: tree.node(entry.key).props..end_of(tree, entry) }
}

/// Comments behind the value on its line, and those on the lines below that are indented further than the key.
fn reach(tree: &Tree<'_>, owner: Entry) -> usize {
    let lines = Lines { text: tree.text };
    let end = end_of(tree, owner);
    match lines.indentation(tree.node(owner.key).props) {
        Some(outer) if lines.is_start(end) => past_comments(lines, end, outer + 1),
        Some(outer) => past_comments(lines, lines.end(end), outer + 1),
        None => end,
    }
}
