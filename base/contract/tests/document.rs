//! `docs/CONTRACTS.md` is what this crate generates. `cargo xtask contracts` writes it by running this test with
//! `HUBKIT_WRITE_CONTRACTS` set.

use std::path::Path;

#[test]
fn the_document_is_the_generated_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/CONTRACTS.md");
    let generated = hubkit_contract::markdown::contracts();
    if std::env::var_os("HUBKIT_WRITE_CONTRACTS").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == generated,
        "docs/CONTRACTS.md differs from base/contract; run `cargo xtask contracts`"
    );
}
