//! How long and which way the Hub is asked.

use std::time::Duration;

use hubkit_contract::limits;

/// Bounds of one call, and the way to the Hub.
#[derive(Debug, Clone)]
pub struct Options {
    /// http or https URL of a proxy. Without it connections are direct; the environment's proxies never count.
    pub proxy: Option<String>,
    /// For one call altogether: connecting, headers, bodies, redirects, retries and the pauses between them.
    pub budget: Duration,
    /// For one attempt, so that a lost packet does not cost the whole budget.
    pub attempt: Duration,
    /// Before the second attempt; each further pause is twice as long, up to [`Options::LONGEST_PAUSE`].
    pub retry_pause: Duration,
    /// Whether a refusal of our address (403) is tried again. The Hub remembers for 15 s which addresses belong to
    /// its containers, so it may refuse one that has just started.
    pub retries_origin_refusal: bool,
}

impl Options {
    /// The longest pause between two attempts, unless the server asks for a longer one.
    pub const LONGEST_PAUSE: Duration = Duration::from_secs(4);

    /// An earlier answer is at hand: the agent is not kept waiting.
    #[must_use]
    pub fn when_cached() -> Self {
        let budget = Duration::from_millis(limits::HUB_BUDGET_CACHED_MS);
        Self {
            proxy: None,
            budget,
            attempt: budget,
            retry_pause: Duration::from_millis(250),
            retries_origin_refusal: false,
        }
    }

    /// Without an answer the agent has no model: worth waiting for.
    #[must_use]
    pub fn when_nothing_is_cached() -> Self {
        Self {
            proxy: None,
            budget: Duration::from_millis(limits::HUB_BUDGET_MS),
            attempt: Duration::from_secs(10),
            retry_pause: Duration::from_millis(500),
            retries_origin_refusal: true,
        }
    }
}
