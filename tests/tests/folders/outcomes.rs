//! What an installation says it did, and what stands then.

use std::fs;
use std::os::unix::fs::MetadataExt;

use hubkit_configurators::file::{Mode, Written};
use hubkit_configurators::folder::{Install, NoProbe, Source, install, manifest_of};
use hubkit_tests::fixtures;

use super::{Bench, ID, installed, listing, names, rights, set_mode, write};

const FILES: &[(&str, &str)] =
    &[("index.js", "1\n"), ("openclaw.plugin.json", "{}\n"), ("skills/a/SKILL.md", "text\n")];

#[test]
fn a_new_folder_is_created_with_the_modes_that_hosts_demand() {
    let bench = Bench::new();
    let source = bench.source("source", FILES);
    set_mode(&source, 0o777);
    write(&source.join("bin/run"), "#!/bin/sh\n");
    set_mode(&source.join("bin/run"), 0o6777);
    fs::create_dir(source.join("empty")).unwrap();
    let done = bench.install(&source).unwrap();
    assert_eq!((done.written, done.path, done.swept), (Written::Created, bench.folder(), 0));
    assert!(done.notices.is_empty(), "{:?}", done.notices);
    let mut expected = installed(FILES);
    expected.insert("bin".into(), (0o755, None));
    expected.insert("bin/run".into(), (0o755, Some(b"#!/bin/sh\n".to_vec())));
    expected.insert("empty".into(), (0o755, None));
    assert_eq!(listing(&bench.folder()), expected);
    assert_eq!((rights(&bench.extensions()).0, rights(&bench.staging()).0), (0o755, 0o700));
    for file in ["index.js", "bin/run"] {
        assert_eq!(fs::metadata(bench.folder().join(file)).unwrap().nlink(), 1);
    }
    bench.is_clean("created");
}

#[test]
fn what_is_right_is_not_written_again() {
    let bench = Bench::new();
    let source = bench.source("source", FILES);
    bench.install(&source).unwrap();
    let identity = || {
        let meta = fs::metadata(bench.folder()).unwrap();
        (meta.ino(), meta.ctime(), meta.ctime_nsec())
    };
    let before = identity();
    // Times are no contents.
    fs::write(source.join("index.js"), "1\n").unwrap();
    for mode in [Mode::Write, Mode::CheckOnly] {
        let done = bench.install_with(&source, mode, &NoProbe).unwrap();
        assert_eq!(done.written, Written::Unchanged);
        assert_eq!(identity(), before);
    }
}

/// Makes an installed folder differ.
type Spoil = fn(&Bench);

#[test]
fn every_difference_counts() {
    let spoil: &[(&str, Spoil)] = &[
        ("a byte", |bench| fs::write(bench.folder().join("index.js"), "2\n").unwrap()),
        ("a longer file", |bench| fs::write(bench.folder().join("index.js"), "1\n2\n").unwrap()),
        ("a missing file", |bench| fs::remove_file(bench.folder().join("index.js")).unwrap()),
        ("an extra file", |bench| write(&bench.folder().join("skills/b"), "")),
        ("an extra directory", |bench| fs::create_dir(bench.folder().join("x")).unwrap()),
        ("the mode of a file", |bench| set_mode(&bench.folder().join("index.js"), 0o666)),
        ("the mode of a directory", |bench| set_mode(&bench.folder().join("skills"), 0o777)),
        ("the mode of the folder", |bench| set_mode(&bench.folder(), 0o700)),
        ("a folder that cannot be written", |bench| set_mode(&bench.folder(), 0o555)),
        ("a second name", |bench| {
            fs::hard_link(bench.folder().join("index.js"), bench.path("second")).unwrap();
        }),
        ("a link", |bench| {
            let file = bench.folder().join("index.js");
            fs::rename(&file, bench.path("elsewhere")).unwrap();
            std::os::unix::fs::symlink(bench.path("elsewhere"), &file).unwrap();
        }),
        ("a file for a directory", |bench| {
            fs::remove_dir_all(bench.folder().join("skills")).unwrap();
            write(&bench.folder().join("skills"), "");
        }),
        ("a fifo for a file", |bench| {
            fs::remove_file(bench.folder().join("index.js")).unwrap();
            let fifo = rustix::fs::FileType::Fifo;
            let path = bench.folder().join("index.js");
            rustix::fs::mknodat(rustix::fs::CWD, path, fifo, 0o644.into(), 0).unwrap();
        }),
        ("directories that cannot be entered", |bench| {
            set_mode(&bench.folder().join("skills/a"), 0o000);
            set_mode(&bench.folder().join("skills"), 0o000);
        }),
    ];
    for (what, spoil) in spoil {
        let bench = Bench::new();
        let source = bench.source("source", FILES);
        bench.install(&source).unwrap();
        spoil(&bench);
        let check = bench.install_with(&source, Mode::CheckOnly, &NoProbe).unwrap();
        assert_eq!(check.written, Written::WouldChange, "{what}");
        let done = bench.install(&source).unwrap();
        assert_eq!((done.written, done.notices.len()), (Written::Replaced, 0), "{what}: {done:?}");
        assert_eq!(listing(&bench.folder()), installed(FILES), "{what}");
        bench.is_clean(what);
    }
}

