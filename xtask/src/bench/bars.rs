//! What hubkit has promised about its cost, held against what was measured.

use anyhow::{Context, Result};
use serde::Serialize;

use super::contender::{
    HERMES, HUBKIT, HUBKIT_OPENCLAW, JSON5, LARGE_YAML, OPENCLAW, PYYAML, RUAMEL, megabytes,
};
use super::measure::Usage;
use super::{MEGABYTES, Series};

/// A promise, the measurement and the verdict; or a ratio that nothing was promised about.
#[derive(Debug, Serialize)]
pub(super) struct Bar {
    pub(super) what: String,
    pub(super) measured: f64,
    /// The number to reach, and whether to stay at or above it.
    pub(super) promised: Option<(f64, Side)>,
    pub(super) unit: &'static str,
    pub(super) met: bool,
}

/// On which side of the promised number the measured one has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Side {
    AtLeast,
    AtMost,
}

impl Bar {
    fn new(what: String, measured: f64, promised: Option<(Side, f64)>, unit: &'static str) -> Self {
        let met = match promised {
            Some((Side::AtLeast, bar)) => measured >= bar,
            Some((Side::AtMost, bar)) => measured <= bar,
            None => true,
        };
        Self { what, measured, promised: promised.map(|(side, bar)| (bar, side)), unit, met }
    }
}

/// All promises, the ratios first.
///
/// # Errors
/// When one of the series is missing.
pub(super) fn judge(series: &[Series]) -> Result<Vec<Bar>> {
    use Side::{AtLeast, AtMost};
    let median = |name: &str, input: &str| -> Result<Usage> {
        let found = series.iter().find(|one| one.name == name && one.input == input);
        Ok(found.with_context(|| format!("nothing was measured of {name} on {input}"))?.median())
    };
    let ratio = |peer: &str, ours: &str, input: &str, promised: Option<f64>| -> Result<Bar> {
        let measured = float(median(peer, input)?.cpu_us) / float(median(ours, input)?.cpu_us.max(1));
        let promised = promised.map(|bar| (AtLeast, bar));
        Ok(Bar::new(format!("{peer} : {ours}, {input}, processor time"), measured, promised, "x"))
    };
    let (first, last) = (MEGABYTES[0], MEGABYTES[MEGABYTES.len() - 1]);
    let cost = |size: usize| -> Result<f64> { Ok(float(median(HUBKIT, &megabytes(size))?.cpu_us)) };
    Ok(vec![
        ratio(PYYAML, HUBKIT, LARGE_YAML, Some(10.0))?,
        ratio(RUAMEL, HUBKIT, LARGE_YAML, None)?,
        ratio(HERMES, HUBKIT, LARGE_YAML, None)?,
        ratio(OPENCLAW, HUBKIT_OPENCLAW, JSON5, Some(500.0))?,
        Bar::new(
            format!("{HUBKIT}, {LARGE_YAML}, peak memory"),
            float(median(HUBKIT, LARGE_YAML)?.peak_rss_bytes) / 1e6,
            Some((AtMost, 12.0)),
            " MB",
        ),
        Bar::new(
            format!("{HUBKIT}, {}, processor time", megabytes(5)),
            cost(5)? / 1e6,
            Some((AtMost, 1.0)),
            " s",
        ),
        Bar::new(
            format!("{HUBKIT}, growth from {first} to {last} MB, exponent (1 is linear, 2 is quadratic)"),
            exponent(cost(last)? / cost(first)?, last / first),
            Some((AtMost, 1.15)),
            "",
        ),
    ])
}

/// The exponent with which the cost grew when the size grew `times` as large.
fn exponent(growth: f64, times: usize) -> f64 {
    growth.ln() / float(times as u64).ln()
}

#[expect(clippy::cast_precision_loss, reason = "measurements are far below 2^53")]
fn float(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, input: &str, cpu_us: u64) -> Series {
        let runs = vec![Usage { cpu_us, wall_us: cpu_us, peak_rss_bytes: 5_000_000 }];
        Series { name: name.to_owned(), input: input.to_owned(), runs }
    }

    fn measured(pyyaml: u64, largest: u64) -> Vec<Series> {
        let mut all = vec![
            series(HUBKIT, LARGE_YAML, 2_000),
            series(PYYAML, LARGE_YAML, pyyaml),
            series(RUAMEL, LARGE_YAML, 60_000),
            series(HERMES, LARGE_YAML, 200_000),
            series(HUBKIT_OPENCLAW, JSON5, 1_000),
            series(OPENCLAW, JSON5, 5_000_000),
        ];
        all.extend(MEGABYTES.map(|size| {
            let cpu = if size == 8 { largest } else { 20_000 * size as u64 };
            series(HUBKIT, &megabytes(size), cpu)
        }));
        all
    }

    #[test]
    fn promises_that_are_kept() {
        let bars = judge(&measured(50_000, 160_000)).unwrap();
        assert!(bars.iter().all(|bar| bar.met), "{bars:#?}");
        assert!((bars[0].measured - 25.0).abs() < 1e-9);
        assert!((bars[6].measured - 1.0).abs() < 1e-9);
    }

    #[test]
    fn promises_that_are_broken() {
        let missed = |series: &[Series]| -> Vec<String> {
            judge(series).unwrap().into_iter().filter(|bar| !bar.met).map(|bar| bar.what).collect()
        };
        assert_eq!(missed(&measured(19_999, 160_000)).len(), 1);
        let quadratic = missed(&measured(50_000, 1_280_000));
        assert!(quadratic.len() == 1 && quadratic[0].contains("growth"), "{quadratic:?}");
        assert!(judge(&[]).is_err());
    }
}
