//! `hubkit bootstrap` and `hubkit configure` as users run them: exit codes, output, and when the agent starts.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails here")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hubkit_tests::binary;
use tempfile::TempDir;

const KEY: &str = "canary-0123456789abcdef0123456789abcdef";
const URL: &str = "http://ci-hub:5002/api/mcp";
const REGISTERED: &str = "[Hub MCP] Server registered";

struct Scene {
    home: TempDir,
}

impl Scene {
    fn new() -> Self {
        Self { home: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn hermes(&self) -> PathBuf {
        self.path(".hermes/config.yaml")
    }

    fn with(self, name: &str, text: &str) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        self
    }

    /// `hubkit` with the Hub's variables set.
    fn hubkit(&self, arguments: &[&str]) -> Command {
        let mut command = binary::command(self.home.path());
        command.args(arguments).env("HUB_MCP_URL", URL).env("HUB_MCP_API_KEY", KEY);
        command
    }
}

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn ran(command: &mut Command) -> Ran {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let ran = Ran {
        code: status.code(),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    };
    assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "the key leaked:\n{}\n{}", ran.out, ran.err);
    ran
}

/// A command that says who it is, so that a test sees that the agent started.
const AGENT: [&str; 4] = ["--", "sh", "-c", "echo started"];

fn with_agent<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &AGENT].concat()
}

#[test]
fn a_boot_wires_a_new_home_and_becomes_the_agent() {
    let scene = Scene::new();
    let first = ran(&mut scene.hubkit(&with_agent(&["bootstrap", "hermes"])));
    assert_eq!((first.code, first.out.as_str()), (Some(0), "started\n"), "{}", first.err);
    assert!(first.err.contains("created") && first.err.contains(REGISTERED), "{}", first.err);
    let text = fs::read_to_string(scene.hermes()).unwrap();
    assert!(text.contains(&format!("Authorization: \"Bearer {KEY}\"")), "{text}");
    assert_eq!(fs::metadata(scene.hermes()).unwrap().permissions().mode() & 0o7777, 0o600);
    let second = ran(&mut scene.hubkit(&with_agent(&["bootstrap", "hermes"])));
    assert!(second.err.contains("unchanged") && second.err.contains(REGISTERED), "{}", second.err);
    assert_eq!(fs::read_to_string(scene.hermes()).unwrap(), text);
}

