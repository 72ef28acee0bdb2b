//! What is reported of the fixtures beside the edit itself: all that deserve it, and no other. A report that is
//! no fault teaches people not to read reports.

use std::path::Path;

use hubkit_configurators::Host;
use hubkit_configurators::compose::compose;
use hubkit_configurators::credential::Credential;
use hubkit_configurators::part::Surroundings;
use hubkit_configurators::server::{Server, Transport};
use hubkit_redaction::Secret;
use hubkit_tests::fixtures;

/// The faults of a fixture once the Hub is wired in it; nothing for one that no host would read.
fn faults(host: Host, name: &str) -> Vec<String> {
    let credential = Credential {
        variable: "HUB_MCP_API_KEY",
        key: Secret::new("0123456789abcdef0123456789abcdef"),
        secrets: None,
        reference_resolves: true,
        or_literal: false,
    };
    let url = "http://ci-hub:5002/api/mcp".to_owned();
    let transport = Transport::Http { url, credential: Some(credential), headers: Vec::new() };
    let recipe = host.recipe();
    let part = Server { recipe, name: recipe.hub().to_owned(), transport };
    let surroundings =
        Surroundings { directory: Path::new("/nonexistent"), world_readable: false, backups: &[] };
    let bytes = fixtures::read(name);
    compose(recipe, Some(&bytes), surroundings, &[&part]).map_or(Vec::new(), |composed| composed.faults)
}

/// The fixtures that deserve a report, and what it says.
const DESERVED: &[(&str, &[&str])] = &[
    ("hermes-yaml/12-name-collision.yaml", &["`mcp_servers.memory` has the name of a built-in toolset"]),
    ("hermes-yaml/13-platform-allowlist.yaml", &["`platform_toolsets.cli` names the MCP server `time`"]),
    (
        "hermes-yaml/24-bad-neighbour.yaml",
        &["`mcp_servers.broken` is a string", "`mcp_servers.empty` is null"],
    ),
    (
        "hermes-yaml/25-header-types.yaml",
        &["header `X-Agent-Id` is a number", "header `X-Flag` is a boolean"],
    ),
    ("openclaw-json5/T03a-root-include.json5", &["`$include`: this file alone is edited"]),
    ("openclaw-json5/T10a-profile-minimal.json5", &["`tools.profile` is `minimal`"]),
    ("openclaw-json5/T10b-allow.json5", &["`tools.allow` does not name the tools of `ci-hub`"]),
    ("openclaw-json5/T10c-sandbox.json5", &["`agents.defaults.sandbox.mode` is `all`"]),
    ("openclaw-json5/T17-absent-memory-slot.json5", &["`plugins.slots.memory` names `ci-memory`"]),
    ("openclaw-json5/T22-entry-apikey.json5", &["`plugins.entries.memory-core.apiKey` is no key"]),
];

#[test]
fn every_fixture_is_reported_as_it_deserves_and_with_its_line() {
    let mut reported = 0;
    for (host, directory) in [
        (Host::Hermes, "hermes"),
        (Host::Hermes, "hermes-yaml"),
        (Host::OpenClaw, "openclaw"),
        (Host::OpenClaw, "openclaw-json5"),
    ] {
        let names = fixtures::names(directory);
        assert!(!names.is_empty(), "{directory}");
        for name in names.iter().filter(|name| !name.ends_with(".txt")) {
            let name = format!("{directory}/{name}");
            let parts =
                DESERVED.iter().find(|(other, _)| *other == name).map_or([].as_slice(), |(_, parts)| parts);
            let faults = faults(host, &name);
            assert_eq!(faults.len(), parts.len(), "{name}: {faults:?}");
            for (fault, part) in faults.iter().zip(parts) {
                assert!(
                    fault.starts_with("line ") && fault.contains(part),
                    "{name}: {part:?} is not in {fault:?}"
                );
            }
            reported += usize::from(!parts.is_empty());
        }
    }
    assert_eq!(reported, DESERVED.len(), "a fixture of the table is gone");
}
