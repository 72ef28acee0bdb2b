//! Random files of both formats, and all files of the corpora: wired, and given back byte for byte.

use hubkit_configurators::Host;
use hubkit_configurators::undo::Footprint;
use hubkit_tests::fixtures;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::sample::Sample;
use crate::sample::tape::Tape;
use crate::wiring::{Entry, without_traces};
use crate::{json5_text, yaml_text};

/// What became of the files.
#[derive(Debug, Default)]
struct Count {
    /// The entry was new, and the file came back as it was.
    identical: u32,
    /// The entry stood already and was mended; the removal took it whole.
    stood: u32,
    /// There was nothing to add, or it was refused.
    skipped: u32,
}

/// Wires a file, takes the entry out with and without a footprint, and with somebody else's.
fn there_and_back(
    entry: &Entry,
    original: &str,
    stray: Option<&Footprint>,
    count: &mut Count,
) -> Result<Option<Footprint>, String> {
    let added = match entry.added(Some(original)) {
        Some(added) if added != original => added,
        _ => {
            count.skipped += 1;
            return Ok(None);
        }
    };
    let fault = |what: &str, text: &str| {
        format!("{what}\n--- before\n{original}\n--- added\n{added}\n--- after\n{text}")
    };
    let footprint = entry.footprint(Some(original), &added);
    let removed =
        entry.removed(&added, footprint.as_ref()).map_err(|refusal| fault(&refusal.to_string(), ""))?;
    let removed = removed.ok_or_else(|| fault("the file went, though it was there", ""))?;
    match &footprint {
        Some(_) if removed != original => return Err(fault("not what it was", &removed)),
        Some(_) => count.identical += 1,
        None if entry.read(original).is_none() => {
            return Err(fault("an entry without a footprint", &removed));
        }
        None => count.stood += 1,
    }
    // What the footprint knows makes the difference between bytes and meaning, and nothing else.
    for footprint in [None, stray] {
        let removed = entry.removed(&added, footprint).map_err(|refusal| fault(&refusal.to_string(), ""))?;
        let removed = removed.unwrap_or_default();
        if entry.read(&removed).is_some() && footprint.is_none() {
            return Err(fault("the entry is still there", &removed));
        }
        if without_traces(entry, &removed) != without_traces(entry, original) {
            return Err(fault("something else changed", &removed));
        }
    }
    Ok(footprint)
}

/// As many cases as `HUBKIT_PROPTEST_CASES` says, `cases` without it; `HUBKIT_PROPTEST_SEED` leads to other files.
fn run(host: Host, sample: fn(&[u32]) -> Sample, names: &[&str], cases: u32) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u32>().expect(name));
    let cases = number("HUBKIT_PROPTEST_CASES").unwrap_or(cases);
    let mut seed = [11; 32];
    seed[..4].copy_from_slice(&number("HUBKIT_PROPTEST_SEED").unwrap_or(0).to_le_bytes());
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let state = std::cell::RefCell::new((Count::default(), None));
    let numbers = proptest::collection::vec(any::<u32>(), 0..260);
    let job = proptest::collection::vec(any::<u32>(), 4);
    let result = runner.run(&(numbers, job), |(numbers, job)| {
        let mut tape = Tape::new(&job);
        let entry = Entry::new(host, tape.pick(names));
        let mut sample = sample(&numbers);
        if tape.rarely(10) {
            sample = sample.damaged(&mut tape);
        }
        let (count, stray) = &mut *state.borrow_mut();
        let footprint = there_and_back(&entry, &sample.text, stray.as_ref(), count);
        if let Some(footprint) = footprint.map_err(TestCaseError::fail)? {
            *stray = Some(footprint);
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let count = state.into_inner().0;
    println!("{host:?}: {count:?}");
    // A generator whose files are all refused would pass everything above.
    assert!(count.identical * 2 > cases && count.stood > 0, "{count:?} of {cases}");
}

#[test]
fn random_yaml() {
    run(Host::Hermes, yaml_text::sample, &["hub", "second"], 2_500);
}

#[test]
fn random_json5() {
    run(Host::OpenClaw, json5_text::sample, &["hub", "ci-hub"], 4_000);
}

/// The documents of a corpus and the files of some directories.
fn corpus(file: &str, directories: &[&str]) -> Vec<(String, String)> {
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&fixtures::read(file)).unwrap();
    let text = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap().to_owned();
    let mut texts: Vec<_> = rows.iter().map(|row| (text(row, "name"), text(row, "text"))).collect();
    for directory in directories {
        for name in fixtures::names(directory) {
            let name = format!("{directory}/{name}");
            let text = String::from_utf8(fixtures::read(&name)).unwrap();
            texts.push((name, text));
        }
    }
    texts
}

#[test]
fn the_corpora() {
    let hermes = corpus("yaml-corpus.json", &["hermes", "hermes-yaml"]);
    let openclaw = corpus("json5-corpus.json", &["openclaw", "openclaw-json5"]);
    for (host, texts, names) in
        [(Host::Hermes, hermes, ["hub", "second"]), (Host::OpenClaw, openclaw, ["hub", "ci-hub"])]
    {
        let mut count = Count::default();
        for (name, text) in &texts {
            for entry in names.map(|name| Entry::new(host, name)) {
                if let Err(fault) = there_and_back(&entry, text, None, &mut count) {
                    panic!("{name}: {fault}");
                }
            }
        }
        println!("{host:?}: {count:?} of {}", 2 * texts.len());
        assert!(count.identical as usize >= texts.len(), "{count:?}");
    }
}
