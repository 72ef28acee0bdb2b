//! The file's own habits: how far it indents and which quotes it likes. New text follows them.

use super::events::Style;
use super::lines::Lines;
use super::tree::{Id, Kind, Tree};

/// Which quotes a new string gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    Single,
    Double,
}

/// The deepest step of indentation that is taken over; anything wider is taken for an accident.
const WIDEST: usize = 8;
/// The step of a file that shows none.
const DEFAULT: usize = 2;

/// The habits of one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Habits {
    step: usize,
    /// The quotes that most quoted strings of the file have; double in a tie.
    pub(super) quotes: Quotes,
}

impl Habits {
    /// Reads the habits off the whole file.
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let mut steps = [0_usize; WIDEST + 1];
        let (mut single, mut double) = (0, 0);
        for id in 0..tree.len() {
            match &tree.node(id).kind {
                // An empty string says "nothing here", not how its writer quotes.
                Kind::Scalar(text, _) if text.is_empty() => {}
                Kind::Scalar(_, Style::Single) => single += 1,
                Kind::Scalar(_, Style::Double) => double += 1,
                Kind::Mapping { flow: false } => {
                    for step in steps_in(tree, id) {
                        steps[step] += 1;
                    }
                }
                _ => {}
            }
        }
        // Of equally frequent steps the smallest.
        let step = (1..=WIDEST).rev().max_by_key(|step| steps[*step]).filter(|step| steps[*step] > 0);
        Self {
            step: step.unwrap_or(DEFAULT),
            quotes: if single > double { Quotes::Single } else { Quotes::Double },
        }
    }

    /// How far members of a new mapping are indented where there are no siblings.
    pub(super) fn step(&self) -> usize {
        self.step
    }

    /// How far members of a new mapping are indented below its key, in the mapping `map`: as far as those of
    /// its last sibling, else as the file does.
    pub(super) fn step_in(&self, tree: &Tree<'_>, map: Id) -> usize {
        steps_in(tree, map).last().unwrap_or(self.step)
    }
}

/// How far the mappings directly inside a block mapping are indented.
fn steps_in<'t>(tree: &'t Tree<'_>, map: Id) -> impl Iterator<Item = usize> + 't {
    let lines = Lines { text: tree.text };
    tree.entries(map).filter_map(move |entry| {
        if !matches!(tree.node(entry.value).kind, Kind::Mapping { flow: false }) {
            return None;
        }
        let outer = lines.indentation(tree.node(entry.key).props)?;
        let inner = lines.indentation(tree.node(entry.value).start)?;
        inner.checked_sub(outer).filter(|step| (1..=WIDEST).contains(step))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn habits(text: &str) -> Habits {
        Habits::of(&Tree::parse(text).unwrap())
    }

    #[test]
    fn the_most_frequent_step_counts() {
        assert_eq!(habits("a:\n    b:\n        c: 1\nd:\n  e: 1\n").step, 4);
        assert_eq!(habits("a: {b: 1}\n").step, 2);
        assert_eq!(habits("a:\n b: 1\n").step, 1);
    }

    #[test]
    fn siblings_decide_first() {
        let tree = Tree::parse("a:\n  b:\n      c: 1\nd:\n  e: 1\n").unwrap();
        let section = tree.entries(0).next().unwrap().value;
        assert_eq!(Habits::of(&tree).step_in(&tree, section), 4);
    }

    #[test]
    fn quotes_follow_the_majority() {
        assert_eq!(habits("a: 'x'\nb: 'y'\nc: \"z\"\n").quotes, Quotes::Single);
        assert_eq!(habits("a: 'x'\nc: \"z\"\n").quotes, Quotes::Double);
    }
}
