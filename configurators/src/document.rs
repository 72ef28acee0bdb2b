//! What both formats offer: a parsed file that is read the way its host reads it and edited by proven splices.

use crate::{Change, Position, Refusal, Value};

/// A key that stands more than once in one mapping. Both hosts read the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// Keys from the root to the duplicated one.
    pub path: Vec<String>,
    /// The lines of all its occurrences, ascending; the last is the one the host reads.
    pub lines: Vec<usize>,
}

/// A parsed configuration file.
pub trait Document<'a>: Sized {
    /// Parses `text` as the host would.
    ///
    /// # Errors
    /// A [`Refusal`] with the position when the host's parser would not read it, or when it is past a limit.
    fn parse(text: &'a str) -> Result<Self, Refusal>;

    /// Whether the file holds no value at all: nothing, white space, comments, document markers.
    fn is_blank(&self) -> bool;

    /// The value the host reads at `path` (the last duplicate; aliases and merge keys followed). `None` where
    /// the key is missing or something on the way is no mapping. The empty path is the root.
    fn get(&self, path: &[&str]) -> Option<Value>;

    /// Where the key at `path` stands, following live keys; `None` where it is not written out there.
    fn position(&self, path: &[&str]) -> Option<Position>;

    /// Keys along `path` that stand more than once in their mapping.
    fn duplicates(&self, path: &[&str]) -> Vec<Duplicate>;

    /// The text in which every change holds, proven: it parses again, the value tree outside the changed
    /// keys is the same (order, styles, anchors, duplicates), every comment outside replaced or removed
    /// ranges is kept, and all bytes outside the splices are equal. When every change already holds by
    /// value the text comes back byte-identical.
    ///
    /// Changes of lists are made in their order, each on what the changes before it made of the text; so are
    /// the other changes between them, each run of those at once.
    ///
    /// # Errors
    /// A [`Refusal`] when a node on a path cannot be edited safely or no placement can be proven.
    fn edit(&self, changes: &[Change]) -> Result<String, Refusal>;
}
