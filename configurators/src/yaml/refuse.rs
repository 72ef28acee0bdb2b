//! The refusals of the YAML engine, worded in one place. None of them quotes a value of the file.

use crate::{Position, Refusal, RefusalKind};

const BY_HAND: &str = "correct the file by hand; it was left as it is";

fn refusal(kind: RefusalKind, text: &str, at: usize, what: String, next: &'static str) -> Refusal {
    Refusal { kind, at: Some(Position::of(text, at)), what, next }
}

/// The host's parser would not read the file.
pub(super) fn syntax(text: &str, at: usize, what: impl Into<String>) -> Refusal {
    refusal(RefusalKind::Syntax, text, at, what.into(), BY_HAND)
}

/// A second document begins.
pub(super) fn several_documents(text: &str, at: usize) -> Refusal {
    let what = "a second YAML document begins here".to_owned();
    refusal(RefusalKind::SeveralDocuments, text, at, what, "keep one document in the file")
}

/// Nested past the limit.
pub(super) fn too_deep(text: &str, at: usize) -> Refusal {
    let limit = hubkit_contract::limits::CONFIG_NESTING;
    let what = format!("nested deeper than {limit} levels");
    refusal(RefusalKind::TooDeep, text, at, what, "flatten the file")
}

/// Something that should be a mapping is `kind`.
pub(super) fn not_a_mapping(text: &str, at: usize, path: &[String], kind: &str) -> Refusal {
    let what = format!("{} is {kind}, where a mapping should stand", named(path));
    refusal(RefusalKind::NotAMapping, text, at, what, "remove it or make it a mapping")
}

/// Something that should be a list is `kind`.
pub(super) fn not_a_list(text: &str, at: usize, path: &[String], kind: &str) -> Refusal {
    let what = format!("{} is {kind}, where a list should stand", named(path));
    refusal(RefusalKind::NotAMapping, text, at, what, "remove it or make it a list")
}

/// The node is an alias, comes through a merge key, or is shared through an anchor.
pub(super) fn shared(text: &str, at: usize, path: &[String], how: &str) -> Refusal {
    let what = format!("{} {how}, so an edit would change other places too", named(path));
    refusal(RefusalKind::Shared, text, at, what, "write it out without the anchor, alias or merge key")
}

/// The node carries a tag that is not its own type's.
pub(super) fn tagged(text: &str, at: usize, what: impl Into<String>) -> Refusal {
    refusal(RefusalKind::Tagged, text, at, what.into(), "remove the tag")
}

/// No placement could be proven.
pub(super) fn unproven(text: &str, at: Option<usize>, what: impl Into<String>) -> Refusal {
    Refusal {
        kind: RefusalKind::Unproven,
        at: at.map(|at| Position::of(text, at)),
        what: what.into(),
        next: "make this change by hand",
    }
}

/// How a message names a path.
pub(super) fn named(path: &[String]) -> String {
    if path.is_empty() { "the root".to_owned() } else { format!("`{}`", path.join(".")) }
}
