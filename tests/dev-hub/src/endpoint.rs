//! `/api/mcp`: the SDK's Streamable HTTP server behind the Hub's Bearer check, with the Hub's way of refusing.
//!
//! The protocol is the SDK's. What stands here is only where the Hub's own controller answers by itself.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hubkit_contract::hub_url::MCP_PATH;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::answer::{self, Answer, INTERNAL, NO_SUCH_SESSION, REFUSED};
use crate::bearer::Bearer;
use crate::options::Options;
use crate::tools::HubTools;

/// The Hub drops a session after this long without a request.
const SESSION_IDLE: Duration = Duration::from_secs(30 * 60);

/// Name of the header that carries the session.
const SESSION_HEADER: &str = "mcp-session-id";

/// The endpoint with its sessions.
pub(crate) struct Endpoint {
    bearer: Bearer,
    sessions: Arc<LocalSessionManager>,
    service: StreamableHttpService<HubTools, LocalSessionManager>,
}

impl Endpoint {
    /// An endpoint without sessions.
    pub(crate) fn new(options: &Options) -> Self {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SESSION_IDLE);
        // The Hub keeps no events to resume from, so its streams start with no priming event.
        sessions.session_config.sse_retry = None;
        let sessions = Arc::new(sessions);
        let config = StreamableHttpServerConfig::default().with_sse_retry(None).with_json_response(true);
        let tools = HubTools::new(options.capability);
        let service = StreamableHttpService::new(move || Ok(tools), Arc::clone(&sessions), config);
        Self { bearer: Bearer::new(options.key.clone()), sessions, service }
    }

    /// The check of the key, which other routes share.
    pub(crate) fn bearer(&self) -> &Bearer {
        &self.bearer
    }

    /// Answers one request. The body was read before, so that the log can name its JSON-RPC method.
    pub(crate) async fn answer(&self, request: Request<Full<Bytes>>, body_is_json: bool) -> Answer {
        if let Err(message) = self.bearer.check(request.headers()) {
            return answer::filtered(StatusCode::UNAUTHORIZED, message, MCP_PATH);
        }
        let session = session_of(request.headers());
        match *request.method() {
            Method::GET | Method::HEAD if !self.is_known(session.as_ref()).await => {
                answer::json(StatusCode::NOT_FOUND, answer::rpc_error(NO_SUCH_SESSION, "Session not found"))
            }
            Method::DELETE => {
                if let Some(session) = session {
                    // A session that is already gone is as good as closed.
                    let _closed = self.sessions.close_session(&session).await;
                }
                let mut answer = Response::new(Full::default().boxed());
                *answer.status_mut() = StatusCode::NO_CONTENT;
                answer
            }
            Method::POST if !body_is_json => {
                answer::filtered(StatusCode::BAD_REQUEST, "The body is not valid JSON", MCP_PATH)
            }
            _ => as_hub(self.service.handle(request).await).await,
        }
    }

    async fn is_known(&self, session: Option<&Arc<str>>) -> bool {
        match session {
            Some(session) => self.sessions.has_session(session).await.unwrap_or(false),
            None => false,
        }
    }
}

fn session_of(headers: &HeaderMap) -> Option<Arc<str>> {
    headers.get(SESSION_HEADER).and_then(|value| value.to_str().ok()).map(Arc::from)
}

/// The SDK refuses in plain text where the Hub refuses in JSON-RPC; statuses and other headers stay.
async fn as_hub(answer: Answer) -> Answer {
    let refused = answer.status().is_client_error() || answer.status().is_server_error();
    let is_json = answer
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
    if !refused || is_json {
        return answer;
    }
    let (mut parts, body) = answer.into_parts();
    let text = match body.collect().await {
        Ok(body) => String::from_utf8_lossy(&body.to_bytes()).into_owned(),
        Err(never) => match never {},
    };
    let code = match parts.status {
        StatusCode::NOT_FOUND => NO_SUCH_SESSION,
        status if status.is_server_error() => INTERNAL,
        _ => REFUSED,
    };
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let body = answer::rpc_error(code, &text);
    Response::from_parts(parts, Full::new(Bytes::from(body)).boxed())
}
