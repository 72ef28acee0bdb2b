//! Why an answer did not come about: a closed list, each with its exit code. No message carries a credential, a
//! query, or anything that the server sent beyond a status.

use std::time::Duration;

use hubkit_contract::exit;

/// Why the Hub, or its Ollama, gave no answer that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HubError {
    /// The URL, the proxy or the key cannot be used at all; nothing was sent.
    #[error("{place} {what}; correct it")]
    Endpoint {
        /// Which of the things that were given.
        place: &'static str,
        /// What is wrong with it, without its value.
        what: String,
    },
    /// TLS cannot be set up, or the two sides do not trust each other.
    #[error(
        "TLS failed ({what}); {url}; install a CA bundle (`ca-certificates`) or correct the Hub's certificate"
    )]
    Tls {
        /// What was asked for.
        url: String,
        /// What the TLS library said.
        what: String,
    },
    /// No connection came about, it broke off, or the server says that it cannot serve now.
    #[error("the Hub is unreachable ({what}); {url}; check HUB_URL and that the Hub runs")]
    Unreachable {
        /// What was asked for.
        url: String,
        /// What the system said, or the status.
        what: String,
    },
    /// The Hub refused the address that we come from.
    #[error(
        "the Hub refused where the request comes from (HTTP 403); {url}; it answers only the app's own container, \
         directly and through no proxy"
    )]
    OriginRefused {
        /// What was asked for.
        url: String,
    },
    /// The Hub refused the key.
    #[error("the credential was refused (HTTP 401); {url}; check HUB_APP_KEY and HUB_MCP_API_KEY")]
    CredentialRefused {
        /// What was asked for.
        url: String,
    },
    /// The Hub hands out nothing under this app's name.
    #[error(
        "the Hub does not know this app (HTTP 404); {url}; check HUB_URL, and whether the Hub is too old"
    )]
    UnknownApp {
        /// What was asked for.
        url: String,
    },
    /// The Hub hands out another version than the one that hubkit speaks.
    #[error("the Hub does not hand out version 1 ({what}); {url}; update the older of hubkit and the Hub")]
    UnsupportedVersion {
        /// What was asked for.
        url: String,
        /// The status, or where another version stands.
        what: String,
    },
    /// The answer is not what this route answers.
    #[error("the answer breaks the protocol ({what}); {url}; check that HUB_URL is the Hub's address")]
    Protocol {
        /// What was asked for.
        url: String,
        /// What is wrong with the answer.
        what: String,
    },
    /// The server sends us to another origin.
    #[error(
        "redirected from {from} to {to}, which is not followed; {url}; set HUB_URL to the Hub's own address"
    )]
    Redirect {
        /// What was asked for.
        url: String,
        /// The origin that was asked.
        from: String,
        /// The origin that it names.
        to: String,
    },
    /// The total time is over.
    #[error("no answer within {after:?}; {url}; check that the Hub runs and is not overloaded")]
    Timeout {
        /// What was asked for.
        url: String,
        /// The total time.
        after: Duration,
    },
}

impl HubError {
    /// The documented exit code.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Endpoint { .. } | Self::Tls { .. } => exit::CONFIG,
            Self::OriginRefused { .. } | Self::CredentialRefused { .. } => exit::CREDENTIAL_REFUSED,
            Self::Unreachable { .. } => exit::UNREACHABLE,
            Self::UnknownApp { .. }
            | Self::UnsupportedVersion { .. }
            | Self::Protocol { .. }
            | Self::Redirect { .. } => exit::PROTOCOL,
            Self::Timeout { .. } => exit::TIMEOUT,
        }
    }

    /// The answer to `url` is not what it should be.
    pub(crate) fn protocol(url: &str, what: impl Into<String>) -> Self {
        Self::Protocol { url: url.to_owned(), what: what.into() }
    }

    /// What a status other than 200 means on a route where it has no meaning of its own.
    pub(crate) fn from_status(url: &str, status: u16) -> Self {
        let url = url.to_owned();
        match status {
            401 => Self::CredentialRefused { url },
            403 => Self::OriginRefused { url },
            429 | 500.. => Self::Unreachable { url, what: format!("HTTP {status}") },
            _ => Self::Protocol { url, what: format!("HTTP {status}") },
        }
    }
}
