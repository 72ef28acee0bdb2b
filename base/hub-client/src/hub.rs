//! The Hub's routes that an app may ask.

use hubkit_contract::Urn;
use hubkit_contract::handout::App;
use hubkit_redaction::Secret;

use crate::base::Base;
use crate::error::HubError;
use crate::handout::{self, Handout};
use crate::health::{self, Health};
use crate::link::Link;
use crate::memory::{self, MemoryState};
use crate::options::Options;

/// A Hub. Its calls block, each at most for the budget of the options; they must not be made from async code.
#[derive(Debug)]
pub struct HubClient {
    link: Link,
}

impl HubClient {
    /// The Hub at `base_url`, as `HUB_URL` names it. Nothing is sent yet.
    ///
    /// # Errors
    /// The URL or the proxy cannot be used, or TLS cannot be set up.
    pub fn new(base_url: &str, options: Options) -> Result<Self, HubError> {
        Ok(Self { link: Link::new(Base::new("HUB_URL", base_url)?, options)? })
    }

    /// Whether nothing proves that it is the Hub that answers, for the caller to say once.
    #[must_use]
    pub fn is_plain_http(&self) -> bool {
        self.link.base.is_plain_http()
    }

    /// Whether the Hub lives. Advice alone: nothing should wait for it.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn health(&self) -> Result<Health, HubError> {
        health::ask(&self.link)
    }

    /// What the Hub hands out for `app`'s model. An answer that says why there is no model is an answer.
    ///
    /// The Hub may start to load a model when it is asked: once per boot is enough.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn handout(&self, app: App) -> Result<Handout, HubError> {
        handout::ask(&self.link, app)
    }

    /// How the app `urn` stands to the memory server; `key` is the app's own managed key.
    ///
    /// # Errors
    /// Why there is no answer; a key of another app is [`HubError::CredentialRefused`].
    pub fn memory_state(&self, urn: &Urn, key: &Secret) -> Result<MemoryState, HubError> {
        memory::ask(&self.link, urn, key)
    }
}
