//! Every case of the corpus: after hubkit OpenClaw takes the file, or hubkit refused it, or what is left is
//! outside our entry and was said.

use hubkit_contract::environment::HUB_MCP_API_KEY;
use hubkit_contract::reference::bearer_reference;
use hubkit_tests::oracle::{NpmJson5, Tagged};
use hubkit_tests::scratch_home::{KEY, ScratchHome};
use hubkit_tests::{fixtures, table};

use crate::verdict::validate;

const DIRECTORY: &str = "openclaw-json5";
const URL: &str = "http://ci-hub:5002/api/mcp";

/// Files of the directory that are no cases: what others include, and what OpenClaw says of the untouched ones.
const COMPANIONS: [&str; 2] = ["base.json5", "VERDICTS.txt"];

/// How a case must end.
enum Ends {
    /// OpenClaw takes the file.
    Valid,
    /// hubkit refuses it, by this kind, at this place.
    Refused { kind: &'static str, at: &'static str },
    /// Our entry is in place; OpenClaw refuses the file for this path alone, and hubkit said so in a note.
    FaultElsewhere { path: &'static str, message: &'static str, note: &'static str },
}

const CASES: &[(&str, Ends)] = &[
    ("T01-comments.json5", Ends::Valid),
    ("T02-env-refs.json5", Ends::Valid),
    ("T03a-root-include.json5", Ends::Valid),
    ("T04a-stale-stdio-plus-url.json5", Ends::Valid),
    ("T04b-retired-key.json5", Ends::Valid),
    ("T05-duplicate-mcp.json5", Ends::Valid),
    ("T06-bom-crlf-4space-strict.json", Ends::Valid),
    ("T08-truncated.json5", Ends::Refused { kind: "syntax", at: "1:20" }),
    ("T09-array.json5", Ends::Refused { kind: "not_a_mapping", at: "1:1" }),
    ("T10a-profile-minimal.json5", Ends::Valid),
    ("T10b-allow.json5", Ends::Valid),
    ("T10c-sandbox.json5", Ends::Valid),
    ("T11a-minified.json5", Ends::Valid),
    ("T15-hooks-env-token.json5", Ends::Valid),
    ("T16-absent-plugin.json5", Ends::Valid),
    (
        "T17-absent-memory-slot.json5",
        Ends::FaultElsewhere {
            path: "plugins.slots.memory",
            message: "plugin not found: ci-memory",
            note: "`plugins.slots.memory` names `ci-memory`, which is not installed",
        },
    ),
    ("T19-env-url.json5", Ends::Valid),
    ("T20-mcp-null.json5", Ends::Valid),
    (
        "T22-entry-apikey.json5",
        Ends::FaultElsewhere {
            path: "plugins.entries.memory-core",
            message: "Unrecognized key: \"apiKey\"",
            note: "`plugins.entries.memory-core.apiKey` is no key of OpenClaw",
        },
    ),
];

#[test]
fn no_case_is_left_out() {
    let listed = CASES.iter().map(|(file, _)| (*file).to_owned());
    let listed = listed.chain(COMPANIONS.map(str::to_owned)).collect();
    assert_eq!(fixtures::names(DIRECTORY), listed);
}

#[test]
fn every_case_ends_as_it_must() {
    table::each(CASES, ends_so);
}

fn ends_so(file: &str, ends: &Ends) {
    let before = fixtures::read(&format!("{DIRECTORY}/{file}"));
    let base = fixtures::read(&format!("{DIRECTORY}/base.json5"));
    let home = ScratchHome::openclaw().with(&before).with_neighbour("base.json5", &base);
    let booted = home.bootstrap(URL, KEY);

    if let Ends::Refused { kind, at } = ends {
        assert_eq!((booted.code, booted.status()), (Some(65), "refused"), "{file}: {booted:?}");
        assert_eq!((booted.text("kind"), booted.text("at")), (*kind, *at), "{file}: {booted:?}");
        let place = format!("openclaw.json:{at}: ");
        assert!(booted.said.contains(&place), "{file}: {}", booted.said);
        assert!(home.read() == before, "{file}: it was refused and changed");
        return;
    }
    assert_eq!((booted.code, booted.status()), (Some(0), "changed"), "{file}: {booted:?}");
    assert!(entry_is_ours(&home), "{file}: {}", String::from_utf8_lossy(&home.read()));
    let verdict = validate(&home, KEY);
    let findings = verdict.issues.iter().chain(&verdict.warnings);
    assert!(!findings.into_iter().any(|finding| finding.is_ours()), "{file}: {verdict:?}");
    match ends {
        Ends::FaultElsewhere { path, message, note } => {
            let issues: Vec<_> = verdict.issues.iter().map(|issue| (&*issue.path, &*issue.message)).collect();
            assert!(!verdict.valid && issues == [(*path, *message)], "{file}: {verdict:?}");
            assert!(booted.notes().iter().any(|said| said.contains(note)), "{file}: {}", booted.said);
        }
        _ => assert!(verdict.valid, "{file}: {verdict:?}"),
    }
    home.is_wired(URL, KEY);
}

/// Whether OpenClaw's own reader finds the three members of our entry, and nothing that selects another
/// transport.
fn entry_is_ours(home: &ScratchHome) -> bool {
    let tree = NpmJson5::load(&home.read()).unwrap();
    let Some(entry) = tree.at(&["mcp", "servers", "ci-hub"]) else { return false };
    let is = |path: &[&str], wanted: &str| entry.at(path) == Some(&Tagged::Str(wanted.to_owned()));
    is(&["url"], URL)
        && is(&["transport"], "streamable-http")
        && is(&["headers", "Authorization"], &bearer_reference(HUB_MCP_API_KEY))
        && ["command", "args", "type", "timeout"].iter().all(|key| entry.get(key).is_none())
}
