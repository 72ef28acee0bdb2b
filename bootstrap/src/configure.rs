//! One entry by itself, as somebody asked for it by name.

use hubkit_configurators::Host;
use hubkit_contract::{Intake, exit};

use crate::boot::Prepared;
use crate::context::{Context, Wish};
use crate::report::{Status, StepReport};
use crate::server::{self, Request};
use crate::{hub_mcp, removal, shadow, wiring};

/// Puts the Hub's entry into the host's file.
#[must_use]
pub fn hub(host: Host, intake: &Intake, wish: &Wish) -> StepReport {
    one(hub_mcp::STEP, host, intake, wish, hub_mcp::prepare)
}

/// Puts another MCP server into the host's file.
#[must_use]
pub fn server(host: Host, intake: &Intake, wish: &Wish, request: &Request) -> StepReport {
    one(server::STEP, host, intake, wish, |context| server::prepare(context, request))
}

fn one(
    step: &'static str,
    host: Host,
    intake: &Intake,
    wish: &Wish,
    prepare: impl FnOnce(&Context<'_>) -> Prepared,
) -> StepReport {
    let context = match Context::new(host, intake, wish) {
        Ok(context) => context,
        Err(no_place) => return no_place.report(step, host, wish),
    };
    match prepare(&context) {
        Prepared::Done(report) => report,
        Prepared::Wanted(wanted) => {
            let so_far = wanted.so_far.clone();
            let mut report = wiring::apply(&context, vec![wanted]).pop().unwrap_or(so_far);
            shadow::tell(&context, std::slice::from_mut(&mut report));
            report
        }
    }
}

/// Takes the Hub's entry out of the host's file.
#[must_use]
pub fn remove_hub(host: Host, intake: &Intake, wish: &Wish) -> StepReport {
    removal::run(hub_mcp::STEP, host.recipe().hub(), host, intake, wish)
}

/// Takes another MCP server out of the host's file.
#[must_use]
pub fn remove_server(host: Host, intake: &Intake, wish: &Wish, name: &str) -> StepReport {
    match server::name_fault(name) {
        None => removal::run(server::STEP, name, host, intake, wish),
        Some(fault) => {
            StepReport::stopped(server::STEP, host.recipe().host, Status::Refused, fault, exit::USAGE)
        }
    }
}
