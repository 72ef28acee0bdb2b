//! A fresh key in the Hub's own form, and the file that hands it to a person.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use hubkit_redaction::Secret;

/// Random bytes of a key; the Hub writes them as 64 lower-case hexadecimal digits.
const KEY_BYTES: usize = 32;

/// A new random key, 64 lower-case hexadecimal digits as the Hub mints them.
///
/// # Errors
/// The system has no `/dev/urandom`.
pub fn generate_key() -> io::Result<Secret> {
    let mut bytes = [0; KEY_BYTES];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(Secret::new(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
}

/// Writes `key` and a newline to a new file that only its owner may read (0600).
///
/// # Errors
/// The file exists already, or cannot be written.
pub fn write_new_key_file(path: &Path, key: &Secret) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(key.expose().as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()
}
