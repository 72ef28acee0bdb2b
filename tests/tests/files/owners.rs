//! Root in the tree of another user: the work is done as that user, and owners are judged on the way.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, mpsc};

use hubkit_configurators::file::{FileError, Mode, NoProbe, Owner, Plan, Target, Written, edit};
use hubkit_tests::privilege::as_root;
use rustix::thread::capabilities;

use super::{LINE, add, append, names, own, rights, set_mode};

const AGENT: Owner = Owner { uid: 1234, gid: 5678 };
const ROOT: Owner = Owner { uid: 0, gid: 0 };

/// A home of the agent's in a directory of root's.
struct Home {
    _scratch: tempfile::TempDir,
    root: PathBuf,
    home: PathBuf,
}

fn home() -> Home {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    let home = root.join("home");
    fs::create_dir(&home).unwrap();
    own(&home, AGENT.uid, AGENT.gid);
    Home { _scratch: scratch, root, home }
}

fn file(path: &Path, owner: Owner, mode: u32) {
    fs::write(path, "a: 1\n").unwrap();
    own(path, owner.uid, owner.gid);
    set_mode(path, mode);
}

#[test]
fn owner_group_and_mode_of_an_agents_file_stay() {
    as_root("owners::owner_group_and_mode_of_an_agents_file_stay", || {
        for (gid, mode) in [(5678, 0o640), (5678, 0o600), (4242, 0o660), (4242, 0o2755), (0, 0o644)] {
            let Home { home, .. } = &home();
            let config = home.join("c.yaml");
            file(&config, Owner { uid: AGENT.uid, gid }, mode);
            let outcome = append(&config).unwrap();
            assert_eq!(outcome.written, Written::Replaced);
            assert_eq!(rights(&config), (mode, AGENT.uid, gid));
            assert_eq!(names(home), ["c.yaml"]);
        }
    });
}

#[test]
fn new_files_and_directories_belong_to_the_directory_they_come_into() {
    as_root("owners::new_files_and_directories_belong_to_the_directory_they_come_into", || {
        let Home { home, root, .. } = &home();
        append(&home.join("x/y/c.yaml")).unwrap();
        for (path, mode) in [("x", 0o700), ("x/y", 0o700), ("x/y/c.yaml", 0o600)] {
            assert_eq!(rights(&home.join(path)), (mode, AGENT.uid, AGENT.gid), "{path}");
        }
        // The set-group-id bit of a directory hands its group on as ever.
        set_mode(home, 0o2755);
        append(&home.join("z/c.yaml")).unwrap();
        assert_eq!(rights(&home.join("z/c.yaml")), (0o600, AGENT.uid, AGENT.gid));
        append(&root.join("ours.yaml")).unwrap();
        assert_eq!(rights(&root.join("ours.yaml")), (0o600, 0, 0));
        own(root, 0, 4242);
        append(&root.join("n/theirs.yaml")).unwrap();
        assert_eq!(rights(&root.join("n")), (0o700, 0, 4242));
        assert_eq!(rights(&root.join("n/theirs.yaml")), (0o600, 0, 4242));
    });
}

#[test]
fn the_work_is_done_without_roots_powers_and_the_process_keeps_them() {
    as_root("owners::the_work_is_done_without_roots_powers_and_the_process_keeps_them", || {
        let before = capabilities(None).unwrap();
        let Home { home, root, .. } = &home();
        fs::write(root.join("secret"), "root's").unwrap();
        set_mode(&root.join("secret"), 0o600);
        let plan = |_: hubkit_configurators::file::Current<'_>| {
            let sets = capabilities(None).unwrap();
            assert!(sets.effective.is_empty() && sets.permitted.is_empty() && sets.inheritable.is_empty());
            assert_eq!(rustix::process::geteuid().as_raw(), AGENT.uid);
            assert_eq!(rustix::process::getegid().as_raw(), AGENT.gid);
            let groups = rustix::process::getgroups().unwrap();
            assert!(groups.iter().all(|gid| gid.as_raw() != 0), "{groups:?}");
            assert!(fs::read(root.join("secret")).is_err(), "root's file can be read");
            assert!(fs::write(root.join("new"), "").is_err(), "root's directory can be written");
            // Nobody may trace or inspect the process while it is half the agent.
            let dumpable = rustix::process::dumpable_behavior().unwrap();
            assert_eq!(dumpable, rustix::process::DumpableBehavior::NotDumpable);
            Ok::<_, std::convert::Infallible>(Plan::Replace { bytes: b"x".to_vec(), note: () })
        };
        edit(&Target::new(home.join("c"), Mode::Write), &NoProbe, plan).unwrap();
        assert_eq!(capabilities(None).unwrap(), before);
        assert!(rustix::process::geteuid().is_root());
        assert_eq!(fs::read_to_string(root.join("secret")).unwrap(), "root's");
        let status = Command::new("id").arg("-u").output().unwrap();
        assert_eq!(status.stdout, b"0\n", "what the process starts is root as before");
    });
}

