//! What stands beside the file: backups, and leftovers of our own killed runs.

use std::ffi::{OsStr, OsString};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, Dir, FileType, fstat, statat, unlinkat};
use rustix::io::Errno;

/// Names beside the file.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Backups, sorted.
    pub(super) backups: Vec<String>,
    /// Names of our own pattern for this file. Someone else may have chosen them.
    pub(super) leftovers: Vec<OsString>,
    /// Whether the directory's mode keeps other users from reaching anything in it.
    pub(super) closed_to_others: bool,
}

impl Listing {
    /// Lists the open `directory` for what concerns `name`.
    pub(super) fn of(directory: impl AsFd, name: &OsStr) -> Result<Self, Errno> {
        let closed_to_others = fstat(&directory)?.st_mode & 0o001 == 0;
        let mut listing = Self { closed_to_others, ..Self::default() };
        let backup = [name.as_bytes(), b".bak"].concat();
        let last_good = [name.as_bytes(), b".last-good"].concat();
        for entry in Dir::read_from(directory)? {
            let entry = entry?;
            let found = entry.file_name().to_bytes();
            if found.starts_with(&backup) || found == last_good {
                listing.backups.push(String::from_utf8_lossy(found).into_owned());
            } else if is_temp_name(found, name) {
                listing.leftovers.push(OsStr::from_bytes(found).to_owned());
            }
        }
        listing.backups.sort_unstable();
        Ok(listing)
    }

    /// Removes the leftovers: regular files of `uid` alone. The caller holds the lock on `directory`, under
    /// which every run does its work, so that none of them is in use. Returns how many were removed.
    pub(super) fn sweep(&self, directory: impl AsFd, uid: u32) -> Result<usize, Errno> {
        let mut swept = 0;
        for name in &self.leftovers {
            let stat = match statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => stat,
                Err(Errno::NOENT) => continue,
                Err(why) => return Err(why),
            };
            if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_uid == uid {
                match unlinkat(&directory, name, AtFlags::empty()) {
                    Ok(()) => swept += 1,
                    // Where nothing can be removed nothing can be replaced either, and that will say why.
                    Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => {}
                    Err(why) => return Err(why),
                }
            }
        }
        Ok(swept)
    }
}

/// The name of a temporary file beside `name`, of a process and a random number.
pub(super) fn temp_name(name: &OsStr, pid: u32, random: u64) -> OsString {
    let mut temp = OsString::from(".");
    temp.push(name);
    temp.push(format!(".hubkit-{pid}-{random:016x}.tmp"));
    temp
}

/// Whether `found` is what [`temp_name`] makes for `name`, to the letter.
fn is_temp_name(found: &[u8], name: &OsStr) -> bool {
    let middle = found
        .strip_prefix(b".")
        .and_then(|rest| rest.strip_prefix(name.as_bytes()))
        .and_then(|rest| rest.strip_prefix(b".hubkit-"))
        .and_then(|rest| rest.strip_suffix(b".tmp"));
    let Some((pid, random)) = middle.and_then(|middle| {
        let dash = middle.iter().position(|byte| *byte == b'-')?;
        Some((&middle[..dash], &middle[dash + 1..]))
    }) else {
        return false;
    };
    (1..=10).contains(&pid.len())
        && pid.iter().all(u8::is_ascii_digit)
        && random.len() == 16
        && random.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_ours(found: &str, name: &str) -> bool {
        is_temp_name(found.as_bytes(), OsStr::new(name))
    }

    #[test]
    fn a_temporary_name_is_known_again_for_its_own_file_alone() {
        for (pid, random) in [(1, 0), (u32::MAX, u64::MAX), (4_194_304, 0xabc)] {
            let name = temp_name(OsStr::new("config.yaml"), pid, random);
            let name = name.to_str().unwrap();
            assert!(is_ours(name, "config.yaml"), "{name}");
            assert!(!is_ours(name, "config.yam"), "{name}");
            assert!(!is_ours(name, "onfig.yaml"), "{name}");
        }
    }

    #[test]
    fn names_that_only_look_like_ours_are_not() {
        for name in [
            ".c.hubkit-1-0123456789abcdef.tm",
            ".c.hubkit-1-0123456789abcdef.tmp2",
            ".c.hubkit-1-0123456789ABCDEF.tmp",
            ".c.hubkit-1-0123456789abcde.tmp",
            ".c.hubkit--0123456789abcdef.tmp",
            ".c.hubkit-x-0123456789abcdef.tmp",
            ".c.hubkit-12345678901-0123456789abcdef.tmp",
            "c.hubkit-1-0123456789abcdef.tmp",
            ".c.hubkit-1-0123456789abcdef-1-0123456789abcdef.tmp",
            ".d.hubkit-1-0123456789abcdef.tmp",
            ".c.bak.hubkit-1-0123456789abcdef.tmp",
        ] {
            assert!(!is_ours(name, "c"), "{name}");
        }
        assert!(is_ours(".c.hubkit-1-0123456789abcdef.tmp", "c"));
    }
}
