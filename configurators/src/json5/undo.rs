//! A JSON5 file as an undo sees it.

use super::Json5Document;
use super::edit;
use super::tree::{Kind, Member as Found, Node};
use super::wish::is_vacant;
use crate::splice::Splice;
use crate::undo::site::{Ground, Held, Member, Site};

impl<'a> Ground<'a> for Json5Document<'a> {
    fn site(&self, path: &[&str]) -> Option<Site> {
        let length = self.text.len();
        let Some((key, parents)) = path.split_last() else {
            let held = self.tree.root.as_ref().map_or(Held::Nothing(0..0), |root| held(self.text, root));
            return Some(Site { open: 0, held, close: length, reach: 0..length });
        };
        let owner = self.tree.root.as_ref()?.at(parents)?.live(key)?;
        let value = &owner.value;
        Some(Site {
            open: owner.key.end,
            held: held(self.text, value),
            close: value.span.end,
            reach: owner.key.end..value.span.end,
        })
    }

    fn comments(&self) -> &[std::ops::Range<usize>] {
        &self.tree.comments
    }

    fn without(&self, path: &[&str], splices: &[Splice]) -> Option<String> {
        edit::without((self.text, &self.tree), path, splices)
    }

    fn vacated(&self, path: &[&str], splices: &[Splice]) -> Option<String> {
        edit::vacated((self.text, &self.tree), path, splices)
    }
}

fn held(text: &str, node: &Node<'_>) -> Held {
    let member = |found: &Found<'_>| Member {
        name: Some(found.name.to_string()),
        span: found.key.start..found.value.span.end,
    };
    match &node.kind {
        Kind::Object(members) if members.is_empty() => Held::Nothing(node.span.clone()),
        Kind::Object(members) => Held::Members(members.iter().map(member).collect()),
        _ if is_vacant(text, node) => Held::Nothing(node.span.clone()),
        _ => Held::Other(node.span.clone()),
    }
}
