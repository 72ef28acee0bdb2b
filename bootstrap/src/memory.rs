//! The step `memory`: the memory server that the Hub connected this app to. Where there is none, the Hub is asked why.

use std::time::Duration;

use hubkit_configurators::credential::Credential;
use hubkit_configurators::memory::{MemoryServer, MemorySlot};
use hubkit_configurators::part::Part;
use hubkit_contract::environment::{CI_SERVER_TOKEN, CI_SERVER_URL};
use hubkit_contract::intake::Field;
use hubkit_contract::{IntakeError, exit, hub_url};
use hubkit_hub_client::{HubClient, MemoryLink, MemoryState, Options};
use hubkit_redaction::Secret;

use crate::boot::Prepared;
use crate::context::Context;
use crate::report::Status;
use crate::wiring::Wanted;

/// How long the Hub is asked why there is no memory server.
const ASKING: Duration = Duration::from_secs(1);

/// The step's name.
pub const STEP: &str = "memory";

/// What the step wants of the host's file.
pub(crate) fn prepare(context: &Context<'_>) -> Prepared {
    match part(context) {
        Ok(Ok(part)) => Prepared::Wanted(Wanted { part, so_far: context.report(STEP, Status::Unchanged) }),
        Ok(Err(missing)) => {
            // The Hub gives an app these two only in the state `connected`.
            let mut reason = format!("{missing} not set: no memory server is connected");
            if let Some(state) = state(context) {
                reason.push_str(&told(&state));
            }
            Prepared::Done(context.skipped(STEP, reason, exit::DONE))
        }
        Err(error) => Prepared::Done(context.refused(STEP, error.to_string(), exit::CONFIG)),
    }
}

/// What the Hub says about this app's memory, where it can be asked at all. Worth a moment and no more.
fn state(context: &Context<'_>) -> Option<MemoryState> {
    let intake = context.intake;
    let base = intake.hub_url.as_ref().ok()?.as_ref()?;
    let urn = intake.ci_app_urn.as_ref().ok()?.as_ref()?;
    let key = |field: &Field<Secret>| field.as_ref().ok()?.as_ref().map(|key| key.value.clone());
    let key = key(&intake.hub_app_key).or_else(|| key(&intake.hub_mcp_api_key))?;
    let once = Options { budget: ASKING, attempt: ASKING, ..context.asking() };
    HubClient::new(&base.value, once).ok()?.memory_state(&urn.value, &key).ok()
}

fn told(state: &MemoryState) -> String {
    let at = state.connect_url.as_ref().map(|url| format!(" at {url}")).unwrap_or_default();
    match state.link {
        MemoryLink::Unconfigured => format!("; connect one in the Hub{at}"),
        MemoryLink::Skipped => format!("; somebody chose to go without{at}"),
        MemoryLink::Connected => "; the Hub has connected one, restart the app from the Hub".to_owned(),
        MemoryLink::Manual => "; the Hub leaves it to whoever runs the app".to_owned(),
    }
}

/// The part, or the names of the variables that are missing.
fn part(context: &Context<'_>) -> Result<Result<Box<dyn Part>, String>, IntakeError> {
    let intake = context.intake;
    let (url, token) = match (intake.ci_server_url.clone()?, intake.ci_server_token.clone()?) {
        (Some(url), Some(token)) => (url.value, token),
        (url, token) => {
            let missing = [(CI_SERVER_URL, url.is_none()), (CI_SERVER_TOKEN, token.is_none())];
            let missing: Vec<&str> =
                missing.into_iter().filter(|(_, missing)| *missing).map(|(name, _)| name).collect();
            return Ok(Err(missing.join(" and ")));
        }
    };
    let recipe = context.host.recipe();
    let Some(name) = recipe.memory else {
        return Ok(Ok(Box::new(MemorySlot { extensions: context.extensions() })));
    };
    // Some apps are given the base with `/api` behind it.
    let base = hub_url::base(&url).map_or(url, |(base, _)| base);
    let credential = Credential {
        variable: CI_SERVER_TOKEN,
        reference_resolves: token.as_is || context.wish.starts_command,
        or_literal: false,
        key: token.value,
        secrets: context.wish.secrets,
    };
    let path = intake.hubkit_memory_mcp_path.clone()?.map(|path| path.value);
    Ok(Ok(Box::new(MemoryServer { recipe, name, base, path, credential })))
}
