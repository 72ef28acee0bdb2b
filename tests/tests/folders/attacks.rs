//! An agent that means harm: root installs a plugin in its home, and at every fail point the agent swaps
//! something. Root's files keep their bytes, owner and mode, and root never writes where the agent could not.
//!
//! A fail point of the writing runs in the thread that works, so what it does it does with exactly the agent's
//! powers.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use hubkit_configurators::file::Mode;
use hubkit_configurators::folder::{NoProbe, Probe, Step};
use hubkit_tests::privilege::as_root;
use rustix::io::Errno;

use super::{AGENT, Bench, ID, Listing, give, listing, names, own, rights, set_mode, write};

const OLD: &[(&str, &str)] = &[("index.js", "old\n"), ("lib/b.js", "old\n")];
const NEW: &[(&str, &str)] = &[("index.js", "new\n"), ("more/c.js", "new\n")];

struct Stage {
    bench: Bench,
    /// Root's directory.
    vault: PathBuf,
    before: Listing,
}

fn stage(exists: bool) -> Stage {
    let bench = Bench::new();
    let vault =
        bench.source("vault", &[("index.js", "root's\n"), ("lib/b.js", "root's\n"), ("staging/x", "")]);
    fs::create_dir_all(bench.path("vault/sample")).unwrap();
    bench.source("new", NEW);
    if exists {
        bench.plant(OLD);
    }
    // As after an earlier run.
    fs::create_dir_all(bench.staging()).unwrap();
    set_mode(&bench.staging(), 0o700);
    fs::create_dir_all(bench.extensions()).unwrap();
    bench.give_home(AGENT);
    // Where the kernel does not protect hard links, the agent can make this one itself.
    fs::hard_link(vault.join("index.js"), bench.path("home/second-name")).unwrap();
    let before = listing(&vault);
    Stage { bench, vault, before }
}

type Act = dyn Fn(&Stage) -> std::io::Result<()> + Sync;

struct Attack<'a> {
    step: Step,
    done: AtomicBool,
    act: &'a Act,
    stage: &'a Stage,
}

impl Probe for Attack<'_> {
    fn at(&self, step: Step) -> Result<(), Errno> {
        if step == self.step && !self.done.swap(true, Ordering::SeqCst) {
            assert_eq!(rustix::process::geteuid().as_raw(), AGENT, "root itself is at work");
            // Some of these the kernel refuses; then the attack fails right there.
            let _ = (self.act)(self.stage);
        }
        Ok(())
    }
}

fn staged(stage: &Stage) -> std::io::Result<PathBuf> {
    let name = names(&stage.bench.staging()).into_iter().find(|name| name.starts_with("folder-"));
    Ok(stage.bench.staging().join(name.ok_or(std::io::ErrorKind::NotFound)?))
}

/// Moves `path` away and puts a link to `to` there.
fn swap_for_link(path: &Path, to: &Path) -> std::io::Result<()> {
    fs::rename(path, path.with_extension("moved"))?;
    symlink(to, path)
}

