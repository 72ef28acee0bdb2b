//! Many installations at once, and somebody else in between.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use hubkit_configurators::file::{Mode, Written};
use hubkit_configurators::folder::{Probe, Step};
use hubkit_tests::privilege::as_root;
use rustix::io::Errno;

use super::{AGENT, Bench, ID, installed, listing, write};

const ONE: &[(&str, &str)] = &[("index.js", "1\n"), ("lib/b.js", "1\n"), ("only-one", "")];
const TWO: &[(&str, &str)] = &[("index.js", "2\n"), ("lib/b.js", "2\n"), ("only/two", "")];

fn start(bench: &Bench, source: &str) -> Child {
    let paths = [bench.path(source), bench.extensions(), ID.into(), bench.staging()];
    let mut command = Command::new(env!("CARGO_BIN_EXE_folder_drill"));
    command.args(paths).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn twenty(bench: &Bench) {
    bench.source("one", ONE);
    bench.source("two", TWO);
    let children: Vec<Child> =
        (0..20).map(|number| start(bench, if number % 2 == 0 { "one" } else { "two" })).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let now = listing(&bench.folder());
    assert!(now == installed(ONE) || now == installed(TWO), "{now:?}");
    bench.is_clean("twenty at once");
}

#[test]
fn twenty_at_once_end_in_one_whole_folder() {
    twenty(&Bench::new());
}

#[test]
fn twenty_at_once_as_root_in_an_agents_tree() {
    as_root("races::twenty_at_once_as_root_in_an_agents_tree", || {
        let bench = Bench::new();
        bench.give_home(AGENT);
        twenty(&bench);
        super::belongs(&bench.folder(), AGENT);
    });
}

#[test]
fn the_folder_is_there_at_every_instant() {
    let bench = Bench::new();
    let sources = [bench.source("one", ONE), bench.source("two", TWO)];
    bench.install(&sources[0]).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                assert!(bench.folder().symlink_metadata().unwrap().is_dir());
            }
        });
        for round in 0..100 {
            let done = bench.install(&sources[(round + 1) % 2]).unwrap();
            assert_eq!(done.written, Written::Replaced);
        }
        done.store(true, Ordering::SeqCst);
    });
}

/// Does something once, before a step.
struct Once<'a>(Step, Mutex<Option<&'a (dyn Fn() + Sync)>>);

impl Probe for Once<'_> {
    fn at(&self, step: Step) -> Result<(), Errno> {
        if step == self.0
            && let Some(act) = self.1.lock().unwrap().take()
        {
            act();
        }
        Ok(())
    }
}

type Act = dyn Fn(&Bench) + Sync;

/// The steps that the installation is at with the destination in view.
const STEPS: &[Step] = &[
    Step::OpenExtensions,
    Step::Lock,
    Step::Sweep,
    Step::OpenStaging,
    Step::LockStaging,
    Step::MakeFolder,
    Step::Sync,
    Step::Create,
    Step::Exchange,
];

#[test]
fn a_folder_that_comes_goes_or_changes_in_between_ends_as_ours() {
    for exists in [false, true] {
        for step in STEPS {
            let acts: &[(&str, &Act)] = &[
                ("comes", &|bench| bench.plant(&[("theirs", "")])),
                ("goes", &|bench| {
                    let _ = fs::remove_dir_all(bench.folder());
                }),
                ("the extensions go", &|bench| {
                    let _ = fs::remove_dir_all(bench.extensions());
                }),
                ("the home goes", &|bench| fs::remove_dir_all(bench.home()).unwrap()),
            ];
            for (what, act) in acts {
                let bench = Bench::new();
                let source = bench.source("one", ONE);
                if exists {
                    bench.plant(TWO);
                }
                let act = || act(&bench);
                let when = format!("{what} before {}, existed: {exists}", step.name());
                let result = bench.install_with(&source, Mode::Write, &Once(*step, Mutex::new(Some(&act))));
                assert!(result.is_ok(), "{when}: {}", result.unwrap_err());
                assert_eq!(listing(&bench.folder()), installed(ONE), "{when}");
                bench.is_clean(&when);
            }
        }
    }
}

#[test]
fn a_lock_that_is_held_is_a_matter_of_time() {
    let bench = Bench::new();
    let source = bench.source("one", ONE);
    fs::create_dir(bench.extensions()).unwrap();
    let holder = fs::File::open(bench.extensions()).unwrap();
    holder.lock().unwrap();
    let error = bench.install(&source).unwrap_err();
    assert_eq!(error.exit_code(), 75, "{error}");
    assert!(error.to_string().contains(&bench.extensions().display().to_string()), "{error}");
    assert!(!bench.folder().exists());
    // What is right needs no lock.
    drop(holder);
    bench.install(&source).unwrap();
    let holder = fs::File::open(bench.extensions()).unwrap();
    holder.lock().unwrap();
    write(&bench.staging().join("folder-1-0123456789abcdef/x"), "");
    assert_eq!(bench.install(&source).unwrap().written, Written::Unchanged);
}
