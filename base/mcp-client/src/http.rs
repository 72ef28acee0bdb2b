//! The HTTP client under the SDK's transport, and the transport's configuration.

use std::collections::HashMap;
use std::sync::Once;
use std::time::Duration;

use hubkit_redaction::Secret;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use url::Url;

use crate::error::ContactError;

/// Idle connections are dropped before a Node server drops them (5 s), which would look like a failed call.
const IDLE_POOL: Duration = Duration::from_secs(4);

/// Largest answer, bytes.
const ANSWER_BYTES: usize = 8 * 1024 * 1024;

/// A client that goes to the server itself: no proxy, no redirect, no clock of its own (it would cut streams).
pub(crate) fn client(url: &Url) -> Result<reqwest::Client, ContactError> {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        // An error means that the process has a provider already, which serves as well.
        let _present = rustls::crypto::ring::default_provider().install_default();
    });
    let mut builder = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .pool_idle_timeout(IDLE_POOL)
        .user_agent(concat!("hubkit/", env!("CARGO_PKG_VERSION")));
    if url.scheme() == "http" {
        // Loading the system's roots fails where an image has no CA bundle. Plain http needs none, and a
        // client with no roots cannot be led to trust anything.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| ContactError::Tls { what: root_cause(&error) })
}

/// The SDK's transport to one endpoint, with the credential as it stands in the host's configuration.
pub(crate) fn transport(
    client: reqwest::Client,
    url: &Url,
    authorization: &Secret,
) -> Result<StreamableHttpClientTransport<reqwest::Client>, ContactError> {
    let mut value = HeaderValue::from_str(authorization.expose())
        .map_err(|_| ContactError::Endpoint { what: "has a key that no header can carry".to_owned() })?;
    value.set_sensitive(true);
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
        .custom_headers(HashMap::from([(AUTHORIZATION, value)]))
        .max_json_response_size(ANSWER_BYTES)
        .max_sse_event_size(ANSWER_BYTES)
        .reinit_on_expired_session(false);
    // By default the SDK retries the server's event stream for ever, with growing pauses.
    let mut backoff = ExponentialBackoff::default();
    backoff.max_times = Some(1);
    config.retry_config = std::sync::Arc::new(backoff);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// The innermost message of an error, which says what the system said.
pub(crate) fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
