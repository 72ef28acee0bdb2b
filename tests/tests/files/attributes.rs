//! Modes, extended attributes and access control lists stay what they were.

use std::fs;
use std::path::Path;

use hubkit_configurators::file::{Current, Mode, NoProbe, Plan, Target, edit};
use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};

use super::{append, rights, set_mode};

const ACCESS: &str = "system.posix_acl_access";
const DEFAULT: &str = "system.posix_acl_default";

/// An access control list as the kernel stores it (`linux/posix_acl_xattr.h`): version 2, then tag, rights
/// and id of each entry: owner, user 4321, group, mask, others.
fn acl(group: u16) -> Vec<u8> {
    let none = u32::MAX;
    let entries = [(0x01, 6, none), (0x02, 4, 4321), (0x04, group, none), (0x10, 4, none), (0x20, 0, none)];
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        bytes.extend_from_slice(&u16::to_le_bytes(tag));
        bytes.extend_from_slice(&u16::to_le_bytes(rights));
        bytes.extend_from_slice(&u32::to_le_bytes(id));
    }
    bytes
}

fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 4096];
    let length = getxattr(path, name, &mut value[..]).ok()?;
    value.truncate(length);
    Some(value)
}

fn attribute_names(path: &Path) -> Vec<String> {
    let mut list = vec![0; 4096];
    let length = listxattr(path, &mut list[..]).unwrap();
    let mut names: Vec<String> = list[..length]
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty() && !name.starts_with(b"security."))
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn every_mode_is_kept() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    for mode in [0o600, 0o640, 0o644, 0o666, 0o777, 0o400, 0o4755, 0o2640, 0o1600, 0o6711] {
        fs::write(&file, "").unwrap();
        set_mode(&file, mode);
        let before = rights(&file);
        append(&file).unwrap();
        assert_eq!(rights(&file), before, "{mode:o}");
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn extended_attributes_and_access_control_lists_are_kept() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    fs::write(&file, "a: 1\n").unwrap();
    set_mode(&file, 0o640);
    setxattr(&file, "user.note", b"theirs\0binary", XattrFlags::empty()).unwrap();
    setxattr(&file, "user.empty", b"", XattrFlags::empty()).unwrap();
    setxattr(&file, ACCESS, &acl(4), XattrFlags::empty()).unwrap();
    let before = rights(&file);
    append(&file).unwrap();
    assert_eq!(rights(&file), before);
    assert_eq!(attribute(&file, "user.note").unwrap(), b"theirs\0binary");
    assert_eq!(attribute(&file, "user.empty").unwrap(), b"");
    assert_eq!(attribute(&file, ACCESS).unwrap(), acl(4));
}

#[test]
fn a_directorys_default_list_does_not_leak_into_an_existing_file() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    fs::write(&file, "a: 1\n").unwrap();
    set_mode(&file, 0o644);
    setxattr(scratch.path(), DEFAULT, &acl(4), XattrFlags::empty()).unwrap();
    let before = rights(&file);
    append(&file).unwrap();
    assert_eq!(attribute_names(&file), [""; 0]);
    assert_eq!(rights(&file), before);
    // A new file is its owner's alone, whatever the default list says: the mask is empty.
    let new = scratch.path().join("new");
    append(&new).unwrap();
    assert_eq!(rights(&new).0, 0o600);
}

#[test]
fn the_planner_learns_whether_others_can_read() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("c");
    let others = || {
        let plan =
            |current: Current<'_>| Ok::<_, std::convert::Infallible>(Plan::Keep(current.others_can_read));
        edit(&Target::new(&file, Mode::Write), &NoProbe, plan).unwrap().note
    };
    assert!(!others(), "no file");
    fs::write(&file, "").unwrap();
    set_mode(&file, 0o644);
    set_mode(scratch.path(), 0o700);
    assert!(!others(), "nobody else gets into the directory");
    set_mode(scratch.path(), 0o711);
    for (mode, expected) in [(0o600, false), (0o640, false), (0o604, true), (0o644, true), (0o642, false)] {
        set_mode(&file, mode);
        assert_eq!(others(), expected, "{mode:o}");
    }
}
