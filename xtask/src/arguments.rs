//! What was asked for, out of the words of the command line. Reads nothing else.

use crate::suite::Stage;

/// One command, with its options.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Everything that continuous integration checks, or one stage of it.
    Test { only: Option<Stage>, filter: Vec<String> },
    /// Install the pinned hosts and oracles.
    Hosts,
    /// Write `docs/CONTRACTS.md`.
    Contracts,
    /// Build and check the binary that is shipped.
    Dist,
    /// Measure `configure` against its peers.
    BenchConfigure { json: bool },
}

/// What to do about the command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    /// Run this command.
    Run(Command),
    /// Print this text and stop.
    Help(&'static str),
}

const HELP: &str = "\
The commands that developers and continuous integration run.

Usage: cargo xtask COMMAND [OPTIONS]

Commands:
  test             check everything: format, lints, real hosts, all tests
  hosts            install the pinned real hosts and oracles below target/hosts
  contracts        write docs/CONTRACTS.md from base/contract
  dist             build the static binary that is shipped, and prove that it is static
  bench configure  measure `hubkit configure` against what people use instead

`cargo xtask COMMAND --help` says more about one of them.";

const HELP_TEST: &str = "\
Check everything that continuous integration checks.

Usage: cargo xtask test [--only STAGE] [-- TEST-ARGUMENTS]

Stages, in this order; the first that fails ends the run:
  preflight  git, npm and Python are there; tests that need other users or mounts can run
  fmt        cargo fmt --all --check
  clippy     all targets with warnings denied, and hubkit without its default features
  hosts      what `cargo xtask hosts` does
  build      the binaries that the end-to-end tests start
  tests      cargo test --workspace; no test may be ignored

Options:
  --only STAGE       run that stage alone
  -- ARGUMENTS       handed to `cargo test`, for example: --only tests -- -p hubkit-tests oracle

Variables of the Hub and of the hosts (HUB_*, HUBKIT_*, CI_*, OPENCLAW_*, HERMES_*, OPENAI_*,
OLLAMA_*) are removed from the environment of the tests.";

const HELP_HOSTS: &str = "\
Install the real hosts and the oracles that the tests need.

Usage: cargo xtask hosts

Installs what tests/hosts/versions.toml pins below target/hosts (about 1.1 GB): Node.js, OpenClaw,
Hermes, PyYAML, ruamel.yaml and npm json5. What is there in the pinned version stays; an
installation that was interrupted is made anew. Needs npm, Python 3.11 to 3.13 and the package
registries that they are set up to use, and Linux on x86-64.";

const HELP_CONTRACTS: &str = "\
Write docs/CONTRACTS.md from the tables of base/contract. A test fails when the two differ.

Usage: cargo xtask contracts";

const HELP_DIST: &str = "\
Build the static binary that is shipped.

Usage: cargo xtask dist

Builds hubkit without its default features in the profile `dist` for x86_64-unknown-linux-gnu with
a static C library, checks that the file asks for no loader and no shared library, runs its
--version in an empty root directory, copies it to target/dist/hubkit, and prints its size and
SHA-256.";

const HELP_BENCH: &str = "\
Measure hubkit against what people use instead, in one run on the same files.

Usage: cargo xtask bench configure [--json]

Peers: a PyYAML script, a ruamel.yaml script, `hermes config set`, `openclaw mcp set`. Compared is
processor time (user + system) of whole processes, in medians; wall time and peak memory stand
beside it. Exits 1 when one of the bars is missed.

Options:
  --json  print the measurements for a program to read";

/// Reads the words that follow `cargo xtask`. The error is a sentence for the person who typed them.
pub(crate) fn parse(words: &[String]) -> Result<Parsed, String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] | ["-h" | "--help" | "help", ..] => Ok(Parsed::Help(HELP)),
        ["test", rest @ ..] => parse_test(rest),
        ["hosts", rest @ ..] => plain(rest, Command::Hosts, HELP_HOSTS),
        ["contracts", rest @ ..] => plain(rest, Command::Contracts, HELP_CONTRACTS),
        ["dist", rest @ ..] => plain(rest, Command::Dist, HELP_DIST),
        ["bench", "-h" | "--help"] => Ok(Parsed::Help(HELP_BENCH)),
        ["bench", "configure", rest @ ..] => match rest {
            ["--json"] => Ok(Parsed::Run(Command::BenchConfigure { json: true })),
            _ => plain(rest, Command::BenchConfigure { json: false }, HELP_BENCH),
        },
        ["bench", ..] => Err("`bench` measures one thing by name: cargo xtask bench configure".to_owned()),
        [unknown, ..] => Err(format!("there is no command `{unknown}`; see cargo xtask --help")),
    }
}

fn plain(rest: &[&str], command: Command, help: &'static str) -> Result<Parsed, String> {
    match rest {
        [] => Ok(Parsed::Run(command)),
        ["-h" | "--help"] => Ok(Parsed::Help(help)),
        [unknown, ..] => Err(format!("`{unknown}` is not an option of this command; --help lists them")),
    }
}

fn parse_test(mut rest: &[&str]) -> Result<Parsed, String> {
    let mut only = None;
    loop {
        match rest {
            [] => return Ok(Parsed::Run(Command::Test { only, filter: Vec::new() })),
            ["--", filter @ ..] => {
                let filter = filter.iter().map(|&word| word.to_owned()).collect();
                return Ok(Parsed::Run(Command::Test { only, filter }));
            }
            ["--only", name, more @ ..] => {
                only = Some(Stage::named(name).ok_or_else(|| {
                    format!("there is no stage `{name}`; the stages are {}", Stage::names())
                })?);
                rest = more;
            }
            ["-h" | "--help", ..] => return Ok(Parsed::Help(HELP_TEST)),
            [unknown, ..] => {
                return Err(format!("`{unknown}` is not an option of `test`; --help lists them"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Parsed, String> {
        parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn every_command_is_understood() {
        assert_eq!(parsed("hosts"), Ok(Parsed::Run(Command::Hosts)));
        assert_eq!(parsed("contracts"), Ok(Parsed::Run(Command::Contracts)));
        assert_eq!(parsed("dist"), Ok(Parsed::Run(Command::Dist)));
        assert_eq!(parsed("bench configure"), Ok(Parsed::Run(Command::BenchConfigure { json: false })));
        assert_eq!(parsed("bench configure --json"), Ok(Parsed::Run(Command::BenchConfigure { json: true })));
        assert_eq!(
            parsed("test --only tests -- -p xtask"),
            Ok(Parsed::Run(Command::Test {
                only: Some(Stage::Tests),
                filter: vec!["-p".to_owned(), "xtask".to_owned()]
            }))
        );
    }

    #[test]
    fn every_command_explains_itself() {
        for line in [
            "",
            "--help",
            "test --help",
            "hosts --help",
            "contracts -h",
            "dist -h",
            "bench --help",
            "bench configure -h",
        ] {
            assert!(
                matches!(parsed(line), Ok(Parsed::Help(text)) if text.contains("Usage: cargo xtask")),
                "{line}"
            );
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, word) in [
            ("lint", "`lint`"),
            ("hosts now", "`now`"),
            ("test --only speed", "`speed`"),
            ("bench", "bench configure"),
        ] {
            assert!(parsed(line).is_err_and(|sentence| sentence.contains(word)), "{line}");
        }
    }
}
