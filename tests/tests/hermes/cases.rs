//! Every case of the corpus: Hermes's own loader reads our entry as it must be, or hubkit refused the file.

use hubkit_tests::scratch_home::{KEY, ScratchHome};
use hubkit_tests::{fixtures, table};
use serde_json::Value as Json;

use crate::agent;

const DIRECTORY: &str = "hermes-yaml";
const URL: &str = "http://ci-hub:5002/api/mcp";

/// How a case must end.
enum Ends {
    /// Hermes reads our entry. The notes are all that hubkit says beside it, each by a part of it.
    Read { notes: &'static [&'static str] },
    /// hubkit refuses the file, by this kind, at this place.
    Refused { kind: &'static str, at: &'static str },
}

use Ends::{Read, Refused};

const CASES: &[(&str, Ends)] = &[
    ("01-comments-quotes.yaml", Read { notes: &[] }),
    ("02-no-version.yaml", Read { notes: &[] }),
    ("03-env-templates.yaml", Read { notes: &[] }),
    ("04-duplicate-top-level.yaml", Read { notes: &["`mcp_servers` stands 2 times (lines 1, 6)"] }),
    ("04b-duplicate-empty-tail.yaml", Read { notes: &["`mcp_servers` stands 2 times (lines 1, 4)"] }),
    ("05-crlf.yaml", Read { notes: &[] }),
    ("05b-bom.yaml", Read { notes: &[] }),
    ("06-tab-broken.yaml", Refused { kind: "syntax", at: "4:1" }),
    ("06b-unclosed.yaml", Refused { kind: "syntax", at: "2:12" }),
    ("10-webhook-secret-var.yaml", Read { notes: &[] }),
    ("11-webhook-env-secret.yaml", Read { notes: &[] }),
    ("12-name-collision.yaml", Read { notes: &["`mcp_servers.memory` has the name of a built-in toolset"] }),
    ("13-platform-allowlist.yaml", Read { notes: &["`platform_toolsets.cli` names the MCP server `time`"] }),
    ("14-sse-url.yaml", Read { notes: &["taken out of `mcp_servers.hub`: `transport`"] }),
    ("15-quoted-timeout.yaml", Read { notes: &[] }),
    ("16-bearer-bearer.yaml", Read { notes: &[] }),
    ("17-unset-placeholder.yaml", Read { notes: &[] }),
    ("18-yaml11-scalars.yaml", Read { notes: &[] }),
    ("20-list-form.yaml", Refused { kind: "not_a_mapping", at: "2:3" }),
    ("21-unicode.yaml", Read { notes: &[] }),
    (
        "24-bad-neighbour.yaml",
        Read { notes: &["line 2: `mcp_servers.broken` is", "line 3: `mcp_servers.empty` is"] },
    ),
    ("25-header-types.yaml", Read { notes: &["line 6: header `X-Agent-Id`", "line 7: header `X-Flag`"] }),
    ("27-no-final-newline.yaml", Read { notes: &[] }),
    ("28-root-list.yaml", Refused { kind: "not_a_mapping", at: "1:1" }),
    ("29-empty.yaml", Read { notes: &["the file held no settings"] }),
    ("30-comments-only.yaml", Read { notes: &["the file held no settings"] }),
];

#[test]
fn no_case_is_left_out() {
    let listed = CASES.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(fixtures::names(DIRECTORY), listed);
}

#[test]
fn every_case_is_read_or_refused() {
    table::each(CASES, ends_so);
}

fn ends_so(file: &str, ends: &Ends) {
    let before = fixtures::read(&format!("{DIRECTORY}/{file}"));
    let home = ScratchHome::hermes().with(&before);
    let booted = home.bootstrap(URL, KEY);
    match ends {
        Refused { kind, at } => {
            assert_eq!((booted.code, booted.status()), (Some(65), "refused"), "{file}: {booted:?}");
            assert_eq!((booted.text("kind"), booted.text("at")), (*kind, *at), "{file}: {booted:?}");
            let place = format!("config.yaml:{at}: ");
            assert!(booted.said.contains(&place), "{file}: {}", booted.said);
            assert!(home.read() == before, "{file}: it was refused and changed");
        }
        Read { notes } => {
            assert_eq!((booted.code, booted.status()), (Some(0), "changed"), "{file}: {booted:?}");
            let said = booted.notes();
            let is_said = |note: &&str| said.iter().any(|said| said.contains(*note));
            assert!(notes.len() == said.len() && notes.iter().all(is_said), "{file}: {said:?}");
            let loaded = agent::load(&home, &before);
            for reading in ["read", "used"] {
                let hub = &loaded[reading]["hub"];
                assert!(is_ours(hub, reading == "used"), "{file}: {reading}: {hub}");
            }
            assert_eq!(loaded["others_after"], loaded["others_before"], "{file}: something else changed");
            home.is_wired(URL, KEY);
        }
    }
}

/// Whether an entry leads to the Hub with the right key and time-outs that are numbers, and with nothing that
/// selects another transport.
fn is_ours(hub: &Json, expanded: bool) -> bool {
    let key_is_right = hub["headers"]["Authorization"] == format!("Bearer {KEY}");
    hub["url"] == URL
        && (key_is_right || !expanded)
        && hub["timeout"].is_number()
        && hub["connect_timeout"].is_number()
        && ["transport", "command", "args", "type"].iter().all(|key| hub.get(key).is_none())
}
