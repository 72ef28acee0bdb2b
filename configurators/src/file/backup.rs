//! The backup of a write in place, as bytes: whose it is, what stood there, what was about to. Pure.
//!
//! A header of lines, then the path, the old content and the new one. The header holds their lengths and a
//! sum over them, so that a backup whose writing was cut short is known for one; nothing was done to the
//! file yet then.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use hubkit_contract::limits::CONFIG_FILE_BYTES;

const MAGIC: &str = "hubkit in-place backup 1";

/// The largest backup, bytes: two contents, a path and a header.
pub(super) const LARGEST: usize = 2 * CONFIG_FILE_BYTES + 64 * 1024;

/// What is known of a file before it is written to in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Backup<'a> {
    /// The file's number. Its device's number is not kept: it is given out anew at every mount.
    pub(super) inode: u64,
    /// The physical path.
    pub(super) path: &'a Path,
    pub(super) old: &'a [u8],
    pub(super) new: &'a [u8],
}

impl<'a> Backup<'a> {
    pub(super) fn encode(&self) -> Vec<u8> {
        let parts = [self.path.as_os_str().as_bytes(), self.old, self.new];
        let mut bytes = header(self.inode, parts).into_bytes();
        for part in parts {
            bytes.extend_from_slice(part);
        }
        bytes
    }

    /// Reads what [`Backup::encode`] wrote; `None` for anything else.
    pub(super) fn decode(bytes: &'a [u8]) -> Option<Self> {
        let end = bytes.windows(2).position(|pair| pair == b"\n\n")? + 2;
        let (head, mut body) = bytes.split_at(end);
        let mut lines = std::str::from_utf8(head).ok()?.lines().skip(1);
        let mut number = || lines.next()?.split_once(' ')?.1.parse::<u64>().ok();
        let inode = number()?;
        let mut part = || {
            let (part, rest) = body.split_at_checked(usize::try_from(number()?).ok()?)?;
            body = rest;
            Some(part)
        };
        let parts = [part()?, part()?, part()?];
        // Lengths, sum and spelling in one comparison.
        if !body.is_empty() || head != header(inode, parts).as_bytes() {
            return None;
        }
        let [path, old, new] = parts;
        Some(Self { inode, path: Path::new(std::ffi::OsStr::from_bytes(path)), old, new })
    }
}

fn header(inode: u64, [path, old, new]: [&[u8]; 3]) -> String {
    let sum = sum(&[&inode.to_le_bytes(), path, old, new]);
    let [path, old, new] = [path, old, new].map(<[u8]>::len);
    format!("{MAGIC}\ninode {inode}\npath {path}\nold {old}\nnew {new}\nsum {sum:016x}\n\n")
}

/// The name of the backup of the file at `path`.
pub(super) fn name(path: &Path) -> OsString {
    format!("in-place-{:016x}.backup", sum(&[path.as_os_str().as_bytes()])).into()
}

/// FNV-1a, 64 bits. It tells a whole backup from a torn one and spreads names; it keeps nobody out, which
/// the state directory's owner and mode do.
fn sum(parts: &[&[u8]]) -> u64 {
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    parts.iter().copied().flatten().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backup() -> Backup<'static> {
        Backup { inode: 42, path: Path::new("/home/a/c.yaml"), old: b"a: 1\n\n\0\xff", new: b"a: 2\n" }
    }

    #[test]
    fn what_was_written_is_read() {
        let empty = Backup { inode: u64::MAX, path: Path::new("/"), old: b"", new: b"" };
        for backup in [backup(), empty, Backup { old: b"", ..backup() }, Backup { new: b"", ..backup() }] {
            assert_eq!(Backup::decode(&backup.encode()), Some(backup));
        }
    }

    #[test]
    fn a_backup_cut_short_anywhere_is_none() {
        let bytes = backup().encode();
        for length in 0..bytes.len() {
            assert_eq!(Backup::decode(&bytes[..length]), None, "{length}");
        }
        assert_eq!(Backup::decode(&[&bytes[..], b"x"].concat()), None);
    }

    #[test]
    fn a_backup_with_any_other_byte_is_none() {
        let bytes = backup().encode();
        for at in 0..bytes.len() {
            for other in [0, b'\n', b'0', b'9', bytes[at] ^ 1] {
                let mut bytes = bytes.clone();
                if std::mem::replace(&mut bytes[at], other) != other {
                    assert_eq!(Backup::decode(&bytes), None, "{at}");
                }
            }
        }
        // Blocks that were allocated and never written.
        assert_eq!(Backup::decode(&vec![0; bytes.len()]), None);
    }

    #[test]
    fn names_differ_with_the_path_and_stay_the_same() {
        assert_eq!(name(Path::new("/home/a/c.yaml")), "in-place-d6964774de6910a0.backup");
        assert_ne!(name(Path::new("/home/a/c.yaml")), name(Path::new("/home/b/c.yaml")));
    }
}
