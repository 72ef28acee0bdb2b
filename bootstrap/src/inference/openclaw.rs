//! OpenClaw: the provider `ci-hub` with the models that the Hub's Ollama serves.

use hubkit_configurators::credential::Credential;
use hubkit_configurators::model::{Api, OfferedModel, OpenClawProvider};
use hubkit_configurators::part::Part;
use hubkit_contract::environment::OLLAMA_HOST;
use hubkit_contract::handout::App;

use super::hermes::takes_over;
use super::{Offer, question, text, tokens};
use crate::context::Context;
use crate::report::StepReport;

/// The variable that OpenClaw's file refers to for the key. One that no other program knows.
const KEY_VARIABLE: &str = "HUBKIT_INFERENCE_API_KEY";

/// Whether OpenClaw must not see this variable: with an `OPENAI_API_KEY`, whatever it holds, OpenClaw sends texts
/// of the workspace to api.openai.com for its memory search.
pub(super) fn is_withheld(name: &str) -> bool {
    name == "OPENAI_API_KEY"
}

/// What OpenClaw's configuration should say.
pub(super) fn part(context: &Context<'_>, offer: &Offer, report: &mut StepReport) -> Option<Box<dyn Part>> {
    let app = App::OpenClaw;
    let values = &offer.values;
    let key = values.get(app.api_key())?.clone();
    report.exports.push((KEY_VARIABLE.to_owned(), key.clone()));
    let chosen = text(values, app.model());
    let window = tokens(values, app.num_ctx());
    let ollama = text(values, OLLAMA_HOST).filter(|_| offer.is_served_by_ollama());
    let (api, base_url) = match ollama {
        Some(base) => (Api::Ollama, base.to_owned()),
        None => (Api::OpenAi, text(values, app.base_url())?.to_owned()),
    };
    let names = match api {
        Api::Ollama if offer.handout.is_some() => served(context, &base_url, report),
        _ => None,
    };
    let names = names.unwrap_or_else(|| chosen.map(str::to_owned).into_iter().collect());
    let primary = chosen.and_then(|chosen| native(chosen, &names)).or_else(|| {
        let first = names.first().cloned()?;
        let why = chosen
            .map_or("chose none".to_owned(), |chosen| format!("chose `{chosen}`, which it does not serve"));
        report.notices.push(format!("the Hub {why}: `{first}` is taken"));
        Some(first)
    });
    if let (Some(model), Api::Ollama, Some(_)) = (&primary, api, &offer.handout) {
        let tools = question::facts(context, &base_url, model).and_then(|facts| facts.tools);
        if tools == Some(false) {
            report.notices.push(format!(
                "`{model}` does not call tools, which OpenClaw needs; choose another model in the Hub"
            ));
        }
    }
    let models = names.into_iter().map(|id| OfferedModel { id, context: window }).collect();
    Some(Box::new(OpenClawProvider {
        base_url,
        api,
        credential: Credential {
            variable: KEY_VARIABLE,
            key,
            secrets: context.wish.secrets,
            reference_resolves: context.wish.starts_command,
        },
        models,
        primary,
        take_over: takes_over(context),
    }))
}

/// The names by which Ollama serves its models; `None` where it does not say.
fn served(context: &Context<'_>, base: &str, report: &mut StepReport) -> Option<Vec<String>> {
    match question::ollama(context, base).and_then(|ollama| ollama.tags()) {
        Ok(names) if names.is_empty() => None,
        Ok(names) => Some(names),
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
