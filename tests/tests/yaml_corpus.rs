//! Every small YAML document of the corpus, every shape that Hermes users reported, and the large commented
//! file: edited by the engine, judged by PyYAML and ruamel.

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod lossless;

use std::path::Path;

use corpus::Row;
use hubkit_configurators::Document;
use hubkit_configurators::yaml::YamlDocument;
use hubkit_tests::oracle::{Pyyaml, Ruamel};
use lossless::judge::{Engine, Oracles, Outcome};

/// The entry in Hermes's file.
const HERMES: &[&str] = &["mcp_servers", "hub"];

struct Yaml;

impl Engine for Yaml {
    type Document<'a> = YamlDocument<'a>;
}

const ORACLES: Oracles = Oracles { host: Pyyaml::load, others: &[Pyyaml::load_pure, Ruamel::load] };

/// Comments that go with what they stand behind or in.
const GOES: &[(&str, &[&str])] = &[
    ("hub_update_ml", &["# keep"]),
    ("hub_args_block", &["# my args", "# old"]),
    ("hub_cmd_null", &["# tbd"]),
    ("hub_cmd_literal", &[]),
    ("14-sse-url.yaml", &["# left over from the old endpoint"]),
];

#[test]
fn the_corpus_of_small_documents() {
    corpus::with_a_large_stack(|| {
        for row in corpus::rows("yaml-corpus.json") {
            judge(&row);
        }
    });
}

#[test]
fn shapes_from_hermes_users() {
    let refused = ["06-tab-broken.yaml", "06b-unclosed.yaml", "20-list-form.yaml", "28-root-list.yaml"];
    for row in corpus::files("hermes-yaml", ".yaml", &refused) {
        judge(&row);
    }
}

#[test]
fn the_commented_configurations() {
    for row in corpus::files("hermes", ".yaml", &[]) {
        judge(&row);
    }
}

#[test]
fn duplicates_on_our_path_are_reported_with_all_their_lines() {
    let text = "mcp_servers:\n  a: {url: x}\n\nmcp_servers:\n  hub: {url: y}\n  hub: {url: z}\n";
    let found = YamlDocument::parse(text).unwrap().duplicates(HERMES);
    let found: Vec<_> = found.iter().map(|one| (one.path.join("."), one.lines.as_slice())).collect();
    assert_eq!(found, [("mcp_servers".to_owned(), &[1, 4][..]), ("mcp_servers.hub".to_owned(), &[5, 6][..])]);
    assert_eq!(YamlDocument::parse("mcp_servers: {}\n").unwrap().duplicates(HERMES), []);
}

/// Wires the row's own entry, then a second one beside it, and both once more.
fn judge(row: &Row) {
    let goes = GOES.iter().find(|(name, _)| *name == row.name).map_or(&[][..], |(_, goes)| goes);
    let comments = |keep_all: bool| -> Vec<String> {
        let all = row.text.split(['\n', '\r']).filter_map(comment);
        all.filter(|text| keep_all || !goes.contains(text)).map(str::to_owned).collect()
    };
    let duplicates = YamlDocument::parse(&row.text).map_or(0, |document| document.duplicates(HERMES).len());
    let outcome = corpus::judge::<Yaml>(row, HERMES, &comments(false), &ORACLES);
    corpus::assert_expected(row, outcome, duplicates);
    let outcome = corpus::judge::<Yaml>(row, &["mcp_servers", "second"], &comments(true), &ORACLES);
    if row.expect == "edit" {
        assert_eq!(outcome, Outcome::Edited, "{}: a second entry", row.name);
    }
}

/// The comment of a line; also a text that only looks like one, which must stay as well.
fn comment(line: &str) -> Option<&str> {
    let start = line.match_indices('#').map(|(at, _)| at);
    start
        .into_iter()
        .find(|at| *at == 0 || line[..*at].ends_with([' ', '\t']))
        .map(|at| line[at..].trim_end())
}

#[test]
fn the_fixtures_are_what_they_are_said_to_be() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hermes/commented-80k.yaml");
    let text = std::fs::read_to_string(path).unwrap();
    let comments = text.lines().filter(|line| line.trim_start().starts_with('#')).count();
    assert!((78_000..81_000).contains(&text.len()), "{} bytes", text.len());
    assert!((1_290..=1_310).contains(&comments), "{comments} comment lines");
    assert!(Pyyaml::load(text.as_bytes()).unwrap().at(HERMES).is_none());
}
