//! Asking the Hub, and its Ollama about a model.

use hubkit_contract::handout::App;
use hubkit_hub_client::{Handout, HubClient, HubError, ModelFacts, Ollama, Options};

use crate::context::Context;

/// What came of asking.
pub(super) struct Answer {
    pub(super) result: Result<Handout, HubError>,
    /// What a person should know about the way there.
    pub(super) notices: Vec<String>,
}

/// Asks the Hub for the hand-out of `app`. With values from before at hand the agent is not kept waiting.
pub(super) fn ask(context: &Context<'_>, base: &str, app: App, is_cached: bool) -> Answer {
    let mut notices = Vec::new();
    let options = options(context, is_cached, &mut notices);
    let result = HubClient::new(base, options).and_then(|client| {
        if client.is_plain_http() {
            notices.push(
                "the Hub is asked over plain http, which authenticates nobody; its answer is taken as data"
                    .to_owned(),
            );
        }
        client.handout(app)
    });
    Answer { result, notices }
}

fn options(context: &Context<'_>, is_cached: bool, notices: &mut Vec<String>) -> Options {
    let options = if is_cached { Options::when_cached() } else { Options::when_nothing_is_cached() };
    let proxy = match context.intake.hubkit_hub_proxy.clone() {
        Ok(proxy) => proxy.map(|proxy| proxy.value),
        Err(error) => {
            notices.push(format!("{error}; the Hub is asked without a proxy"));
            None
        }
    };
    Options { proxy, ..options }
}

/// The Hub's Ollama. The agent is waiting, so it gets the short time.
pub(super) fn ollama(context: &Context<'_>, base: &str) -> Result<Ollama, HubError> {
    Ollama::new(base, options(context, true, &mut Vec::new()))
}

/// What Ollama knows of a model; nothing where it does not answer.
pub(super) fn facts(context: &Context<'_>, base: &str, model: &str) -> Option<ModelFacts> {
    ollama(context, base).and_then(|ollama| ollama.show(model)).ok()
}
