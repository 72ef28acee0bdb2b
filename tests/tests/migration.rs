//! What older wiring left, row by row of `docs/MIGRATION.md`: what hubkit says about it, and what it changes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails here")]

#[path = "migration/cases.rs"]
mod cases;
#[path = "migration/env_file.rs"]
mod env_file;
#[path = "migration/of_root.rs"]
mod of_root;
#[path = "migration/page.rs"]
mod page;
