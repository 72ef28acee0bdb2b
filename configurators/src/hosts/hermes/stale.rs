//! What older set-ups left in Hermes's configuration. It is reported; the entry of our own is mended where the
//! Hub's variables are set, what stands beside it is a person's to remove.

use crate::hosts::old_entry;
use crate::recipe::Reader;

/// The Hub's name in OpenClaw, under which older scripts wrote it here as well.
const FOREIGN: &str = "ci-hub";

/// What was left, one sentence each.
pub(super) fn leftovers(document: &dyn Reader) -> Vec<String> {
    old_entry::leftovers(document, &super::RECIPE, FOREIGN)
}
