//! One entry by itself, as somebody asked for it by name.

use hubkit_configurators::Host;
use hubkit_contract::Intake;

use crate::boot::Prepared;
use crate::context::{Context, Wish};
use crate::report::{Status, StepReport};
use crate::{hub_mcp, wiring};

/// Puts the Hub's entry into the host's file.
#[must_use]
pub fn hub(host: Host, intake: &Intake, wish: &Wish) -> StepReport {
    let context = match Context::new(host, intake, wish) {
        Ok(context) => context,
        Err(no_place) => {
            let name = host.recipe().host;
            let report =
                StepReport::stopped(hub_mcp::STEP, name, Status::Refused, no_place.reason, no_place.code);
            return match &wish.config {
                Some(path) => report.about(path),
                None => report,
            };
        }
    };
    match hub_mcp::prepare(&context) {
        Prepared::Done(report) => report,
        Prepared::Wanted(wanted) => {
            let so_far = wanted.so_far.clone();
            wiring::apply(&context, vec![wanted]).pop().unwrap_or(so_far)
        }
    }
}
