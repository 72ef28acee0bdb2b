//! One boot: the steps in order, and what their outcomes mean for the process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use hubkit_configurators::Host;
use hubkit_configurators::recipe::SecretStyle;
use hubkit_contract::{Intake, environment, exit};
use hubkit_redaction::Secret;
use serde::Serialize;

use crate::hub_mcp::{self, Wish};
use crate::report::{Status, StepReport};

/// What a boot can do, in the order in which it does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The Hub's MCP entry in the host's configuration.
    HubMcp,
}

impl Step {
    /// All steps in boot order; the default.
    pub const ALL: &[Self] = &[Self::HubMcp];

    /// The step's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HubMcp => hub_mcp::STEP,
        }
    }
}

/// What to boot.
#[derive(Debug)]
pub struct Boot {
    /// The host to wire.
    pub host: Host,
    /// The steps that are wanted; order and repetition do not matter.
    pub steps: Vec<Step>,
    /// The host's configuration file, where it is not the one the host itself would find.
    pub config: Option<PathBuf>,
    /// How to write the key; `None` lets the file decide.
    pub secrets: Option<SecretStyle>,
    /// Anything that is not done is fatal.
    pub strict: bool,
    /// Whether a command follows, whose environment can be given the clean key.
    pub starts_command: bool,
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
    /// What the command's environment must hold beside what it holds already.
    #[serde(skip)]
    pub exports: Vec<(&'static str, Secret)>,
}

impl Boot {
    /// Runs the steps. A panic in one of them becomes its report, so that the agent can start anyway.
    #[must_use]
    pub fn run(&self, intake: &Intake) -> BootReport {
        let wanted = Step::ALL.iter().filter(|step| self.steps.contains(step));
        let steps: Vec<StepReport> = wanted
            .map(|step| {
                self.guarded(*step, || match step {
                    Step::HubMcp => hub_mcp::run(self.host, intake, &self.wish()),
                })
            })
            .collect();
        let code = |report: &StepReport| if self.strict { report.strict_exit } else { report.exit };
        let exit = steps.iter().map(code).find(|code| *code != exit::DONE).unwrap_or(exit::DONE);
        BootReport { version: 1, exports: Self::exports(&steps, intake), steps, exit }
    }

    fn guarded(&self, step: Step, work: impl FnOnce() -> StepReport) -> StepReport {
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            let reason =
                "hubkit failed in this step; this is a bug, please report the lines above".to_owned();
            StepReport::stopped(step.name(), self.host.recipe().host, Status::Failed, reason, exit::BUG)
        })
    }

    fn wish(&self) -> Wish {
        Wish {
            config: self.config.clone(),
            secrets: self.secrets,
            exports_clean_key: self.starts_command,
            ..Wish::default()
        }
    }

    /// A key whose variable holds something around it (a line break, quotes) is exported clean: a host that
    /// expands a reference must find exactly the key. A key that came from a file stays out of the environment
    /// where the host's file holds the key itself; where a step was not done, a reference may stand there.
    fn exports(steps: &[StepReport], intake: &Intake) -> Vec<(&'static str, Secret)> {
        let Ok(Some(key)) = &intake.hub_mcp_api_key else { return Vec::new() };
        let is_literal = steps.iter().any(|step| step.secrets == Some(SecretStyle::Literal.name()));
        let wanted = if key.from_file { !is_literal } else { !key.as_is };
        if wanted { vec![(environment::HUB_MCP_API_KEY, key.value.clone())] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_a_step_becomes_its_report() {
        let boot = Boot {
            host: Host::Hermes,
            steps: vec![Step::HubMcp],
            config: None,
            secrets: None,
            strict: false,
            starts_command: true,
        };
        let report = boot.guarded(Step::HubMcp, || panic!("a bug"));
        assert_eq!((report.status, report.exit), (Status::Failed, exit::BUG));
        assert!(!report.registered);
    }
}
