//! Sources that are not what they should be, or do not hold still.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use hubkit_configurators::file::{Mode, Written};
use hubkit_configurators::folder::{FolderError, Probe, Step};
use hubkit_contract::limits::{PLUGIN_BYTES, PLUGIN_ENTRIES, PLUGIN_LEVELS};
use hubkit_tests::privilege::as_root;
use rustix::io::Errno;

use super::{AGENT, Bench, give, installed, listing, names, own, set_mode, write};

const FILES: &[(&str, &str)] = &[("index.js", "1\n"), ("lib/b.js", "2\n")];

type Act = dyn Fn(&Path) + Sync;

fn refusal(bench: &Bench, source: &Path) -> FolderError {
    let error = bench.install(source).unwrap_err();
    assert!(names(&bench.home()).is_empty(), "something was made: {error}");
    error
}

#[test]
fn links_and_special_files_are_refused_by_name() {
    let make: &[(&str, &Act)] = &[
        ("a symbolic link", &|at| symlink("/etc/passwd", at).unwrap()),
        // Also one that stays inside, and one to nothing.
        ("a symbolic link", &|at| symlink("index.js", at).unwrap()),
        ("a symbolic link", &|at| symlink("nothing", at).unwrap()),
        ("a symbolic link", &|at| symlink(".", at).unwrap()),
        ("a fifo", &|at| {
            let fifo = rustix::fs::FileType::Fifo;
            rustix::fs::mknodat(rustix::fs::CWD, at, fifo, 0o644.into(), 0).unwrap();
        }),
        ("a socket", &|at| drop(std::os::unix::net::UnixListener::bind(at).unwrap())),
    ];
    for (kind, make) in make {
        for place in ["odd", "lib/odd"] {
            let bench = Bench::new();
            let source = bench.source("source", FILES);
            make(&source.join(place));
            let error = refusal(&bench, &source);
            assert_eq!(error, FolderError::NotPlain { path: source.join(place), kind });
            assert_eq!(error.exit_code(), 65);
        }
    }
}

#[test]
fn a_second_name_is_refused() {
    let bench = Bench::new();
    let source = bench.source("source", FILES);
    fs::hard_link(source.join("index.js"), bench.path("elsewhere")).unwrap();
    let error = refusal(&bench, &source);
    assert_eq!(error, FolderError::SecondName { path: source.join("index.js"), count: 2 });
    assert_eq!(error.exit_code(), 65);
}

#[test]
fn what_is_no_folder_is_refused() {
    let bench = Bench::new();
    write(&bench.path("file"), "");
    for name in ["absent", "absent/deeper", "file"] {
        let error = refusal(&bench, &bench.path(name));
        assert_eq!(error, FolderError::NoFolder { path: bench.path(name) });
        assert_eq!(error.exit_code(), 65);
    }
}

#[test]
fn a_source_may_be_reached_through_a_link() {
    let bench = Bench::new();
    let source = bench.source("v1", FILES);
    symlink(&source, bench.path("current")).unwrap();
    assert_eq!(bench.install(&bench.path("current")).unwrap().written, Written::Created);
}

#[test]
fn limits_hold_at_the_limit_and_one_past_it() {
    let bench = Bench::new();
    let source = bench.source("source", &[]);
    for number in 0..PLUGIN_ENTRIES {
        fs::write(source.join(number.to_string()), "").unwrap();
    }
    fs::write(source.join("more"), "").unwrap();
    let unit = |error| match error {
        FolderError::TooMuch { unit, path, .. } if path == source => unit,
        other => panic!("{other:?}"),
    };
    assert_eq!(unit(refusal(&bench, &source)), "files and directories");
    fs::remove_file(source.join("more")).unwrap();
    bench.install(&source).unwrap();
    assert_eq!(names(&bench.folder()).len(), PLUGIN_ENTRIES);

    let bench = Bench::new();
    let deep = bench.source("deep", &[]).join("d/".repeat(PLUGIN_LEVELS));
    fs::create_dir_all(deep.join("d")).unwrap();
    let error = refusal(&bench, &bench.path("deep"));
    assert!(matches!(error, FolderError::TooMuch { unit: "levels of directories", .. }), "{error}");
    fs::remove_dir(deep.join("d")).unwrap();
    bench.install(&bench.path("deep")).unwrap();

    let bench = Bench::new();
    let large = bench.source("large", &[("a", ""), ("b", "")]);
    let size = |name: &str, bytes: usize| {
        fs::File::options().write(true).open(large.join(name)).unwrap().set_len(bytes as u64).unwrap();
    };
    for (a, b) in [(PLUGIN_BYTES + 1, 0), (1 << 40, 0), (PLUGIN_BYTES, 1)] {
        size("a", a);
        size("b", b);
        let error = refusal(&bench, &large);
        assert!(matches!(error, FolderError::TooMuch { unit: "bytes", .. }), "{error}");
        assert_eq!(error.exit_code(), 65);
    }
    size("b", 0);
    assert_eq!(bench.install(&large).unwrap().written, Written::Created);
    assert_eq!(fs::metadata(bench.folder().join("a")).unwrap().len(), PLUGIN_BYTES as u64);
}

/// Does something before the n-th passing of a step.
struct At<'a> {
    step: Step,
    from: usize,
    to: usize,
    seen: AtomicUsize,
    act: &'a (dyn Fn() + Sync),
}

