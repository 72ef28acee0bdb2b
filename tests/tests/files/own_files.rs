//! Files of hubkit's own: whatever somebody else put in their place is refused, and their mode is theirs.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

use hubkit_configurators::file::{
    EditError, FileError, Mode, NoProbe, Outcome, Owner, Plan, Target, Written, edit, read_own, remove_own,
};
use hubkit_tests::privilege::as_root;

use super::{names, own, rights, set_mode};

const TEXT: &[u8] = b"KEY='value'\n";

fn write_as(path: &Path, mode: Mode, bytes: &[u8]) -> Result<Outcome<()>, FileError> {
    let plan = Plan::Replace { bytes: bytes.to_vec(), note: () };
    edit(&Target::own(path, mode), &NoProbe, |_| Ok::<_, std::convert::Infallible>(plan.clone())).map_err(
        |error| match error {
            EditError::File(error) => error,
            EditError::Plan(never) => match never {},
        },
    )
}

fn write(path: &Path) -> Result<Outcome<()>, FileError> {
    write_as(path, Mode::Write, TEXT)
}

fn scratch() -> (tempfile::TempDir, PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    (scratch, root)
}

#[test]
fn an_own_file_is_made_read_and_removed() {
    let (_scratch, root) = scratch();
    let file = root.join("state/records/one");
    assert_eq!(read_own(&file, 100), Ok(None));
    assert_eq!(remove_own(&file), Ok(false));
    assert!(names(&root).is_empty(), "neither reading nor removing nothing creates anything");
    let outcome = write(&file).unwrap();
    assert_eq!(outcome.written, Written::Created);
    assert_eq!((rights(&file).0, rights(&root.join("state")).0), (0o600, 0o700));
    assert_eq!(write(&file).unwrap().written, Written::Unchanged);
    assert_eq!(read_own(&file, TEXT.len()).unwrap().unwrap(), TEXT);
    let error = read_own(&file, TEXT.len() - 1).unwrap_err();
    assert!(matches!(error, FileError::TooLarge { planned: false, .. }), "{error}");
    assert_eq!(remove_own(&file), Ok(true));
    assert_eq!(remove_own(&file), Ok(false));
    assert!(names(&root.join("state/records")).is_empty());
}

#[test]
fn a_wrong_mode_is_a_change_also_of_the_right_bytes() {
    let (_scratch, root) = scratch();
    let file = root.join("env");
    for mode in [0o644, 0o640, 0o666, 0o400, 0o700, 0o4600] {
        for keep in [true, false] {
            fs::write(&file, TEXT).unwrap();
            set_mode(&file, mode);
            assert_eq!(read_own(&file, 100).unwrap().unwrap(), TEXT);
            let edit = |mode| {
                let plan =
                    if keep { Plan::Keep(()) } else { Plan::Replace { bytes: TEXT.to_vec(), note: () } };
                edit(&Target::own(&file, mode), &NoProbe, |_| Ok::<_, ()>(plan.clone())).unwrap().written
            };
            assert_eq!(edit(Mode::CheckOnly), Written::WouldChange, "{mode:o}");
            assert_eq!(rights(&file).0, mode);
            assert_eq!(edit(Mode::Write), Written::Replaced, "{mode:o}");
            assert_eq!((rights(&file).0, fs::read(&file).unwrap()), (0o600, TEXT.to_vec()));
            assert_eq!(edit(Mode::Write), Written::Unchanged);
            fs::remove_file(&file).unwrap();
        }
    }
}

/// Refused in every way, exit 73, with `said` in the message.
fn refused(file: &Path, said: &str) {
    let results = [
        write(file).map(|_| ()),
        write_as(file, Mode::CheckOnly, TEXT).map(|_| ()),
        read_own(file, 1000).map(|_| ()),
        remove_own(file).map(|_| ()),
    ];
    for (number, result) in results.into_iter().enumerate() {
        let error = result.unwrap_err();
        assert_eq!(error.exit_code(), 73, "{error}");
        assert!(error.to_string().contains(said), "{number}: {error}");
    }
}

