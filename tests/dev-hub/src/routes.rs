//! Which path is answered how, and the log entry of each answer.

use std::net::SocketAddr;

use http_body_util::{BodyExt as _, Full, Limited};
use hubkit_contract::hub_url::MCP_PATH;
use hyper::body::Incoming;
use hyper::header::USER_AGENT;
use hyper::{Method, Request, StatusCode};
use serde_json::Value;

use crate::answer::{self, Answer};
use crate::endpoint::Endpoint;
use crate::handout::HandoutRoutes;
use crate::memory::Memory;
use crate::options::Options;
use crate::seen::{Log, Seen};
use crate::stub::{self, Stub};

/// Largest request body, bytes.
const BODY_BYTES: usize = 4 * 1024 * 1024;

/// Answer of the liveness check.
const LIVE: &str = r#"{"status":"ok"}"#;

/// Answer of the readiness check, in the shape of Nest's Terminus.
const READY: &str = concat!(
    r#"{"status":"ok","info":{"queue":{"status":"up"}},"error":{},"#,
    r#""details":{"queue":{"status":"up"}}}"#
);

/// Everything behind the listener.
pub(crate) struct Routes {
    endpoint: Endpoint,
    handout: HandoutRoutes,
    memory: Memory,
    stub: Stub,
    log: Log,
}

impl Routes {
    /// Routes of a Hub at `address` that write to `log`.
    pub(crate) fn new(options: &Options, log: Log, address: SocketAddr) -> Self {
        Self {
            endpoint: Endpoint::new(options),
            handout: HandoutRoutes::new(&options.inference, &format!("http://{address}")),
            memory: options.memory,
            stub: Stub::new(&options.inference),
            log,
        }
    }

    /// Answers one request and notes it.
    pub(crate) async fn answer(&self, request: Request<Incoming>) -> Answer {
        let (parts, body) = request.into_parts();
        let mut seen = Seen {
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            status: 0,
            rpc_method: None,
            tool: None,
            user_agent: parts
                .headers
                .get(USER_AGENT)
                .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()),
            model: None,
            offered: Vec::new(),
        };
        let answer = match Limited::new(body, BODY_BYTES).collect().await {
            Err(_) => answer::filtered(StatusCode::PAYLOAD_TOO_LARGE, "request entity too large", &seen.path),
            Ok(body) => {
                let body = body.to_bytes();
                let message: Option<Value> = serde_json::from_slice(&body).ok();
                if let Some(message) = &message {
                    let text = |pointer| message.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
                    seen.rpc_method = text("/method");
                    seen.tool =
                        text("/params/name").filter(|_| seen.rpc_method.as_deref() == Some("tools/call"));
                    if let Some((model, offered)) = stub::asked(&seen.path, message) {
                        (seen.model, seen.offered) = (Some(model), offered);
                    }
                }
                let request = Request::from_parts(parts, Full::new(body));
                self.route(request, message.as_ref()).await
            }
        };
        seen.status = answer.status().as_u16();
        self.log.push(seen);
        answer
    }

    async fn route(&self, request: Request<Full<hyper::body::Bytes>>, message: Option<&Value>) -> Answer {
        let path = request.uri().path();
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        // The Hub's router takes one trailing slash.
        let path = path.strip_suffix('/').unwrap_or(path);
        if reads {
            if let Some(answer) = self.handout.answer(request.uri(), path).await {
                return answer;
            }
            if let Some(answer) = self.memory.answer(path, request.headers(), self.endpoint.bearer()) {
                return answer;
            }
        }
        let posted = message.filter(|_| request.method() == Method::POST);
        if (reads || posted.is_some())
            && let Some(answer) = self.stub.answer(path, posted)
        {
            return answer;
        }
        match path {
            "/api/health/live" if reads => answer::json(StatusCode::OK, LIVE.to_owned()),
            "/api/health" if reads => answer::json(StatusCode::OK, READY.to_owned()),
            MCP_PATH => self.endpoint.answer(request, message.is_some()).await,
            _ => {
                let message = format!("Cannot {} {path}", request.method());
                answer::filtered(StatusCode::NOT_FOUND, &message, path)
            }
        }
    }
}
