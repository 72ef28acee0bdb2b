//! An endpoint that speaks as much of OpenAI's chat API as one turn of an agent needs, and keeps the names
//! of the tools that it was offered.
//!
//! It answers every turn with the same sentence. Never here: a tool call, and anything beyond loopback.

#![expect(clippy::panic, reason = "a stub that cannot listen must fail the test that asked for it")]

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use serde_json::{Value as Json, json};

/// The one model that there is.
pub const MODEL: &str = "stub-1";

/// What it says, whatever it is asked.
pub const ANSWER: &str = "The stub has spoken.";

/// The tools of each turn, in the order of arrival.
type Turns = Arc<Mutex<Vec<Vec<String>>>>;

/// A running endpoint. It stops when it is dropped.
#[derive(Debug)]
pub struct StubOpenai {
    address: SocketAddr,
    turns: Turns,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl StubOpenai {
    /// Starts the endpoint on a free port of loopback.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn start() -> Self {
        let listening = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .and_then(|listener| listener.local_addr().map(|address| (listener, address)));
        let (listener, address) =
            listening.unwrap_or_else(|error| panic!("the stub cannot listen on loopback: {error}"));
        let (turns, stopped) = (Turns::default(), Arc::new(AtomicBool::new(false)));
        let thread = std::thread::spawn({
            let (turns, stopped) = (Arc::clone(&turns), Arc::clone(&stopped));
            move || {
                for stream in listener.incoming().flatten() {
                    if stopped.load(Ordering::Relaxed) {
                        break;
                    }
                    let turns = Arc::clone(&turns);
                    // A client that went away is its own affair.
                    std::thread::spawn(move || exchange(stream, &turns).ok());
                }
            }
        });
        Self { address, turns, stopped, thread: Some(thread) }
    }

    /// The base URL, as a client is configured with it.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The names of the tools that each turn offered so far.
    #[must_use]
    pub fn turns(&self) -> Vec<Vec<String>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for StubOpenai {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // The listener waits in `accept`; a connection wakes it.
        let _woken = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

/// One request and its answer; the connection ends with it.
fn exchange(stream: TcpStream, turns: &Turns) -> io::Result<()> {
    let mut reader = BufReader::new(&stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let (method, path) =
        (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
    let mut length = 0;
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body)?;

    let (status, kind, text) = match (method.as_str(), path.as_str()) {
        ("GET", "/v1/models") => ("200 OK", "application/json", models()),
        ("POST", "/v1/chat/completions") => {
            let request: Json = serde_json::from_slice(&body)?;
            turns.lock().unwrap_or_else(PoisonError::into_inner).push(offered(&request));
            if request["stream"] == true {
                ("200 OK", "text/event-stream", streamed())
            } else {
                ("200 OK", "application/json", completed())
            }
        }
        _ => ("404 Not Found", "application/json", json!({ "error": { "message": "not here" } }).to_string()),
    };
    let length = text.len();
    write!(
        &stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}"
    )
}

/// The names of the tools in a request.
fn offered(request: &Json) -> Vec<String> {
    let tools = request["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    tools.iter().filter_map(|tool| tool["function"]["name"].as_str()).map(str::to_owned).collect()
}

fn models() -> String {
    json!({ "object": "list", "data": [{ "id": MODEL, "object": "model", "created": 0, "owned_by": "stub" }] })
        .to_string()
}

fn completed() -> String {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": MODEL,
        "choices": [{
            "index": 0, "message": { "role": "assistant", "content": ANSWER }, "finish_reason": "stop"
        }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 }
    })
    .to_string()
}

/// The same answer as a stream of events: the text, the end, and the mark after the last event.
fn streamed() -> String {
    let event = |delta: Json, finish: Json| {
        let chunk = json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": MODEL,
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }]
        });
        format!("data: {chunk}\n\n")
    };
    let text = event(json!({ "role": "assistant", "content": ANSWER }), Json::Null);
    let end = event(json!({}), "stop".into());
    format!("{text}{end}data: [DONE]\n\n")
}
