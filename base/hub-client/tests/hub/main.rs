//! The client against the development Hub, and against servers that do what no Hub does.

#![expect(clippy::unwrap_used, reason = "a test says that something is wrong by panicking")]

mod bounds;
mod handout;
mod health;
mod memory;
mod ollama;
mod raw;
mod retries;
mod way;

use std::time::Duration;

use hubkit_dev_hub::{DevHub, Inference, Instead, Script};
use hubkit_hub_client::{HubClient, Options};
use hubkit_redaction::Secret;

/// The key of every development Hub here.
const KEY: &str = "canary-0123456789abcdef";

/// Enough time for any machine, and pauses that nobody notices.
fn patient() -> Options {
    Options {
        budget: Duration::from_secs(300),
        attempt: Duration::from_secs(300),
        retry_pause: Duration::from_millis(1),
        ..Options::when_nothing_is_cached()
    }
}

/// As [`patient`], but the first pause alone would be longer than the whole time: one attempt.
fn once() -> Options {
    Options { retry_pause: Duration::from_secs(10_000), ..patient() }
}

/// As [`patient`], with an earlier answer at hand.
fn cached() -> Options {
    Options { retries_origin_refusal: false, ..patient() }
}

fn client(url: &str, options: Options) -> HubClient {
    HubClient::new(url, options).unwrap()
}

fn hub(inference: Inference) -> DevHub {
    let options = hubkit_dev_hub::Options { inference, ..hubkit_dev_hub::Options::new(Secret::new(KEY)) };
    DevHub::start_blocking(options).unwrap()
}

/// A Hub whose hand-out follows a script.
fn scripted(script: Script) -> DevHub {
    hub(Inference { script: Some(script), ..Inference::default() })
}

/// A Hub whose hand-out is always this.
fn always(instead: Instead) -> DevHub {
    scripted(Script::always(instead))
}
