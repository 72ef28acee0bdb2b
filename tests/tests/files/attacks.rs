//! An agent that means harm: it owns its home, root runs hubkit in it, and at every fail point the agent
//! swaps something. Root's files keep their bytes, owner and mode, and root never writes where the agent
//! could not.
//!
//! A fail point runs in the thread that works, so what it does it does with exactly the agent's powers.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use hubkit_configurators::file::{Mode, Plan, Probe, Step, Target, edit};
use hubkit_tests::privilege::as_root;
use rustix::io::Errno;

use super::{append_in_place, append_with, names, own, rights, set_mode};

struct Stage {
    _scratch: tempfile::TempDir,
    /// Root's directory with root's `c.yaml`, which everyone may read.
    vault: PathBuf,
    /// The agent's `home/agent/c.yaml`.
    home: PathBuf,
    file: PathBuf,
    /// The agent's state directory, `home/agent/.hubkit`.
    state: PathBuf,
}

fn stage() -> Stage {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    set_mode(&root, 0o755);
    let [vault, outer] = ["vault", "home"].map(|name| root.join(name));
    let home = outer.join("agent");
    for directory in [&vault, &outer, &home] {
        fs::create_dir(directory).unwrap();
    }
    fs::write(vault.join("c.yaml"), "root: 1\n").unwrap();
    set_mode(&vault.join("c.yaml"), 0o644);
    let file = home.join("c.yaml");
    fs::write(&file, "a: 1\n").unwrap();
    for path in [&outer, &home, &file] {
        own(path, 1234, 5678);
    }
    // Where the kernel does not protect hard links, the agent can make this one itself.
    fs::hard_link(vault.join("c.yaml"), home.join("second-name")).unwrap();
    Stage { _scratch: scratch, vault, state: home.join(".hubkit"), home, file }
}

struct Attack<'a> {
    step: Step,
    done: AtomicBool,
    act: &'a (dyn Fn(&Stage) -> std::io::Result<()> + Sync),
    stage: &'a Stage,
}

impl Probe for Attack<'_> {
    fn at(&self, step: Step) -> Result<(), Errno> {
        if step == self.step && !self.done.swap(true, Ordering::SeqCst) {
            assert_eq!(rustix::process::geteuid().as_raw(), 1234, "root itself is at work");
            // Some of these the kernel refuses; then the attack fails right there.
            let _ = (self.act)(self.stage);
        }
        Ok(())
    }
}

fn temp_of(home: &Path) -> Option<PathBuf> {
    let name = names(home).into_iter().find(|name| name.starts_with(".c.yaml.hubkit-"))?;
    Some(home.join(name))
}

type Act = dyn Fn(&Stage) -> std::io::Result<()> + Sync;

