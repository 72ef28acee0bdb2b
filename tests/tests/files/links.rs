//! Symbolic links, and things that are no files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use hubkit_configurators::file::{FileError, Mode, NoProbe, Written};

use super::{LINE, append, append_with, names, rights, set_mode};

#[test]
fn a_link_stays_and_its_target_is_edited_in_its_own_directory() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    for directory in ["data", "vault"] {
        fs::create_dir(root.join(directory)).unwrap();
    }
    let vault = root.join("vault/h.yaml");
    let absolute = vault.to_string_lossy().into_owned();
    for (number, text) in ["../vault/h.yaml", "../data/../vault//./h.yaml", &absolute].iter().enumerate() {
        fs::write(&vault, "theirs: 1\n").unwrap();
        set_mode(&vault, 0o640);
        let (_, uid, gid) = rights(&vault);
        let link = root.join(format!("data/config{number}.yaml"));
        symlink(text, &link).unwrap();
        let outcome = append(&link).unwrap();
        assert_eq!(outcome.written, Written::Replaced);
        assert_eq!(outcome.path, vault);
        assert_eq!(fs::read_link(&link).unwrap(), Path::new(text));
        assert_eq!(fs::read_to_string(&vault).unwrap(), format!("theirs: 1\n{LINE}"));
        assert_eq!(rights(&vault), (0o640, uid, gid));
        assert_eq!(names(&root.join("vault")), ["h.yaml"]);
    }
    assert_eq!(names(&root.join("data")), ["config0.yaml", "config1.yaml", "config2.yaml"]);
}

#[test]
fn links_to_directories_are_followed_for_files_that_exist_and_for_new_ones() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("real/sub")).unwrap();
    symlink("real", root.join("one")).unwrap();
    symlink("one/sub", root.join("two")).unwrap();
    let outcome = append(&root.join("two/new.yaml")).unwrap();
    assert_eq!(outcome.written, Written::Created);
    assert_eq!(outcome.path, root.join("real/sub/new.yaml"));
    let outcome = append(&root.join("two/../new.yaml")).unwrap();
    assert_eq!(outcome.path, root.join("real/new.yaml"), "`..` is the physical parent");
    let outcome = append(&root.join("one/deep/er/new.yaml")).unwrap();
    assert_eq!(outcome.created_directories, [root.join("real/deep"), root.join("real/deep/er")]);
}

#[test]
fn a_dangling_link_is_refused_naming_both_and_nothing_is_created() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    fs::create_dir(root.join("data")).unwrap();
    let link = root.join("data/config.yaml");
    for (text, gone) in
        [("../gone.yaml", "gone.yaml"), ("../no/where.yaml", "no"), ("deeper/x", "data/deeper")]
    {
        let _ = fs::remove_file(&link);
        symlink(text, &link).unwrap();
        for mode in [Mode::CheckOnly, Mode::Write] {
            let error = append_with(&link, mode, &NoProbe).unwrap_err();
            assert_eq!(error, FileError::Dangling { path: link.clone(), target: root.join(gone) });
            assert_eq!(error.exit_code(), 73);
            assert!(error.to_string().contains(&link.display().to_string()), "{error}");
            assert!(error.to_string().contains(&root.join(gone).display().to_string()), "{error}");
        }
        assert_eq!(names(&root), ["data"]);
        assert_eq!(names(&root.join("data")), ["config.yaml"]);
    }
    symlink("nowhere", root.join("dir")).unwrap();
    let error = append(&root.join("dir/config.yaml")).unwrap_err();
    assert_eq!(error, FileError::Dangling { path: root.join("dir"), target: root.join("nowhere") });
}

#[test]
fn circles_of_links_end_and_forty_links_are_followed() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    symlink("b", root.join("a")).unwrap();
    symlink("a", root.join("b")).unwrap();
    symlink("self", root.join("self")).unwrap();
    symlink("../x/../dir", root.join("dir")).unwrap();
    for name in ["a", "b", "self", "dir/config.yaml"] {
        let error = append(&root.join(name)).unwrap_err();
        // A circle through a directory that does not exist ends as a dangling link instead.
        assert!(matches!(error, FileError::LinkLoop { .. } | FileError::Dangling { .. }), "{name}: {error}");
        assert_eq!(error.exit_code(), 73);
    }
    fs::write(root.join("l0"), "").unwrap();
    for number in 1..=41 {
        symlink(format!("l{}", number - 1), root.join(format!("l{number}"))).unwrap();
    }
    assert_eq!(append(&root.join("l40")).unwrap().path, root.join("l0"));
    assert!(matches!(append(&root.join("l41")), Err(FileError::LinkLoop { links: 40, .. })));
}

#[test]
fn what_is_no_regular_file_is_refused_untouched_and_never_waited_for() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    fs::create_dir(root.join("directory")).unwrap();
    fs::write(root.join("directory/inside"), "").unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, root.join("fifo"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
        .unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
    for (name, kind) in [("directory", "a directory"), ("fifo", "a fifo"), ("socket", "a socket")] {
        symlink(name, root.join(format!("to-{name}"))).unwrap();
        for name in [name.to_owned(), format!("to-{name}")] {
            match append(&root.join(&name)).unwrap_err() {
                FileError::NotAFile { kind: found, .. } => assert_eq!(found, kind, "{name}"),
                error => unreachable!("{name}: {error}"),
            }
        }
    }
    for path in [Path::new("/"), &root.join("directory/.."), &root] {
        assert!(matches!(append(path), Err(FileError::NotAFile { kind: "a directory", .. })), "{path:?}");
    }
    assert!(matches!(append(Path::new("/dev/null")), Err(FileError::NotAFile { .. })));
    assert_eq!(names(&root.join("directory")), ["inside"]);
    assert_eq!(append(&root.join("directory/inside/more")).unwrap_err().exit_code(), 73);
}

#[test]
fn strange_paths_are_errors() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    for path in
        [Path::new(""), &root.join("no/../config.yaml"), &root.join("nul\0byte"), &root.join("x".repeat(300))]
    {
        let error = append(path).unwrap_err();
        assert_eq!(error.exit_code(), 73, "{path:?}: {error}");
    }
    assert!(names(&root).is_empty());
}