impl Probe for At<'_> {
    fn at(&self, step: Step) -> Result<(), Errno> {
        if step == self.step {
            let seen = self.seen.fetch_add(1, Ordering::SeqCst);
            if (self.from..self.to).contains(&seen) {
                (self.act)();
            }
        }
        Ok(())
    }
}

#[test]
fn a_source_that_changes_while_it_is_read_is_read_again() {
    let changes: &[(&str, &Act)] = &[
        ("a byte", &|source| fs::write(source.join("index.js"), "3\n").unwrap()),
        ("a renamed file", &|source| {
            fs::write(source.join("new"), "3\n").unwrap();
            fs::rename(source.join("new"), source.join("index.js")).unwrap();
        }),
        ("a new file", &|source| fs::write(source.join("lib/new"), "").unwrap()),
        ("a file less", &|source| {
            let _ = fs::remove_file(source.join("lib/b.js"));
        }),
        ("a mode", &|source| set_mode(&source.join("index.js"), 0o777)),
    ];
    // The root, index.js, lib, lib/b.js, and the second look.
    for (step, count) in [(Step::ReadSource, 4), (Step::CheckSource, 1)] {
        for number in 0..count {
            for (what, change) in changes {
                let bench = Bench::new();
                let source = bench.source("source", FILES);
                let act = || change(&source);
                let seen = AtomicUsize::new(0);
                let probe = At { step, from: number, to: number + 1, seen, act: &act };
                bench.install_with(&source, Mode::Write, &probe).unwrap();
                // What is installed is what the source holds, all of it after the change.
                let again = bench.install(&source).unwrap();
                assert_eq!(again.written, Written::Unchanged, "{what} before {} {number}", step.name());
            }
        }
    }
}

#[test]
fn a_source_that_never_holds_still_is_given_up() {
    let bench = Bench::new();
    let source = bench.source("source", FILES);
    let number = AtomicUsize::new(0);
    let act = || {
        let number = number.fetch_add(1, Ordering::SeqCst);
        fs::write(source.join("index.js"), number.to_string()).unwrap();
    };
    let probe = At { step: Step::CheckSource, from: 0, to: usize::MAX, seen: AtomicUsize::new(0), act: &act };
    let error = bench.install_with(&source, Mode::Write, &probe).unwrap_err();
    assert_eq!(error, FolderError::KeepsChanging { path: source, attempts: 8 });
    assert_eq!(error.exit_code(), 75);
    assert!(names(&bench.home()).is_empty());
}

#[test]
fn a_source_of_roots_is_installed_for_the_agent() {
    as_root("sources::a_source_of_roots_is_installed_for_the_agent", || {
        let bench = Bench::new();
        let source = bench.source("source", FILES);
        set_mode(&source, 0o700);
        set_mode(&source.join("index.js"), 0o600);
        bench.give_home(AGENT);
        bench.install(&source).unwrap();
        assert_eq!(listing(&bench.folder()), installed(FILES));
        super::belongs(&bench.folder(), AGENT);
    });
}

#[test]
fn what_an_image_copied_into_the_agents_home_is_a_source() {
    as_root("sources::what_an_image_copied_into_the_agents_home_is_a_source", || {
        let bench = Bench::new();
        bench.give_home(AGENT);
        // `COPY` without `--chown`.
        bench.source("home/plugin", FILES);
        bench.install(&bench.path("home/plugin")).unwrap();
        super::belongs(&bench.folder(), AGENT);
        assert_eq!(rights_of_source(&bench), 0);
    });
}

fn rights_of_source(bench: &Bench) -> u32 {
    super::rights(&bench.path("home/plugin/index.js")).1
}

#[test]
fn an_agent_cannot_have_root_read_for_it() {
    as_root("sources::an_agent_cannot_have_root_read_for_it", || {
        let secret = |bench: &Bench| {
            let vault = bench.source("vault", &[("index.js", "secret\n")]);
            set_mode(&vault.join("index.js"), 0o600);
            set_mode(&vault, 0o700);
            vault
        };
        // A link in the agent's home, where root was told to find a plugin.
        let bench = Bench::new();
        let vault = secret(&bench);
        symlink(&vault, bench.path("home/plugin")).unwrap();
        bench.give_home(AGENT);
        own(&vault, 0);
        let error = bench.install(&bench.path("home/plugin")).unwrap_err();
        assert_eq!(error.exit_code(), 73, "{error}");
        assert!(!bench.folder().exists());
        // A second name of root's file.
        let bench = Bench::new();
        let vault = secret(&bench);
        fs::create_dir(bench.path("home/plugin")).unwrap();
        bench.give_home(AGENT);
        fs::hard_link(vault.join("index.js"), bench.path("home/plugin/index.js")).unwrap();
        assert!(bench.install(&bench.path("home/plugin")).is_err());
        assert!(!bench.folder().exists());
        // The same in a folder of root's, with the agent's directory in it.
        let bench = Bench::new();
        let vault = secret(&bench);
        let source = bench.source("source", FILES);
        give(&source.join("lib"), AGENT);
        bench.give_home(AGENT);
        fs::hard_link(vault.join("index.js"), source.join("lib/c.js")).unwrap();
        let error = bench.install(&source).unwrap_err();
        assert!(matches!(error, FolderError::SecondName { .. }), "{error}");
        assert!(!bench.folder().exists());
    });
}
