//! The measurements for a person, and for a program.

use std::fmt::Write;

use anyhow::Result;
use serde_json::json;

use super::Series;
use super::bars::{Bar, Side};

/// The bars, then the table of all medians.
pub(super) fn table(series: &[Series], bars: &[Bar]) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for bar in bars {
        let verdict = match bar.promised {
            Some((promised, side)) => format!(
                "{} (promised: at {} {promised}{})",
                if bar.met { "met" } else { "NOT MET" },
                if side == Side::AtLeast { "least" } else { "most" },
                bar.unit
            ),
            None => String::new(),
        };
        let measured = format!("{:.*}{}", decimals(bar.measured), bar.measured, bar.unit);
        let _ = writeln!(text, "{measured:>10}  {:<90} {verdict}", bar.what);
    }
    let _ = writeln!(
        text,
        "\n{:<28} {:<12} {:>12} {:>12} {:>12} {:>6}",
        "medians", "file", "cpu ms", "wall ms", "peak MB", "runs"
    );
    for one in series {
        let median = one.median();
        let _ = writeln!(
            text,
            "{:<28} {:<12} {:>12} {:>12} {:>12} {:>6}",
            one.name,
            one.input,
            thousandths(median.cpu_us),
            thousandths(median.wall_us),
            thousandths(median.peak_rss_bytes / 1000),
            one.runs.len()
        );
    }
    text.push_str("\ncpu: user + system time of the whole process. wall: with all that it writes to the disk, for hubkit\nwith fsync of file and directory. peak: the largest resident memory of any run.");
    text
}

/// Everything that was measured.
pub(super) fn json(series: &[Series], bars: &[Bar]) -> Result<String> {
    let medians: Vec<_> = series
        .iter()
        .map(|one| json!({ "name": one.name, "input": one.input, "median": one.median(), "runs": one.runs }))
        .collect();
    Ok(serde_json::to_string_pretty(&json!({ "bars": bars, "series": medians }))?)
}

fn decimals(number: f64) -> usize {
    if number < 10.0 { 2 } else { 0 }
}

/// A number of thousandths, with two decimals.
fn thousandths(number: u64) -> String {
    format!("{}.{:02}", number / 1000, number % 1000 / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousandths_have_two_decimals() {
        assert_eq!(thousandths(1_050), "1.05");
        assert_eq!(thousandths(999), "0.99");
        assert_eq!(thousandths(12_345_678), "12345.67");
    }
}
