//! First contact: connect, ask who is there, list the tools, part.

use std::time::Duration;

use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, PaginatedRequestParams, ProtocolVersion, ServerPeerInfo,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt as _, RoleClient, RunningService,
};
use url::Url;

use crate::endpoint::Endpoint;
use crate::error::ContactError;
use crate::http;

/// Time to part in: the session is deleted on the server, which may be gone.
const PARTING: Duration = Duration::from_secs(2);

/// Bounds of one contact.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For everything together: connecting, the handshake, all pages of tools.
    pub total: Duration,
    /// Pages of tools; a server that has more breaks off the contact as a protocol error.
    pub pages: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { total: Duration::from_secs(10), pages: 64 }
    }
}

/// What a first contact found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// The server's name; empty if it does not say.
    pub server_name: String,
    /// The server's version; empty if it does not say.
    pub server_version: String,
    /// The protocol revision that both speak.
    pub protocol_version: String,
    /// Names of all tools, in the server's order.
    pub tools: Vec<String>,
}

type Connection = RunningService<RoleClient, ClientConfig>;

/// Connects with exactly what the configuration says, lists the tools and closes the session.
///
/// Tries the stateless era first and falls back to a session, as MCP 2026-07-28 asks of a client of both.
///
/// # Errors
/// Why there was no contact, see [`ContactError`]; no message carries the credential.
pub async fn first_contact(endpoint: &Endpoint, limits: Limits) -> Result<Contact, ContactError> {
    let (url, shown) = endpoint.parse()?;
    let client = http::client(&url)?;
    // The SDK has no time limit of its own: a server that accepts and is silent would hold us for ever.
    match tokio::time::timeout(limits.total, meet(endpoint, client, &url, &shown, limits)).await {
        Ok(met) => met,
        Err(_) => Err(ContactError::Timeout { url: shown, after: limits.total }),
    }
}

async fn meet(
    endpoint: &Endpoint,
    client: reqwest::Client,
    url: &Url,
    shown: &str,
    limits: Limits,
) -> Result<Contact, ContactError> {
    let mut connection = connect(endpoint, client, url, shown).await?;
    let looked = look(&connection, shown, limits).await;
    // The outcome of parting changes nothing about what was seen.
    let _parted = connection.close_with_timeout(PARTING).await;
    looked
}

async fn connect(
    endpoint: &Endpoint,
    client: reqwest::Client,
    url: &Url,
    shown: &str,
) -> Result<Connection, ContactError> {
    let auto = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
    };
    let transport = http::transport(client.clone(), url, &endpoint.authorization)?;
    let failure = match introduction().serve_with_lifecycle(transport, auto).await {
        Ok(connection) => return Ok(connection),
        Err(failure) => failure,
    };
    if !matches!(failure, ClientInitializeError::ExpectedInitResult(_)) {
        return Err(ContactError::from_connect(shown, &failure));
    }
    // Some servers of the session era answer a method that they do not know with an empty result.
    let transport = http::transport(client, url, &endpoint.authorization)?;
    introduction()
        .serve_with_lifecycle(transport, ClientLifecycleMode::Initialize)
        .await
        .map_err(|failure| ContactError::from_connect(shown, &failure))
}

fn introduction() -> ClientConfig {
    ClientConfig::new(ClientCapabilities::default(), Implementation::new("hubkit", env!("CARGO_PKG_VERSION")))
        .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
}

async fn look(connection: &Connection, shown: &str, limits: Limits) -> Result<Contact, ContactError> {
    let (server_name, server_version, protocol_version) = who(connection.peer_info().as_deref());
    let mut tools = Vec::new();
    let mut page = None;
    for _ in 0..limits.pages {
        let listed =
            connection.list_tools(page).await.map_err(|error| ContactError::from_request(shown, &error))?;
        tools.extend(listed.tools.into_iter().map(|tool| tool.name.into_owned()));
        match listed.next_cursor {
            None => return Ok(Contact { server_name, server_version, protocol_version, tools }),
            Some(cursor) => page = Some(PaginatedRequestParams::default().with_cursor(Some(cursor))),
        }
    }
    let what = format!("more than {} pages of tools", limits.pages);
    Err(ContactError::Protocol { url: shown.to_owned(), what })
}

fn who(info: Option<&ServerPeerInfo>) -> (String, String, String) {
    let Some(info) = info else { return Default::default() };
    let (name, version) = match &info.server_info {
        Some(server) => (server.name.clone(), server.version.clone()),
        None => Default::default(),
    };
    (name, version, info.protocol_version.to_string())
}