#[test]
fn the_agent_can_neither_signal_nor_inspect_the_process_while_it_works() {
    as_root("owners::the_agent_can_neither_signal_nor_inspect_the_process_while_it_works", || {
        let Home { home, .. } = &home();
        let work = |thread: &str| {
            let mut agent = Command::new("sh")
                .args([
                    "-c",
                    "read t; kill -0 $t && echo sent; cat /proc/$t/environ >&2 && echo seen; echo end",
                ])
                .uid(AGENT.uid)
                .gid(AGENT.gid)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            writeln!(agent.stdin.take().unwrap(), "{thread}").unwrap();
            String::from_utf8(agent.wait_with_output().unwrap().stdout).unwrap()
        };
        // The agent can do both to a process of its own.
        let mut own = Command::new("sleep").arg("600").uid(AGENT.uid).gid(AGENT.gid).spawn().unwrap();
        assert_eq!(work(&own.id().to_string()), "sent\nseen\nend\n");
        own.kill().unwrap();
        own.wait().unwrap();
        // The agent's process is started by a thread that is root all the time.
        let (ask, asked) = mpsc::channel::<String>();
        let (answer, answered) = mpsc::channel::<String>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for thread in asked {
                    answer.send(work(&thread)).unwrap();
                }
            });
            let answered = Mutex::new(answered);
            let plan = |_: hubkit_configurators::file::Current<'_>| {
                assert_eq!(rustix::process::geteuid().as_raw(), AGENT.uid);
                ask.send(rustix::thread::gettid().to_string()).unwrap();
                assert_eq!(answered.lock().unwrap().recv().unwrap(), "end\n");
                Ok::<_, std::convert::Infallible>(Plan::Keep(()))
            };
            edit(&Target::new(home.join("c"), Mode::Write), &NoProbe, plan).unwrap();
            drop(ask);
        });
    });
}

/// Asserts that editing is refused, 73, with `command` in the message, and that nothing was touched.
fn refused(path: &Path, untouched: &Path, command: &str) -> FileError {
    let before = (fs::read(untouched).ok(), rights(untouched));
    let error = append(path).unwrap_err();
    assert_eq!(error.exit_code(), 73, "{error}");
    assert!(error.to_string().contains(command), "{error}");
    assert_eq!((fs::read(untouched).ok(), rights(untouched)), before);
    error
}

fn run(command: &str) {
    assert!(Command::new("sh").args(["-c", command]).status().unwrap().success(), "{command}");
}

#[test]
fn a_file_of_roots_in_an_agents_home_is_refused_until_chown() {
    as_root("owners::a_file_of_roots_in_an_agents_home_is_refused_until_chown", || {
        let Home { home, .. } = &home();
        let config = home.join("c.yaml");
        file(&config, ROOT, 0o600);
        let command = format!("chown -h 1234:5678 {}", config.display());
        let error = refused(&config, &config, &format!("`{command}`"));
        assert_eq!(error, FileError::StrangeOwner { path: config.clone(), owner: ROOT, tree: AGENT });
        run(&command);
        assert_eq!(append(&config).unwrap().written, Written::Replaced);
        assert_eq!(rights(&config), (0o600, 1234, 5678));
    });
}

#[test]
fn a_directory_or_link_of_roots_in_an_agents_home_is_refused_until_chown() {
    as_root("owners::a_directory_or_link_of_roots_in_an_agents_home_is_refused_until_chown", || {
        let Home { home, .. } = &home();
        fs::create_dir(home.join("sub")).unwrap();
        refused(
            &home.join("sub/c.yaml"),
            &home.join("sub"),
            &format!("`chown -h 1234:5678 {}`", home.join("sub").display()),
        );
        assert!(names(&home.join("sub")).is_empty());
        file(&home.join("real.yaml"), AGENT, 0o600);
        let link = home.join("c.yaml");
        symlink("real.yaml", &link).unwrap();
        let command = format!("chown -h 1234:5678 {}", link.display());
        refused(&link, &home.join("real.yaml"), &command);
        run(&command);
        append(&link).unwrap();
    });
}

#[test]
fn an_agents_link_into_roots_files_is_refused_and_never_advised_to_be_trusted() {
    as_root("owners::an_agents_link_into_roots_files_is_refused_and_never_advised_to_be_trusted", || {
        let Home { home, root, .. } = &home();
        fs::create_dir(root.join("etc")).unwrap();
        let secret = root.join("etc/secret");
        file(&secret, ROOT, 0o644);
        let link = home.join("c.yaml");
        for text in ["../etc/secret", secret.to_str().unwrap()] {
            symlink(text, &link).unwrap();
            own(&link, AGENT.uid, AGENT.gid);
            let error = refused(&link, &secret, &format!("`rm {}`", link.display()));
            assert!(matches!(error, FileError::LinkAway { owner: AGENT, target_owner: ROOT, .. }), "{error}");
            assert!(!error.to_string().contains("chown"), "{error}");
            fs::remove_file(&link).unwrap();
        }
        // Through a link to a directory, to a file that is there and to one that is not.
        symlink("../etc", home.join("dir")).unwrap();
        own(&home.join("dir"), AGENT.uid, AGENT.gid);
        refused(&home.join("dir/secret"), &secret, "`rm ");
        refused(&home.join("dir/new"), &secret, "`rm ");
        refused(&home.join("dir/new/er"), &secret, "`rm ");
        assert_eq!(names(&root.join("etc")), ["secret"]);
    });
}

