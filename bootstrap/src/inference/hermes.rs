//! Hermes: the `model` block, and the names that its own libraries read.

use hubkit_configurators::credential::Credential;
use hubkit_configurators::model::HermesModel;
use hubkit_configurators::part::Part;
use hubkit_contract::handout::App;
use hubkit_contract::intake::ModelChoice;
use hubkit_contract::{environment, exit, limits};

use super::env_file::Values;
use super::{Offer, question, text, tokens};
use crate::context::Context;
use crate::report::{Status, StepReport};

/// Variables with which Hermes would reach another provider by itself.
const OTHER_PROVIDERS: [&str; 3] = ["OPENROUTER_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"];

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
pub(super) fn part(context: &Context<'_>, offer: &Offer, report: &mut StepReport) -> Option<Box<dyn Part>> {
    let app = App::Hermes;
    let values = &offer.values;
    let base_url = text(values, app.base_url())?.to_owned();
    let key = values.get(app.api_key())?.clone();
    let model = text(values, app.model()).map(str::to_owned);
    let context_length = judged(context, offer, model.as_deref(), report)?;
    for (name, what) in OVERRIDES {
        if std::env::var_os(name).is_some_and(|value| !value.is_empty()) {
            report
                .notices
                .push(format!("{name} is set, and Hermes takes it before `model.{what}`; unset it"));
        }
    }
    let has_other_provider = OTHER_PROVIDERS
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != *key.expose()));
    Some(Box::new(HermesModel {
        base_url,
        context: context_length,
        model,
        credential: Credential {
            variable: app.api_key(),
            key,
            secrets: context.wish.secrets,
            reference_resolves: context.wish.starts_command,
        },
        written_before: text(&offer.before, app.base_url()).map(str::to_owned),
        has_other_provider,
        take_over: takes_over(context),
    }))
}

/// Whether the Hub's model replaces a user's.
pub(super) fn takes_over(context: &Context<'_>) -> bool {
    let choice = context.intake.hubkit_model.as_ref().ok().and_then(Option::as_ref);
    choice.is_some_and(|choice| choice.value == ModelChoice::Hub)
}

/// The model's context where it is known; `None` when Hermes would refuse to work with the model, which the
/// report then says.
fn judged(
    context: &Context<'_>,
    offer: &Offer,
    model: Option<&str>,
    report: &mut StepReport,
) -> Option<Option<u32>> {
    let Some(model) = model else { return Some(None) };
    let ollama = text(&offer.values, environment::OLLAMA_HOST).filter(|_| offer.is_served_by_ollama());
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
        Some(tokens) if tokens < least => {
            let reason = format!(
                "`{model}` has a context of {tokens} tokens and Hermes refuses less than {least}; choose another model \
                 or a larger context in the Hub"
            );
            report.status = Status::Refused;
            report.reason = Some(reason);
            report.exit = exit::CONFIG;
            report.strict_exit = exit::CONFIG;
            None
        }
        None => {
            report.notices.push(format!(
                "the context of `{model}` is not known; Hermes refuses less than {least} tokens"
            ));
            Some(None)
        }
        tokens => Some(tokens),
    }
}
