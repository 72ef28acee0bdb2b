//! A YAML file as an undo sees it. Shared nodes are left to the planner, which refuses them by name.

use super::YamlDocument;
use super::edit;
use super::lines::Lines;
use super::lookup::{is_empty_section, key_text, live};
use super::place::{end_of, past_comments};
use super::tree::{Entry, Id, Kind, Tree};
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
            let in_block = matches!(tree.node(value).kind, Kind::Mapping { flow: false });
            (value, owner) = (entry.value, Some((entry, in_block)));
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

/// The place of a value; `owner` is its entry, and whether that stands in a mapping in block style.
fn site(tree: &Tree<'_>, value: Id, owner: Option<(Entry, bool)>) -> Site {
    let node = tree.node(value);
    let open = owner.map_or(0, |(owner, _)| tree.node(owner.key).end);
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
    let reach = match owner {
        None => tree.text.len(),
        Some((owner, true)) => reach(tree, owner),
        Some((owner, false)) => end_of(tree, owner),
    };
    Site { open, held, close, reach: open..reach }
}

fn member(tree: &Tree<'_>, entry: Entry) -> Member {
    let name = key_text(tree, entry.key).map(str::to_owned);
    let start = tree.node(entry.key).props;
    // A text of lines ends with its last line break, or without one if the file ends there. Something behind it
    // must not make a difference.
    let end = tree.text[..end_of(tree, entry)].trim_end_matches(['\n', '\r', ' ', '\t']).len();
    Member { name, span: start..end.max(start) }
}

/// Where the comments of a value in block style end: behind it on its line, and on the lines below that are
/// indented further than its key.
fn reach(tree: &Tree<'_>, owner: Entry) -> usize {
    let lines = Lines { text: tree.text };
    let end = end_of(tree, owner);
    match lines.indentation(tree.node(owner.key).props) {
        Some(outer) if lines.is_start(end) => past_comments(lines, end, outer + 1),
        Some(outer) => past_comments(lines, lines.end(end), outer + 1),
        None => end,
    }
}
