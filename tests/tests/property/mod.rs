//! Many random documents through one engine, each judged by the oracles, and a look at whether the engine did
//! any work at all.

mod lists;

use hubkit_configurators::{Action, Change, Document, Refusal, RefusalKind, Value};
use hubkit_tests::oracle::Tagged;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::lossless::jobs;
use crate::lossless::judge::{self, Case, Engine, Oracles, Outcome};
use crate::sample::Sample;
use crate::sample::tape::Tape;

/// Texts that look like something else when they are written carelessly.
const TEXTS: &[&str] = &[
    "http://ci-hub:5002/api/mcp",
    "yes",
    "1e3",
    "0o17",
    "12:30:45",
    "2026-11-30",
    "a: b",
    "# no",
    " x ",
    "~",
    "",
    "it's \"x\" \\ $",
    "é漢🛰",
    "null",
    "- a",
    "{a}",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "`a",
    "a\tb",
    "\u{85}\u{2028}x",
    "http://h/?a=1&b={c}#d",
    "a\nb",
    "\u{feff}x",
    "${HUB}",
    "0x1F",
    "-",
    ".",
    "true",
    "|",
    ">",
    "?",
    "a,b]",
];

/// One engine with its generator and its judges.
pub(crate) struct Subject {
    /// The generator.
    pub sample: fn(&[u32]) -> Sample,
    /// The path of our entry.
    pub entry: &'static [&'static str],
    /// The judges of a text.
    pub oracles: fn(&str) -> &'static Oracles,
}

#[derive(Default, Debug)]
struct Count {
    readable: u32,
    edited: u32,
    unchanged: u32,
    refused: u32,
    refused_by_both: u32,
}

/// Runs as many cases as `HUBKIT_PROPTEST_CASES` says, `cases` without it. `HUBKIT_PROPTEST_SEED`, a number,
/// leads to other documents; without it they are the same in every run.
pub(crate) fn run<E: Engine>(subject: &Subject, cases: u32) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u32>().expect(name));
    let cases = number("HUBKIT_PROPTEST_CASES").unwrap_or(cases);
    let mut seed = [7; 32];
    seed[..4].copy_from_slice(&number("HUBKIT_PROPTEST_SEED").unwrap_or(0).to_le_bytes());
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let count = std::cell::RefCell::new(Count::default());
    let numbers = proptest::collection::vec(any::<u32>(), 0..260);
    let jobs = proptest::collection::vec(any::<u32>(), 16);
    let result = runner.run(&(numbers, jobs), |(numbers, job)| {
        let mut tape = Tape::new(&job);
        let mut sample = (subject.sample)(&numbers);
        if tape.rarely(10) {
            sample = sample.damaged(&mut tape);
        }
        one::<E>(subject, &sample, &mut tape, &mut count.borrow_mut())
            .map_err(|fault| TestCaseError::fail(format!("{fault}\n--- before\n{}\n---", sample.text)))
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let count = count.into_inner();
    println!("{count:?}");
    // An engine that refuses, or a generator that writes what no host reads, would pass everything above.
    assert!(count.readable * 10 >= cases * 8, "{count:?} of {cases}");
    assert!(count.edited * 10 >= count.readable * 7, "{count:?} of {cases}");
    assert!(count.unchanged * 100 >= count.readable * 2, "{count:?} of {cases}");
}

fn one<E: Engine>(
    subject: &Subject,
    sample: &Sample,
    tape: &mut Tape<'_>,
    count: &mut Count,
) -> Result<(), String> {
    let oracles = (subject.oracles)(&sample.text);
    let read = oracles.read(&sample.text);
    let Job { changes, kind } = job(subject.entry, read.as_ref().ok(), tape, &sample.text);
    let comments = match kind {
        Kind::Anywhere => Vec::new(),
        Kind::Shrinks | Kind::Exchanges => lists::on_own_lines(&sample.text, &sample.comments),
        _ => sample.comments.clone(),
    };
    let case = Case {
        text: &sample.text,
        read: &read,
        comments: &comments,
        zone: if kind == Kind::Wiring { sample.zone.clone() } else { 0..sample.text.len() },
        adds_only: kind == Kind::Grows
            || (matches!(kind, Kind::Wiring | Kind::Elsewhere) && sample.adds_only),
    };
    if let Ok(tree) = &read {
        judge::same_reading::<E>(&sample.text, tree)?;
    }
    let (outcome, after) = judge::edit::<E>(&case, &changes, oracles)?;
    if let Some(after) = after {
        judge::again::<E>(&after, &changes)?;
        if kind == Kind::Shrinks {
            lists::only_took(&sample.text, &after)?;
        }
    }
    count.readable += u32::from(read.is_ok());
    match (outcome, read.is_ok()) {
        (Outcome::Edited, _) => count.edited += 1,
        (Outcome::Unchanged, _) => count.unchanged += 1,
        (Outcome::Refused, false) => count.refused_by_both += 1,
        (Outcome::Refused, true) => {
            let refusal = refusal::<E>(case.text, &changes);
            let is_shared = refusal.as_ref().is_some_and(|refusal| refusal.kind == RefusalKind::Shared);
            if !(sample.hard || kind == Kind::Anywhere || (kind.is_list() && is_shared)) {
                return Err(format!("refused without need: {refusal:?}"));
            }
            count.refused += 1;
        }
    }
    Ok(())
}

fn refusal<E: Engine>(text: &str, changes: &[Change]) -> Option<Refusal> {
    E::Document::parse(text).and_then(|document| document.edit(changes)).err()
}

/// What is asked of the engine, and what may happen to the rest of the text on the way.
struct Job {
    changes: Vec<Change>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It is what wiring asks, so that the sample knows where it may write.
    Wiring,
    /// It goes to a place that no sample has.
    Elsewhere,
    /// It goes to a place that the sample knows nothing about: comments may go with what stands there, and the
    /// engine may refuse.
    Anywhere,
    /// An empty list gets elements.
    Fills,
    /// A list gets elements, and everything that stood stays.
    Grows,
    /// A list loses elements, and nothing comes.
    Shrinks,
    /// Both.
    Exchanges,
}

impl Kind {
    /// Whether it is about a list that stands, which may be shared.
    fn is_list(self) -> bool {
        matches!(self, Self::Fills | Self::Grows | Self::Shrinks | Self::Exchanges)
    }
}

/// Wiring, most of the time; otherwise something in a place that no sample has, or the very value that stands
/// somewhere already, or another one there, or nothing, or elements of a list.
fn job(entry: &[&str], read: Option<&Tagged>, tape: &mut Tape<'_>, file: &str) -> Job {
    let text = tape.pick(TEXTS);
    let place = |tape: &mut Tape<'_>| {
        read.and_then(|tree| somewhere(tree, tape)).filter(|(path, _)| !path.is_empty())
    };
    let elsewhere = |changes| Job { changes, kind: Kind::Elsewhere };
    let at = |path: &[String], action| Change { path: path.to_vec(), action };
    match tape.below(14) {
        6 => elsewhere(vec![Change::set(&["fresh: 'place", text], text.into())]),
        7 => elsewhere(vec![Change::set(&["fresh"], Value::Int(-7)), Change::remove(&["absent", "key"])]),
        8 if let Some((path, value)) = place(tape)
            && let Some(value) = ours(&value) =>
        {
            elsewhere(vec![at(&path, Action::Set(value))])
        }
        9 if let Some((path, _)) = place(tape) => {
            let action = if tape.rarely(2) { Action::Remove } else { Action::Set(text.into()) };
            Job { changes: vec![at(&path, action)], kind: Kind::Anywhere }
        }
        // What ends a line in YAML 1.1 alone is one thing to the host and another to the editor.
        10..14 if !file.contains(judge::SEPARATORS) => lists::job(read, text, tape),
        _ => {
            let standing = read.and_then(|tree| tree.at(entry));
            let is_there = matches!(standing, Some(Tagged::Map(members)) if !members.is_empty());
            let changes = if is_there { jobs::update(entry, text) } else { jobs::add(entry, text) };
            Job { changes, kind: Kind::Wiring }
        }
    }
}

