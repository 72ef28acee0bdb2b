//! One request and its answer, with the redirects between them, bounded.

use std::error::Error;
use std::io;
use std::time::Duration;

use hubkit_contract::limits;
use hubkit_redaction::Secret;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::Value;
use url::Url;

use crate::attempts::Failure;
use crate::base::shown;
use crate::error::HubError;
use crate::printable::printable;

/// What is asked.
#[derive(Debug)]
pub(crate) struct Question<'q> {
    pub(crate) url: Url,
    /// The key for the `Authorization` header, without its scheme.
    pub(crate) bearer: Option<&'q Secret>,
    /// The JSON of a POST; a GET without it.
    pub(crate) json: Option<String>,
}

impl Question<'_> {
    /// A GET without a credential.
    pub(crate) fn get(url: Url) -> Self {
        Self { url, bearer: None, json: None }
    }

    /// The URL as it may stand in messages.
    pub(crate) fn shown(&self) -> String {
        shown(&self.url)
    }

    fn request(&self, client: &Client, url: &Url) -> Result<RequestBuilder, Failure> {
        let request = match &self.json {
            None => client.get(url.clone()),
            Some(json) => {
                client.post(url.clone()).header(CONTENT_TYPE, "application/json").body(json.clone())
            }
        };
        let request = request.header(ACCEPT, "application/json");
        let Some(key) = self.bearer else { return Ok(request) };
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose())).map_err(|_| {
            let what = "holds a character that no header can carry".to_owned();
            Failure::Final(HubError::Endpoint { place: "the key for the Hub", what })
        })?;
        value.set_sensitive(true);
        Ok(request.header(AUTHORIZATION, value))
    }
}

/// An answer of 200 with JSON in it.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) headers: HeaderMap,
    pub(crate) json: Value,
}

/// Sends the question, following redirects within its origin (RFC 9110 §15.4 leaves it to the client which it
/// follows).
pub(crate) async fn exchange(client: &Client, question: &Question<'_>) -> Result<Reply, Failure> {
    let asked = question.shown();
    let mut url = question.url.clone();
    for _ in 0..=limits::HUB_REDIRECTS {
        let sent = question.request(client, &url)?.send().await;
        let response = sent.map_err(|error| failure(&error, &asked))?;
        match response.status().as_u16() {
            200 => return read(response, &asked).await,
            // 303, and 301 and 302 in practice, turn a POST into a GET, which would be another question.
            301..=303 if question.json.is_none() => url = target(&url, response.headers(), &asked)?,
            307 | 308 => url = target(&url, response.headers(), &asked)?,
            status => return Err(Failure::Status { status, retry_after: retry_after(response.headers()) }),
        }
    }
    let what = format!("more than {} redirects", limits::HUB_REDIRECTS);
    Err(Failure::Final(HubError::protocol(&asked, what)))
}

fn target(from: &Url, headers: &HeaderMap, asked: &str) -> Result<Url, Failure> {
    let location = headers.get(LOCATION).and_then(|value| value.to_str().ok());
    let Some(mut to) = location.and_then(|location| from.join(location).ok()) else {
        return Err(Failure::Final(HubError::protocol(asked, "a redirect to nowhere")));
    };
    if to.origin() != from.origin() {
        return Err(Failure::Final(HubError::Redirect {
            url: asked.to_owned(),
            from: from.origin().ascii_serialization(),
            // A host name of the DNS has at most 253 characters, a URL's may have more.
            to: printable(&to.origin().ascii_serialization(), 300),
        }));
    }
    // A user in the target would become an `Authorization` header that nobody asked for. Http URLs can have
    // one, so taking it away cannot fail.
    let _none = to.set_username("").and_then(|()| to.set_password(None));
    Ok(to)
}

/// Seconds of `Retry-After` (RFC 9110 §10.2.3). Its date form is not read: our own pause serves then.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    // An hour is past every budget, and adding it to a point in time cannot overflow.
    Some(Duration::from_secs(seconds).min(Duration::from_secs(3600)))
}

async fn read(mut response: Response, asked: &str) -> Result<Reply, Failure> {
    let wrong = |what: String| Failure::Final(HubError::protocol(asked, what));
    if !is_json(response.headers()) {
        return Err(wrong("HTTP 200 without JSON".to_owned()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failure(&error, asked))? {
        if body.len() + chunk.len() > limits::HUB_ANSWER_BYTES {
            return Err(wrong(format!("an answer of more than {} bytes", limits::HUB_ANSWER_BYTES)));
        }
        body.extend_from_slice(&chunk);
    }
    let json = serde_json::from_slice(&body).map_err(|_| wrong("HTTP 200 with broken JSON".to_owned()))?;
    Ok(Reply { headers: response.headers().clone(), json })
}

/// Whether the content type is JSON's (RFC 8259 §11), or a format on top of it (RFC 6839 §3.1).
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Why no answer came: what TLS or the protocol say is final, what the network says may pass.
fn failure(error: &reqwest::Error, asked: &str) -> Failure {
    let url = || asked.to_owned();
    if let Some(what) = tls_cause(error) {
        return Failure::Final(HubError::Tls { url: url(), what });
    }
    if error.is_builder() {
        return Failure::Final(HubError::protocol(asked, "a URL that cannot be asked for"));
    }
    let what = root_cause(error);
    let broke_off = causes(error).any(|cause| {
        cause.is::<io::Error>()
            || cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_incomplete_message)
    });
    if error.is_connect() || broke_off {
        return Failure::Unreachable { what };
    }
    Failure::Final(HubError::protocol(asked, what))
}

fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// What the TLS library said, where it was TLS that failed.
fn tls_cause(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(tls) = error.downcast_ref::<rustls::Error>() {
        return Some(tls.to_string());
    }
    // An I/O error's `source` skips the error that it holds, which may be an I/O error again.
    let held = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    match held {
        Some(held) => tls_cause(held),
        None => tls_cause(error.source()?),
    }
}

/// The innermost message of an error, which says what the system said.
pub(crate) fn root_cause(error: &(dyn Error + 'static)) -> String {
    causes(error).last().map(ToString::to_string).unwrap_or_default()
}