#[test]
fn a_check_writes_nothing() {
    let bench = Bench::new();
    let source = bench.source("source", FILES);
    let done = bench.install_with(&source, Mode::CheckOnly, &NoProbe).unwrap();
    assert_eq!((done.written, done.path), (Written::WouldChange, bench.folder()));
    assert!(names(&bench.home()).is_empty());
}

#[test]
fn embedded_files_are_installed_like_a_folder() {
    let bench = Bench::new();
    let files: &[(&str, &[u8])] = &[("index.js", b"1\n"), ("skills/a/SKILL.md", b"text\n")];
    let (extensions, staging) = (bench.extensions(), bench.staging());
    let wanted = Install {
        source: Source::Embedded(files),
        extensions: &extensions,
        id: ID,
        staging: &staging,
        mode: Mode::Write,
    };
    assert_eq!(install(&wanted).unwrap().written, Written::Created);
    assert_eq!(install(&wanted).unwrap().written, Written::Unchanged);
    assert_eq!(listing(&bench.folder()), installed(&[("index.js", "1\n"), ("skills/a/SKILL.md", "text\n")]));
    bench.is_clean("embedded");
}

#[test]
fn an_id_that_is_no_name_is_refused_before_anything_is_touched() {
    let bench = Bench::new();
    let source = bench.source("source", FILES);
    let (extensions, staging) = (bench.extensions(), bench.staging());
    for id in ["..", "../x", "a/b", ".hidden", "", "A"] {
        let source = Source::Folder(&source);
        let wanted = Install { source, extensions: &extensions, id, staging: &staging, mode: Mode::Write };
        assert_eq!(install(&wanted).unwrap_err().exit_code(), 65, "{id}");
    }
    assert!(names(&bench.home()).is_empty());
}

#[test]
fn a_folder_is_removed_whole() {
    let bench = Bench::new();
    let source = bench.source("source", FILES);
    bench.install(&source).unwrap();
    write(&bench.extensions().join("other/index.js"), "");
    let check = bench.remove_with(Mode::CheckOnly, &NoProbe).unwrap();
    assert_eq!((check.written, bench.folder().exists()), (Written::WouldChange, true));
    let done = bench.remove_with(Mode::Write, &NoProbe).unwrap();
    assert_eq!((done.written, done.path), (Written::Removed, bench.folder()));
    assert_eq!(names(&bench.extensions()), ["other"]);
    assert!(names(&bench.staging()).is_empty());
    assert_eq!(bench.remove_with(Mode::Write, &NoProbe).unwrap().written, Written::Unchanged);
    let nowhere = Bench::new();
    assert_eq!(nowhere.remove_with(Mode::Write, &NoProbe).unwrap().written, Written::Unchanged);
    assert!(names(&nowhere.home()).is_empty());
}

#[test]
fn the_manifest_says_what_the_plugin_is() {
    let of = |name: &str| manifest_of(&Source::Folder(&fixtures::path(name))).unwrap();
    let sample = of("plugins/hubkit-sample");
    assert_eq!((&*sample.id, sample.has_package), ("hubkit-sample", true));
    assert!(sample.kinds.is_empty() && sample.missing.is_empty());
    assert_eq!(of("plugins/hubkit-memory-sample").kinds, ["memory"]);
    let bench = Bench::new();
    let error = manifest_of(&Source::Folder(&bench.home())).unwrap_err();
    assert_eq!(error.exit_code(), 65);
    let expected = format!("there is no manifest {}/openclaw.plugin.json", bench.home().display());
    assert!(error.to_string().starts_with(&expected), "{error}");
}
