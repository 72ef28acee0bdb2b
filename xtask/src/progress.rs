//! What a person sees while a command works: one line per stage on standard error, with its time.
//! Results alone go to standard output.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// One line of progress on standard error. A closed standard error is nobody's loss.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "xtask: {line}");
}

/// A result on standard output, as it is.
pub(crate) fn result(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Runs one stage between a line that says it started and one that says how long it took. A
/// failure carries the stage's name.
pub(crate) fn stage<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    say(&format!("{name} ..."));
    let start = Instant::now();
    let done = work().with_context(|| format!("stage {name}"))?;
    say(&format!("{name} done in {}", duration(start.elapsed())));
    Ok(done)
}

/// A duration as a person says it: seconds with one decimal, from two minutes on with minutes.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 120 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_naturally() {
        assert_eq!(duration(Duration::from_millis(1_240)), "1.2 s");
        assert_eq!(duration(Duration::from_secs(119)), "119.0 s");
        assert_eq!(duration(Duration::from_secs(125)), "2 min 05 s");
    }

    #[test]
    fn a_failure_carries_the_name_of_its_stage() {
        let failed = stage("sample", || Err::<(), _>(anyhow::anyhow!("no"))).unwrap_err();
        assert_eq!(format!("{failed:#}"), "stage sample: no");
    }
}
