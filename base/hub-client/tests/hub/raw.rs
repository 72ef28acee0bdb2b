//! A server that answers byte for byte what a test says, and keeps the heads of what it was sent.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What to do with a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Send these bytes and close.
    Send(String),
    /// Send these bytes, then a space every few milliseconds, for ever.
    Drip(String),
    /// Say nothing and keep the connection open.
    BeSilent,
}

/// A listening script. Its thread lives as long as the test process.
pub(crate) struct Raw {
    address: String,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Raw {
    /// Acts as `script` says for the head of each request.
    pub(crate) fn start(script: impl Fn(&str) -> Act + Clone + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&heads);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (script, log) = (script.clone(), Arc::clone(&log));
                std::thread::spawn(move || serve(stream, script, &log));
            }
        });
        Self { address, heads }
    }

    /// Does the same with every request.
    pub(crate) fn always(act: Act) -> Self {
        Self::start(move |_| act.clone())
    }

    /// Base URL.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Request line and headers of what came.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, script: impl Fn(&str) -> Act, log: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    log.lock().unwrap().push(head.clone());
    match script(&head) {
        // The client may be gone by now, which is no concern of the script.
        Act::Send(bytes) => drop(stream.write_all(bytes.as_bytes())),
        Act::Drip(bytes) => {
            let mut sent = stream.write_all(bytes.as_bytes());
            while sent.is_ok() {
                std::thread::sleep(Duration::from_millis(5));
                sent = stream.write_all(b" ");
            }
        }
        // Returns when the client gives up.
        Act::BeSilent => drop(reader.read(&mut [0])),
    }
}

/// An answer of 200 with JSON, after which the connection is closed.
pub(crate) fn json(body: &str) -> String {
    answer("200 OK", "Content-Type: application/json\r\n", body)
}

/// An answer with whole header lines.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}")
}