/// What the agent does in between.
const ATTACKS: &[(&str, &Act)] = &[
    ("the directory becomes a link to root's", &|stage| {
        fs::rename(&stage.home, stage.home.with_extension("old"))?;
        symlink(&stage.vault, &stage.home)
    }),
    ("the file becomes a link to root's", &|stage| {
        fs::remove_file(&stage.file)?;
        symlink(stage.vault.join("c.yaml"), &stage.file)
    }),
    ("the file becomes a second name of root's", &|stage| {
        fs::remove_file(&stage.file)?;
        fs::rename(stage.home.join("second-name"), &stage.file)
    }),
    ("the temporary file becomes a second name of root's", &|stage| {
        let temp = temp_of(&stage.home).ok_or(std::io::ErrorKind::NotFound)?;
        fs::rename(stage.home.join("second-name"), temp)
    }),
    ("the temporary file becomes a link to root's", &|stage| {
        let temp = temp_of(&stage.home).ok_or(std::io::ErrorKind::NotFound)?;
        fs::remove_file(&temp)?;
        symlink(stage.vault.join("c.yaml"), &temp)
    }),
    ("the temporary file becomes a fifo", &|stage| {
        let temp = temp_of(&stage.home).ok_or(std::io::ErrorKind::NotFound)?;
        fs::remove_file(&temp)?;
        let fifo = rustix::fs::FileType::Fifo;
        Ok(rustix::fs::mknodat(rustix::fs::CWD, &temp, fifo, 0o600.into(), 0)?)
    }),
    ("the temporary file becomes a huge file", &|stage| {
        let temp = temp_of(&stage.home).ok_or(std::io::ErrorKind::NotFound)?;
        fs::remove_file(&temp)?;
        fs::File::create(&temp)?.set_len(1 << 40)
    }),
    ("the file becomes a fifo", &|stage| {
        fs::remove_file(&stage.file)?;
        let fifo = rustix::fs::FileType::Fifo;
        Ok(rustix::fs::mknodat(rustix::fs::CWD, &stage.file, fifo, 0o600.into(), 0)?)
    }),
    ("everything goes", &|stage| fs::remove_dir_all(&stage.home)),
    ("the state directory becomes a link to root's", &|stage| {
        let _ = fs::rename(&stage.state, stage.home.join("state.old"));
        symlink(&stage.vault, &stage.state)
    }),
    ("the backup becomes a second name of root's", &|stage| {
        fs::rename(stage.home.join("second-name"), backup_of(stage)?)
    }),
    ("the backup becomes a link to root's", &|stage| {
        let backup = backup_of(stage)?;
        fs::remove_file(&backup)?;
        symlink(stage.vault.join("c.yaml"), backup)
    }),
    ("the backup becomes a fifo", &|stage| {
        let backup = backup_of(stage)?;
        fs::remove_file(&backup)?;
        let fifo = rustix::fs::FileType::Fifo;
        Ok(rustix::fs::mknodat(rustix::fs::CWD, &backup, fifo, 0o600.into(), 0)?)
    }),
];

fn backup_of(stage: &Stage) -> std::io::Result<PathBuf> {
    let mut found = fs::read_dir(&stage.state)?;
    Ok(found.next().ok_or(std::io::ErrorKind::NotFound)??.path())
}

fn no_swap_reaches_roots_files(prepare: impl Fn(&Stage), work: impl Fn(&Stage, &dyn Probe) -> String) {
    let passed = Mutex::new(Vec::new());
    let record = super::in_place::When(|step| {
        let mut passed = passed.lock().unwrap();
        if !passed.contains(&step) {
            passed.push(step);
        }
        Ok(())
    });
    let undisturbed = stage();
    prepare(&undisturbed);
    work(&undisturbed, &record);
    let passed = passed.into_inner().unwrap();
    assert!(passed.contains(&Step::Done));
    for (name, act) in ATTACKS {
        for step in &passed {
            let stage = stage();
            prepare(&stage);
            let attack = Attack { step: *step, done: AtomicBool::new(false), act, stage: &stage };
            let result = work(&stage, &attack);
            let when = format!("{name}, before {}: {result}", step.name());
            assert_eq!(fs::read(stage.vault.join("c.yaml")).unwrap(), b"root: 1\n", "{when}");
            assert_eq!(rights(&stage.vault.join("c.yaml")), (0o644, 0, 0), "{when}");
            assert_eq!(names(&stage.vault), ["c.yaml"], "{when}");
            assert_eq!(rights(&stage.vault), (0o755, 0, 0), "{when}");
            let outer = stage.home.parent().unwrap();
            let secret = fs::metadata(stage.vault.join("c.yaml")).unwrap().ino();
            for entry in walk(outer) {
                let is_secret = fs::symlink_metadata(&entry).unwrap().ino() == secret;
                assert!(is_secret || rights(&entry).1 == 1234, "{when}: {} is root's", entry.display());
            }
        }
    }
}

#[test]
fn no_swap_at_any_moment_reaches_roots_files() {
    as_root("attacks::no_swap_at_any_moment_reaches_roots_files", || {
        no_swap_reaches_roots_files(
            |_| {},
            |stage, probe| format!("{:?}", append_with(&stage.file, Mode::Write, probe)),
        );
    });
}

#[test]
fn no_swap_at_any_moment_of_writing_in_place_reaches_roots_files() {
    as_root("attacks::no_swap_at_any_moment_of_writing_in_place_reaches_roots_files", || {
        no_swap_reaches_roots_files(
            |stage| {
                let other = stage.home.join("other-name");
                fs::hard_link(&stage.file, other).unwrap();
            },
            |stage, probe| format!("{:?}", append_in_place(&stage.file, &stage.state, probe)),
        );
    });
}

