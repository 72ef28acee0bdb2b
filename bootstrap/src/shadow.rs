//! What this run gives the agent under names that Hermes's own `.env` sets as well: the agent gets what stands
//! there, so it is said.

use hubkit_configurators::Host;
use hubkit_configurators::hosts::hermes::shadow;
use hubkit_configurators::recipe::SecretStyle;
use hubkit_contract::environment::{CI_SERVER_TOKEN, HUB_MCP_API_KEY};
use hubkit_contract::intake::Field;
use hubkit_redaction::Secret;

use crate::context::Context;
use crate::report::StepReport;
use crate::{hub_mcp, memory};

/// Adds to every report what does not arrive of what its step gives.
pub(crate) fn tell(context: &Context<'_>, reports: &mut [StepReport]) {
    if context.host != Host::Hermes {
        return;
    }
    for report in reports {
        let exported = report.exports.iter().map(|(name, value)| (name.as_str(), Some(value)));
        let referred = referred(context, report).map(|(name, value)| (name, Some(value)));
        let expected: Vec<_> = exported.chain(referred).collect();
        let said = shadow::shadowed(&context.home, &expected);
        report.notices.extend(said);
    }
}

/// The credential that the host's file refers to by name since this step. One that stands in the file itself does
/// not come from the environment.
fn referred<'a>(context: &Context<'a>, report: &StepReport) -> Option<(&'static str, &'a Secret)> {
    let (name, field): (_, &'a Field<Secret>) = match report.step {
        hub_mcp::STEP => (HUB_MCP_API_KEY, &context.intake.hub_mcp_api_key),
        memory::STEP => (CI_SERVER_TOKEN, &context.intake.ci_server_token),
        _ => return None,
    };
    let is_reference = report.secrets == Some(SecretStyle::Reference.name());
    let credential = field.as_ref().ok()?.as_ref()?;
    is_reference.then_some((name, &credential.value))
}
