//! Canary secrets through every command, every outcome and every error path: none may come out.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails here")]

use std::fs;
use std::path::Path;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hubkit_tests::binary;
use tempfile::TempDir;

/// The Hub's key, with every character that some format escapes.
const KEY: &str = r#"canary-KEY"'\/+=%{}[]:#,&*!|>@`-0123456789"#;
/// The wake secret, the app key, the memory token.
const OTHERS: [(&str, &str); 3] = [
    ("HUB_WAKE_SECRET", "canary-WAKE-0123456789abcdef"),
    ("HUB_APP_KEY", "canary-APP-0123456789abcdef"),
    ("CI_SERVER_TOKEN", "canary-MEM-0123456789abcdef"),
];
/// Credentials that are the user's own or older, known to nobody: they stand in the file alone.
const IN_FILE: [&str; 6] = [
    "canaryOLDkey0123456789abcdef",
    "canaryNEIGHBOUR0123456789abcdef",
    "canaryENV0123456789abcdef",
    "canaryURLpass0123456789",
    "canaryQUERY0123456789abcdef",
    "canaryCOMMENT0123456789abcdef",
];

const HERMES: &str = r#"# token: canaryCOMMENT0123456789abcdef
model: {api_key: canaryNEIGHBOUR0123456789abcdef, default: m}
mcp_servers:
  files:
    command: npx
    args: ["--header", "Authorization: Bearer canaryNEIGHBOUR0123456789abcdef"]
    env: {SOME_TOKEN: "canaryENV0123456789abcdef"}
  hub:
    url: "http://me:canaryURLpass0123456789@old/api/mcp?token=canaryQUERY0123456789abcdef"
    headers:
      Authorization: "Bearer canaryOLDkey0123456789abcdef"
    transport: sse
"#;

const OPENCLAW: &str = r#"{ /* key: canaryCOMMENT0123456789abcdef */ gateway: { mode: "local", auth: { token: "canaryNEIGHBOUR0123456789abcdef" } }, mcp: { servers: { x: { command: "y", env: { SOME_TOKEN: "canaryENV0123456789abcdef" } }, "ci-hub": { url: "http://me:canaryURLpass0123456789@old/api/mcp?token=canaryQUERY0123456789abcdef", headers: { Authorization: "Bearer canaryOLDkey0123456789abcdef" }, timeout: 5 } } } }"#;

fn spellings(secret: &str) -> Vec<String> {
    let json = serde_json::to_string(secret).unwrap();
    vec![
        secret.to_owned(),
        json[1..json.len() - 1].to_owned(),
        secret.replace('\'', "''"),
        format!("{secret:?}").trim_matches('"').to_owned(),
        STANDARD.encode(secret).trim_end_matches('=').to_owned(),
        URL_SAFE_NO_PAD.encode(secret),
    ]
}

/// Runs `hubkit` in every way that an argument list and an environment allow and looks at all it prints.
fn quiet(home: &Path, arguments: &[&str], change: &dyn Fn(&mut Command)) -> (i32, String) {
    let mut command = binary::command(home);
    command.args(arguments).env("HUB_MCP_URL", "http://ci-hub:5002/api/mcp").env("HUB_MCP_API_KEY", KEY);
    for (name, value) in OTHERS {
        command.env(name, value);
    }
    command.env("RUST_BACKTRACE", "full");
    change(&mut command);
    let output = command.output().unwrap();
    let all =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    for secret in [KEY].iter().chain(OTHERS.iter().map(|(_, value)| value)).chain(&IN_FILE) {
        for spelling in spellings(secret) {
            assert!(!all.contains(&spelling), "{arguments:?} printed {spelling}:\n{all}");
        }
    }
    assert!(!all.contains("canary"), "{arguments:?} printed a part of a secret:\n{all}");
    (output.status.code().unwrap(), all)
}

