//! The step `hub-mcp`: the Hub's MCP entry in the host's configuration. Contacts nothing.

use hubkit_configurators::credential::Credential;
use hubkit_configurators::server::{Server, Transport};
use hubkit_contract::environment::{HUB_MCP_API_KEY, HUB_MCP_ENABLED, HUB_MCP_URL, HUB_URL};
use hubkit_contract::{IntakeError, exit};

use crate::boot::Prepared;
use crate::context::Context;
use crate::report::Status;
use crate::wiring::Wanted;

/// The step's name.
pub const STEP: &str = "hub-mcp";

/// What the step wants of the host's file.
pub(crate) fn prepare(context: &Context<'_>) -> Prepared {
    match transport(context) {
        Ok(Ok(transport)) => {
            let recipe = context.host.recipe();
            let part = Box::new(Server { recipe, name: recipe.hub().to_owned(), transport });
            Prepared::Wanted(Wanted { part, so_far: context.report(STEP, Status::Unchanged) })
        }
        Ok(Err(skip)) => Prepared::Done(skip.report(context)),
        Err(error) => Prepared::Done(context.refused(STEP, error.to_string(), exit::CONFIG)),
    }
}

/// Why there is nothing to wire.
enum Skip {
    /// `HUB_MCP_ENABLED` says no.
    NotWanted,
    /// These variables are not set.
    NoCredentials(String),
}

impl Skip {
    fn report(self, context: &Context<'_>) -> crate::StepReport {
        match self {
            Self::NotWanted => context.skipped(STEP, format!("{HUB_MCP_ENABLED} is false"), exit::DONE),
            Self::NoCredentials(missing) if context.wish.explicit => {
                let reason = format!(
                    "{missing} not set; the Hub sets them for an app with `mcp_client: true`, elsewhere set them yourself"
                );
                context.refused(STEP, reason, exit::CONFIG)
            }
            Self::NoCredentials(missing) => context.skipped(
                STEP,
                format!(
                    "{missing} not set: no Hub to wire; the Hub sets them for an app with `mcp_client: true`"
                ),
                exit::CONFIG,
            ),
        }
    }
}

fn transport(context: &Context<'_>) -> Result<Result<Transport, Skip>, IntakeError> {
    let intake = context.intake;
    if !intake.mcp_enabled()? {
        return Ok(Err(Skip::NotWanted));
    }
    let (url, key) = match (intake.mcp_endpoint()?, intake.hub_mcp_api_key.clone()?) {
        (Some(url), Some(key)) => (url, key),
        (url, key) => {
            let mut missing = Vec::new();
            if url.is_none() {
                missing.push(format!("{HUB_MCP_URL} (or {HUB_URL})"));
            }
            if key.is_none() {
                missing.push(HUB_MCP_API_KEY.to_owned());
            }
            return Ok(Err(Skip::NoCredentials(missing.join(" and "))));
        }
    };
    let credential = Credential {
        variable: HUB_MCP_API_KEY,
        reference_resolves: key.as_is || context.wish.starts_command,
        or_literal: false,
        key: key.value,
        secrets: context.wish.secrets,
    };
    Ok(Ok(Transport::Http { url, credential: Some(credential), headers: Vec::new() }))
}
