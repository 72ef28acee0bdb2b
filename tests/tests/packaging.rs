//! What ships beside the binary: the stand-ins for older scripts, and the recipes for both images.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails here")]

#[path = "packaging/dockerfile.rs"]
mod dockerfile;
#[path = "packaging/hermes_image.rs"]
mod hermes_image;
#[path = "packaging/openclaw_image.rs"]
mod openclaw_image;
#[path = "packaging/replacements.rs"]
mod replacements;
#[path = "packaging/shims.rs"]
mod shims;
