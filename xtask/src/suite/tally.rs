//! How many tests ran, read off what `cargo test` prints while it is passed on to the terminal.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::tool;

/// The sums over all test programs of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    passed: u64,
    failed: u64,
    ignored: u64,
    failures: Vec<String>,
    ending: Option<String>,
}

/// Runs `cargo test`, passes its standard output on to `screen` and counts. That tests failed is part of the answer, not an error.
pub(super) fn run(command: &mut Command, screen: &mut impl Write) -> Result<Tally> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("`cargo test` cannot be started")?;
    let mut tally = Tally::default();
    if let Some(output) = child.stdout.take() {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line).context("the output of `cargo test` cannot be read")? > 0 {
            let _ = screen.write_all(&line).and_then(|()| screen.flush());
            tally.add(String::from_utf8_lossy(&line).trim_end());
            line.clear();
        }
    }
    let status = child.wait().context("`cargo test` cannot be waited for")?;
    tally.ending = (!status.success()).then(|| tool::ending(status));
    Ok(tally)
}

impl Tally {
    /// Takes one line of output into account.
    fn add(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED")) {
            self.failures.push(name.to_owned());
        }
        let Some(sums) = line.strip_prefix("test result: ") else { return };
        for part in sums.split(['.', ';']) {
            match part.trim().split_once(' ') {
                Some((count, "passed")) => self.passed += count.parse().unwrap_or(0),
                Some((count, "failed")) => self.failed += count.parse().unwrap_or(0),
                Some((count, "ignored")) => self.ignored += count.parse().unwrap_or(0),
                _ => {}
            }
        }
    }

    /// Whether the run counts as passed; a run of everything must have run something and ignored nothing.
    pub(super) fn judge(&self, whole: bool) -> Result<()> {
        if let Some(ending) = &self.ending {
            let failures = if self.failures.is_empty() {
                "no test is named as failed, so look for a build error or a crash above".to_owned()
            } else {
                format!("failed: {}", self.failures.join(", "))
            };
            bail!("`cargo test` {ending}; {self}; {failures}");
        }
        if self.failed > 0 {
            bail!("{self}; failed: {}", self.failures.join(", "));
        }
        if whole && self.passed == 0 {
            bail!("no test ran");
        }
        if self.ignored > 0 && whole {
            bail!("{self}; nothing may be ignored: let the test run, or remove it");
        }
        Ok(())
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)?;
        if self.ignored > 0 { write!(formatter, ", {} ignored", self.ignored) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lines: &str) -> Tally {
        let mut tally = Tally::default();
        lines.lines().for_each(|line| tally.add(line));
        tally
    }

    const PASSED: &str = "\
test a::b ... ok
test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s";

    #[test]
    fn sums_over_all_programs() {
        let tally = tally(PASSED);
        assert_eq!(tally.to_string(), "15 passed, 0 failed");
        assert!(tally.judge(true).is_ok());
    }

    #[test]
    fn failures_are_named() {
        let tally = tally(&format!(
            "{PASSED}\ntest c::d ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured"
        ));
        let failure = tally.judge(true).unwrap_err().to_string();
        assert_eq!(failure, "15 passed, 1 failed; failed: c::d");
    }

    #[test]
    fn nothing_run_and_something_ignored_both_fail_a_whole_run() {
        assert!(tally("").judge(true).is_err());
        let ignored = tally("test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured");
        assert!(ignored.judge(true).unwrap_err().to_string().contains("1 ignored"));
        assert!(ignored.judge(false).is_ok());
    }

    #[test]
    fn how_the_program_ends_is_part_of_the_tally() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo 'test x ... FAILED'; exit 101"]);
        let failure = run(&mut command, &mut Vec::new()).unwrap().judge(true).unwrap_err().to_string();
        assert!(failure.contains("exit code 101") && failure.ends_with("failed: x"), "{failure}");
    }
}
