//! Tools with a strict JSON parser could not read a JSON5 file.

use crate::scene::Scene;

#[test]
fn all_of_json5_is_read() {
    let before =
        "\u{feff}{\n  // c\n  a: 0xFF, b: +1, c: .5, d: 5., 'e': 'it\\'s', f: Infinity, g: 'x\\\ny',\n}\n";
    let after = Scene::openclaw(before).wired();
    assert!(after.starts_with(before.trim_end_matches("}\n")), "{after}");
}