fn home(hermes: &str, openclaw: &str) -> TempDir {
    let home = TempDir::new().unwrap();
    for (file, text) in [(".hermes/config.yaml", hermes), (".openclaw/openclaw.json", openclaw)] {
        let path = home.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    home
}

#[test]
fn no_command_prints_a_secret_whatever_the_outcome() {
    for host in ["hermes", "openclaw"] {
        for style in [&[][..], &["--secrets", "literal"], &["--secrets", "env"]] {
            for flags in [
                &["--check", "--diff"][..],
                &["--check", "--diff", "--json"],
                &["--diff"],
                &["--diff", "--json"],
            ] {
                let home = home(HERMES, OPENCLAW);
                let arguments = [&["configure", host], style, flags].concat();
                let (code, all) = quiet(home.path(), &arguments, &|_| {});
                assert!(code == 0 || code == 1, "{arguments:?}: {code}: {all}");
                assert!(all.contains("ci-hub:5002"), "the change is shown: {all}");
            }
        }
        let home = home(HERMES, OPENCLAW);
        quiet(home.path(), &["bootstrap", host, "--json", "--", "true"], &|_| {});
        quiet(home.path(), &["bootstrap", host, "--", "/nonexistent", KEY], &|_| {});
    }
}

#[test]
fn no_error_prints_a_secret() {
    let broken_yaml = format!("{HERMES}  bad: [canaryNEIGHBOUR0123456789abcdef\n");
    let broken_json5 = OPENCLAW.replacen("mcp:", "mcp canaryNEIGHBOUR0123456789abcdef:", 1);
    for host in ["hermes", "openclaw"] {
        let broken = home(&broken_yaml, &broken_json5);
        let (code, all) = quiet(broken.path(), &["configure", host, "--diff", "--json"], &|_| {});
        assert_eq!(code, 65, "{all}");
        let home = home(HERMES, OPENCLAW);
        let bad: [(&str, String); 7] = [
            ("HUB_MCP_API_KEY", format!("{KEY}\u{200b}")),
            ("HUB_MCP_API_KEY", format!("{KEY}\r\nX: y")),
            ("HUB_MCP_API_KEY", format!("${{{KEY}}}")),
            ("HUB_MCP_URL", "http://canary-user:canary-0123456789abcdef@ci-hub/".to_owned()),
            ("HUB_MCP_URL", "canary-0123456789abcdef".to_owned()),
            ("HUB_MCP_ENABLED", "canary-0123456789abcdef".to_owned()),
            ("HUB_MCP_API_KEY_FILE", "/proc/self/cmdline".to_owned()),
        ];
        for (name, value) in bad {
            let (code, all) = quiet(home.path(), &["configure", host], &|command| {
                command.env(name, &value);
            });
            assert_eq!(code, 78, "{name}: {all}");
            assert!(all.contains(name), "{name} is not named: {all}");
        }
    }
}

#[test]
fn a_usage_error_does_not_repeat_a_secret() {
    let home = home(HERMES, OPENCLAW);
    for arguments in [
        &["configure", KEY][..],
        &["configure", "hermes", "--secrets", KEY],
        &["bootstrap", "hermes", "--steps", OTHERS[0].1],
        &[KEY],
    ] {
        assert_eq!(quiet(home.path(), arguments, &|_| {}).0, 2);
    }
}

#[test]
fn a_key_is_written_so_that_the_file_holds_exactly_it() {
    let home = home(HERMES, OPENCLAW);
    for (host, file) in [("hermes", ".hermes/config.yaml"), ("openclaw", ".openclaw/openclaw.json")] {
        quiet(home.path(), &["configure", host, "--secrets", "literal"], &|_| {});
        let text = fs::read_to_string(home.path().join(file)).unwrap();
        let recipe = if host == "hermes" {
            hubkit_configurators::Host::Hermes
        } else {
            hubkit_configurators::Host::OpenClaw
        };
        let entry = hubkit_configurators::entry::read(recipe.recipe(), &text).unwrap().unwrap();
        assert_eq!(entry.authorization.unwrap().expose(), format!("Bearer {KEY}"));
        assert!(!text.contains("canaryOLDkey"), "the old key is gone");
    }
}
