//! What the agent's environment gets, and what it must not get.
//!
//! What the Hub says now goes before what the environment says, because the environment was made earlier. Older
//! values, and names that hubkit derives itself, only fill gaps.

use hubkit_configurators::Host;
use hubkit_contract::handout;
use hubkit_redaction::Secret;

use super::{Offer, app, openclaw};
use crate::context::Context;
use crate::report::StepReport;

/// Fills in what the report exports and withholds.
pub(super) fn fill(context: &Context<'_>, offer: &Offer, report: &mut StepReport) {
    let app = app(context.host);
    let is_fresh =
        |name: &str| offer.handout.as_ref().is_some_and(|handout| handout.values.contains_key(name));
    // A key of the user's must not travel to the Hub's endpoint, nor the Hub's key to an endpoint of the user's.
    let is_users_own = |(name, value): (&&'static str, &Secret)| {
        handout::is_derived(app, name) && standing(name).is_some_and(|standing| standing != *value.expose())
    };
    let keeps_derived_out = offer.values.iter().any(is_users_own);
    let keys = match context.host {
        Host::Hermes => openclaw::Keys::Plain,
        Host::OpenClaw => openclaw::keys(offer),
    };
    let mut replaced = Vec::new();
    for (name, value) in &offer.values {
        if keys.keep_out(name) || (keeps_derived_out && handout::is_derived(app, name)) {
            continue;
        }
        let standing = standing(name);
        if standing.is_some() && !is_fresh(name) {
            continue;
        }
        if standing.is_some_and(|standing| standing != *value.expose()) {
            replaced.push(*name);
        }
        report.exports.push(((*name).to_owned(), value.clone()));
    }
    if let (Host::OpenClaw, Some(key)) = (context.host, offer.values.get(app.api_key())) {
        report.exports.push((openclaw::KEY_VARIABLE.to_owned(), key.clone()));
    }
    report.withheld.extend(keys.withheld());
    if !context.wish.starts_command {
        return;
    }
    report.notices.extend(keys.notice());
    if keeps_derived_out {
        report.notices.push(
            "the environment has an OpenAI endpoint or key of its own, so the Hub's is not given under those names"
                .to_owned(),
        );
    }
    if !replaced.is_empty() {
        report.notices.push(format!(
            "the command gets what the Hub says now instead of what the environment holds: {}",
            replaced.join(", ")
        ));
    }
}

/// What the environment holds under a name; blank is unset.
pub(super) fn standing(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name).filter(|standing| !standing.is_empty())
}
