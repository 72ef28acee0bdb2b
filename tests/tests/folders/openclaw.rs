//! The real OpenClaw takes what was installed: as its own user, whoever ran hubkit.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hubkit_configurators::file::{Mode, Written};
use hubkit_configurators::folder::{Install, Source, install, manifest_of, remove};
use hubkit_tests::hosts::{self, Openclaw};
use hubkit_tests::{fixtures, privilege};
use serde_json::Value as Json;

use super::{AGENT, Bench, belongs, give, own, set_mode, write};

const SAMPLE: &str = "hubkit-sample";
const MEMORY: &str = "hubkit-memory-sample";

/// What OpenClaw says of folders whose owner, mode or names it does not like.
const COMPLAINTS: [&str; 4] =
    ["suspicious ownership", "world-writable", "escapes package directory", "blocked plugin candidate"];

fn complaints(output: &Output) -> Vec<&'static str> {
    let text = String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned();
    COMPLAINTS.into_iter().filter(|complaint| text.contains(complaint)).collect()
}

/// A home with a configuration that enables both plugins, and OpenClaw where its user can run it.
struct Agent {
    bench: Bench,
    openclaw: Openclaw,
    _hosts: Mounted,
}

/// The installed hosts at a path that every user can reach: the checkout may be where no other user may look.
///
/// Never below a directory that is removed with all that it holds.
struct Mounted(PathBuf);

impl Mounted {
    fn new(place: &Path) -> Self {
        let at = tempfile::Builder::new().prefix("hubkit-hosts-").tempdir().unwrap().keep();
        set_mode(&at, 0o755);
        let mount = Command::new("mount").arg("--bind").args([place, &at]).status().unwrap();
        assert!(mount.success());
        Self(at)
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
        // Fails, as it should, on anything that is not empty or still mounted.
        let _ = fs::remove_dir(&self.0);
    }
}

impl Agent {
    fn new() -> Self {
        let bench = Bench::new();
        let real = hosts::openclaw();
        let place = hosts::target_dir().join("hosts");
        let hosts = Mounted::new(&place);
        let moved = |path: &Path| hosts.0.join(path.strip_prefix(&place).unwrap());
        let openclaw = Openclaw { node: moved(&real.node), entry: moved(&real.entry) };
        let config = format!(
            r#"{{ gateway: {{ mode: "local", auth: {{ mode: "token", token: "gateway-token-of-the-tests-0123456789" }} }},
  plugins: {{ entries: {{ "{SAMPLE}": {{ enabled: true }}, "{MEMORY}": {{ enabled: true }} }}, slots: {{ memory: "{MEMORY}" }} }} }}"#
        );
        let state = Openclaw::state_dir(&bench.home());
        write(&state.join("openclaw.json"), &config);
        set_mode(&state.join("openclaw.json"), 0o600);
        bench.give_home(AGENT);
        Self { bench, openclaw, _hosts: hosts }
    }

    fn extensions(&self) -> PathBuf {
        Openclaw::state_dir(&self.bench.home()).join("extensions")
    }

    fn staging(&self) -> PathBuf {
        Openclaw::state_dir(&self.bench.home()).join(".hubkit/staging")
    }

    /// Installs a fixture under the id of its manifest, in this process, which is root's.
    fn install_as_root(&self, name: &str) -> Written {
        let source = fixtures::path("plugins").join(name);
        let source = Source::Folder(&source);
        let id = manifest_of(&source).unwrap().id;
        let (extensions, staging) = (self.extensions(), self.staging());
        let wanted =
            Install { source, extensions: &extensions, id: &id, staging: &staging, mode: Mode::Write };
        install(&wanted).unwrap().written
    }

    /// The same in a process of the agent's user.
    fn install_as_agent(&self, name: &str) {
        let source = self.bench.path(name);
        fs::create_dir(&source).unwrap();
        for file in fixtures::names(&format!("plugins/{name}")) {
            fs::write(source.join(&file), fixtures::read(&format!("plugins/{name}/{file}"))).unwrap();
        }
        let binary = self.bench.path("drill");
        fs::copy(env!("CARGO_BIN_EXE_folder_drill"), &binary).unwrap();
        set_mode(&binary, 0o755);
        let output = Command::new(binary)
            .args([source, self.extensions(), name.into(), self.staging()])
            .uid(AGENT)
            .gid(AGENT)
            .output()
            .unwrap();
        assert_eq!(output.stdout, b"created swept 0\n", "{output:?}");
    }

    fn openclaw(&self, arguments: &[&str]) -> Output {
        self.openclaw
            .command(&self.bench.home())
            .env("NODE_COMPILE_CACHE", self.bench.path("home/compile-cache"))
            .args(arguments)
            .uid(AGENT)
            .gid(AGENT)
            .output()
            .unwrap()
    }

    /// What it prints, which must not be a complaint.
    fn answer(&self, arguments: &[&str]) -> Json {
        let output = self.openclaw(arguments);
        let complaints = complaints(&output);
        assert!(complaints.is_empty(), "openclaw {arguments:?}: {complaints:?}");
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("openclaw {arguments:?} printed no JSON ({error}): {output:?}"))
    }

    /// Both plugins are taken without a complaint, from where they were installed.
    fn takes_both(&self) {
        let verdict = self.answer(&["config", "validate", "--json"]);
        assert_eq!(verdict["valid"], true, "{verdict}");
        assert_eq!(verdict["warnings"].as_array().map_or(0, Vec::len), 0, "{verdict}");
        let list = self.answer(&["plugins", "list", "--json"]);
        for id in [SAMPLE, MEMORY] {
            let plugins = list["plugins"].as_array().unwrap();
            let ours: Vec<&Json> = plugins.iter().filter(|plugin| plugin["id"] == id).collect();
            assert_eq!(ours.len(), 1, "{ours:?}");
            assert_eq!(ours[0]["status"], "loaded", "{ours:?}");
            let source = ours[0]["source"].as_str().unwrap_or_default();
            assert_eq!(Path::new(source), self.extensions().join(id).join("index.js"), "{ours:?}");
        }
    }
}

