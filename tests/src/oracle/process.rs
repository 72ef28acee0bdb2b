//! One oracle's process: started when first asked, asked one document at a time, started anew after a
//! document that killed it.

#![expect(clippy::panic, reason = "an oracle that cannot be started must fail the test that asked for it")]

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

use serde_json::{Value, json};

use super::Tagged;
use crate::hosts;

/// How to start an oracle, and the one that runs.
pub(super) struct Process {
    start: fn() -> Command,
    running: Option<Running>,
    asked: u64,
}

struct Running {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Process {
    /// The one that reads YAML.
    pub(super) fn python() -> Self {
        Self::of(|| {
            let mut command = Command::new(hosts::oracle_python());
            command.arg("-I").arg(script("oracle.py"));
            command
        })
    }

    /// The one that reads JSON5.
    pub(super) fn node() -> Self {
        Self::of(|| {
            let mut command = Command::new(hosts::node());
            command.arg("--stack-size=4000").arg(script("oracle.mjs")).arg(hosts::oracle_node());
            command
        })
    }

    fn of(start: fn() -> Command) -> Self {
        Self { start, running: None, asked: 0 }
    }

    fn load(&mut self, reader: &str, document: &[u8]) -> Result<Tagged, String> {
        self.asked += 1;
        let id = self.asked;
        let running = self.running.get_or_insert_with(|| Running::start((self.start)()));
        match running.exchange(id, reader, document) {
            Ok(answer) => read(&answer, id),
            Err(error) => {
                // The next document gets a process of its own; this one is told apart from a refusal.
                let ending = running.child.kill().and_then(|()| running.child.wait());
                self.running = None;
                Err(format!("the oracle's process ended on this document: {error}; {ending:?}"))
            }
        }
    }
}

impl Running {
    fn start(mut command: Command) -> Self {
        command.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => panic!("the oracle {command:?} cannot be started: {error}"),
        };
        match (child.stdin.take(), child.stdout.take()) {
            (Some(requests), Some(answers)) => Self { child, requests, answers: BufReader::new(answers) },
            _ => panic!("the oracle {command:?} has no pipes"),
        }
    }

    fn exchange(&mut self, id: u64, reader: &str, document: &[u8]) -> io::Result<String> {
        let request = json!({ "id": id, "reader": reader, "bytes": document.len() });
        writeln!(self.requests, "{request}")?;
        self.requests.write_all(document)?;
        self.requests.flush()?;
        let mut answer = String::new();
        if self.answers.read_line(&mut answer)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(answer)
    }
}

/// Asks the process that is kept for all tests of this program.
pub(super) fn ask(
    process: &LazyLock<Mutex<Process>>,
    reader: &str,
    document: &[u8],
) -> Result<Tagged, String> {
    process.lock().unwrap_or_else(PoisonError::into_inner).load(reader, document)
}

fn read(answer: &str, id: u64) -> Result<Tagged, String> {
    let answer: Value = match serde_json::from_str(answer) {
        Ok(answer) => answer,
        Err(error) => panic!("the oracle answered in an unexpected form: {error}: {answer}"),
    };
    assert_eq!(answer["id"], json!(id), "the oracle answered another question");
    match (answer["value"].as_array(), answer["error"].as_str()) {
        (Some(tokens), None) => Ok(Tagged::from_tokens(tokens)),
        (None, Some(error)) => Err(error.to_owned()),
        _ => panic!("the oracle answered in an unexpected form: {answer}"),
    }
}

fn script(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts").join(name)
}