#[test]
fn a_link_in_its_place_is_refused_and_what_it_leads_to_stays() {
    let (_scratch, root) = scratch();
    fs::write(root.join("target"), "theirs").unwrap();
    for text in ["target", "nowhere", "env"] {
        symlink(text, root.join("env")).unwrap();
        refused(&root.join("env"), &format!("`rm {}`", root.join("env").display()));
        assert_eq!(fs::read_link(root.join("env")).unwrap(), Path::new(text));
        fs::remove_file(root.join("env")).unwrap();
    }
    assert_eq!(fs::read(root.join("target")).unwrap(), b"theirs");
    assert_eq!(names(&root), ["target"]);
    // A link to its directory is somebody's way of naming the directory.
    fs::create_dir(root.join("real")).unwrap();
    symlink("real", root.join("state")).unwrap();
    assert_eq!(write(&root.join("state/env")).unwrap().path, root.join("real/env"));
}

#[test]
fn a_second_name_and_what_is_no_file_are_refused() {
    let (_scratch, root) = scratch();
    let file = root.join("env");
    fs::write(root.join("other"), "theirs").unwrap();
    fs::hard_link(root.join("other"), &file).unwrap();
    refused(&file, "2 hard links");
    assert_eq!(fs::read(root.join("other")).unwrap(), b"theirs");
    assert_eq!(fs::metadata(&file).unwrap().nlink(), 2);
    fs::remove_file(&file).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, &file, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    refused(&file, "a fifo");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    refused(&file, "a directory");
}

#[test]
fn a_file_of_somebody_elses_is_refused_also_to_be_read() {
    as_root("own_files::a_file_of_somebody_elses_is_refused_also_to_be_read", || {
        let (_scratch, root) = scratch();
        let home = root.join("home");
        fs::create_dir(&home).unwrap();
        own(&home, 1234, 5678);
        // Root works as the agent: what it makes is the agent's, what was root's is refused.
        let file = home.join("env");
        write(&file).unwrap();
        assert_eq!(rights(&file), (0o600, 1234, 5678));
        assert_eq!(read_own(&file, 100).unwrap().unwrap(), TEXT);
        own(&file, 0, 0);
        refused(&file, "belongs to 0:0");
        own(&file, 4321, 4321);
        refused(&file, "belongs to 4321:4321");
        own(&file, 1234, 5678);
        assert_eq!(remove_own(&file), Ok(true));
        // An agent's link and an agent's second name lead nowhere.
        fs::write(root.join("secret"), "root's").unwrap();
        set_mode(&root.join("secret"), 0o644);
        symlink(root.join("secret"), &file).unwrap();
        own(&file, 1234, 5678);
        refused(&file, "symbolic link");
        fs::remove_file(&file).unwrap();
        fs::hard_link(root.join("secret"), &file).unwrap();
        refused(&file, "hard links");
        assert_eq!(fs::read(root.join("secret")).unwrap(), b"root's");
        assert_eq!(rights(&root.join("secret")), (0o644, 0, 0));
    });
}

#[test]
fn an_ordinary_user_refuses_anothers_file_in_a_directory_of_its_own() {
    as_root("own_files::an_ordinary_user_refuses_anothers_file_in_a_directory_of_its_own", || {
        let (_scratch, root) = scratch();
        set_mode(&root, 0o777);
        fs::write(root.join("env"), TEXT).unwrap();
        own(&root.join("env"), 4321, 4321);
        set_mode(&root.join("env"), 0o666);
        let file = root.join("env");
        std::thread::scope(|scope| {
            let work = scope.spawn(|| {
                rustix::thread::set_thread_groups(&[]).unwrap();
                rustix::thread::set_thread_res_uid(None, rustix::process::Uid::from_raw(1234), None).unwrap();
                let error = read_own(&file, 100).unwrap_err();
                let owner = Owner { uid: 4321, gid: 4321 };
                assert_eq!(error, FileError::NotOwn { path: file.clone(), owner, uid: 1234 });
                refused(&file, "not to uid 1234");
            });
            work.join().unwrap();
        });
        assert_eq!(rights(&file), (0o666, 4321, 4321));
    });
}
