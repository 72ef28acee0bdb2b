//! `hubkit configure`: the hub entry alone.

use hubkit_bootstrap::{Wish, configure};
use hubkit_contract::Intake;

use super::report;
use crate::args::ConfigureArgs;
use crate::output::Output;

/// Runs the command and answers its exit code.
pub(crate) fn run(arguments: &ConfigureArgs, intake: &Intake, output: &Output) -> u8 {
    report::notes(intake, output);
    let wish = Wish {
        config: arguments.config.clone(),
        secrets: arguments.secrets.map(Into::into),
        check: arguments.check,
        diff: arguments.diff,
        explicit: true,
        ..Wish::default()
    };
    let step = configure::hub(arguments.host.into(), intake, &wish);
    report::say(&step, output);
    if arguments.json {
        report::json(&step, output);
    } else if let Some(diff) = &step.diff {
        output.data(diff);
    }
    step.exit
}
