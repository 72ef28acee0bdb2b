//! Something else stands where the plugin should, or where it is made ready.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

use hubkit_configurators::file::{FileError, Mode, Owner, Written};
use hubkit_configurators::folder::{FolderError, NoProbe};
use hubkit_tests::privilege::as_root;

use super::{AGENT, Bench, ID, give, installed, listing, names, own, rights, set_mode, write};

const FILES: &[(&str, &str)] = &[("index.js", "1\n"), ("lib/b.js", "2\n")];
const OTHER: u32 = 1001;

#[test]
fn a_link_or_a_file_in_its_place_is_refused_and_stays() {
    let bench = Bench::new();
    let source = bench.source("source", FILES);
    let elsewhere = bench.source("elsewhere", &[("index.js", "theirs\n")]);
    fs::create_dir(bench.extensions()).unwrap();
    for (kind, make) in [
        ("a symbolic link", &(|| symlink(&elsewhere, bench.folder()).unwrap()) as &dyn Fn()),
        ("a symbolic link", &|| symlink("nothing", bench.folder()).unwrap()),
        ("a regular file", &|| write(&bench.folder(), "theirs\n")),
    ] {
        make();
        for mode in [Mode::Write, Mode::CheckOnly] {
            for result in [bench.install_with(&source, mode, &NoProbe), bench.remove_with(mode, &NoProbe)] {
                let error = result.unwrap_err();
                let (_, uid, gid) = rights(&bench.folder());
                let owner = Owner { uid, gid };
                assert_eq!(error, FolderError::Occupied { path: bench.folder(), kind, owner });
                assert_eq!(error.exit_code(), 73);
                let said = error.to_string();
                assert!(said.contains(&format!("of {uid}:{gid}")) && said.contains("`rm "), "{said}");
            }
        }
        fs::remove_file(bench.folder()).unwrap();
    }
    assert_eq!(names(&elsewhere), ["index.js"]);
    assert_eq!(names(&bench.home()), ["extensions"]);
}

#[test]
fn a_strangers_folder_is_refused_and_stays() {
    as_root("destinations::a_strangers_folder_is_refused_and_stays", || {
        for tree in [0, AGENT] {
            let bench = Bench::new();
            let source = bench.source("source", FILES);
            bench.plant(FILES);
            bench.give_home(tree);
            give(&bench.folder(), OTHER);
            let before = listing(&bench.folder());
            for result in [bench.install(&source), bench.remove_with(Mode::Write, &NoProbe)] {
                let error = result.unwrap_err();
                let owner = |uid| Owner { uid, gid: uid };
                let expected =
                    FolderError::Foreign { path: bench.folder(), owner: owner(OTHER), tree: owner(tree) };
                assert_eq!(error, expected);
                assert_eq!(error.exit_code(), 73);
                assert!(error.to_string().contains("belongs to 1001:1001"), "{error}");
            }
            assert_eq!(listing(&bench.folder()), before);
            super::belongs(&bench.folder(), OTHER);
        }
    });
}

#[test]
fn a_file_of_a_strangers_in_the_folder_is_replaced() {
    as_root("destinations::a_file_of_a_strangers_in_the_folder_is_replaced", || {
        for tree in [0, AGENT] {
            let bench = Bench::new();
            let source = bench.source("source", FILES);
            bench.give_home(tree);
            bench.install(&source).unwrap();
            own(&bench.folder().join("index.js"), OTHER);
            assert_eq!(bench.install(&source).unwrap().written, Written::Replaced);
            super::belongs(&bench.folder(), tree);
            bench.is_clean("a stranger's file");
        }
    });
}

#[test]
fn a_staging_directory_that_others_may_write_is_refused() {
    let bench = Bench::new();
    let source = bench.source("source", FILES);
    fs::create_dir_all(bench.staging()).unwrap();
    for mode in [0o777, 0o1777, 0o720, 0o702] {
        set_mode(&bench.staging(), mode);
        let error = bench.install(&source).unwrap_err();
        assert!(matches!(&error, FolderError::Shared { mode: is, .. } if *is == mode), "{error}");
        assert_eq!(error.exit_code(), 73);
        assert!(error.to_string().contains("`chmod go-w "), "{error}");
        assert!(!bench.extensions().exists(), "what was made for it goes again");
    }
    set_mode(&bench.staging(), 0o755);
    bench.install(&source).unwrap();
    // What is right already needs no staging.
    set_mode(&bench.staging(), 0o777);
    assert_eq!(bench.install(&source).unwrap().written, Written::Unchanged);
}

