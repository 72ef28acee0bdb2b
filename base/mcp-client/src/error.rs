//! Why a contact failed: a closed list, each with its exit code. No message carries a credential or anything
//! that the server sent beyond a status.

use std::time::Duration;

use hubkit_contract::exit;
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::http::root_cause;

/// Why a contact failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContactError {
    /// The URL or the credential cannot be used at all; nothing was sent.
    #[error("the MCP endpoint {what}; correct its URL or key in the configuration")]
    Endpoint {
        /// What is wrong, without the value.
        what: String,
    },
    /// TLS cannot be set up here; nothing was sent.
    #[error("TLS cannot be set up ({what}); install a CA bundle (`ca-certificates`)")]
    Tls {
        /// What the TLS library said.
        what: String,
    },
    /// The server refused the credential.
    #[error(
        "the credential was refused (HTTP {status}); {url}; check HUB_MCP_API_KEY and the configured key"
    )]
    CredentialRefused {
        /// The endpoint, without credentials.
        url: String,
        /// 401 or 403.
        status: u16,
    },
    /// No connection came about, or the server says that it cannot serve now.
    #[error("the Hub is unreachable ({what}); {url}; check HUB_URL and that the Hub runs")]
    Unreachable {
        /// The endpoint, without credentials.
        url: String,
        /// What the system said, or the status.
        what: String,
    },
    /// The answer is not MCP.
    #[error("the answer breaks the protocol ({what}); {url}; check that this is the Hub's /api/mcp")]
    Protocol {
        /// The endpoint, without credentials.
        url: String,
        /// What was wrong with the answer.
        what: String,
    },
    /// The time for the whole contact is over.
    #[error("no contact within {after:?}; {url}; check that the Hub runs and is not overloaded")]
    Timeout {
        /// The endpoint, without credentials.
        url: String,
        /// The limit.
        after: Duration,
    },
}

impl ContactError {
    /// The documented exit code.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Endpoint { .. } | Self::Tls { .. } => exit::CONFIG,
            Self::CredentialRefused { .. } => exit::CREDENTIAL_REFUSED,
            Self::Unreachable { .. } => exit::UNREACHABLE,
            Self::Protocol { .. } => exit::PROTOCOL,
            Self::Timeout { .. } => exit::TIMEOUT,
        }
    }

    /// Why connecting failed.
    pub(crate) fn from_connect(url: &str, error: &ClientInitializeError) -> Self {
        match error {
            ClientInitializeError::TransportError { error, .. } => Self::from_transport(url, error),
            // The second attempt says what the server is; the first one only that it is not modern.
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => Self::from_connect(url, fallback),
            ClientInitializeError::JsonRpcError(error) => {
                Self::protocol(url, format!("JSON-RPC error {}", error.code.0))
            }
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
                Self::protocol(url, "no protocol version in common")
            }
            ClientInitializeError::ConnectionClosed(_) => Self::protocol(url, "the connection was closed"),
            _ => Self::protocol(url, "the handshake broke down"),
        }
    }

    /// Why a request on an established connection failed.
    pub(crate) fn from_request(url: &str, error: &ServiceError) -> Self {
        match error {
            ServiceError::TransportSend(error) => Self::from_transport(url, error),
            ServiceError::McpError(error) => Self::protocol(url, format!("JSON-RPC error {}", error.code.0)),
            ServiceError::TransportClosed => Self::protocol(url, "the connection was closed"),
            _ => Self::protocol(url, "an answer of the wrong kind"),
        }
    }

    fn from_transport(url: &str, error: &DynamicTransportError) -> Self {
        match error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
            Some(error) => Self::from_http(url, error),
            None => Self::protocol(url, "the transport failed"),
        }
    }

    fn from_http(url: &str, error: &StreamableHttpError<reqwest::Error>) -> Self {
        match error {
            StreamableHttpError::AuthRequired(_) => Self::refused(url, 401),
            StreamableHttpError::InsufficientScope(_) => Self::refused(url, 403),
            StreamableHttpError::HttpStatus(status) => {
                Self::Unreachable { url: url.to_owned(), what: format!("HTTP {}", status.status) }
            }
            StreamableHttpError::Client(error) if error.is_connect() => {
                Self::Unreachable { url: url.to_owned(), what: root_cause(error) }
            }
            StreamableHttpError::Client(error) => Self::protocol(url, root_cause(error)),
            StreamableHttpError::UnexpectedServerResponse(text) => match status_in(text) {
                Some(status @ (401 | 403)) => Self::refused(url, status),
                Some(status) => Self::protocol(url, format!("HTTP {status}")),
                None => Self::protocol(url, "not a JSON-RPC message"),
            },
            StreamableHttpError::UnexpectedContentType(_) => {
                Self::protocol(url, "neither JSON nor an event stream")
            }
            StreamableHttpError::ResponseBodyTooLarge { max_size } => {
                Self::protocol(url, format!("an answer of more than {max_size} bytes"))
            }
            StreamableHttpError::SessionExpired => Self::protocol(url, "the session was lost at once"),
            _ => Self::protocol(url, "the answer broke off"),
        }
    }

    fn refused(url: &str, status: u16) -> Self {
        Self::CredentialRefused { url: url.to_owned(), status }
    }

    fn protocol(url: &str, what: impl Into<String>) -> Self {
        Self::Protocol { url: url.to_owned(), what: what.into() }
    }
}

/// The status in the SDK's text for a failed request, `HTTP 401 Unauthorized: …`. A 401 without a
/// `WWW-Authenticate` header, which is what the Hub sends, is told apart by nothing else.
fn status_in(text: &str) -> Option<u16> {
    text.strip_prefix("HTTP ")?.get(..3)?.parse().ok()
}
