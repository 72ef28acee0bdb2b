//! A server that answers as a script says, for what a Hub never does.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// One request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// Request line and headers.
    pub(crate) head: String,
    /// The JSON body, or null.
    pub(crate) message: Value,
}

/// What to do with a request.
pub(crate) enum Act {
    /// Answer with these bytes and close.
    Send(String),
    /// Keep the connection open and say nothing.
    BeSilent,
}

/// A listening script. Its thread lives as long as the test process.
pub(crate) struct Scripted {
    address: String,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Scripted {
    /// Starts a server that acts as `script` says, one thread per connection.
    pub(crate) fn start(script: impl Fn(&Request) -> Act + Clone + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (script, log) = (script.clone(), Arc::clone(&log));
                std::thread::spawn(move || serve(stream, script, &log));
            }
        });
        Self { address, seen }
    }

    /// A server that gives every request the same answer.
    pub(crate) fn always(answer: String) -> Self {
        Self::start(move |_| Act::Send(answer.clone()))
    }

    /// URL of its MCP endpoint.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/api/mcp", self.address)
    }

    /// What it saw.
    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, script: impl Fn(&Request) -> Act, log: &Mutex<Vec<Request>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:").map(str::to_owned))
        .map_or(0, |length| length.trim().parse().unwrap());
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let request = Request { head, message: serde_json::from_slice(&body).unwrap_or_default() };
    log.lock().unwrap().push(request.clone());
    match script(&request) {
        // The client may be gone by now, which is no concern of the script.
        Act::Send(answer) => drop(stream.write_all(answer.as_bytes())),
        // Returns when the client gives up.
        Act::BeSilent => drop(reader.read(&mut [0])),
    }
}

/// An HTTP answer after which the connection is closed.
pub(crate) fn answer(status: &str, content_type: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// A JSON-RPC result for `request`.
pub(crate) fn result(request: &Request, result: &Value) -> Act {
    let message = json!({ "jsonrpc": "2.0", "id": request.message["id"], "result": result });
    Act::Send(answer("200 OK", "application/json", &message.to_string()))
}

/// A server of the session era alone, without sessions: lists as `list` says for a cursor.
pub(crate) fn legacy(list: impl Fn(Option<&str>) -> Value + Clone) -> impl Fn(&Request) -> Act + Clone {
    move |request| match request.message["method"].as_str() {
        Some("initialize") => result(
            request,
            &json!({
                "protocolVersion": "2025-06-18",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "old", "version": "0.9" }
            }),
        ),
        Some("notifications/initialized") => Act::Send(answer("202 Accepted", "application/json", "")),
        Some("tools/list") => result(request, &list(request.message["params"]["cursor"].as_str())),
        _ => {
            let body = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"no session"},"id":null}"#;
            Act::Send(answer("400 Bad Request", "application/json", body))
        }
    }
}
