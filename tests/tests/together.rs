//! Many boots at once, and another program that writes the same file: nobody's update is lost.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails here")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hubkit_configurators::{Document as _, Value, yaml::YamlDocument};
use hubkit_dev_hub::{DevHub, Options, generate_key};
use hubkit_redaction::Secret;
use hubkit_tests::binary;
use tempfile::TempDir;

/// How many boots run at once.
const BOOTS: usize = 20;

/// The longest wait for a boot; it takes a moment, this only keeps the test from hanging for ever.
const PATIENCE: Duration = Duration::from_secs(300);

struct Scene {
    home: TempDir,
    hub: DevHub,
    key: Secret,
}

impl Scene {
    fn new() -> Self {
        let key = generate_key().unwrap();
        let hub = DevHub::start_blocking(Options::new(key.clone())).unwrap();
        Self { home: TempDir::new().unwrap(), hub, key }
    }

    fn file(&self) -> PathBuf {
        self.home.path().join(".hermes/config.yaml")
    }

    fn boot(&self) -> Child {
        let mut command = binary::command(self.home.path());
        command.args(["bootstrap", "hermes"]).env("HUB_URL", self.hub.url());
        command.env("HUB_MCP_API_KEY", self.key.expose()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    fn boots(&self) {
        let children: Vec<Child> = (0..BOOTS).map(|_| self.boot()).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            // A boot that lost every race says that it may be tried again, and nothing else goes wrong.
            assert!(matches!(output.status.code(), Some(0 | 75)), "{:?}\n{said}", output.status);
        }
    }
}

/// Reads, adds one key, and puts the result in the file's place, as a careful program does.
fn write_like_another_program(file: &Path, number: usize) {
    let text = fs::read_to_string(file).unwrap();
    let beside = file.with_file_name(format!("other-{number}.tmp"));
    fs::write(&beside, format!("other_{number}: {number}\n{text}")).unwrap();
    fs::rename(&beside, file).unwrap();
}

#[test]
fn twenty_boots_at_once_make_one_file() {
    let scene = Scene::new();
    scene.boots();
    let once = fs::read(scene.file()).unwrap();
    let text = String::from_utf8(once.clone()).unwrap();
    for part in ["mcp_servers:", "model:"] {
        assert_eq!(text.matches(part).count(), 1, "{text}");
    }
    let again = scene.boot().wait_with_output().unwrap();
    assert!(again.status.success(), "{again:?}");
    assert_eq!(fs::read(scene.file()).unwrap(), once, "a later boot finds nothing to do");
    let mut left: Vec<String> = fs::read_dir(scene.file().parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, [".env.hub-bootstrap", ".hubkit", "config.yaml"]);
}

#[test]
fn boots_never_undo_what_another_program_writes_meanwhile() {
    let scene = Scene::new();
    fs::create_dir_all(scene.file().parent().unwrap()).unwrap();
    fs::write(scene.file(), "# mine\nkept: true\n").unwrap();
    let over = AtomicBool::new(false);
    let written = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let start = Instant::now();
            let mut written = 0;
            while !over.load(Ordering::Acquire) && start.elapsed() < PATIENCE {
                write_like_another_program(&scene.file(), written);
                written += 1;
                std::thread::sleep(Duration::from_millis(3));
            }
            written
        });
        scene.boots();
        over.store(true, Ordering::Release);
        other.join().unwrap()
    });
    assert!(written > 1, "the other program wrote while boots ran");
    // The other program's own read and write may have left out an entry of ours that came in between.
    let last = scene.boot().wait_with_output().unwrap();
    assert!(last.status.success(), "{last:?}");
    let text = fs::read_to_string(scene.file()).unwrap();
    let document = YamlDocument::parse(&text).unwrap();
    for number in 0..written {
        let key = format!("other_{number}");
        let value = Value::Int(i64::try_from(number).unwrap());
        assert_eq!(document.get(&[&key]), Some(value), "update {number} of {written} is lost:\n{text}");
    }
    assert!(text.contains("# mine") && document.get(&["mcp_servers", "hub", "url"]).is_some(), "{text}");
}
