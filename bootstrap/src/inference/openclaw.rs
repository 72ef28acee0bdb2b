//! OpenClaw: the provider `ci-hub` with the models that the Hub's Ollama serves.

use hubkit_configurators::credential::Credential;
use hubkit_configurators::model::{ASSUMED_CONTEXT, Api, OfferedModel, OpenClawProvider};
use hubkit_contract::environment::OLLAMA_HOST;
use hubkit_contract::handout::App;
use hubkit_contract::hub_url::same_origin;
use hubkit_contract::limits::SECRET_BYTES_MASKED;

use super::exports::standing;
use super::hermes::takes_over;
use super::{Offer, Planned, fit, question, text, tokens};
use crate::context::Context;
use crate::report::StepReport;

/// The variable that OpenClaw's file refers to for the key. One that no other program knows.
pub(super) const KEY_VARIABLE: &str = "HUBKIT_INFERENCE_API_KEY";

/// A key for OpenAI. With it, whatever it holds, OpenClaw sends texts of the workspace to api.openai.com for its
/// memory search.
const OPENAI_KEY: &str = "OPENAI_API_KEY";

/// What the environment says about keys for OpenAI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// Nothing that matters.
    Plain,
    /// Nothing, and the Hub's key must not come there.
    Absent,
    /// The Hub's key, or a placeholder.
    Hubs,
    /// A key of the user's own.
    Users,
}

impl Keys {
    /// Whether a variable of the hand-out is not given to the agent. The Hub's endpoint must not be where a key of
    /// the user's goes.
    pub(super) fn keep_out(self, name: &str) -> bool {
        match self {
            Self::Plain => false,
            Self::Absent | Self::Hubs => name == OPENAI_KEY,
            Self::Users => [OPENAI_KEY, App::OpenClaw.base_url()].contains(&name),
        }
    }

    /// What the agent must not get although the environment holds it.
    pub(super) fn withheld(self) -> Option<&'static str> {
        (self == Self::Hubs).then_some(OPENAI_KEY)
    }

    /// What a person should know.
    pub(super) fn notice(self) -> Option<String> {
        (self == Self::Users).then(|| {
            format!(
                "{OPENAI_KEY} in the environment is not the Hub's: with it OpenClaw sends texts of the workspace to \
                 api.openai.com for its memory search; unset it unless that is wanted"
            )
        })
    }
}

/// Looks at the environment. A word too short for a key, such as `ollama`, is nobody's.
pub(super) fn keys(offer: &Offer) -> Keys {
    let Some(standing) = standing(OPENAI_KEY) else { return Keys::Absent };
    let is_hubs = [&offer.values, &offer.before]
        .iter()
        .any(|values| text(values, OPENAI_KEY).is_some_and(|key| standing == *key));
    if is_hubs || standing.len() < SECRET_BYTES_MASKED { Keys::Hubs } else { Keys::Users }
}

/// What OpenClaw's configuration should say.
pub(super) fn part(context: &Context<'_>, offer: &Offer, report: &mut StepReport) -> Planned {
    let app = App::OpenClaw;
    let values = &offer.values;
    let Some(key) = values.get(app.api_key()).cloned() else { return Ok(None) };
    fit::word(app.api_key(), key.expose())?;
    let chosen = text(values, app.model()).map(|model| fit::word(app.model(), model)).transpose()?;
    let is_fresh = offer.handout.is_some();
    let Some(Endpoint { api, base_url, listed }) = Endpoint::of(context, offer, chosen, report)? else {
        return Ok(None);
    };
    // One that did not say what it serves is not waited for again.
    let ollama = listed.is_some().then(|| base_url.clone());
    // An endpoint of OpenAI's kind serves at least what the Hub chose, and that is what it is for.
    let is_all = listed.is_some() || (is_fresh && api == Api::OpenAi && chosen.is_some());
    let names = listed.unwrap_or_else(|| chosen.map(str::to_owned).into_iter().collect());
    let primary = chosen.and_then(|chosen| native(chosen, &names)).or_else(|| {
        let first = names.first().filter(|_| offer.is_usable()).cloned()?;
        let why = chosen
            .map_or("chose none".to_owned(), |chosen| format!("chose `{chosen}`, which it does not serve"));
        report.notices.push(format!("the Hub {why}: `{first}` is taken"));
        Some(first)
    });
    let models = Windows::of(context, offer, primary.as_deref(), ollama.as_deref(), report).models(names);
    Ok(Some(Box::new(OpenClawProvider {
        base_url,
        api,
        credential: Credential {
            variable: KEY_VARIABLE,
            key,
            secrets: context.wish.secrets,
            reference_resolves: context.wish.starts_command,
            or_literal: true,
        },
        is_fresh,
        models,
        is_all,
        primary,
        take_over: takes_over(context),
    })))
}

