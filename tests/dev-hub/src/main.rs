//! A development Hub for a person or a real host: runs until it is killed, prints where it listens.
//!
//! The key never stands in the arguments: it comes from `HUB_MCP_API_KEY`, or is generated and written to the
//! new file that `--key-file` names.

use std::path::PathBuf;
use std::process::ExitCode;

use hubkit_contract::{environment, exit};
use hubkit_dev_hub::{Capability, DevHub, Options, generate_key, write_new_key_file};
use hubkit_redaction::Secret;

const USAGE: &str = "usage: hubkit-dev-hub [--port N] [--capability read|write|full] [--key-file PATH]
The key is HUB_MCP_API_KEY; without it a key is generated and written to the new file PATH.";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(hub) => {
            announce(&hub);
            loop {
                std::thread::park();
            }
        }
        Err((code, message)) => {
            complain(&message);
            ExitCode::from(code)
        }
    }
}

type Failure = (u8, String);

fn run(mut arguments: impl Iterator<Item = String>) -> Result<DevHub, Failure> {
    let usage = |what: &str| (exit::USAGE, format!("{what}\n{USAGE}"));
    let (mut port, mut capability, mut key_file) = (0, Capability::default(), None);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| usage(&format!("{argument}: a value is missing")));
        match argument.as_str() {
            "--port" => port = value()?.parse().map_err(|_| usage("--port: not a port number"))?,
            "--capability" => {
                capability = Capability::from_word(&value()?)
                    .ok_or_else(|| usage("--capability: not one of read, write, full"))?;
            }
            "--key-file" => key_file = Some(PathBuf::from(value()?)),
            _ => return Err(usage("unknown argument")),
        }
    }
    let key = key(key_file)?;
    DevHub::start_blocking(Options { port, capability, ..Options::new(key) })
        .map_err(|error| (exit::UNREACHABLE, format!("cannot listen on 127.0.0.1:{port}: {error}")))
}

fn key(key_file: Option<PathBuf>) -> Result<Secret, Failure> {
    if let Some(key) = std::env::var(environment::HUB_MCP_API_KEY).ok().filter(|key| !key.is_empty()) {
        return Ok(Secret::new(key));
    }
    let Some(path) = key_file else {
        return Err((exit::USAGE, format!("there is no key\n{USAGE}")));
    };
    let made = generate_key().and_then(|key| write_new_key_file(&path, &key).map(|()| key));
    made.map_err(|error| {
        (exit::CANNOT_WRITE, format!("cannot write a new key to {}: {error}", path.display()))
    })
}

#[expect(clippy::print_stdout, reason = "where it listens is this program's output")]
fn announce(hub: &DevHub) {
    println!("{}", serde_json::json!({ "url": hub.url(), "mcpUrl": hub.mcp_url() }));
}

#[expect(clippy::print_stderr, reason = "a program of its own, it speaks for itself")]
fn complain(message: &str) {
    eprintln!("hubkit-dev-hub: {message}");
}
