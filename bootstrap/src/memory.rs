//! The step `memory`: the memory server that the Hub connected this app to. Contacts nothing.

use hubkit_configurators::credential::Credential;
use hubkit_configurators::memory::{MemoryServer, MemorySlot};
use hubkit_configurators::part::Part;
use hubkit_contract::environment::{CI_SERVER_TOKEN, CI_SERVER_URL};
use hubkit_contract::{IntakeError, exit, hub_url};

use crate::boot::Prepared;
use crate::context::Context;
use crate::report::Status;
use crate::wiring::Wanted;

/// The step's name.
pub const STEP: &str = "memory";

/// What the step wants of the host's file.
pub(crate) fn prepare(context: &Context<'_>) -> Prepared {
    match part(context) {
        Ok(Ok(part)) => Prepared::Wanted(Wanted { part, so_far: context.report(STEP, Status::Unchanged) }),
        Ok(Err(missing)) => {
            // The Hub gives an app these two only in the state `connected`.
            let reason = format!("{missing} not set: no memory server is connected");
            Prepared::Done(context.skipped(STEP, reason, exit::DONE))
        }
        Err(error) => Prepared::Done(context.refused(STEP, error.to_string(), exit::CONFIG)),
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
        key: token.value,
        secrets: context.wish.secrets,
    };
    let path = intake.hubkit_memory_mcp_path.clone()?.map(|path| path.value);
    Ok(Ok(Box::new(MemoryServer { recipe, name, base, path, credential })))
}
