//! `hubkit configure HOST server NAME`, and `--remove`, as people run them; the real hosts read the result.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails here")]

use std::fs;
use std::path::PathBuf;

use hubkit_tests::binary;
use hubkit_tests::hosts::{self, Hermes, Openclaw};
use serde_json::Value as Json;
use tempfile::TempDir;

const SECRET: &str = "canary-0123456789abcdef0123456789abcdef";

struct Scene {
    home: TempDir,
}

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Scene {
    fn new() -> Self {
        Self { home: TempDir::new().unwrap() }
    }

    fn hubkit(&self, arguments: &[&str]) -> Ran {
        let mut command = binary::command(self.home.path());
        command.env("HUB_MCP_URL", "http://ci-hub:5002/api/mcp").env("HUB_MCP_API_KEY", SECRET);
        let output = command.args(arguments).output().unwrap();
        let [out, err] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(!out.contains(SECRET) && !err.contains(SECRET), "a secret leaked:\n{out}\n{err}");
        Ran { code: output.status.code(), out, err }
    }

    fn file(&self, host: &str) -> PathBuf {
        match host {
            "hermes" => Hermes::home(self.home.path()).join("config.yaml"),
            _ => Openclaw::state_dir(self.home.path()).join("openclaw.json"),
        }
    }

    fn write(&self, host: &str, text: &str) {
        fs::create_dir_all(self.file(host).parent().unwrap()).unwrap();
        fs::write(self.file(host), text).unwrap();
    }

    fn read(&self, host: &str) -> String {
        fs::read_to_string(self.file(host)).unwrap()
    }
}

#[test]
fn the_real_openclaw_takes_a_program_and_a_url() {
    let scene = Scene::new();
    for arguments in [
        &["configure", "openclaw", "server", "gh", "--", "gh-broker", "mcp", "--catalog", "a b"][..],
        &[
            "configure",
            "openclaw",
            "server",
            "notes",
            "--url",
            "http://127.0.0.1:9/mcp",
            "--header",
            "X-Who=me",
        ],
    ] {
        let ran = scene.hubkit(arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let before = scene.read("openclaw");
        assert!(scene.hubkit(arguments).err.contains("unchanged"), "a second run finds nothing to do");
        assert_eq!(scene.read("openclaw"), before);
    }
    let openclaw = hosts::openclaw();
    let output = openclaw.command(scene.home.path()).args(["config", "validate", "--json"]).output().unwrap();
    let verdict: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verdict["valid"], true, "{verdict}");
    let output = openclaw.command(scene.home.path()).args(["mcp", "list", "--json"]).output().unwrap();
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["gh-broker", "a b", "http://127.0.0.1:9/mcp"] {
        assert!(listed.contains(part), "{listed}");
    }
}

#[test]
fn the_real_hermes_takes_a_program_and_a_url() {
    let scene = Scene::new();
    scene.write("hermes", "# mine\n_config_version: 33\n");
    scene.hubkit(&["configure", "hermes", "server", "hf", "--", "hf-broker", "mcp"]);
    scene.hubkit(&["configure", "hermes", "server", "notes", "--url", "http://127.0.0.1:9/mcp"]);
    let output = hosts::hermes().command(scene.home.path()).args(["mcp", "list"]).output().unwrap();
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["hf-broker mcp", "http://127.0.0.1:9/mcp"] {
        assert!(listed.contains(part), "{listed}");
    }
    assert!(scene.read("hermes").starts_with("# mine\n"));
}

#[test]
fn a_server_that_the_agent_would_never_see_is_refused() {
    let scene = Scene::new();
    for name in ["memory", "web", "terminal"] {
        let ran = scene.hubkit(&["configure", "hermes", "server", name, "--", "x"]);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("built-in toolset"), "{}", ran.err);
    }
    let hubs = scene.hubkit(&["configure", "hermes", "server", "hub", "--", "x"]);
    assert!(hubs.code == Some(2) && hubs.err.contains("`hubkit configure hermes`"), "{}", hubs.err);
    assert!(!scene.file("hermes").exists());
    let waiting = scene.hubkit(&["configure", "openclaw", "--no-create", "server", "a", "--", "x"]);
    assert!(waiting.err.contains("--no-create") && !scene.file("openclaw").exists(), "{}", waiting.err);
    assert_eq!(scene.hubkit(&["configure", "openclaw", "server", "memory", "--", "x"]).code, Some(0));
}

#[test]
fn what_cannot_be_a_server_is_a_usage_error_and_nothing_is_written() {
    let scene = Scene::new();
    let authorization = format!("Authorization: Bearer {SECRET}");
    for arguments in [
        &["server"][..],
        &["server", "a"],
        &["server", "a", "--url", "ftp://x/"],
        &["server", "a", "--url", "http://x/", "--", "y"],
        &["server", "a", "--url", "http://x/", "--remove"],
        &["--remove", "server", "a", "--", "y"],
        &["server", "a", "--header", "A=b", "--", "y"],
        &["server", "a", "--url", "http://x/", "--header", &authorization],
        &["server", "a", "--url", "http://x/", "--header", "A b=c"],
        &["server", "a b", "--", "y"],
        &["server", "", "--", "y"],
        &["server", "a.b\n", "--", "y"],
        &["server", "a", "--", "y\u{1b}[0m"],
    ] {
        let ran = scene.hubkit(&[&["configure", "hermes"][..], arguments].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.out.is_empty() && !scene.file("hermes").exists(), "{arguments:?}");
    }
}

