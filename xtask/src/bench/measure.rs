//! What one process and its children cost, as the kernel counted it.
//!
//! A small process of its own starts the measured one and asks for the usage of its children, of which
//! there is no other. Its own memory is the least that can be measured: the kernel counts the moment
//! before the new program takes over. That is a few megabytes, less than any contender takes.

use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::{Deserialize, Serialize};

/// The first word that makes this program the small process.
pub(crate) const WORD: &str = "--measure-child";

/// The cost of one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Usage {
    /// Processor time in user and kernel mode, in microseconds.
    pub(super) cpu_us: u64,
    /// From start to end, in microseconds.
    pub(super) wall_us: u64,
    /// The most memory held at once, in bytes.
    pub(super) peak_rss_bytes: u64,
}

/// Runs the command in the small process.
///
/// # Errors
/// When the command fails: with what it said.
pub(super) fn run(command: &Command) -> Result<Usage> {
    let this = std::env::current_exe().context("this program cannot be found again")?;
    let mut small = Command::new(this);
    small.arg(WORD).arg(command.get_program()).args(command.get_args()).env_clear();
    small.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(directory) = command.get_current_dir() {
        small.current_dir(directory);
    }
    let output = small.stdin(Stdio::null()).output().context("the measuring process cannot be started")?;
    if !output.status.success() {
        bail!("failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).context("the measuring process gave an unexpected answer")
}

/// The small process: runs the words as a command, and prints its usage as JSON. The command's own
/// output is shown only when it failed.
pub(crate) fn child(words: &[String]) -> Result<ExitCode> {
    let Some((program, arguments)) = words.split_first() else { bail!("there is nothing to measure") };
    let start = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{program} cannot be started"))?;
    let wall = start.elapsed();
    if !output.status.success() {
        let _ = std::io::stderr().lock().write_all(&[output.stdout, output.stderr].concat());
        return Ok(ExitCode::FAILURE);
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("the kernel does not tell the usage")?;
    let cpu = usage.user_time() + usage.system_time();
    let usage = Usage {
        cpu_us: u64::try_from(cpu.num_microseconds())?,
        wall_us: micros(wall)?,
        peak_rss_bytes: u64::try_from(usage.max_rss())? * 1024,
    };
    crate::progress::result(&serde_json::to_string(&usage)?);
    Ok(ExitCode::SUCCESS)
}

fn micros(time: Duration) -> Result<u64> {
    u64::try_from(time.as_micros()).context("a run took longer than can be counted")
}
