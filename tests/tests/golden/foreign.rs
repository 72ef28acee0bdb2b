//! Between wiring and removal others write into the file too. What they wrote stays, and the rest comes back.

use hubkit_configurators::{Change, Host, Value};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::sample::Sample;
use crate::wiring::{Entry, edited, without_traces};
use crate::{json5_text, yaml_text};

/// What others do to a text; `None` where it does not fit.
type Foreign = fn(&Entry, &str) -> Option<String>;

const FOREIGN: [(&str, Foreign); 5] = [
    ("a key at the root", |entry, text| set(entry, text, &["zz"])),
    ("a server beside ours", |entry, text| {
        let mut path = entry.path();
        path.pop();
        path.push("zz");
        set(entry, text, &path)
    }),
    ("a comment in front", |entry, text| {
        let fits = !text.starts_with('\u{feff}');
        fits.then(|| format!("{} zz\n{text}", sign(entry)))
    }),
    ("a comment at the end", |entry, text| {
        let fits = text.ends_with('\n') && !text.contains("...");
        fits.then(|| format!("{text}{} zz\n", sign(entry)))
    }),
    ("a value replaced", |entry, text| {
        let Value::Map(members) = crate::wiring::read(entry.host, text, &[])? else { return None };
        let is_theirs = |(key, value): &&(String, Value)| {
            key != entry.path()[0] && matches!(value, Value::Str(_) | Value::Int(_))
        };
        let (key, _) = members.iter().find(is_theirs)?;
        set(entry, text, &[key])
    }),
];

fn set(entry: &Entry, text: &str, path: &[&str]) -> Option<String> {
    edited(entry.host, text, &[Change::set(path, "zz".into())]).ok()
}

fn sign(entry: &Entry) -> &'static str {
    match entry.host {
        Host::Hermes => "#",
        Host::OpenClaw => "//",
    }
}

#[derive(Debug, Default)]
struct Count {
    /// What is left is what the others would have made of the original.
    identical: u32,
    /// It means the same.
    equal: u32,
}

fn run(host: Host, sample: fn(&[u32]) -> Sample, cases: u32) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[13; 32]));
    let counts = std::cell::RefCell::new(FOREIGN.map(|_| Count::default()));
    let numbers = proptest::collection::vec(any::<u32>(), 0..260);
    let result = runner.run(&numbers, |numbers| {
        let entry = Entry::hub(host);
        let original = sample(&numbers).text;
        let Some(added) = entry.added(Some(&original)) else { return Ok(()) };
        let Some(footprint) = entry.footprint(Some(&original), &added) else { return Ok(()) };
        if without_traces(&entry, &original).is_empty() {
            // What a new file gets beside the entry stays for those who have built on it.
            return Ok(());
        }
        for ((what, foreign), count) in FOREIGN.iter().zip(counts.borrow_mut().iter_mut()) {
            let (Some(theirs), Some(expected)) = (foreign(&entry, &added), foreign(&entry, &original)) else {
                continue;
            };
            let fault = |why: &str, text: &str| {
                TestCaseError::fail(format!("{what}: {why}\n--- before\n{theirs}\n--- after\n{text}\n---"))
            };
            let removed = entry.removed(&theirs, Some(&footprint));
            let removed = removed.map_err(|refusal| fault(&refusal.to_string(), ""))?.unwrap_or_default();
            if without_traces(&entry, &removed) != without_traces(&entry, &theirs) {
                return Err(fault("something else changed", &removed));
            }
            if removed.matches("zz").count() != theirs.matches("zz").count() {
                return Err(fault("something of theirs is gone", &removed));
            }
            if removed == expected {
                count.identical += 1;
            } else {
                count.equal += 1;
            }
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    for ((what, _), count) in FOREIGN.iter().zip(counts.into_inner()) {
        println!("{host:?}, {what}: {count:?}");
        assert!(count.identical > 100 * count.equal.max(1), "{what}: {count:?}");
    }
}

#[test]
fn others_write_into_yaml_as_well() {
    run(Host::Hermes, yaml_text::sample, 500);
}

#[test]
fn others_write_into_json5_as_well() {
    run(Host::OpenClaw, json5_text::sample, 1_000);
}