#[test]
fn an_agents_link_to_another_agents_file_is_refused() {
    as_root("owners::an_agents_link_to_another_agents_file_is_refused", || {
        let Home { home, root, .. } = &home();
        let other = Owner { uid: 4321, gid: 4321 };
        fs::create_dir(root.join("other")).unwrap();
        own(&root.join("other"), other.uid, other.gid);
        file(&root.join("other/c"), other, 0o666);
        symlink("../other/c", home.join("c")).unwrap();
        own(&home.join("c"), AGENT.uid, AGENT.gid);
        refused(&home.join("c"), &root.join("other/c"), "another owner's files");
        refused(&home.join("../other/c"), &root.join("other/c"), "direct path");
    });
}

#[test]
fn an_agents_links_within_its_own_tree_are_followed_also_absolute_ones() {
    as_root("owners::an_agents_links_within_its_own_tree_are_followed_also_absolute_ones", || {
        let Home { home, root, .. } = &home();
        file(&home.join("real"), AGENT, 0o640);
        for (name, text) in [("a", "real".to_owned()), ("b", home.join("real").display().to_string())] {
            symlink(text, home.join(name)).unwrap();
            own(&home.join(name), AGENT.uid, AGENT.gid);
            fs::write(home.join("real"), "a: 1\n").unwrap();
            assert_eq!(append(&home.join(name)).unwrap().path, home.join("real"));
            assert_eq!(rights(&home.join("real")), (0o640, 1234, 5678));
        }
        // Root's link to the agent's directory is root's own word.
        symlink("home", root.join("data")).unwrap();
        assert_eq!(append(&root.join("data/new")).unwrap().path, home.join("new"));
        assert_eq!(rights(&home.join("new")), (0o600, 1234, 5678));
    });
}

#[test]
fn roots_link_that_stands_for_an_agents_file_is_refused_until_chown() {
    as_root("owners::roots_link_that_stands_for_an_agents_file_is_refused_until_chown", || {
        let Home { home, root, .. } = &home();
        file(&home.join("real"), AGENT, 0o640);
        let link = root.join("c.yaml");
        symlink("home/real", &link).unwrap();
        let command = format!("chown -h 1234:5678 {}", link.display());
        refused(&link, &home.join("real"), &command);
        run(&command);
        append(&link).unwrap();
        assert_eq!(rights(&home.join("real")), (0o640, 1234, 5678));
    });
}

#[test]
fn an_agents_file_in_roots_directory_is_refused() {
    as_root("owners::an_agents_file_in_roots_directory_is_refused", || {
        let Home { root, .. } = &home();
        let config = root.join("c.yaml");
        file(&config, AGENT, 0o644);
        refused(&config, &config, &format!("`chown -h 0:0 {}`", config.display()));
    });
}

#[test]
fn a_second_name_of_roots_file_is_never_offered_for_chown() {
    as_root("owners::a_second_name_of_roots_file_is_never_offered_for_chown", || {
        let Home { home, root, .. } = &home();
        file(&root.join("shadow"), ROOT, 0o600);
        fs::hard_link(root.join("shadow"), home.join("c.yaml")).unwrap();
        let error = refused(&home.join("c.yaml"), &root.join("shadow"), "hard links");
        assert!(!error.to_string().contains("chown"), "{error}");
    });
}

#[test]
fn an_agent_without_rights_on_its_own_file_is_told_so() {
    as_root("owners::an_agent_without_rights_on_its_own_file_is_told_so", || {
        let Home { home, .. } = &home();
        let config = home.join("c.yaml");
        file(&config, AGENT, 0o000);
        refused(&config, &config, &format!("`chmod u+rwX {}`", config.display()));
        set_mode(&config, 0o400);
        append(&config).unwrap();
        assert_eq!(rights(&config).0, 0o400);
        fs::write(&config, "a: 1\n").unwrap();
        set_mode(home, 0o500);
        let error = refused(&config, &config, &format!("`chmod u+rwX {}`", home.display()));
        assert!(error.to_string().contains("uid 1234"), "{error}");
    });
}

#[test]
fn leftovers_of_others_in_an_agents_home_stay() {
    as_root("owners::leftovers_of_others_in_an_agents_home_stay", || {
        let Home { home, .. } = &home();
        let [theirs, ours] =
            [1, 2].map(|number| home.join(format!(".c.hubkit-{number}-0123456789abcdef.tmp")));
        file(&theirs, ROOT, 0o600);
        file(&ours, AGENT, 0o600);
        let outcome = edit(&Target::new(home.join("c"), Mode::Write), &NoProbe, add).unwrap();
        assert_eq!(outcome.swept, 1);
        assert!(theirs.exists() && !ours.exists());
        assert_eq!(fs::read_to_string(home.join("c")).unwrap(), LINE);
    });
}