#[test]
fn no_swap_at_any_moment_of_a_recovery_reaches_roots_files() {
    as_root("attacks::no_swap_at_any_moment_of_a_recovery_reaches_roots_files", || {
        for foreign in [false, true] {
            no_swap_reaches_roots_files(
                |stage| {
                    let other = stage.home.join("other-name");
                    fs::hard_link(&stage.file, other).unwrap();
                    leave_a_backup(stage, foreign);
                },
                |stage, probe| format!("{:?}", append_in_place(&stage.file, &stage.state, probe)),
            );
        }
    });
}

/// Leaves half a write and its backup, as a kill does; with `foreign`, as after somebody else's write.
fn leave_a_backup(stage: &Stage, foreign: bool) {
    let (old, new) = (vec![b'#'; 2048], vec![b'n'; 2048]);
    fs::write(&stage.file, &old).unwrap();
    let stuck = super::in_place::When(|step| match step {
        Step::SyncFile | Step::Restore => Err(Errno::IO),
        _ => Ok(()),
    });
    let target = Target::new(&stage.file, Mode::Write).with_state(&stage.state);
    let plan = Plan::Replace { bytes: new.clone(), note: () };
    edit(&target, &stuck, |_| Ok::<_, std::convert::Infallible>(plan.clone())).unwrap_err();
    assert_eq!(names(&stage.state).len(), 1);
    let mut now = [&new[..1024], &old[1024..]].concat();
    if foreign {
        now[0] = b'x';
    }
    fs::write(&stage.file, now).unwrap();
}

fn walk(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for name in names(directory) {
        let path = directory.join(name);
        if path.is_dir() && !path.is_symlink() {
            found.extend(walk(&path));
        }
        found.push(path);
    }
    found
}

#[test]
fn things_that_look_like_our_leftovers_are_no_way_out() {
    as_root("attacks::things_that_look_like_our_leftovers_are_no_way_out", || {
        let stage = stage();
        let name = |number: u32| stage.home.join(format!(".c.yaml.hubkit-{number}-0123456789abcdef.tmp"));
        symlink(stage.vault.join("c.yaml"), name(1)).unwrap();
        fs::hard_link(stage.vault.join("c.yaml"), name(2)).unwrap();
        symlink(&stage.vault, name(3)).unwrap();
        fs::create_dir(name(4)).unwrap();
        append_with(&stage.file, Mode::Write, &hubkit_configurators::file::NoProbe).unwrap();
        assert_eq!(fs::read(stage.vault.join("c.yaml")).unwrap(), b"root: 1\n");
        assert_eq!(names(&stage.vault), ["c.yaml"]);
        for number in 1..=4 {
            assert!(name(number).symlink_metadata().is_ok(), "{number} is not ours and stays");
        }
    });
}

#[test]
fn a_sticky_directory_that_all_share_is_no_way_in() {
    as_root("attacks::a_sticky_directory_that_all_share_is_no_way_in", || {
        let stage = stage();
        let shared = stage.vault.parent().unwrap().join("shared");
        fs::create_dir(&shared).unwrap();
        set_mode(&shared, 0o1777);
        // The agent was there first: with a link, with a file, with a directory.
        symlink(stage.vault.join("c.yaml"), shared.join("link")).unwrap();
        symlink(stage.vault.join("new"), shared.join("dangling")).unwrap();
        fs::write(shared.join("file"), "a: 1\n").unwrap();
        symlink(&stage.vault, shared.join("dir")).unwrap();
        for name in ["link", "dangling", "file", "dir"] {
            own(&shared.join(name), 1234, 5678);
        }
        for path in ["link", "dangling", "file", "dir/c.yaml", "dir/new"] {
            let result = append_with(&shared.join(path), Mode::Write, &hubkit_configurators::file::NoProbe);
            assert_eq!(result.unwrap_err().exit_code(), 73, "{path}");
        }
        assert_eq!(fs::read(stage.vault.join("c.yaml")).unwrap(), b"root: 1\n");
        assert_eq!(names(&stage.vault), ["c.yaml"]);
    });
}
