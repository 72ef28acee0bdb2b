//! YAML as PyYAML reads it (1.1, safe loader), edited without losing a byte.
//!
//! The text is never printed anew: an edit is a set of byte splices planned from the parser's spans, and it
//! counts only after the result was parsed again and proven equal outside the wanted keys. Never here: a
//! guess that is not proven, or a message that quotes the file's values.

mod build;
mod duplicates;
mod edit;
mod events;
mod fill;
mod lines;
mod lists;
mod lookup;
mod mended;
mod place;
mod plan;
mod proof;
mod readable;
mod refuse;
mod remove;
mod replace;
mod scalar;
mod style;
mod tabs;
mod tree;
mod undo;
mod value;
mod wanted;
mod write;

use crate::{Change, Document, Duplicate, Position, Refusal, Value};
use tree::Tree;

/// A parsed YAML file.
#[derive(Debug)]
pub struct YamlDocument<'a> {
    tree: Tree<'a>,
}

impl<'a> Document<'a> for YamlDocument<'a> {
    fn parse(text: &'a str) -> Result<Self, Refusal> {
        let tree = Tree::parse(text)?;
        readable::check(&tree)?;
        Ok(Self { tree })
    }

    fn is_blank(&self) -> bool {
        self.tree.root().is_none_or(|root| self.tree.is_implied(root))
    }

    fn get(&self, path: &[&str]) -> Option<Value> {
        lookup::effective(&self.tree, path).map(|node| value::of(&self.tree, node))
    }

    fn position(&self, path: &[&str]) -> Option<Position> {
        let mut at = self.tree.root()?;
        let mut start = self.tree.node(at).start;
        for key in path {
            let entry = lookup::live(&self.tree, at, key)?;
            start = self.tree.node(entry.key).start;
            at = entry.value;
        }
        Some(Position::of(self.tree.text, start))
    }

    fn duplicates(&self, path: &[&str]) -> Vec<Duplicate> {
        duplicates::along(&self.tree, path)
    }

    fn edit(&self, changes: &[Change]) -> Result<String, Refusal> {
        lists::edit(&self.tree, changes)
    }
}

#[cfg(test)]
mod tests;
