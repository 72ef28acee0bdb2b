//! The process's own environment as a [`Source`], and its files.

use std::fs::OpenOptions;
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use hubkit_contract::{Intake, Source};
use rustix::fs::OFlags;

/// Takes the intake from the environment of this process.
#[must_use]
pub fn intake() -> Intake {
    Intake::take(&Source { variable: &|name| std::env::var_os(name), file: &read_bounded })
}

/// Reads at most `limit` bytes and one more, so that a larger file shows. A pipe or a device is refused, since
/// it could keep the agent from ever starting.
fn read_bounded(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    let limit = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
