//! Running somebody else's program: loud, where a person wants to read along, or into a log of which
//! only the end is shown, and only when it failed.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result, bail};

/// How many lines of a failed tool's output are repeated.
const TAIL: usize = 25;

/// The command as somebody could type it, for messages only.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| {
        let word = word.to_string_lossy();
        if word.is_empty() || word.contains([' ', '"', '\'', '$', '*', ';', '&', '[', '{']) {
            format!("'{}'", word.replace('\'', r"'\''"))
        } else {
            word.into_owned()
        }
    }));
    words.join(" ")
}

/// Runs a command with its output going straight to the terminal.
///
/// # Errors
/// When it cannot be started or ends with anything but success.
pub(crate) fn run_loud(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| not_started(command))?;
    if !status.success() {
        bail!("`{}` {}", shown(command), ending(status));
    }
    Ok(())
}

/// Runs a command with all its output going to `log`, which is started anew when `fresh`.
///
/// # Errors
/// When it fails: the command, how it ended, the last lines of what it said, where the whole of it
/// is, and `next`, the sentence that says what to do.
pub(crate) fn run_logged(command: &mut Command, log: &Path, fresh: bool, next: &str) -> Result<()> {
    let file = File::options()
        .create(true)
        .write(true)
        .append(!fresh)
        .truncate(fresh)
        .open(log)
        .with_context(|| format!("cannot write the log {}", log.display()))?;
    let also = file.try_clone().context("cannot share the log between two streams")?;
    let status = command.stdout(file).stderr(also).status().with_context(|| not_started(command))?;
    if status.success() {
        return Ok(());
    }
    bail!(
        "`{}` {}; its last lines were:\n{}\n(all of it: {})\n{next}",
        shown(command),
        ending(status),
        tail(&fs::read(log).unwrap_or_default()),
        log.display(),
    );
}

/// What a program prints when asked something small, trimmed; `None` when it cannot say.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    if !output.status.success() {
        return None;
    }
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// How a process ended, as the end of a sentence.
pub(crate) fn ending(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        None => format!("was ended ({status})"),
    }
}

fn not_started(command: &Command) -> String {
    format!(
        "`{}` cannot be started; is it installed and on the PATH?",
        command.get_program().to_string_lossy()
    )
}

fn tail(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let mut last = VecDeque::with_capacity(TAIL);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if last.len() == TAIL {
            last.pop_front();
        }
        last.push_back(format!("    {line}"));
    }
    if last.is_empty() { "    (it said nothing)".to_owned() } else { Vec::from(last).join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_shows_command_ending_last_words_and_next_step() {
        let log = std::env::temp_dir().join(format!("xtask-tool-{}.log", std::process::id()));
        let mut command = Command::new("sh");
        command.args(["-c", "seq 1 40; echo the reason >&2; exit 3"]);
        let failed = run_logged(&mut command, &log, true, "Do this next.").unwrap_err().to_string();
        fs::remove_file(&log).unwrap();
        assert!(failed.contains("exit code 3"), "{failed}");
        assert!(failed.contains("    the reason\n"), "{failed}");
        assert!(failed.contains("    40\n") && !failed.contains("    9\n"), "{failed}");
        assert!(failed.ends_with("Do this next."), "{failed}");
    }

    #[test]
    fn a_missing_program_is_named() {
        let failed = run_loud(&mut Command::new("no-such-program-anywhere")).unwrap_err();
        assert!(failed.to_string().contains("`no-such-program-anywhere` cannot be started"), "{failed:#}");
    }
}
