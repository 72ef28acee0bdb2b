//! JSON5 as npm `json5` reads it, edited without losing a byte.
//!
//! Own scanner and splices; the `json5` crate reads every input and every result as well and must agree.
//! Never re-serialises anything that stood in the file.

mod chars;
mod decode;
mod edit;
mod layout;
mod lists;
mod newer_letters;
mod place;
mod proof;
mod refuse;
mod removal;
mod scan;
mod style;
#[cfg(test)]
mod tests;
mod token;
mod tree;
mod undo;
mod wish;
mod write;

use tree::Tree;

use crate::{Change, Document, Duplicate, Position, Refusal, Value};

/// A parsed JSON5 (or JSON) file.
#[derive(Debug)]
pub struct Json5Document<'a> {
    text: &'a str,
    tree: Tree<'a>,
}

impl<'a> Document<'a> for Json5Document<'a> {
    fn parse(text: &'a str) -> Result<Self, Refusal> {
        let tree = scan::scan(text).map_err(|fault| refuse::fault(text, fault))?;
        proof::second_reader(text, &tree).map_err(|objection| refuse::objection(&objection))?;
        Ok(Self { text, tree })
    }

    fn is_blank(&self) -> bool {
        self.tree.root.is_none()
    }

    fn get(&self, path: &[&str]) -> Option<Value> {
        let node = self.tree.root.as_ref()?.at(path)?;
        Some(decode::value(self.text, node))
    }

    fn position(&self, path: &[&str]) -> Option<Position> {
        let root = self.tree.root.as_ref()?;
        let start = match path.split_last() {
            Some((key, parents)) => root.at(parents)?.live(key)?.key.start,
            None => root.span.start,
        };
        Some(Position::of(self.text, start))
    }

    fn duplicates(&self, path: &[&str]) -> Vec<Duplicate> {
        let mut duplicates = Vec::new();
        let mut node = self.tree.root.as_ref();
        for (depth, key) in path.iter().enumerate() {
            let Some(object) = node else { break };
            let places: Vec<usize> =
                object.members().iter().filter(|m| m.name == *key).map(|m| m.key.start).collect();
            if places.len() > 1 {
                let path = path[..=depth].iter().map(|key| (*key).to_owned()).collect();
                duplicates.push(Duplicate { path, lines: layout::lines(self.text, &places) });
            }
            node = object.live(key).map(|member| &member.value);
        }
        duplicates
    }

    fn edit(&self, changes: &[Change]) -> Result<String, Refusal> {
        lists::edit(self.text, &self.tree, changes)
    }
}