#[test]
fn no_swap_at_any_moment_reaches_roots_files() {
    as_root("attacks::no_swap_at_any_moment_reaches_roots_files", || {
        let attacks: &[(&str, &Act)] = &[
            ("the folder becomes a link to root's", &|stage| {
                let _ = fs::rename(stage.bench.folder(), stage.bench.path("home/moved"));
                symlink(&stage.vault, stage.bench.folder())
            }),
            ("the extensions become a link to root's", &|stage| {
                swap_for_link(&stage.bench.extensions(), &stage.vault)
            }),
            ("the staging directory becomes a link to root's", &|stage| {
                swap_for_link(&stage.bench.staging(), &stage.vault)
            }),
            ("what holds it becomes a link to root's", &|stage| {
                swap_for_link(&stage.bench.path("home/.hubkit"), &stage.vault)
            }),
            ("the home becomes a link to root's", &|stage| swap_for_link(&stage.bench.home(), &stage.vault)),
            ("the new folder becomes a link to root's", &|stage| {
                swap_for_link(&staged(stage)?, &stage.vault)
            }),
            ("a directory in it becomes a link to root's", &|stage| {
                swap_for_link(&staged(stage)?.join("more"), &stage.vault)
            }),
            ("a file in it becomes a second name of root's", &|stage| {
                fs::rename(stage.bench.path("home/second-name"), staged(stage)?.join("index.js"))
            }),
            ("a file of the old folder becomes a second name of root's", &|stage| {
                fs::rename(stage.bench.path("home/second-name"), stage.bench.folder().join("index.js"))
            }),
            ("a directory of the old folder becomes a link to root's", &|stage| {
                swap_for_link(&stage.bench.folder().join("lib"), &stage.vault)
            }),
            ("the displaced folder becomes a link to root's", &|stage| {
                let name = staged(stage)?;
                fs::rename(&name, stage.bench.path("home/displaced"))?;
                symlink(&stage.vault, name)
            }),
        ];
        for exists in [true, false] {
            for (name, act) in attacks {
                for step in Step::ALL {
                    // The source is root's business.
                    if matches!(step, Step::ReadSource | Step::CheckSource) {
                        continue;
                    }
                    let stage = stage(exists);
                    let attack = Attack { step: *step, done: AtomicBool::new(false), act, stage: &stage };
                    let source = stage.bench.path("new");
                    let result = stage.bench.install_with(&source, Mode::Write, &attack);
                    let when = format!("{name}, before {}: {result:?}", step.name());
                    assert_eq!(listing(&stage.vault), stage.before, "{when}");
                    super::belongs(&stage.vault, 0);
                    let home = stage.bench.home();
                    if !home.is_symlink() {
                        is_the_agents(&home, &when);
                    }
                }
            }
        }
    });
}

/// Nothing below is root's but the second name.
fn is_the_agents(path: &Path, when: &str) {
    let is_second_name = fs::symlink_metadata(path).unwrap().is_file() && rights(path).0 == 0o666;
    assert!(rights(path).1 == AGENT || is_second_name, "{when}: {} is root's", path.display());
    if path.is_dir() && !path.is_symlink() {
        for name in names(path) {
            is_the_agents(&path.join(name), when);
        }
    }
}

#[test]
fn things_that_look_like_our_leftovers_are_no_way_out() {
    as_root("attacks::things_that_look_like_our_leftovers_are_no_way_out", || {
        let stage = stage(true);
        let name = |number: u32| stage.bench.staging().join(format!("folder-{number}-0123456789abcdef"));
        symlink(&stage.vault, name(1)).unwrap();
        own(&name(1), AGENT);
        fs::create_dir(name(2)).unwrap();
        symlink(&stage.vault, name(2).join("x")).unwrap();
        fs::hard_link(stage.vault.join("index.js"), name(2).join("y")).unwrap();
        own(&name(2), AGENT);
        write(&name(3).join("roots"), "");
        stage.bench.install(&stage.bench.path("new")).unwrap();
        assert_eq!(listing(&stage.vault), stage.before);
        super::belongs(&stage.vault, 0);
        assert!(name(3).exists(), "root's is not swept with the agent's powers");
        assert_eq!(names(&stage.bench.staging()).len(), 1);
    });
}

#[test]
fn what_is_planted_inside_the_extensions_is_no_way_out() {
    as_root("attacks::what_is_planted_inside_the_extensions_is_no_way_out", || {
        // Root's extensions that all may write; hubkit's records are elsewhere, so that it stages inside.
        let stage = stage(false);
        let bench = &stage.bench;
        own(&bench.home(), 0);
        own(&bench.extensions(), 0);
        set_mode(&bench.extensions(), 0o1777);
        let inner = bench.extensions().join(".hubkit.disabled");
        for planted in [bench.path("vault"), bench.path("home/.hubkit")] {
            symlink(&planted, &inner).unwrap();
            own(&inner, AGENT);
            let error = bench.install(&bench.path("new")).unwrap_err();
            assert_eq!(error.exit_code(), 73, "{error}");
            fs::remove_file(&inner).unwrap();
        }
        fs::create_dir_all(inner.join("staging")).unwrap();
        give(&inner, AGENT);
        let error = bench.install(&bench.path("new")).unwrap_err();
        assert_eq!(error.exit_code(), 73, "{error}");
        assert_eq!(listing(&stage.vault), stage.before);
        assert!(!bench.extensions().join(ID).exists());
        let _ = bench.remove_with(Mode::Write, &NoProbe);
        assert_eq!(listing(&stage.vault), stage.before);
    });
}