#[test]
fn a_staging_directory_that_an_agent_planted_never_serves_root() {
    as_root("destinations::a_staging_directory_that_an_agent_planted_never_serves_root", || {
        // Everything is root's, but the staging directory is the agent's: it could swap what is made there.
        let bench = Bench::new();
        let source = bench.source("source", FILES);
        fs::create_dir_all(bench.staging()).unwrap();
        own(&bench.staging(), AGENT);
        bench.install(&source).unwrap();
        assert_eq!(listing(&bench.folder()), installed(FILES));
        super::belongs(&bench.folder(), 0);
        bench.is_clean("root's");
        // In the agent's own tree, a link of the agent's out of it.
        let bench = Bench::new();
        let source = bench.source("source", FILES);
        let vault = bench.source("vault", &[]);
        fs::create_dir(bench.path("home/.hubkit")).unwrap();
        symlink(&vault, bench.staging()).unwrap();
        bench.give_home(AGENT);
        let error = bench.install(&source).unwrap_err();
        let FolderError::File(FileError::LinkAway { path, .. }) = &error else { panic!("{error}") };
        assert_eq!((path, error.exit_code()), (&bench.staging(), 73));
        assert!(names(&vault).is_empty() && !bench.extensions().exists());
        // And one to another place in it, which is the agent's business.
        fs::remove_file(bench.staging()).unwrap();
        fs::create_dir(bench.path("home/own")).unwrap();
        symlink("../own", bench.staging()).unwrap();
        bench.give_home(AGENT);
        set_mode(&bench.path("home/own"), 0o700);
        bench.install(&source).unwrap();
        super::belongs(&bench.folder(), AGENT);
    });
}

#[test]
fn extensions_behind_a_link_out_of_the_tree_are_refused() {
    as_root("destinations::extensions_behind_a_link_out_of_the_tree_are_refused", || {
        let bench = Bench::new();
        let source = bench.source("source", FILES);
        let vault = bench.source("vault", &[]);
        symlink(&vault, bench.extensions()).unwrap();
        bench.give_home(AGENT);
        let error = bench.install(&source).unwrap_err();
        assert!(matches!(error, FolderError::File(FileError::LinkAway { .. })), "{error}");
        assert_eq!(error.exit_code(), 73);
        assert!(names(&vault).is_empty());
    });
}

#[test]
fn extensions_that_everybody_may_write_are_said() {
    let bench = Bench::new();
    let source = bench.source("source", FILES);
    fs::create_dir(bench.extensions()).unwrap();
    set_mode(&bench.extensions(), 0o777);
    let done = bench.install(&source).unwrap();
    assert_eq!(done.notices.len(), 1, "{:?}", done.notices);
    assert!(done.notices[0].contains("`chmod o-w "), "{:?}", done.notices);
    assert_eq!(rights(&bench.extensions()).0, 0o777, "not ours to change");
}

fn drill_as(bench: &Bench, uid: u32) -> Output {
    let binary = bench.path("drill");
    fs::copy(env!("CARGO_BIN_EXE_folder_drill"), &binary).unwrap();
    set_mode(&binary, 0o755);
    let paths = [bench.path("source"), bench.extensions(), ID.into(), bench.staging()];
    Command::new(&binary).args(paths).uid(uid).gid(uid).output().unwrap()
}

#[test]
fn an_ordinary_user_says_who_could() {
    as_root("destinations::an_ordinary_user_says_who_could", || {
        let said = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
        // Another user's extensions that all may write: that user's agent would not load what we make.
        let bench = Bench::new();
        bench.source("source", FILES);
        fs::create_dir(bench.extensions()).unwrap();
        bench.give_home(AGENT);
        set_mode(&bench.extensions(), 0o777);
        let output = drill_as(&bench, OTHER);
        assert_eq!(output.status.code(), Some(73), "{}", said(&output));
        assert!(said(&output).contains("run hubkit as uid 1000 or as root"), "{}", said(&output));
        assert!(names(&bench.extensions()).is_empty());
        // The right user.
        let output = drill_as(&bench, AGENT);
        assert_eq!(output.stdout, b"created swept 0\n", "{}", said(&output));
        super::belongs(&bench.folder(), AGENT);
        // A folder of root's: fine when it is right, else somebody has to look at it.
        give(&bench.folder(), 0);
        assert_eq!(drill_as(&bench, AGENT).stdout, b"unchanged swept 0\n");
        write(&bench.folder().join("index.js"), "other\n");
        let output = drill_as(&bench, AGENT);
        assert_eq!(output.status.code(), Some(73), "{}", said(&output));
        assert!(
            said(&output).contains("1000:1000") && said(&output).contains("as root"),
            "{}",
            said(&output)
        );
        assert_eq!(fs::read(bench.folder().join("index.js")).unwrap(), b"other\n");
        // No permission at all.
        let bench = Bench::new();
        bench.source("source", FILES);
        let output = drill_as(&bench, AGENT);
        assert_eq!(output.status.code(), Some(73));
        let expected = format!("uid 1000 cannot create a directory in {}", bench.home().display());
        assert!(said(&output).contains(&expected), "{}", said(&output));
    });
}
