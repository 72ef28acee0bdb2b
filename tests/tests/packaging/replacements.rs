//! The stand-ins with the real hubkit: each does what the line of `docs/MIGRATION.md` does, whoever interprets it,
//! whether or not it may be executed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hubkit_contract::environment::{
    CI_SERVER_TOKEN, CI_SERVER_URL, HUB_MCP_API_KEY, HUB_URL, HUBKIT_MEMORY_MCP_PATH, HUBKIT_PLUGIN_DIR,
};
use hubkit_dev_hub::{CHAT_MODEL, DevHub, Options};
use hubkit_redaction::Secret;
use hubkit_tests::binary::{self, repository};
use hubkit_tests::fixtures;
use hubkit_tests::hosts::{bare, oracle_python};
use hubkit_tests::scratch_home::KEY;
use tempfile::TempDir;

/// An older script as the page names it, and the file of the host that it wired.
const SCRIPTS: [(&str, &str); 7] = [
    ("`bootstrap-from-hub.sh` (Hermes)", HERMES),
    ("`bootstrap-from-hub.sh` (OpenClaw)", OPENCLAW),
    ("`bootstrap-ci-context.sh`", HERMES),
    ("`configure-ci-server.py`", HERMES),
    ("`configure-hub-mcp.py`", HERMES),
    ("`bootstrap-ci-memory.sh`", OPENCLAW),
    ("`bootstrap-ci-hub-mcp.sh`", OPENCLAW),
];

const HERMES: &str = ".hermes/config.yaml";
const OPENCLAW: &str = ".openclaw/openclaw.json";

/// A plugin that both hosts take, and the one of OpenClaw's memory slot.
const PLUGINS: [(&str, &str); 2] = [
    ("plugins/sample", r#"{ "id": "sample", "configSchema": { "type": "object" } }"#),
    ("plugins/ci-memory", r#"{ "id": "ci-memory", "kind": "memory", "configSchema": { "type": "object" } }"#),
];

/// The files below a directory, by their paths in it.
type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// A home in which something is to be wired.
struct Scene {
    home: TempDir,
    file: &'static str,
}

/// How a run ended, and what it left.
#[derive(Debug, PartialEq)]
struct Ended {
    code: Option<i32>,
    report: String,
    said: String,
    tree: Tree,
}

impl Scene {
    fn new(file: &'static str) -> Self {
        let home = TempDir::with_prefix("hubkit-replaced-").unwrap();
        let config = home.path().join(file);
        fs::create_dir_all(config.parent().unwrap()).unwrap();
        let fixture = if file == HERMES { "hermes/seeded-model.yaml" } else { "openclaw/onboarded.json" };
        fs::write(&config, fixtures::read(fixture)).unwrap();
        fs::set_permissions(&config, fs::Permissions::from_mode(0o600)).unwrap();
        for (folder, manifest) in PLUGINS {
            let folder = home.path().join(folder);
            let name = folder.file_name().unwrap().to_str().unwrap();
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("openclaw.plugin.json"), manifest).unwrap();
            fs::write(
                folder.join("index.js"),
                format!("export default {{ id: {name:?}, register() {{}} }};\n"),
            )
            .unwrap();
            fs::write(folder.join("plugin.yaml"), format!("name: {name}\n")).unwrap();
            fs::write(folder.join("__init__.py"), "def register(ctx):\n    pass\n").unwrap();
        }
        Self { home, file }
    }

    /// Runs a command as a container's entry point does; `hubkit` is on the path.
    fn runs(&self, hub: &DevHub, mut command: Command, prepare: &dyn Fn(&mut Command)) -> Ended {
        let directories = [binary::hubkit(), &oracle_python()]
            .map(|program| program.parent().unwrap().display().to_string());
        command.env("PATH", format!("{}:/usr/bin:/bin", directories.join(":")));
        let plugins = PLUGINS.map(|(folder, _)| self.home.path().join(folder).display().to_string());
        command.env(HUBKIT_PLUGIN_DIR, plugins.join(":"));
        command.env(HUB_URL, hub.url()).env(HUB_MCP_API_KEY, KEY);
        command.env(CI_SERVER_URL, "http://ci-memory:3000").env(CI_SERVER_TOKEN, "memory-0123456789abcdef");
        command.env(HUBKIT_MEMORY_MCP_PATH, "/api/memory/mcp");
        if self.file == HERMES {
            command.env("HERMES_HOME", self.home.path().join(".hermes"));
        }
        prepare(&mut command);
        let Output { status, stdout, stderr } = command.output().unwrap();
        // Two homes differ in their names alone.
        let text = |bytes: Vec<u8>| {
            String::from_utf8(bytes).unwrap().replace(self.home.path().to_str().unwrap(), "HOME")
        };
        let (report, said) = (text(stdout), text(stderr));
        Ended { code: status.code(), report, said, tree: self.tree() }
    }

    fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        let mut left = vec![self.home.path().join(self.file).parent().unwrap().to_owned()];
        while let Some(path) = left.pop() {
            if path.is_dir() {
                left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let name = path.strip_prefix(self.home.path()).unwrap().to_owned();
            // The record of what was made names the file by its whole path.
            let text = String::from_utf8(fs::read(&path).unwrap()).unwrap();
            tree.insert(name, text.replace(self.home.path().to_str().unwrap(), "HOME").into_bytes());
        }
        tree
    }
}

/// The arguments of `hubkit` in the page's row of this script.
fn line(script: &str) -> Vec<String> {
    let page = fs::read_to_string(repository().join("docs/MIGRATION.md")).unwrap();
    let row = page.lines().find_map(|line| line.strip_prefix(&format!("| {script} | `hubkit ")));
    let line = row.and_then(|rest| rest.split_once('`')).unwrap_or_else(|| panic!("{script} has no row")).0;
    line.split(' ').map(str::to_owned).collect()
}

/// The ways to run the stand-in of this script: by an interpreter without the right to be executed, and by itself.
fn ways(script: &str, home: &Path) -> Vec<Command> {
    let name = script.trim_start_matches('`').split('`').next().unwrap();
    let original = repository().join("packaging/shims").join(name);
    let copy = home.join(name);
    fs::copy(&original, &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o644)).unwrap();
    let interpreters = if Path::new(name).extension().is_some_and(|extension| extension == "py") {
        vec![oracle_python()]
    } else {
        vec!["/bin/sh".into(), "/bin/bash".into()]
    };
    let interpreted = interpreters.iter().map(|interpreter| {
        let mut command = bare(interpreter, home);
        command.arg(&copy);
        command
    });
    interpreted.chain([bare(&original, home)]).collect()
}