#[test]
fn the_agents_exit_status_and_signals_are_its_own() {
    let scene = Scene::new();
    let exits = |script: &str| {
        let arguments = ["bootstrap", "openclaw", "--", "sh", "-c", script];
        scene.hubkit(&arguments).output().unwrap().status
    };
    assert_eq!(exits("exit 42").code(), Some(42));
    assert_eq!(exits("kill -TERM $$").signal(), Some(15));
    assert_eq!(exits("test \"$PPID\" = \"$(cut -d' ' -f4 /proc/$$/stat)\"").code(), Some(0));
    // The agent is this process: the same process id.
    let mut child = scene.hubkit(&["bootstrap", "openclaw", "--", "sleep", "60"]).spawn().unwrap();
    loop {
        let line = fs::read_to_string(format!("/proc/{}/cmdline", child.id())).unwrap();
        if line.starts_with("sleep\0") {
            break;
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended instead of becoming the agent");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
}

#[test]
fn a_command_that_cannot_start_answers_as_a_shell_does() {
    let scene = Scene::new().with("plain", "no program");
    let plain = scene.path("plain");
    for (program, code) in [("/nonexistent/agent", 127), (plain.to_str().unwrap(), 126)] {
        let ran = ran(&mut scene.hubkit(&[
            "bootstrap",
            "hermes",
            "--",
            program,
            "--password",
            "hunter2hunter2hunter2",
        ]));
        assert_eq!(ran.code, Some(code), "{}", ran.err);
        assert!(ran.err.contains(program) && !ran.err.contains("hunter2"), "{}", ran.err);
    }
}

/// One row of the table "when the agent starts anyway".
struct Situation {
    name: &'static str,
    prepare: fn(&Scene),
    variables: &'static [(&'static str, Option<&'static str>)],
    without_command: i32,
    strict: i32,
    says: &'static str,
}

const SITUATIONS: &[Situation] = &[
    Situation {
        name: "nothing is wrong",
        prepare: |_| {},
        variables: &[],
        without_command: 0,
        strict: 0,
        says: "created",
    },
    Situation {
        name: "the wiring is not wanted",
        prepare: |_| {},
        variables: &[("HUB_MCP_ENABLED", Some("false")), ("HUB_MCP_API_KEY", Some("k\u{200b}"))],
        without_command: 0,
        strict: 0,
        says: "HUB_MCP_ENABLED is false",
    },
    Situation {
        name: "there are no credentials",
        prepare: |_| {},
        variables: &[("HUB_MCP_API_KEY", None)],
        without_command: 0,
        strict: 78,
        says: "skipped: HUB_MCP_API_KEY not set",
    },
    Situation {
        name: "an unknown word",
        prepare: |_| {},
        variables: &[("HUB_MCP_ENABLED", Some("maybe"))],
        without_command: 78,
        strict: 78,
        says: "HUB_MCP_ENABLED holds a word",
    },
    Situation {
        name: "a key with a zero-width character",
        prepare: |_| {},
        variables: &[("HUB_MCP_API_KEY", Some("\u{200b}k_test_9"))],
        without_command: 78,
        strict: 78,
        says: "HUB_MCP_API_KEY contains a zero-width space (U+200B) at character 1",
    },
    Situation {
        name: "an unparseable file",
        prepare: |scene| fs::write(scene.hermes(), "mcp_servers:\n  a:\n\tb: 1\n").unwrap(),
        variables: &[],
        without_command: 65,
        strict: 65,
        says: "config.yaml:3:",
    },
    Situation {
        name: "a directory in the file's place",
        prepare: |scene| fs::create_dir(scene.hermes()).unwrap(),
        variables: &[],
        without_command: 73,
        strict: 73,
        says: "director",
    },
];

#[test]
fn when_the_agent_starts_anyway() {
    for situation in SITUATIONS {
        let check = |arguments: &[&str], code: i32, started: bool| {
            let scene = Scene::new();
            fs::create_dir(scene.path(".hermes")).unwrap();
            (situation.prepare)(&scene);
            let before = fs::read(scene.hermes()).ok();
            let mut command = scene.hubkit(arguments);
            for (name, value) in situation.variables {
                match value {
                    Some(value) => command.env(name, value),
                    None => command.env_remove(name),
                };
            }
            let ran = ran(&mut command);
            let name = situation.name;
            assert_eq!(ran.code, Some(code), "{name}: {arguments:?}: {}", ran.err);
            assert_eq!(ran.out.contains("started"), started, "{name}: {arguments:?}: {}", ran.err);
            assert!(ran.err.contains(situation.says), "{name}: {arguments:?}: {}", ran.err);
            if situation.says != "created" {
                assert_eq!(fs::read(scene.hermes()).ok(), before, "{name}: the file changed");
                assert!(!ran.err.contains(REGISTERED), "{name}: {}", ran.err);
            }
        };
        check(&["bootstrap", "hermes"], situation.without_command, false);
        check(&with_agent(&["bootstrap", "hermes"]), 0, true);
        check(&["bootstrap", "hermes", "--strict"], situation.strict, false);
        check(&with_agent(&["bootstrap", "hermes", "--strict"]), situation.strict, situation.strict == 0);
    }
}

#[test]
fn a_held_lock_is_waited_for_and_then_the_agent_starts() {
    let scene = Scene::new().with(".hermes/config.yaml", "model: x\n");
    let directory = fs::File::open(scene.path(".hermes")).unwrap();
    directory.lock().unwrap();
    let ran = ran(&mut scene.hubkit(&with_agent(&["bootstrap", "hermes", "--json"])));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("\"exit\":75") && ran.out.ends_with("started\n"), "{}", ran.out);
    assert_eq!(fs::read_to_string(scene.hermes()).unwrap(), "model: x\n");
}

#[test]
fn the_agent_gets_the_clean_key_where_its_file_refers_to_it() {
    let show = ["--", "sh", "-c", "printf %s \"$HUB_MCP_API_KEY\" | sha256sum | cut -c1-8"];
    let expected = {
        let scene = Scene::new();
        ran(scene.hubkit(&[&["bootstrap", "openclaw"][..], &show].concat()).env("HUB_MCP_API_KEY", KEY)).out
    };
    let scene = Scene::new().with("key", &format!("{KEY}\n"));
    let boot = |host: &str, set: &dyn Fn(&mut Command)| {
        let mut command = scene.hubkit(&[&["bootstrap", host][..], &show].concat());
        set(&mut command);
        ran(&mut command)
    };
    let dirty = boot("openclaw", &|command| {
        command.env("HUB_MCP_API_KEY", format!(" {KEY}\n"));
    });
    assert_eq!(dirty.out, expected, "{}", dirty.err);
    assert!(dirty.err.contains("HUB_MCP_API_KEY: surrounding white space removed"), "{}", dirty.err);
    let from_file = |command: &mut Command| {
        command.env_remove("HUB_MCP_API_KEY").env("HUB_MCP_API_KEY_FILE", scene.path("key"));
    };
    assert_eq!(boot("openclaw", &from_file).out, expected);
    // A step that was not done leaves what stood there, which may be a reference.
    let not_done = boot("openclaw", &|command| {
        from_file(command);
        command.env("HUB_MCP_ENABLED", "false");
    });
    assert_eq!(not_done.out, expected, "{}", not_done.err);
    // Hermes's file holds the key itself: a key from a file stays out of the environment.
    let unset = boot("hermes", &from_file);
    assert_eq!(unset.out.trim(), "e3b0c442", "the hash of nothing: {}", unset.err);
}

#[test]
fn a_reference_that_nobody_would_resolve_is_an_error_without_a_command() {
    let scene = Scene::new().with("key", KEY);
    for arguments in [
        &["configure", "openclaw"][..],
        &["configure", "hermes", "--secrets", "env"],
        &["bootstrap", "openclaw"],
    ] {
        let mut command = scene.hubkit(arguments);
        command.env_remove("HUB_MCP_API_KEY").env("HUB_MCP_API_KEY_FILE", scene.path("key"));
        let ran = ran(&mut command);
        assert_eq!(ran.code, Some(78), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains("--secrets literal"), "{}", ran.err);
    }
    assert!(!scene.path(".openclaw").exists(), "nothing was created");
}

#[test]
fn configure_checks_without_writing_and_says_so_by_exit_code() {
    let scene = Scene::new().with(".hermes/config.yaml", "model: x # mine\n");
    let check = ran(&mut scene.hubkit(&["configure", "hermes", "--check", "--diff"]));
    assert_eq!(check.code, Some(1), "{}", check.err);
    assert!(check.out.contains("+mcp_servers:") && check.out.contains(" model: x # mine"), "{}", check.out);
    assert!(!check.err.contains(REGISTERED), "{}", check.err);
    assert_eq!(fs::read_to_string(scene.hermes()).unwrap(), "model: x # mine\n");
    assert_eq!(ran(&mut scene.hubkit(&["configure", "hermes"])).code, Some(0));
    let again = ran(&mut scene.hubkit(&["configure", "hermes", "--check"]));
    assert_eq!(again.code, Some(0), "{}", again.err);
    let missing = Scene::new();
    assert_eq!(ran(&mut missing.hubkit(&["configure", "openclaw", "--check"])).code, Some(1));
    assert!(!missing.path(".openclaw").exists(), "a check created the directory");
}

#[test]
fn configure_without_credentials_is_an_error_that_names_them() {
    let scene = Scene::new();
    let ran =
        ran(scene.hubkit(&["configure", "hermes"]).env_remove("HUB_MCP_URL").env_remove("HUB_MCP_API_KEY"));
    assert_eq!(ran.code, Some(78));
    assert!(ran.err.contains("HUB_MCP_URL (or HUB_URL) and HUB_MCP_API_KEY"), "{}", ran.err);
}

#[test]
fn reports_for_machines_are_one_object_on_standard_output() {
    let scene = Scene::new();
    let configured = ran(&mut scene.hubkit(&["configure", "openclaw", "--json", "--diff"]));
    let object: serde_json::Value = serde_json::from_str(&configured.out).unwrap();
    assert_eq!(object["status"], "changed");
    assert_eq!((&object["created"], &object["write"]), (&true.into(), &"atomic".into()));
    assert_eq!(object["secrets"], "env");
    assert_eq!(object["registered"], true);
    assert!(object["diff"].as_str().unwrap().contains("ci-hub"));
    let booted = ran(&mut scene.hubkit(&["bootstrap", "openclaw", "--json"]));
    let object: serde_json::Value = serde_json::from_str(&booted.out).unwrap();
    assert_eq!((&object["version"], &object["exit"]), (&1.into(), &0.into()));
    let steps = object["steps"].as_array().unwrap();
    let hub = steps.iter().find(|step| step["step"] == "hub-mcp").unwrap();
    assert_eq!(hub["status"], "unchanged");
    assert_eq!(booted.out.lines().count(), 1);
}

#[test]
fn a_path_that_is_no_utf8_does_not_cost_the_report() {
    use std::os::unix::ffi::OsStrExt as _;
    let scene = Scene::new();
    let path = scene.home.path().join(std::ffi::OsStr::from_bytes(b"c\xff.yaml"));
    let ran = ran(scene.hubkit(&["configure", "hermes", "--json", "--config"]).arg(&path));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let object: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(object["file"].as_str().unwrap().ends_with("c\u{fffd}.yaml"), "{object}");
    assert!(path.is_file());
}

#[test]
fn usage_errors_exit_two_and_help_exits_zero() {
    let scene = Scene::new();
    for arguments in [
        &["configure", "nonsense"][..],
        &["bootstrap", "hermes", "--steps", "nonsense"],
        &["--nonsense"],
        &["configure"],
    ] {
        assert_eq!(ran(&mut scene.hubkit(arguments)).code, Some(2), "{arguments:?}");
    }
    for arguments in [&["--help"][..], &["configure", "--help"], &["bootstrap", "--help"], &["--version"]] {
        assert_eq!(ran(&mut scene.hubkit(arguments)).code, Some(0), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let scene = Scene::new();
    let command = format!("{} configure hermes --json | true", binary::hubkit().display());
    let mut shell = Command::new("bash");
    shell.args(["-c", &format!("{command}; exit ${{PIPESTATUS[0]}}")]).env("HOME", scene.home.path());
    let ran = ran(shell.env("HUB_MCP_URL", URL).env("HUB_MCP_API_KEY", KEY));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn data_that_cannot_be_written_is_no_success() {
    let scene = Scene::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = scene.hubkit(&["configure", "hermes", "--json"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(73));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"));
}

#[test]
fn a_path_that_names_a_directory_makes_no_file() {
    let scene = Scene::new();
    let ran = ran(&mut scene.hubkit(&[
        "configure",
        "hermes",
        "--config",
        scene.path("sub/new/").to_str().unwrap(),
    ]));
    assert_eq!(ran.code, Some(73), "{}", ran.err);
    assert!(!scene.path("sub").exists());
}

#[test]
fn the_files_own_place_is_the_one_the_host_would_read() {
    let scene = Scene::new();
    let home = |name: &str| scene.path(name).to_str().unwrap().to_owned();
    for (host, variable, directory, file) in [
        ("hermes", "HERMES_HOME", "opt", "config.yaml"),
        ("openclaw", "OPENCLAW_STATE_DIR", "state", "openclaw.json"),
    ] {
        let ran = ran(scene.hubkit(&["configure", host]).env(variable, home(directory)));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(Path::new(&home(directory)).join(file).is_file());
    }
}

#[test]
fn a_plugin_that_is_refused_keeps_no_other_one_out() {
    let scene = Scene::new().with(".openclaw/openclaw.json", "{ gateway: { mode: 'local' } }\n");
    let good = binary::repository().join("tests/fixtures/plugins/hubkit-sample");
    let bad = scene.path("bad");
    fs::create_dir(&bad).unwrap();
    fs::write(bad.join("openclaw.plugin.json"), "{ id: 'bad' }").unwrap();
    let mut command = scene.hubkit(&["bootstrap", "openclaw", "--steps", "plugin", "--json", "--plugin"]);
    let ran = ran(command.arg(&bad).arg("--plugin").arg(&good));
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let step = &report["steps"][0];
    assert_eq!((ran.code, &step["status"]), (Some(65), &"refused".into()), "{report}");
    assert!(step["reason"].as_str().unwrap().contains("configSchema"), "{report}");
    assert!(step["also"][0]["path"].as_str().unwrap().ends_with("extensions/hubkit-sample"), "{report}");
    let text = fs::read_to_string(scene.path(".openclaw/openclaw.json")).unwrap();
    assert!(text.contains("hubkit-sample") && !text.contains("bad"), "{text}");
}
