//! Keys that stand more than once.

use super::lookup;
use super::tree::Tree;
use crate::Duplicate;

/// Keys along `path`, written out, that stand more than once in their mapping.
pub(super) fn along(tree: &Tree<'_>, path: &[&str]) -> Vec<Duplicate> {
    let mut found = Vec::new();
    let Some(mut map) = tree.root() else { return found };
    for (depth, key) in path.iter().enumerate() {
        let entries: Vec<_> = lookup::occurrences(tree, map, key).collect();
        let Some(last) = entries.last() else { break };
        map = last.value;
        if entries.len() > 1 {
            let starts = entries.iter().map(|entry| tree.node(entry.key).start);
            found.push(Duplicate {
                path: path[..=depth].iter().map(|key| (*key).to_owned()).collect(),
                lines: lines_of(tree.text, starts),
            });
        }
    }
    found
}

/// The lines of ascending offsets, in one pass.
fn lines_of(text: &str, offsets: impl Iterator<Item = usize>) -> Vec<usize> {
    let bytes = text.as_bytes();
    let (mut line, mut at) = (1, 0);
    offsets
        .map(|offset| {
            while at < offset {
                line += usize::from(
                    bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n')),
                );
                at += 1;
            }
            line
        })
        .collect()
}
