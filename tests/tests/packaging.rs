//! What ships beside the binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails here")]

#[path = "packaging/shims.rs"]
mod shims;