#[test]
fn openclaw_takes_what_root_installed() {
    privilege::as_root_with_mounts("openclaw::openclaw_takes_what_root_installed", || {
        let agent = Agent::new();
        for name in [SAMPLE, MEMORY] {
            assert_eq!(agent.install_as_root(name), Written::Created);
            belongs(&agent.extensions().join(name), AGENT);
        }
        agent.takes_both();
        // Root's own folders are fine for every user.
        for name in [SAMPLE, MEMORY] {
            give(&agent.extensions().join(name), 0);
            assert_eq!(agent.install_as_root(name), Written::Unchanged);
        }
        agent.takes_both();
    });
}

#[test]
fn openclaw_takes_what_its_own_user_installed() {
    privilege::as_root_with_mounts("openclaw::openclaw_takes_what_its_own_user_installed", || {
        let agent = Agent::new();
        for name in [SAMPLE, MEMORY] {
            agent.install_as_agent(name);
        }
        agent.takes_both();
        // And does not miss it: the slot's plugin is what keeps the configuration valid.
        remove(&agent.extensions(), MEMORY, &agent.staging(), Mode::Write).unwrap();
        let output = agent.openclaw(&["config", "validate", "--json"]);
        let verdict: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(verdict["valid"], false, "{verdict}");
    });
}

#[test]
fn openclaw_does_not_find_what_a_killed_run_left() {
    privilege::as_root_with_mounts("openclaw::openclaw_does_not_find_what_a_killed_run_left", || {
        let agent = Agent::new();
        for name in [SAMPLE, MEMORY] {
            assert_eq!(agent.install_as_root(name), Written::Created);
        }
        for staging in [agent.staging(), agent.extensions().join(".hubkit.disabled/staging")] {
            let left = staging.join("folder-1-0123456789abcdef");
            for file in fixtures::names(&format!("plugins/{SAMPLE}")) {
                let bytes = fixtures::read(&format!("plugins/{SAMPLE}/{file}"));
                write(&left.join(file), &String::from_utf8(bytes).unwrap());
            }
        }
        agent.bench.give_home(AGENT);
        agent.takes_both();
    });
}

#[test]
fn openclaw_complains_until_hubkit_mends_it() {
    privilege::as_root_with_mounts("openclaw::openclaw_complains_until_hubkit_mends_it", || {
        let agent = Agent::new();
        for name in [SAMPLE, MEMORY] {
            assert_eq!(agent.install_as_root(name), Written::Created);
        }
        let folder = agent.extensions().join(SAMPLE);
        let spoil: [(&str, &dyn Fn()); 3] = [
            ("world-writable", &|| set_mode(&folder, 0o777)),
            ("suspicious ownership", &|| own(&folder.join("index.js"), 1001)),
            ("escapes package directory", &|| {
                fs::hard_link(folder.join("index.js"), agent.bench.path("second")).unwrap();
            }),
        ];
        for (complaint, spoil) in spoil {
            spoil();
            let output = agent.openclaw(&["plugins", "list", "--json"]);
            assert!(complaints(&output).contains(&complaint), "not {complaint}: {output:?}");
            assert_eq!(agent.install_as_root(SAMPLE), Written::Replaced);
        }
        agent.takes_both();
    });
}