/// A random value below mappings with string keys, and the way to it.
fn somewhere(tree: &Tagged, tape: &mut Tape<'_>) -> Option<(Vec<String>, Tagged)> {
    let mut path = Vec::new();
    let mut here = tree;
    while let Tagged::Map(members) = here {
        let named: Vec<_> = members.iter().filter(|(key, _)| matches!(key, Tagged::Str(_))).collect();
        let stop = named.is_empty() || (!path.is_empty() && tape.rarely(4));
        match named.get(tape.below(named.len())) {
            Some((Tagged::Str(key), value)) if !stop => {
                path.push(key.clone());
                here = value;
            }
            _ => break,
        }
    }
    Some((path, here.clone()))
}

/// The value as one of ours, where it is one that both formats can write.
fn ours(value: &Tagged) -> Option<Value> {
    match value {
        Tagged::Null => Some(Value::Null),
        Tagged::Bool(bool) => Some(Value::Bool(*bool)),
        Tagged::Int(digits) => digits.parse().ok().map(Value::Int),
        // Only these are the same number in decimal digits, and zero may have a sign.
        Tagged::Number(number) if *number == 0.0 || number.abs() >= 9_007_199_254_740_992.0 => None,
        Tagged::Number(number) => number.to_string().parse().ok().map(Value::Int),
        Tagged::Str(text) => Some(Value::Str(text.clone())),
        Tagged::List(items) => items.iter().map(ours).collect::<Option<_>>().map(Value::List),
        Tagged::Map(members) => {
            let member = |(key, value): &(Tagged, Tagged)| match key {
                Tagged::Str(key) => Some((key.clone(), ours(value)?)),
                _ => None,
            };
            members.iter().map(member).collect::<Option<_>>().map(Value::Map)
        }
        Tagged::Float(_) | Tagged::Date(_) | Tagged::Other(_) => None,
    }
}
