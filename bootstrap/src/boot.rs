//! One boot: the steps in order, and what their outcomes mean for the process.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hubkit_configurators::Host;
use hubkit_configurators::recipe::SecretStyle;
use hubkit_contract::environment::{CI_SERVER_TOKEN, HUB_MCP_API_KEY};
use hubkit_contract::intake::Field;
use hubkit_contract::{Intake, exit};
use hubkit_redaction::Secret;
use serde::Serialize;

use crate::context::{Context, Wish};
use crate::exec::Environment;
use crate::report::{Status, StepReport};
use crate::wiring::{self, Wanted};
use crate::{hub_mcp, inference, memory, plugin, shadow};

/// What a boot can do, in the order in which it does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The model that the Hub hands out.
    Inference,
    /// Plugin folders.
    Plugin,
    /// The memory server.
    Memory,
    /// The Hub's MCP entry in the host's configuration.
    HubMcp,
}

impl Step {
    /// All steps in boot order; the default.
    pub const ALL: &[Self] = &[Self::Inference, Self::Plugin, Self::Memory, Self::HubMcp];

    /// The step's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inference => inference::STEP,
            Self::Plugin => plugin::STEP,
            Self::Memory => memory::STEP,
            Self::HubMcp => hub_mcp::STEP,
        }
    }

    /// What to say before a step that may take a while.
    fn wait(self, context: &Context<'_>) -> Option<String> {
        match self {
            Self::Inference => inference::wait(context),
            Self::Plugin | Self::Memory | Self::HubMcp => None,
        }
    }

    fn prepare(self, context: &Context<'_>) -> Prepared {
        match self {
            Self::Inference => inference::prepare(context),
            Self::Plugin => plugin::prepare(context),
            Self::Memory => memory::prepare(context),
            Self::HubMcp => hub_mcp::prepare(context),
        }
    }
}

/// How a step goes on after what it did by itself.
pub(crate) enum Prepared {
    /// It is over.
    Done(StepReport),
    /// It wants something of the host's file.
    Wanted(Wanted),
}

/// What to boot.
#[derive(Debug)]
pub struct Boot {
    /// The host to wire.
    pub host: Host,
    /// The steps that are wanted; order and repetition do not matter.
    pub steps: Vec<Step>,
    /// How.
    pub wish: Wish,
    /// Anything that is not done is fatal.
    pub strict: bool,
}

/// What a boot did.
#[derive(Debug, Serialize)]
pub struct BootReport {
    /// Version of this format.
    pub version: u8,
    /// The steps in the order in which they ran.
    pub steps: Vec<StepReport>,
    /// The exit code, where no command follows or the boot is strict.
    pub exit: u8,
    /// How the command's environment differs from that of this process.
    #[serde(skip)]
    pub environment: Environment,
}

impl Boot {
    /// Runs the steps. A panic in one of them becomes its report, so that the agent can start anyway. `progress` is
    /// told beforehand what may take a while.
    #[must_use]
    pub fn run(&self, intake: &Intake, progress: &dyn Fn(&str)) -> BootReport {
        let wanted = Step::ALL.iter().copied().filter(|step| self.steps.contains(step)).collect::<Vec<_>>();
        let mut kept = None;
        let steps = match Context::new(self.host, intake, &self.wish) {
            Ok(context) => {
                let reports = run(&context, &wanted, progress);
                // The agent gets its model's values also from a boot that does not come to ask for them: its file
                // may refer to one.
                let gives =
                    |report: &StepReport| report.step == inference::STEP && !report.exports.is_empty();
                if self.wish.starts_command && !reports.iter().any(gives) {
                    kept = guarded(|| inference::kept(&context));
                }
                reports
            }
            Err(no_place) => {
                let report = |step: &Step| no_place.report(step.name(), self.host, &self.wish);
                wanted.iter().map(report).collect()
            }
        };
        let code = |report: &StepReport| if self.strict { report.strict_exit } else { report.exit };
        let exit = steps.iter().map(code).find(|code| *code != exit::DONE).unwrap_or(exit::DONE);
        BootReport { version: 1, environment: environment(steps.iter().chain(&kept), intake), steps, exit }
    }
}

/// Prepares every step, then edits the host's file once for all that want something of it.
fn run(context: &Context<'_>, steps: &[Step], progress: &dyn Fn(&str)) -> Vec<StepReport> {
    let mut reports: Vec<Option<StepReport>> = Vec::new();
    let mut wanted = Vec::new();
    for step in steps {
        if let Some(wait) = step.wait(context) {
            progress(&wait);
        }
        match guarded(|| step.prepare(context)) {
            Some(Prepared::Done(report)) => reports.push(Some(report)),
            Some(Prepared::Wanted(part)) => {
                wanted.push(part);
                reports.push(None);
            }
            None => reports.push(Some(bug(context, *step))),
        }
    }
    let mut edited = guarded(|| wiring::apply(context, wanted)).unwrap_or_default().into_iter();
    let filled = reports
        .into_iter()
        .zip(steps)
        .map(|(report, step)| report.or_else(|| edited.next()).unwrap_or_else(|| bug(context, *step)));
    let mut reports: Vec<StepReport> = filled.collect();
    let _ = guarded(|| shadow::tell(context, &mut reports));
    reports
}

/// `None` where `work` panicked; the panic hook has said where.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

fn bug(context: &Context<'_>, step: Step) -> StepReport {
    let reason = "hubkit failed in this step; this is a bug, please report the lines above".to_owned();
    StepReport::stopped(step.name(), context.name(), Status::Failed, reason, exit::BUG)
}

/// What the steps give and withhold, and the credentials that hosts refer to by name.
fn environment<'r>(steps: impl Iterator<Item = &'r StepReport> + Clone, intake: &Intake) -> Environment {
    let of = |step: Step, variable: &str, field: &Field<Secret>| {
        let ran = steps.clone().find(|report| report.step == step.name())?;
        let credential = field.as_ref().ok()?.as_ref()?;
        // A host that expands a reference must find exactly the key, so one whose variable holds something
        // around it (a line break, quotes) is exported clean. A key that came from a file stays out of the
        // environment where the host's file holds the key itself; where a step was not done, a reference may
        // stand there.
        let is_literal = ran.secrets == Some(SecretStyle::Literal.name());
        let wanted = if credential.from_file { !is_literal } else { !credential.as_is };
        wanted.then(|| (variable.to_owned(), credential.value.clone()))
    };
    let hub = of(Step::HubMcp, HUB_MCP_API_KEY, &intake.hub_mcp_api_key);
    let memory = of(Step::Memory, CI_SERVER_TOKEN, &intake.ci_server_token);
    let of_steps = steps.clone().flat_map(|report| report.exports.clone());
    Environment {
        with: of_steps.chain(hub).chain(memory).collect(),
        without: steps.flat_map(|report| report.withheld.clone()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_a_step_becomes_its_report() {
        let intake = crate::process::intake();
        let wish = Wish { config: Some("config.yaml".into()), ..Wish::default() };
        let context = Context::new(Host::Hermes, &intake, &wish).unwrap();
        assert!(guarded(|| panic!("a bug")).is_none());
        let report = bug(&context, Step::HubMcp);
        assert_eq!((report.status, report.exit), (Status::Failed, exit::BUG));
        assert!(!report.registered);
    }
}
