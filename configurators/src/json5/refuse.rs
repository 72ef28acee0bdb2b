//! The refusals of this engine in words. They name keys and places, never values.

use super::proof::Objection;
use super::scan::{Fault, Why};
use super::tree::{Kind, Node};
use super::write::Unwritable;
use crate::{Position, Refusal, RefusalKind};

const MEND: &str = "mend the file at that place and run this again";

/// A text that the scanner does not take.
pub(super) fn fault(text: &str, fault: Fault) -> Refusal {
    let at = Some(Position::of(text, fault.at));
    match fault.why {
        Why::Syntax(what) => {
            Refusal { kind: RefusalKind::Syntax, at, what: format!("not JSON5: {what}"), next: MEND }
        }
        Why::TooDeep => Refusal {
            kind: RefusalKind::TooDeep,
            at,
            what: "nested too deeply".to_owned(),
            next: "flatten the file at that place and run this again",
        },
    }
}

/// A text that the scanner takes and the `json5` crate does not, or reads differently.
pub(super) fn objection(objection: &Objection) -> Refusal {
    match objection {
        Objection::Syntax(at) => Refusal {
            kind: RefusalKind::Syntax,
            at: *at,
            what: "not JSON5 that every reader takes".to_owned(),
            next: MEND,
        },
        Objection::Differs => Refusal {
            kind: RefusalKind::Unproven,
            at: None,
            what: "two JSON5 readers disagree about the file".to_owned(),
            next: "make the edit by hand, and report this file's shape as a bug",
        },
    }
}

/// A value on the path that is no mapping and may not be replaced by one. The empty path is the root.
pub(super) fn not_a_mapping(text: &str, node: &Node<'_>, path: &[&str]) -> Refusal {
    misplaced(text, node, path, "mapping", "put a mapping there or remove the key, then run this again")
}

/// A value that is no list and may not be replaced by one.
pub(super) fn not_a_list(text: &str, node: &Node<'_>, path: &[&str]) -> Refusal {
    misplaced(text, node, path, "list", "put a list there or remove the key, then run this again")
}

fn misplaced(text: &str, node: &Node<'_>, path: &[&str], wanted: &str, next: &'static str) -> Refusal {
    let kind = match node.kind {
        Kind::Null => "null",
        Kind::Bool(_) => "a boolean",
        Kind::Number => "a number",
        Kind::Text => "a string",
        Kind::List(_) => "a list",
        Kind::Object(_) => "a mapping",
    };
    let name = if path.is_empty() { "the file".to_owned() } else { format!("`{}`", path.join(".")) };
    Refusal {
        kind: RefusalKind::NotAMapping,
        at: Some(Position::of(text, node.span.start)),
        what: format!("{name} holds {kind} where a {wanted} must stand"),
        next,
    }
}

/// Keys that mean something else to JavaScript code than a member of that name, and the empty path.
pub(super) fn unsafe_keys(path: &[&str]) -> Result<(), Refusal> {
    if !path.is_empty() && !path.contains(&"__proto__") {
        return Ok(());
    }
    Err(Refusal {
        kind: RefusalKind::Unproven,
        at: None,
        what: "an edit of the root or of a key named `__proto__`".to_owned(),
        next: "choose another name",
    })
}

/// A value that the format does not have.
#[expect(clippy::needless_pass_by_value, reason = "made for `map_err`")]
pub(super) fn unwritable(unwritable: Unwritable) -> Refusal {
    Refusal {
        kind: RefusalKind::Unproven,
        at: None,
        what: format!("a wanted value cannot be written: {}", unwritable.0),
        next: "choose another value",
    }
}

/// A spliced text that does not scan.
pub(super) fn spliced(text: &str, found: Fault) -> Refusal {
    match found.why {
        Why::TooDeep => fault(text, found),
        Why::Syntax(_) => unproven(),
    }
}

/// An edit that the proof rejects.
pub(super) fn unproven() -> Refusal {
    Refusal {
        kind: RefusalKind::Unproven,
        at: None,
        what: "the edit could not be proven harmless".to_owned(),
        next: "make the edit by hand, and report this file's shape as a bug",
    }
}
