//! `cargo xtask bench configure`: hubkit against what people use instead, on the same files in one run.
//!
//! Never writes outside `target/bench`, and never contacts anything.

mod bars;
mod contender;
mod measure;
mod report;
mod sample;

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace::Workspace;
use crate::{hosts, progress, tool};

pub(crate) use measure::{WORD as MEASURE_CHILD, child as measure_child};

use contender::Contender;
use measure::Usage;

/// The sizes of the generated files, in megabytes.
const MEGABYTES: [usize; 5] = [1, 2, 4, 5, 8];

/// What was measured of one contender.
#[derive(Debug, serde::Serialize)]
struct Series {
    name: String,
    /// The file that was edited, as a person calls it.
    input: String,
    runs: Vec<Usage>,
}

impl Series {
    /// The medians of all runs, and the largest memory of any.
    fn median(&self) -> Usage {
        Usage {
            cpu_us: middle(self.runs.iter().map(|run| run.cpu_us)),
            wall_us: middle(self.runs.iter().map(|run| run.wall_us)),
            peak_rss_bytes: self.runs.iter().map(|run| run.peak_rss_bytes).max().unwrap_or(0),
        }
    }
}

/// The middle value; of an even number of values the upper one of the two.
fn middle(values: impl Iterator<Item = u64>) -> u64 {
    let mut values: Vec<_> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

/// Measures, prints, judges: the exit code is 1 when a bar is missed.
///
/// # Errors
/// When something cannot be built, installed or run, or when a contender did not do its work.
pub(crate) fn configure(workspace: &Workspace, json: bool) -> Result<ExitCode> {
    progress::stage("hosts", || hosts::install(workspace))?;
    progress::stage("build", || {
        tool::run_loud(&mut workspace.cargo(&["build", "--locked", "--release", "--package", "hubkit"]))
    })?;
    let scratch = workspace.target.join("bench");
    fs::create_dir_all(&scratch).with_context(|| format!("cannot make {}", scratch.display()))?;
    let contenders = contender::all(workspace, &scratch)?;
    let series = progress::stage("measure", || measure(&contenders))?;
    let bars = bars::judge(&series)?;
    progress::result(&if json { report::json(&series, &bars)? } else { report::table(&series, &bars) });
    Ok(if bars.iter().all(|bar| bar.met) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the contenders in turn, round after round, so that a slow moment of the machine meets them all.
fn measure(contenders: &[Contender]) -> Result<Vec<Series>> {
    let mut series: Vec<_> = contenders
        .iter()
        .map(|one| Series { name: one.name.to_owned(), input: one.input.clone(), runs: Vec::new() })
        .collect();
    let rounds = contenders.iter().map(|one| one.rounds).max().unwrap_or(0);
    for round in 0..rounds {
        progress::say(&format!("round {} of {rounds}", round + 1));
        for (one, series) in contenders.iter().zip(&mut series).filter(|(one, _)| round < one.rounds) {
            series.runs.push(one.run().with_context(|| format!("{} on {}", one.name, one.input))?);
        }
    }
    Ok(series)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_time_and_the_largest_memory() {
        let run = |cpu_us, peak_rss_bytes| Usage { cpu_us, wall_us: 10 * cpu_us, peak_rss_bytes };
        let series =
            Series { name: String::new(), input: String::new(), runs: vec![run(9, 5), run(1, 7), run(2, 6)] };
        assert_eq!(series.median(), Usage { cpu_us: 2, wall_us: 20, peak_rss_bytes: 7 });
    }
}
