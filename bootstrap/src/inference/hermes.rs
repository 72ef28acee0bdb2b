//! Hermes: the `model` block, and the names that its own libraries read.

use hubkit_configurators::credential::Credential;
use hubkit_configurators::hosts::hermes::{providers, shadow};
use hubkit_configurators::model::HermesModel;
use hubkit_contract::handout::App;
use hubkit_contract::intake::ModelChoice;
use hubkit_contract::{environment, exit, limits};

use super::env_file::Values;
use super::exports::standing;
use super::{Offer, Planned, Unfit, fit, question, text, tokens};
use crate::context::Context;
use crate::report::StepReport;

/// Variables that Hermes takes before the key of its `model` block.
const OVERRIDES: [(&str, &str); 2] = [("CUSTOM_BASE_URL", "base_url"), ("HERMES_INFERENCE_MODEL", "default")];

/// Adds the names that OpenAI's libraries read beside those that the Hub hands out.
pub(super) fn derive(values: &mut Values) {
    let app = App::Hermes;
    for (name, from) in [
        ("OPENAI_BASE_URL", app.base_url()),
        ("OPENAI_API_BASE", app.base_url()),
        ("OPENAI_API_KEY", app.api_key()),
    ] {
        match values.get(from).cloned() {
            Some(value) => values.insert(name, value),
            None => values.remove(name),
        };
    }
}

/// What Hermes's configuration should say.
pub(super) fn part(context: &Context<'_>, offer: &Offer, report: &mut StepReport) -> Planned {
    let app = App::Hermes;
    let values = &offer.values;
    let (Some(base_url), Some(key)) = (text(values, app.base_url()), values.get(app.api_key())) else {
        return Ok(None);
    };
    let base_url = fit::endpoint(app.base_url(), base_url)?;
    fit::word(app.api_key(), key.expose())?;
    let model = text(values, app.model()).map(|model| fit::word(app.model(), model)).transpose()?;
    let context_length = judged(context, offer, model, report)?;
    report.notices.extend(overridden(context));
    Ok(Some(Box::new(HermesModel {
        base_url,
        context: context_length,
        model: model.map(str::to_owned),
        credential: Credential {
            variable: app.api_key(),
            key: key.clone(),
            secrets: context.wish.secrets,
            reference_resolves: context.wish.starts_command,
            or_literal: false,
        },
        written_before: text(&offer.before, app.base_url()).map(str::to_owned),
        has_other_provider: has_other_provider(context, offer),
        take_over: takes_over(context),
    })))
}

/// What keeps Hermes from using its `model` block.
fn overridden(context: &Context<'_>) -> Vec<String> {
    let in_environment = OVERRIDES
        .iter()
        .filter(|(name, _)| standing(name).is_some())
        .map(|(name, what)| format!("{name} is set, and Hermes takes it before `model.{what}`; unset it"));
    let names = OVERRIDES.map(|(name, _)| (name, None));
    in_environment.chain(shadow::shadowed(&context.home, &names)).collect()
}

/// Whether a provider of the user's is at hand. A variable that holds what the Hub hands out, or did, is none.
fn has_other_provider(context: &Context<'_>, offer: &Offer) -> bool {
    let variable = |name: &str| standing(name).map(|value| value.to_string_lossy().into_owned());
    let is_hubs = |name: &str, value: &str| {
        [&offer.values, &offer.before].iter().any(|values| text(values, name) == Some(value))
    };
    providers::has_own(&context.home, &variable, &is_hubs)
}

/// Whether the Hub's model replaces a user's.
pub(super) fn takes_over(context: &Context<'_>) -> bool {
    let choice = context.intake.hubkit_model.as_ref().ok().and_then(Option::as_ref);
    choice.is_some_and(|choice| choice.value == ModelChoice::Hub)
}

/// The model's context where it is known.
fn judged(
    context: &Context<'_>,
    offer: &Offer,
    model: Option<&str>,
    report: &mut StepReport,
) -> Result<Option<u32>, Unfit> {
    let Some(model) = model else { return Ok(None) };
    // Where the Hub does not answer, its Ollama is not waited for as well.
    let asks = offer.handout.is_some() && offer.is_served_by_ollama();
    let ollama = text(&offer.values, environment::OLLAMA_HOST).filter(|_| asks);
    let facts = ollama.and_then(|base| question::facts(context, base, model));
    let tokens = tokens(&offer.values, App::Hermes.num_ctx()).or_else(|| facts.as_ref()?.context);
    match facts.and_then(|facts| facts.tools) {
        Some(true) => {}
        Some(false) => report.notices.push(format!(
            "`{model}` does not call tools, which Hermes needs; choose another model in the Hub"
        )),
        None if offer.handout.is_some() => {
            report
                .notices
                .push(format!("whether `{model}` calls tools, which Hermes needs, could not be checked"));
        }
        None => {}
    }
    let least = limits::HERMES_CONTEXT_TOKENS;
    match tokens {
        Some(tokens) if tokens < least => Err(Unfit {
            why: format!(
                "`{model}` has a context of {tokens} tokens and Hermes refuses less than {least}; choose another model \
                 or a larger context in the Hub"
            ),
            code: exit::CONFIG,
        }),
        None if offer.handout.is_some() => {
            report.notices.push(format!(
                "the context of `{model}` is not known; Hermes refuses less than {least} tokens"
            ));
            Ok(None)
        }
        tokens => Ok(tokens),
    }
}
