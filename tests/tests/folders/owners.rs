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

/// Who owns a directory can rename what stands in it, so an agent could put any directory of root's there.
#[test]
fn another_folder_of_roots_is_neither_handed_over_nor_removed() {
    as_root("owners::another_folder_of_roots_is_neither_handed_over_nor_removed", || {
        for (mode, through_link) in [(0o755, false), (0o700, false), (0o700, true)] {
            let bench = Bench::new();
            let source = bench.source("source", FILES);
            let place = if through_link { bench.home().join(super::ID) } else { bench.folder() };
            write(&place.join("a/dump"), "root's\n");
            bench.give_home(AGENT);
            if through_link {
                std::os::unix::fs::symlink(".", bench.extensions()).unwrap();
            }
            give(&place, 0);
            set_mode(&place, mode);
            let before = listing(&place);
            for error in
                [bench.install(&source).unwrap_err(), bench.remove_with(Mode::Write, &NoProbe).unwrap_err()]
            {
                assert_eq!(error.exit_code(), 73, "{error}");
            }
            assert_eq!(listing(&place), before);
            super::belongs(&place, 0);
        }
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
