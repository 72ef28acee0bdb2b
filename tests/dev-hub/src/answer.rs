//! The shapes of the Hub's own answers: plain JSON, the body of its exception filter, JSON-RPC errors.

use std::convert::Infallible;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::Value;

/// Any answer of this server.
pub(crate) type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Code of "there is no such session", as the MCP SDKs use it.
pub(crate) const NO_SUCH_SESSION: i32 = -32001;
/// Code of a request that the transport refuses.
pub(crate) const REFUSED: i32 = -32000;
/// Code of an internal error (JSON-RPC 2.0 §5.1).
pub(crate) const INTERNAL: i32 = -32603;

/// JSON text under a status.
pub(crate) fn json(status: StatusCode, text: String) -> Answer {
    let mut answer = self::text("application/json; charset=utf-8", text);
    *answer.status_mut() = status;
    answer
}

/// Text of another kind under 200.
pub(crate) fn text(kind: &'static str, text: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(text)).boxed());
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

// The texts below are spelled out because clients of the Hub have seen their members in this order.

/// The body of the Hub's exception filter: `{statusCode, message, path}`.
pub(crate) fn filtered(status: StatusCode, message: &str, path: &str) -> Answer {
    let (code, message, path) = (status.as_u16(), Value::from(message), Value::from(path));
    json(status, format!(r#"{{"statusCode":{code},"message":{message},"path":{path}}}"#))
}

/// The body of a JSON-RPC error that belongs to no request (`"id": null`).
pub(crate) fn rpc_error(code: i32, message: &str) -> String {
    let message = Value::from(message);
    format!(r#"{{"jsonrpc":"2.0","error":{{"code":{code},"message":{message}}},"id":null}}"#)
}
