//! The flow of an edit: plan, splice, parse again, prove. All at once if that can be proven, which costs one
//! more parse; else one operation after the other, each in every way it knows.

use super::plan::{Joined, Operation, plan};
use super::proof;
use super::readable;
use super::refuse;
use super::tree::Tree;
use super::wanted::Wanted;
use crate::splice::{Splice, apply, ordered};
use crate::{Change, Refusal};

/// The text in which `wanted` holds.
///
/// # Errors
/// A node on a path cannot be edited, or no placement can be proven.
pub(super) fn edit(tree: &Tree<'_>, wanted: &Wanted) -> Result<String, Refusal> {
    let operations = plan(tree, wanted, Joined::PerMapping)?;
    if operations.is_empty() {
        return Ok(tree.text.to_owned());
    }
    if let Some(text) = all_at_once(tree, wanted, &operations) {
        return Ok(text);
    }
    let rounds = plan(tree, wanted, Joined::PerKey)?.len();
    one_by_one(tree, wanted, rounds)
}

fn all_at_once(tree: &Tree<'_>, wanted: &Wanted, operations: &[Operation]) -> Option<String> {
    let firsts: Option<Vec<&Vec<Splice>>> =
        operations.iter().map(|operation| operation.ways.first()).collect();
    let splices: Vec<Splice> = firsts?.into_iter().flatten().cloned().collect();
    proven(tree, wanted, &splices)
}

/// The spliced text, if it is proven.
fn proven(tree: &Tree<'_>, wanted: &Wanted, splices: &[Splice]) -> Option<String> {
    spliced(tree, splices, |new| proof::only_wanted_differs(tree, new, wanted))
}

/// The spliced text, if the host reads it, its comments are the old ones, and it is what was asked for.
pub(super) fn spliced(
    tree: &Tree<'_>,
    splices: &[Splice],
    is_right: impl Fn(&Tree<'_>) -> bool,
) -> Option<String> {
    let candidate = apply(tree.text, &ordered(splices.to_vec())?);
    let holds = {
        let new = Tree::parse(&candidate).ok()?;
        readable::check(&new).is_ok() && proof::comments_kept(tree, &new, splices) && is_right(&new)
    };
    holds.then_some(candidate)
}

/// The spliced text, if it is proven to lack the key at `path` and nothing else.
pub(super) fn without(tree: &Tree<'_>, path: &[&str], splices: &[Splice]) -> Option<String> {
    let wanted = Wanted::of(&[Change::remove(path)]).ok()?;
    // What is shared must stay, however it is cut out.
    plan(tree, &wanted, Joined::PerMapping).ok()?;
    proven(tree, &wanted, splices)
}

/// The spliced text, if it is proven to hold nothing in the place of the value at `path` and to be the same
/// otherwise.
pub(super) fn vacated(tree: &Tree<'_>, path: &[&str], splices: &[Splice]) -> Option<String> {
    if !path.is_empty() {
        plan(tree, &Wanted::of(&[Change::remove(path)]).ok()?, Joined::PerMapping).ok()?;
    }
    spliced(tree, splices, |new| proof::only_vacated_differs(tree, new, path))
}

/// Each round does one operation and proves it; the whole way is proven against the original again.
fn one_by_one(original: &Tree<'_>, wanted: &Wanted, rounds: usize) -> Result<String, Refusal> {
    let mut current = original.text.to_owned();
    for _ in 0..rounds {
        let next = {
            let tree = Tree::parse(&current)?;
            let operations = plan(&tree, wanted, Joined::PerKey)?;
            let Some(operation) = operations.iter().min_by_key(|operation| operation.stage) else { break };
            let done = operation.ways.iter().find_map(|way| proven(&tree, &operation.wanted, way));
            done.ok_or_else(|| {
                let what =
                    format!("no place for {} could be proven harmless", refuse::named(&operation.path));
                refuse::unproven(tree.text, Some(operation.at), what)
            })?
        };
        current = next;
    }
    let holds = proof::only_wanted_differs(original, &Tree::parse(&current)?, wanted);
    if holds {
        return Ok(current);
    }
    Err(refuse::unproven(original.text, None, "the edits together could not be proven harmless"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    /// How many operations there are, and whether one more parse is enough for them.
    fn at_once(text: &str, changes: &[Change]) -> (usize, bool) {
        let tree = Tree::parse(text).unwrap();
        let wanted = Wanted::of(changes).unwrap();
        let operations = plan(&tree, &wanted, Joined::PerMapping).unwrap();
        (operations.len(), all_at_once(&tree, &wanted, &operations).is_some())
    }

    #[test]
    fn the_usual_edits_cost_one_more_parse() {
        let entry = Value::Map(vec![
            ("url".into(), "u".into()),
            ("headers".into(), Value::Map(vec![("A".into(), "b c".into())])),
        ]);
        let mut changes = vec![Change::set(&["s", "hub"], entry)];
        assert_eq!(at_once("a: 1\n", &changes), (1, true));
        assert_eq!(at_once("s:\n  a: 1\n", &changes), (1, true));
        assert_eq!(at_once("s: {a: 1}\n", &changes), (1, true));
        changes.extend(["command", "args"].map(|key| Change::remove(&["s", "hub", key])));
        let broken = "s:\n  hub:\n    command: x\n    url: y\n    headers:\n      B: 1\n    args: [1]\nz: 1";
        assert_eq!(at_once(broken, &changes), (3, true));
        assert_eq!(at_once("s: {hub: {command: x, url: y, args: [1]}}", &changes), (3, true));
        assert_eq!(at_once("s:\n  hub:\n    command: x\n    args: [1]", &changes), (2, true));
    }

    #[test]
    fn what_does_not_fit_together_is_done_one_by_one() {
        // Appending would give the block scalar the line break that it lacks.
        let text = "n:\n  s: |\n    x";
        let changes = [Change::set(&["n", "t"], Value::Int(1)), Change::set(&["o"], Value::Int(2))];
        assert_eq!(at_once(text, &changes), (2, false));
        let tree = Tree::parse(text).unwrap();
        let edited = edit(&tree, &Wanted::of(&changes).unwrap()).unwrap();
        assert_eq!(edited, "o: 2\nn:\n  t: 1\n  s: |\n    x");
    }
}
