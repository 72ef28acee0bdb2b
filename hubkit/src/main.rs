//! The `hubkit` binary: arguments, dispatch, output, exit. No logic.

mod args;
mod commands;
mod output;

use std::process::ExitCode;

use args::Command;
use output::Output;

fn main() -> ExitCode {
    output::install_panic_hook();
    let intake = hubkit_bootstrap::process::intake();
    let output = Output::new(intake.redactor().clone());
    let code = match args::parse(&output) {
        Ok(Command::Configure(arguments)) => commands::configure::run(&arguments, &intake, &output),
        Ok(Command::Bootstrap(arguments)) => commands::bootstrap::run(&arguments, &intake, &output),
        #[cfg(feature = "demo")]
        Ok(Command::Demo(arguments)) => commands::demo::run(&arguments, &output),
        Err(code) => code,
    };
    ExitCode::from(output.exit_code(code))
}
