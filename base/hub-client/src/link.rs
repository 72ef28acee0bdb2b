//! The HTTP client with the runtime that drives it.

use std::sync::Once;
use std::time::Duration;

use tokio::runtime::Runtime;

use crate::attempts::{Attempts, Failure};
use crate::base::Base;
use crate::error::HubError;
use crate::exchange::{self, Question, Reply, root_cause};
use crate::options::Options;

/// Idle connections are dropped before a Node server drops them (5 s), which would look like a failed call.
const IDLE_POOL: Duration = Duration::from_secs(4);

/// The way to one server.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) base: Base,
    pub(crate) options: Options,
    client: reqwest::Client,
    /// Taken by `drop` alone.
    runtime: Option<Runtime>,
}

impl Link {
    /// A link to the server at `base`; nothing is sent yet.
    pub(crate) fn new(base: Base, options: Options) -> Result<Self, HubError> {
        let client = client(&base, options.proxy.as_deref())?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| unusable("the system", format!("gives no runtime ({error})")))?;
        Ok(Self { base, options, client, runtime: Some(runtime) })
    }

    /// The attempts of one call; its time starts here.
    pub(crate) fn attempts(&self) -> Attempts<'_> {
        Attempts::new(&self.options, false)
    }

    /// Asks until there is an answer of 200 that is JSON, a failure that stays, or no time.
    pub(crate) fn ask(&self, attempts: &Attempts<'_>, question: &Question<'_>) -> Result<Reply, Failure> {
        let Some(runtime) = &self.runtime else {
            return Err(Failure::Unreachable { what: "the client is shut down".to_owned() });
        };
        runtime.block_on(attempts.run(async || exchange::exchange(&self.client, question).await))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A name server that does not answer holds a thread which an ordinary drop would wait for.
            runtime.shutdown_background();
        }
    }
}

fn unusable(place: &'static str, what: String) -> HubError {
    HubError::Endpoint { place, what }
}

/// A client that goes to the server itself, or through the given proxy alone, follows no redirect by itself, and
/// has no clock of its own.
fn client(base: &Base, proxy: Option<&str>) -> Result<reqwest::Client, HubError> {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        // An error means that the process has a provider already, which serves as well.
        let _present = rustls::crypto::ring::default_provider().install_default();
    });
    let mut builder = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .pool_idle_timeout(IDLE_POOL)
        .user_agent(concat!("hubkit/", env!("CARGO_PKG_VERSION")));
    let mut is_plain = base.is_plain_http();
    if let Some(proxy) = proxy {
        let place = "the Hub's proxy";
        is_plain &= Base::new(place, proxy)?.is_plain_http();
        let proxy = reqwest::Proxy::all(proxy).map_err(|error| unusable(place, root_cause(&error)))?;
        builder = builder.proxy(proxy);
    }
    if is_plain {
        // Loading the system's roots fails where an image has no CA bundle. Plain http needs none, and a client
        // with no roots cannot be led to trust anything.
        builder = builder.tls_certs_only([]);
    }
    let url = crate::base::shown(&base.route("/")?);
    builder.build().map_err(|error| HubError::Tls { url, what: root_cause(&error) })
}