#[test]
fn a_secret_header_is_masked_everywhere_and_its_place_is_pointed_out() {
    let scene = Scene::new();
    let header = format!("Authorization=Bearer {SECRET}");
    let arguments =
        ["configure", "openclaw", "server", "a", "--url", "http://x/", "--header", &header, "--diff"];
    let ran = scene.hubkit(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("stood on the command line"), "{}", ran.err);
    assert!(scene.read("openclaw").contains(SECRET), "it was asked for");
    let reference = "Authorization=Bearer ${TOKEN}";
    let ran =
        scene.hubkit(&["configure", "openclaw", "server", "a", "--url", "http://x/", "--header", reference]);
    assert!(!ran.err.contains("command line"), "{}", ran.err);
}

#[test]
fn a_server_changes_its_transport_and_keeps_what_is_the_users() {
    let scene = Scene::new();
    scene.write(
        "hermes",
        "mcp_servers:\n  a:\n    url: http://x/  # mine\n    tools: {include: [b]}\n    transport: sse\n",
    );
    assert_eq!(scene.hubkit(&["configure", "hermes", "server", "a", "--", "run"]).code, Some(0));
    assert_eq!(scene.read("hermes"), "mcp_servers:\n  a:\n    tools: {include: [b]}\n    command: run\n");
    assert_eq!(scene.hubkit(&["configure", "hermes", "server", "a", "--url", "http://z/"]).code, Some(0));
    let text = scene.read("hermes");
    assert!(
        text.contains("include: [b]") && text.contains("http://z/") && !text.contains("command"),
        "{text}"
    );
}

/// A credential must not go to whoever is at the new place.
#[test]
fn headers_of_the_server_before_do_not_go_to_another_one() {
    for host in ["hermes", "openclaw"] {
        let scene = Scene::new();
        let add = |url: &str, headers: &[&str]| {
            let headers = headers.iter().flat_map(|header| ["--header", header]);
            let arguments: Vec<&str> =
                ["configure", host, "server", "a", "--url", url].into_iter().chain(headers).collect();
            let ran = scene.hubkit(&arguments);
            assert_eq!(ran.code, Some(0), "{}", ran.err);
            ran.err
        };
        add("http://one/mcp", &["Authorization=Bearer ${ONE}", "X-Kind=a"]);
        assert!(!add("http://one/other", &[]).contains("headers"), "the same server, another path");
        assert!(scene.read(host).contains("${ONE}"));
        let said = add("http://two/mcp", &["x-kind=b"]);
        assert!(said.contains("`Authorization`; give them with --header"), "{said}");
        let text = scene.read(host);
        assert!(!text.contains("${ONE}") && text.contains("X-Kind"), "{text}");
    }
}

#[test]
fn removing_gives_back_the_very_bytes() {
    for (host, text) in [
        ("hermes", "# mine\nmodel: x\n\n# end"),
        ("hermes", "mcp_servers: {}\r\nother: 1\r\n"),
        ("hermes", "mcp_servers:\n  # theirs\n  other: {url: http://x/}\n"),
        ("openclaw", "{ gateway: { mode: 'local', }, /* end */ }\n"),
        ("openclaw", "{\n\t\"gateway\": {\"mode\": \"local\"},\n\t\"mcp\": {\"servers\": {}}\n}"),
    ] {
        let scene = Scene::new();
        scene.write(host, text);
        for _ in 0..2 {
            assert_eq!(scene.hubkit(&["configure", host]).code, Some(0));
        }
        assert_eq!(scene.hubkit(&["configure", host, "server", "b", "--", "y"]).code, Some(0));
        assert_eq!(scene.hubkit(&["configure", host, "server", "b", "--remove", "--check"]).code, Some(1));
        assert_eq!(scene.hubkit(&["configure", host, "--remove", "server", "b"]).code, Some(0));
        let ran = scene.hubkit(&["configure", host, "--remove", "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(scene.read(host), text, "{host}");
        assert!(!ran.err.contains("registered") && ran.out.contains(r#""registered":false"#), "{}", ran.out);
        assert!(scene.hubkit(&["configure", host, "--remove"]).err.contains("unchanged"));
    }
}

#[test]
fn a_file_that_hubkit_made_goes_and_one_that_was_added_to_since_stays() {
    let scene = Scene::new();
    for host in ["hermes", "openclaw"] {
        scene.hubkit(&["configure", host]);
        let ran = scene.hubkit(&["configure", host, "--remove"]);
        assert!(!scene.file(host).exists() && ran.err.contains("it is gone"), "{}", ran.err);
        assert_eq!(scene.hubkit(&["configure", host, "--remove"]).code, Some(0), "nothing to remove is fine");
    }
    scene.hubkit(&["configure", "hermes"]);
    let text = scene.read("hermes");
    scene.write("hermes", &format!("{text}mine: 1\n"));
    scene.hubkit(&["configure", "hermes", "--remove"]);
    assert_eq!(scene.read("hermes"), "mine: 1\n");
}

#[test]
fn without_its_record_a_removal_still_takes_the_entry_and_nothing_else() {
    let scene = Scene::new();
    scene.write("hermes", "# mine\n");
    scene.hubkit(&["configure", "hermes"]);
    fs::remove_dir_all(scene.file("hermes").with_file_name(".hubkit")).unwrap();
    assert_eq!(scene.hubkit(&["configure", "hermes", "--remove"]).code, Some(0));
    assert_eq!(scene.read("hermes"), "# mine\nmcp_servers: {}\n");
}
