//! The commands that developers and continuous integration run: `cargo xtask --help`.
//!
//! Dispatch only. Standard output is for results, standard error for progress; nothing here is
//! part of what is shipped.

mod arguments;
mod bench;
mod contracts;
mod dist;
mod hosts;
mod privilege;
mod progress;
mod suite;
mod tool;
mod versions;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;

use arguments::{Command, Parsed};

/// The exit code for arguments that were not understood.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, rest @ ..] = words.as_slice()
        && first == bench::MEASURE_CHILD
    {
        return finish(bench::measure_child(rest));
    }
    match arguments::parse(&words) {
        Ok(Parsed::Help(text)) => {
            progress::result(text);
            ExitCode::SUCCESS
        }
        Ok(Parsed::Run(command)) => finish(run(command)),
        Err(sentence) => {
            progress::say(&sentence);
            ExitCode::from(USAGE)
        }
    }
}

fn finish(result: Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        progress::say(&format!("failed: {error:#}"));
        ExitCode::FAILURE
    })
}

fn run(command: Command) -> Result<ExitCode> {
    let workspace = workspace::Workspace::find()?;
    match command {
        Command::Test { only, filter } => suite::run(&workspace, only, &filter)?,
        Command::Hosts => hosts::install(&workspace)?,
        Command::Contracts => contracts::write(&workspace)?,
        Command::Dist => dist::build(&workspace)?,
        Command::BenchConfigure { json } => return bench::configure(&workspace, json),
    }
    Ok(ExitCode::SUCCESS)
}
