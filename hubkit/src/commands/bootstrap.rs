//! `hubkit bootstrap`: the steps, then the agent.

use hubkit_bootstrap::{Boot, Step, Wish, exec};
use hubkit_contract::{Intake, exit, handout};

use super::report;
use crate::args::BootstrapArgs;
use crate::output::Output;

/// Runs the command and answers its exit code; with a command to start it returns only when that failed.
pub(crate) fn run(arguments: &BootstrapArgs, intake: &Intake, output: &Output) -> u8 {
    report::notes(intake, output);
    let steps = match arguments.steps.as_slice() {
        [] => Step::ALL.to_vec(),
        named => named.iter().copied().map(Step::from).collect(),
    };
    let boot = Boot {
        host: arguments.host.into(),
        steps,
        wish: Wish {
            config: arguments.config.clone(),
            secrets: arguments.secrets.map(Into::into),
            check: arguments.check,
            keep_absent: arguments.no_create,
            starts_command: !arguments.command.is_empty(),
            plugins: arguments.plugin.clone(),
            ..Wish::default()
        },
        strict: arguments.strict,
    };
    let booted = boot.run(intake, &|wait| output.say(&format!("hubkit: {wait}")));
    let secrets = booted.environment.with.iter().filter(|(name, _)| handout::is_secret(name));
    secrets.for_each(|(_, secret)| output.learn(secret));
    for step in &booted.steps {
        report::say(step, output);
    }
    if arguments.json {
        report::json(&booted, output);
    }
    if arguments.command.is_empty() {
        return booted.exit;
    }
    if booted.exit != exit::DONE {
        if arguments.strict {
            output.say(&format!("hubkit: --strict: the command is not started (exit {})", booted.exit));
            return booted.exit;
        }
        output.say("hubkit: the agent is started all the same, without what was refused above");
    }
    let error = exec::replace(&arguments.command, &booted.environment);
    output.say(&format!("hubkit: {error}"));
    error.exit_code()
}
