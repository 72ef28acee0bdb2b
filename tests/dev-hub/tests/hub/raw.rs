//! One HTTP/1.1 exchange, byte for byte: what no client library would let us see or send.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Exchange {
    /// A header's value; names in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The JSON-RPC message: the body itself, or the data of its only event.
    pub(crate) fn message(&self) -> Value {
        let event = self.body.lines().find_map(|line| line.strip_prefix("data: "));
        serde_json::from_str(event.unwrap_or(&self.body)).unwrap()
    }
}

/// Sends one request on a connection of its own and reads until the server closes it.
pub(crate) fn exchange(
    base: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Exchange {
    let address = base.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        request.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    stream.write_all(format!("{request}\r\n{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    parse(&answer)
}

fn parse(answer: &str) -> Exchange {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<_> = lines
        .map(|line| line.split_once(':').unwrap())
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if chunked { unchunked(body) } else { body.to_owned() };
    Exchange { status, headers, body }
}

fn unchunked(mut rest: &str) -> String {
    let mut body = String::new();
    loop {
        let (size, data) = rest.split_once("\r\n").unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return body;
        }
        body.push_str(&data[..size]);
        rest = &data[size + 2..];
    }
}