/// Where the model is served.
struct Endpoint {
    api: Api,
    base_url: String,
    /// The names of all that chat there, where it says so.
    listed: Option<Vec<String>>,
}

impl Endpoint {
    /// Ollama by its own API where it is what serves the Hub's choice; otherwise what speaks OpenAI's. A pool of
    /// several machines is reached through the latter alone, also while Ollama is what serves there.
    fn of(
        context: &Context<'_>,
        offer: &Offer,
        chosen: Option<&str>,
        report: &mut StepReport,
    ) -> Result<Option<Self>, String> {
        let name = App::OpenClaw.base_url();
        let openai = text(&offer.values, name).map(|base| fit::endpoint(name, base)).transpose()?;
        let openai = openai.map(|base_url| Self { api: Api::OpenAi, base_url, listed: None });
        let host = text(&offer.values, OLLAMA_HOST).filter(|_| offer.is_served_by_ollama());
        let Some(host) = host else { return Ok(openai) };
        let base_url = fit::ollama(OLLAMA_HOST, host)?;
        let listed = offer.handout.as_ref().and_then(|_| served(context, &base_url, report));
        let is_elsewhere =
            chosen.is_some_and(|chosen| listed.as_ref().is_some_and(|names| native(chosen, names).is_none()));
        let other = openai.filter(|openai| is_elsewhere && !same_origin(&openai.base_url, &base_url));
        Ok(Some(other.unwrap_or(Self { api: Api::Ollama, base_url, listed })))
    }
}

/// The context of the Hub's choice and of the other models, tokens.
struct Windows<'p> {
    primary: Option<&'p str>,
    of_primary: Option<u32>,
    of_others: Option<u32>,
}

impl<'p> Windows<'p> {
    /// Asks the Ollama at hand about the Hub's choice; whether it calls tools is said on the way.
    fn of(
        context: &Context<'_>,
        offer: &Offer,
        primary: Option<&'p str>,
        ollama: Option<&str>,
        report: &mut StepReport,
    ) -> Self {
        let handed_out = tokens(&offer.values, App::OpenClaw.num_ctx());
        let facts = ollama.zip(primary).and_then(|(base, model)| question::facts(context, base, model));
        if let (Some(model), Some(false)) = (primary, facts.and_then(|facts| facts.tools)) {
            report.notices.push(format!(
                "`{model}` does not call tools, which OpenClaw needs; choose another model in the Hub"
            ));
        }
        let own = facts.and_then(|facts| facts.context);
        let of_primary = match (handed_out, own) {
            (Some(handed_out), Some(own)) => Some(handed_out.min(own)),
            (handed_out, own) => handed_out.or(own),
        };
        Self { primary, of_primary, of_others: handed_out.map(|tokens| tokens.min(ASSUMED_CONTEXT)) }
    }

    fn models(&self, names: Vec<String>) -> Vec<OfferedModel> {
        let window = |id: &str| if self.primary == Some(id) { self.of_primary } else { self.of_others };
        names.into_iter().map(|id| OfferedModel { context: window(&id), id }).collect()
    }
}

/// The names by which Ollama serves its models; `None` where it does not say.
fn served(context: &Context<'_>, base: &str, report: &mut StepReport) -> Option<Vec<String>> {
    match question::ollama(context, base).and_then(|ollama| ollama.tags()) {
        Ok(mut names) => {
            names.retain(|name| fit::word("a model", name).is_ok());
            (!names.is_empty()).then_some(names)
        }
        Err(error) => {
            report.notices.push(format!("the models that are served could not be listed: {error}"));
            None
        }
    }
}

/// The served name of what the Hub calls `chosen`: Ollama completes a name without a tag by `latest`.
fn native(chosen: &str, names: &[String]) -> Option<String> {
    let latest = format!("{chosen}:latest");
    names.iter().find(|name| *name == chosen || **name == latest).cloned()
}
