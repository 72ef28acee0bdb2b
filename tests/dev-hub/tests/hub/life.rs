//! Start, log, stop; and the program for people.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};

use crate::raw::exchange;
use hubkit_dev_hub::{DevHub, Options, Seen, generate_key};
use hubkit_redaction::Secret;
use serde_json::Value;

const KEY: &str = "canary-0123456789abcdef";

/// Whether a Hub can be started on the port of one that was just stopped with a connection open.
fn port_is_free_after(stop: fn(DevHub)) -> bool {
    let hub = DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap();
    let address = hub.url().strip_prefix("http://").unwrap().to_owned();
    let mut open = TcpStream::connect(&address).unwrap();
    assert!(TcpListener::bind(&address).is_err(), "the Hub does not hold its port");
    stop(hub);
    // End of file or a reset: the connection is cut, not left waiting.
    assert!(open.read(&mut [0]).map_or(true, |bytes| bytes == 0));
    let port = address.rsplit(':').next().unwrap().parse().unwrap();
    DevHub::start_blocking(Options { port, ..Options::new(Secret::new(KEY)) }).is_ok()
}

#[test]
fn stopping_frees_the_port_and_cuts_open_connections() {
    // Several attempts, because somebody else on this machine may get the port in between.
    assert!((0..5).any(|_| port_is_free_after(DevHub::stop)));
    assert!((0..5).any(|_| port_is_free_after(drop)));
}

#[test]
fn a_taken_port_is_an_error() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = DevHub::start_blocking(Options { port, ..Options::new(Secret::new(KEY)) }).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
}

#[tokio::test]
async fn the_log_says_what_came_and_keeps_no_key() {
    let hub = DevHub::start(Options::new(Secret::new(KEY))).await.unwrap();
    let bearer = format!("Bearer {KEY}");
    let headers = [
        ("Authorization", bearer.as_str()),
        ("User-Agent", "probe/1"),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hub_system_load"}}"#;
    exchange(&hub.url(), "GET", &format!("/api/health/live?key={KEY}"), &[], "");
    exchange(&hub.url(), "POST", "/api/mcp", &headers, call);
    let seen = hub.requests();
    let health = Seen {
        method: "GET".to_owned(),
        path: "/api/health/live".to_owned(),
        status: 200,
        rpc_method: None,
        tool: None,
        user_agent: None,
        model: None,
        offered: Vec::new(),
    };
    let called = Seen {
        method: "POST".to_owned(),
        path: "/api/mcp".to_owned(),
        status: 400,
        rpc_method: Some("tools/call".to_owned()),
        tool: Some("hub_system_load".to_owned()),
        user_agent: Some("probe/1".to_owned()),
        model: None,
        offered: Vec::new(),
    };
    assert_eq!(seen, [health, called]);
    assert!(!format!("{hub:?}").contains(KEY));
}

#[test]
fn keys_look_like_the_hubs_and_differ() {
    let (one, other) = (generate_key().unwrap(), generate_key().unwrap());
    assert!(one != other);
    assert_eq!(one.expose().len(), 64);
    assert!(one.expose().bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)));
}

/// Ends the program whatever the test does.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_hubkit-dev-hub"));
    program.env_remove("HUB_MCP_API_KEY").stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

fn announced(running: &mut Running) -> Value {
    let mut line = String::new();
    BufReader::new(running.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap()
}

fn status_with(base: &str, key: &str) -> u16 {
    exchange(base, "GET", "/api/mcp", &[("Authorization", &format!("Bearer {key}"))], "").status
}

#[test]
fn the_program_takes_its_key_from_the_environment() {
    let mut running = Running(program().env("HUB_MCP_API_KEY", KEY).spawn().unwrap());
    let announced = announced(&mut running);
    let url = announced["url"].as_str().unwrap();
    assert_eq!(announced["mcpUrl"], format!("{url}/api/mcp"));
    assert_eq!([status_with(url, KEY), status_with(url, "other")], [404, 401]);
}

#[test]
fn the_program_writes_a_new_key_for_its_owner_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("key");
    let mut running = Running(program().arg("--key-file").arg(&path).spawn().unwrap());
    let announced = announced(&mut running);
    let key = std::fs::read_to_string(&path).unwrap();
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(status_with(announced["url"].as_str().unwrap(), key.trim_end()), 404);

    let again = program().arg("--key-file").arg(&path).output().unwrap();
    assert_eq!(again.status.code(), Some(73), "an existing file must not be overwritten");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), key);
}

#[test]
fn the_program_refuses_what_it_does_not_know() {
    let bad: [&[&str]; 6] =
        [&[], &["--key", "x"], &["--port"], &["--port", "70000"], &["--capability", "all"], &["--key-file"]];
    for arguments in bad {
        let output = program().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(String::from_utf8_lossy(&output.stderr).contains("usage:"), "{arguments:?}");
    }
}
