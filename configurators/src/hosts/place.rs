//! Where a key stands, as the beginning of a sentence.

use crate::recipe::Reader;

/// `line 3: `, or nothing where the key is not written out.
pub(crate) fn at(document: &dyn Reader, path: &[&str]) -> String {
    document.line(path).map(|line| format!("line {line}: ")).unwrap_or_default()
}
