//! `cargo xtask test`: the stages that continuous integration runs, in order; the first that fails ends
//! the run by name.

mod preflight;
mod tally;

use std::process::Command;

use anyhow::{Context, Result};

use crate::workspace::Workspace;
use crate::{hosts, progress, tool};

/// What the Hub and the hosts read from their environment. A developer's own settings must not decide
/// how a test ends.
const SCRUBBED: &[&str] = &["HUB_", "HUBKIT_", "CI_", "OPENCLAW_", "HERMES_", "OPENAI_", "OLLAMA_"];

/// One stage, in the order of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Whether the machine can run all tests.
    Preflight,
    /// The format of all sources.
    Fmt,
    /// The lints, as errors.
    Clippy,
    /// The real hosts.
    Hosts,
    /// The binary that the end-to-end tests start.
    Build,
    /// All tests.
    Tests,
}

impl Stage {
    const ALL: [Self; 6] = [Self::Preflight, Self::Fmt, Self::Clippy, Self::Hosts, Self::Build, Self::Tests];

    fn name(self) -> &'static str {
        match self {
            Self::Preflight => "preflight",
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::Hosts => "hosts",
            Self::Build => "build",
            Self::Tests => "tests",
        }
    }

    /// The stage of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }

    /// All names, for a sentence.
    pub(crate) fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

/// Runs all stages, or one; `filter` goes to `cargo test`.
///
/// # Errors
/// The first failure, with its stage's name.
pub(crate) fn run(workspace: &Workspace, only: Option<Stage>, filter: &[String]) -> Result<()> {
    let start = std::time::Instant::now();
    let mut summary = None;
    for stage in Stage::ALL {
        if only.is_some_and(|only| only != stage) {
            continue;
        }
        progress::stage(stage.name(), || {
            match stage {
                Stage::Preflight => preflight::check()?,
                Stage::Fmt => tool::run_loud(&mut workspace.cargo(&["fmt", "--all", "--check"]))
                    .context("format the sources with `cargo fmt --all`")?,
                Stage::Clippy => clippy(workspace)?,
                Stage::Hosts => hosts::install(workspace)?,
                Stage::Build => {
                    tool::run_loud(&mut workspace.cargo(&["build", "--locked", "--package", "hubkit"]))?;
                }
                Stage::Tests => summary = Some(tests(workspace, filter)?),
            }
            Ok(())
        })?;
    }
    if let Some(summary) = summary {
        progress::say(&summary.to_string());
    }
    progress::say(&format!("all well, in {}", progress::duration(start.elapsed())));
    Ok(())
}

/// Everything as developers build it, then the binary as it is shipped.
fn clippy(workspace: &Workspace) -> Result<()> {
    let deny = ["--", "-D", "warnings"];
    let everything = ["clippy", "--locked", "--workspace", "--all-targets"];
    let shipped = ["clippy", "--locked", "--package", "hubkit", "--no-default-features", "--all-targets"];
    tool::run_loud(workspace.cargo(&everything).args(deny))?;
    tool::run_loud(workspace.cargo(&shipped).args(deny))
}

/// All tests of the workspace. Those that need root's powers get them by themselves.
fn tests(workspace: &Workspace, filter: &[String]) -> Result<tally::Tally> {
    let whole = ["test", "--locked", "--no-fail-fast", "--workspace"];
    // A package among the arguments replaces the workspace; a mere name filters within it.
    let narrowed = filter.iter().any(|word| word == "-p" || word.starts_with("--package"));
    let mut cargo = workspace.cargo(if narrowed { &whole[..3] } else { &whole });
    cargo.args(filter);
    scrub(&mut cargo);
    let tally = tally::run(&mut cargo, &mut std::io::stdout().lock())?;
    tally.judge(filter.is_empty())?;
    Ok(tally)
}

fn scrub(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_scrubbed) {
            command.env_remove(name);
        }
    }
}

fn is_scrubbed(name: &str) -> bool {
    SCRUBBED.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_found_by_name_and_listed_in_order() {
        for stage in Stage::ALL {
            assert_eq!(Stage::named(stage.name()), Some(stage));
        }
        assert_eq!(Stage::named("speed"), None);
        assert_eq!(Stage::names(), "preflight, fmt, clippy, hosts, build, tests");
    }

    #[test]
    fn only_the_variables_of_hub_and_hosts_are_removed() {
        for name in
            ["HUB_URL", "CI_LLM_NUM_CTX", "OPENCLAW_HOME", "HERMES_HOME", "OPENAI_API_KEY", "OLLAMA_HOST"]
        {
            assert!(is_scrubbed(name), "{name}");
        }
        for name in ["CI", "PATH", "HOME", "CARGO_TARGET_DIR", "GITHUB_TOKEN"] {
            assert!(!is_scrubbed(name), "{name}");
        }
    }
}
