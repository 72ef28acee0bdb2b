//! The groups of a user, from `/etc/passwd` and `/etc/group` as they are on this machine.
//!
//! Read-only and forgiving: a container may have neither file, and a line that is no entry is no entry.
//! Directory services are not asked; a static binary cannot load them.

use std::fs::File;
use std::io::Read;

/// More of either file is not read.
const FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Group ids of `uid`: its primary group and those that list its name. Sorted, without duplicates.
pub(super) fn groups_of(uid: u32) -> Vec<u32> {
    groups(uid, &read("/etc/passwd"), &read("/etc/group"))
}

fn read(path: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(path) {
        // What was read before an error still counts; the groups only ever widen what the user may do.
        let _ = file.take(FILE_BYTES).read_to_end(&mut bytes);
    }
    bytes
}

fn groups(uid: u32, passwd: &[u8], group: &[u8]) -> Vec<u32> {
    let mut names = Vec::new();
    let mut found = Vec::new();
    for line in lines(passwd) {
        // passwd(5): name:password:UID:GID:GECOS:directory:shell
        if let [name, _, id, gid, ..] = line.split(|byte| *byte == b':').collect::<Vec<_>>()[..]
            && number(id) == Some(uid)
        {
            names.push(name);
            found.extend(number(gid));
        }
    }
    for line in lines(group) {
        // group(5): name:password:GID:member,member
        if let [_, _, gid, members] = line.split(|byte| *byte == b':').collect::<Vec<_>>()[..]
            && members.split(|byte| *byte == b',').any(|member| !member.is_empty() && names.contains(&member))
        {
            found.extend(number(gid));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.starts_with(b"#"))
}

fn number(text: &[u8]) -> Option<u32> {
    // The last id means "unchanged" to the kernel and is nobody's.
    std::str::from_utf8(text).ok()?.parse().ok().filter(|id| *id != u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSWD: &[u8] = b"root:x:0:0:root:/root:/bin/sh\nhermes:x:10000:10001:,,,:/opt/data:\n\nbroken\n#off:x:10000:7::/:\nalias:x:10000:10002::/:/bin/sh\nbad:x:10000:many::/:\n";
    const GROUP: &[u8] = b"root:x:0:\nvideo:x:44:hermes,other\naudio:x:29:other\nline-without-members\nplugdev:x:46: \nwheel:x:10:alias\nhermesx:x:99:hermesx\nagain:x:44:alias\n";

    #[test]
    fn primary_and_listed_groups_under_every_name_of_the_user() {
        assert_eq!(groups(10000, PASSWD, GROUP), [10, 44, 10001, 10002]);
    }

    #[test]
    fn a_user_without_an_entry_has_none() {
        assert_eq!(groups(4242, PASSWD, GROUP), [0_u32; 0]);
        assert_eq!(groups(10000, b"", b""), [0_u32; 0]);
        assert_eq!(groups(10000, b"", GROUP), [0_u32; 0]);
    }

    #[test]
    fn the_last_id_is_nobodys() {
        assert_eq!(groups(5, b"a:x:5:4294967295::/:\n", b""), [0_u32; 0]);
    }
}
