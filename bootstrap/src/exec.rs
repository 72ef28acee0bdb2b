//! The last step of a boot: this process becomes the agent.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use hubkit_contract::exit;
use hubkit_redaction::Secret;

/// How the command's environment differs from that of this process.
#[derive(Debug, Default)]
pub struct Environment {
    /// What it holds instead or beside.
    pub with: Vec<(String, Secret)>,
    /// What it does not hold.
    pub without: Vec<&'static str>,
}

/// The command could not be started. Its arguments are not named: they may carry secrets.
#[derive(Debug)]
pub struct ExecError {
    program: OsString,
    cause: io::Error,
}

impl ExecError {
    /// 127 where the command was not found, 126 where it could not be executed, as shells answer.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        if self.cause.kind() == io::ErrorKind::NotFound { exit::NOT_FOUND } else { exit::CANNOT_EXECUTE }
    }
}

impl fmt::Display for ExecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program.to_string_lossy();
        let next = match self.exit_code() {
            exit::NOT_FOUND => "give the command after `--` as you would type it",
            _ => "make it an executable program",
        };
        write!(f, "cannot start `{program}`: {}; {next}", self.cause)
    }
}

impl std::error::Error for ExecError {}

/// Replaces this process by `command`: same process id, so signals and the exit status are the command's own.
/// Returns only when that failed.
#[must_use]
pub fn replace(command: &[OsString], environment: &Environment) -> ExecError {
    let Some((program, arguments)) = command.split_first() else {
        return ExecError { program: OsString::new(), cause: io::Error::from(io::ErrorKind::NotFound) };
    };
    let mut command = Command::new(program);
    command.args(arguments);
    for name in &environment.without {
        command.env_remove(name);
    }
    for (name, value) in &environment.with {
        command.env(name, value.expose());
    }
    let cause = command.exec();
    ExecError { program: program.clone(), cause }
}
