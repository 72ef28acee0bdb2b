//! Root at work in an agent's tree, and what root left there.

use std::fs;

use hubkit_configurators::file::{Mode, Written};
use hubkit_configurators::folder::NoProbe;
use hubkit_tests::privilege::as_root;

use super::{AGENT, Bench, give, installed, listing, own, rights, set_mode, write};

const FILES: &[(&str, &str)] = &[("index.js", "1\n"), ("lib/b.js", "2\n")];

#[test]
fn everything_that_root_makes_is_the_trees() {
    as_root("owners::everything_that_root_makes_is_the_trees", || {
        for uid in [0, AGENT] {
            let bench = Bench::new();
            let source = bench.source("source", FILES);
            bench.give_home(uid);
            for expected in [Written::Created, Written::Replaced, Written::Unchanged] {
                let done = bench.install(&source).unwrap();
                assert_eq!((done.written, done.notices.len()), (expected, 0), "{done:?}");
                assert_eq!(listing(&bench.folder()), installed(FILES));
                if expected == Written::Created {
                    write(&bench.folder().join("more"), "");
                    give(&bench.folder(), uid);
                }
            }
            super::belongs(&bench.folder(), uid);
            for path in [bench.extensions(), bench.path("home/.hubkit"), bench.staging()] {
                let (_, owner, group) = rights(&path);
                assert_eq!((owner, group), (uid, uid), "{}", path.display());
            }
            assert_eq!(bench.remove_with(Mode::Write, &NoProbe).unwrap().written, Written::Removed);
            bench.is_clean("removed");
        }
    });
}

#[test]
fn a_right_folder_of_roots_stays_roots() {
    as_root("owners::a_right_folder_of_roots_stays_roots", || {
        let bench = Bench::new();
        let source = bench.source("source", FILES);
        bench.give_home(AGENT);
        bench.install(&source).unwrap();
        give(&bench.folder(), 0);
        assert_eq!(bench.install(&source).unwrap().written, Written::Unchanged);
        super::belongs(&bench.folder(), 0);
    });
}

#[test]
fn a_folder_that_root_left_is_replaced_and_then_the_agents() {
    as_root("owners::a_folder_that_root_left_is_replaced_and_then_the_agents", || {
        for mode in [0o755, 0o700, 0o555, 0o000] {
            let bench = Bench::new();
            let source = bench.source("source", FILES);
            bench.plant(&[("index.js", "old\n"), ("a/b/c/d", "deep\n"), ("a/e", "")]);
            bench.give_home(AGENT);
            give(&bench.folder(), 0);
            // A second name of something else of root's must not be given away.
            write(&bench.path("precious"), "root's\n");
            fs::hard_link(bench.path("precious"), bench.folder().join("a/precious")).unwrap();
            set_mode(&bench.folder().join("a"), mode);
            set_mode(&bench.folder(), mode);
            let done = bench.install(&source).unwrap();
            assert_eq!(done.written, Written::Replaced);
            assert!(done.notices[0].contains("was root's"), "{:?}", done.notices);
            assert_eq!(done.notices.len(), 1, "{:?}", done.notices);
            assert_eq!(listing(&bench.folder()), installed(FILES));
            super::belongs(&bench.folder(), AGENT);
            bench.is_clean("root's");
            assert_eq!(rights(&bench.path("precious")).1, 0);
            assert_eq!(fs::read(bench.path("precious")).unwrap(), b"root's\n");
        }
        let bench = Bench::new();
        bench.plant(&[("a/b", "")]);
        bench.give_home(AGENT);
        give(&bench.folder(), 0);
        assert_eq!(bench.remove_with(Mode::Write, &NoProbe).unwrap().written, Written::Removed);
        assert!(!bench.folder().exists());
        bench.is_clean("root's, removed");
    });
}

#[test]
fn hubkits_records_may_be_roots_while_the_extensions_are_the_agents() {
    as_root("owners::hubkits_records_may_be_roots_while_the_extensions_are_the_agents", || {
        let bench = Bench::new();
        let source = bench.source("source", FILES);
        fs::create_dir(bench.extensions()).unwrap();
        own(&bench.extensions(), AGENT);
        for expected in [Written::Created, Written::Replaced] {
            assert_eq!(bench.install(&source).unwrap().written, expected);
            super::belongs(&bench.folder(), AGENT);
            assert_eq!(listing(&bench.folder()), installed(FILES));
            bench.is_clean("staged inside");
            write(&bench.folder().join("more"), "");
        }
        assert!(!bench.staging().exists(), "root has made nothing for it");
    });
}