/// Every stand-in, every way: ends as its line on the page does, with this code.
fn ends_as_its_line(code: i32, prepare_home: &dyn Fn(&Scene), prepare: &dyn Fn(&mut Command)) {
    let hub = DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap();
    for (script, file) in SCRIPTS {
        let scene = Scene::new(file);
        prepare_home(&scene);
        let mut command = bare(binary::hubkit(), scene.home.path());
        command.args(line(script)).arg("--json");
        let wanted = scene.runs(&hub, command, prepare);
        assert_eq!(wanted.code, Some(code), "{script}: {wanted:#?}");
        assert!(code != 0 || wanted.report.contains(r#""status":"changed""#), "{script}: {wanted:#?}");
        let count = ways(script, scene.home.path()).len();
        for way in 0..count {
            let scene = Scene::new(file);
            prepare_home(&scene);
            let mut command = ways(script, scene.home.path()).remove(way);
            command.arg("--json");
            let about = format!("{script}: {command:?}");
            let ended = scene.runs(&hub, command, prepare);
            assert_eq!(ended, wanted, "{about}");
        }
    }
}

#[test]
fn each_does_what_its_line_does() {
    ends_as_its_line(0, &|_| {}, &|_| {});
}

#[test]
fn each_ends_as_its_line_with_a_file_that_cannot_be_parsed() {
    let spoil = |scene: &Scene| fs::write(scene.home.path().join(scene.file), "{\n\t: [").unwrap();
    ends_as_its_line(65, &spoil, &|_| {});
}

#[test]
fn each_ends_as_its_line_with_a_directory_in_the_files_place() {
    let spoil = |scene: &Scene| {
        let file = scene.home.path().join(scene.file);
        fs::remove_file(&file).unwrap();
        fs::create_dir(file).unwrap();
    };
    ends_as_its_line(73, &spoil, &|_| {});
}

#[test]
fn each_ends_as_its_line_with_an_environment_that_is_wrong() {
    ends_as_its_line(78, &|_| {}, &|command| {
        command.env(HUB_URL, "no URL").env(HUB_MCP_API_KEY, "\u{200b}k").env(CI_SERVER_TOKEN, "${NOBODY}");
    });
}

#[test]
fn before_onboarding_none_makes_openclaws_file() {
    let hub = DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap();
    for (script, file) in SCRIPTS.into_iter().filter(|(_, file)| *file == OPENCLAW) {
        let scene = Scene::new(file);
        fs::remove_file(scene.home.path().join(file)).unwrap();
        let command = ways(script, scene.home.path()).remove(0);
        let ended = scene.runs(&hub, command, &|_| {});
        assert_eq!(ended.code, Some(0), "{script}: {ended:#?}");
        assert!(ended.said.contains("--no-create") && !scene.home.path().join(file).exists(), "{ended:#?}");
    }
}

#[test]
fn a_shell_that_sources_one_ends_with_it() {
    let hub = DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap();
    for shell in ["/bin/sh", "/bin/bash"] {
        let scene = Scene::new(HERMES);
        fs::write(scene.home.path().join(HERMES), "{\n\t: [").unwrap();
        let shim = repository().join("packaging/shims/bootstrap-ci-context.sh");
        let mut command = bare(Path::new(shell), scene.home.path());
        command.args(["-c", ". \"$0\"; echo went on"]).arg(shim);
        let ended = scene.runs(&hub, command, &|_| {});
        assert_eq!(ended.code, Some(65), "{ended:#?}");
        assert!(!ended.report.contains("went on"), "{ended:#?}");
    }
}

#[test]
fn the_last_one_starts_the_agent_with_what_the_ones_before_kept() {
    let hub = DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap();
    for (first, last, file, kept) in [
        (SCRIPTS[0].0, SCRIPTS[2].0, HERMES, format!("HERMES_DEFAULT_MODEL={CHAT_MODEL}")),
        (SCRIPTS[1].0, SCRIPTS[6].0, OPENCLAW, format!("DEFAULT_MODEL={CHAT_MODEL}")),
    ] {
        let scene = Scene::new(file);
        let ended = scene.runs(&hub, ways(first, scene.home.path()).remove(0), &|_| {});
        assert_eq!(ended.code, Some(0), "{ended:#?}");
        let mut command = ways(last, scene.home.path()).remove(0);
        command.args(["--", "sh", "-c", "env; exit 3"]);
        let ended = scene.runs(&hub, command, &|_| {});
        assert_eq!(ended.code, Some(3), "{ended:#?}");
        assert!(ended.report.lines().any(|line| line == kept), "{ended:#?}");
    }
}
