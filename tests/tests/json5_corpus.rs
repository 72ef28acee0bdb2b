//! Every small JSON5 document of the corpus, every shape that OpenClaw users reported, and the commented file:
//! edited by the engine, judged by npm's json5.

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod lossless;

use corpus::Row;
use hubkit_configurators::Document;
use hubkit_configurators::json5::Json5Document;
use hubkit_tests::oracle::NpmJson5;
use lossless::judge::{Engine, Oracles, Outcome};

/// The entry in OpenClaw's file. The corpus calls it `hub`; the engine takes any name.
const OPENCLAW: &[&str] = &["mcp", "servers", "hub"];

struct Json5;

impl Engine for Json5 {
    type Document<'a> = Json5Document<'a>;
}

const ORACLES: Oracles = Oracles { host: NpmJson5::load, others: &[] };
/// What was strict JSON stays strict JSON.
const STRICT: Oracles = Oracles { host: NpmJson5::load, others: &[NpmJson5::load_strict] };

/// Comments that go with what they stand behind or in.
const GOES: &[(&str, &[&str])] = &[("hub_upd_c", &["/*b*/", "/*a*/"])];

#[test]
fn the_corpus_of_small_documents() {
    corpus::with_a_large_stack(|| {
        for row in corpus::rows("json5-corpus.json") {
            judge(&row, OPENCLAW);
        }
    });
}

#[test]
fn shapes_from_openclaw_users() {
    for row in corpus::files("openclaw-json5", ".json", &["T08-truncated.json5", "T09-array.json5"]) {
        judge(&row, &["mcp", "servers", "ci-hub"]);
    }
}

#[test]
fn the_commented_configurations() {
    for row in corpus::files("openclaw", ".json5", &[]) {
        judge(&row, OPENCLAW);
    }
}

#[test]
fn duplicates_on_our_path_are_reported_with_all_their_lines() {
    let text = "{ mcp: {},\n\"m\\u0063p\": { servers: {\n'hub': 1, x: 2,\nhub: {} } } }";
    let found = Json5Document::parse(text).unwrap().duplicates(OPENCLAW);
    let found: Vec<_> = found.iter().map(|one| (one.path.join("."), one.lines.as_slice())).collect();
    assert_eq!(found, [("mcp".to_owned(), &[1, 2][..]), ("mcp.servers.hub".to_owned(), &[3, 4][..])]);
    assert_eq!(Json5Document::parse("{mcp: {}}").unwrap().duplicates(OPENCLAW), []);
}

/// Wires the row's own entry, then a second one beside it, and both once more.
fn judge(row: &Row, entry: &[&str]) {
    let goes = GOES.iter().find(|(name, _)| *name == row.name).map_or(&[][..], |(_, goes)| goes);
    let comments = |keep_all: bool| -> Vec<String> {
        let all = comments(&row.text).into_iter();
        all.filter(|text| keep_all || !goes.contains(text)).map(str::to_owned).collect()
    };
    let duplicates = Json5Document::parse(&row.text).map_or(0, |document| document.duplicates(entry).len());
    let oracles = if NpmJson5::load_strict(row.text.as_bytes()).is_ok() { &STRICT } else { &ORACLES };
    let outcome = corpus::judge::<Json5>(row, entry, &comments(false), oracles);
    corpus::assert_expected(row, outcome, duplicates);
    let second = [&entry[..2], &["second"]].concat();
    let outcome = corpus::judge::<Json5>(row, &second, &comments(true), oracles);
    if row.expect == "edit" {
        assert_eq!(outcome, Outcome::Edited, "{}: a second entry", row.name);
    }
}

/// The comments of a text whose strings hold nothing that looks like one, but for addresses.
fn comments(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("//").into_iter().chain(text[at..].find("/*")).min() {
        let rest = &text[at + start..];
        let is_address = text[..at + start].ends_with(':') && rest.starts_with("//");
        let length = match (is_address, rest.starts_with("//")) {
            (true, _) => 2,
            (false, true) => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            (false, false) => rest.find("*/").map_or(rest.len(), |end| end + 2),
        };
        if !is_address {
            found.push(rest[..length].trim_end());
        }
        at += start + length;
    }
    found
}
