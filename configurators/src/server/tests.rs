//! What each host's recipe makes of files that people have.

use std::path::Path;

use hubkit_contract::limits;

use super::*;
use crate::compose::compose;
use crate::recipe::SecretStyle;
use crate::{Host, Position};

const KEY: &str = "0123456789abcdef0123456789abcdef";

/// What the environment wants the Hub's entry to say.
#[derive(Clone)]
struct Connection {
    url: String,
    key: Secret,
    secrets: Option<SecretStyle>,
    reference_resolves: bool,
}

/// The outcome for the Hub's entry alone.
#[derive(Debug)]
struct Planned {
    text: Option<String>,
    from_nothing: bool,
    secrets: Option<SecretStyle>,
    disabled: bool,
    notices: Vec<String>,
}

fn plan(
    recipe: &'static Recipe,
    current: Option<&[u8]>,
    surroundings: Surroundings<'_>,
    connection: &Connection,
) -> Result<Planned, Refusal> {
    let credential = Credential {
        variable: "HUB_MCP_API_KEY",
        key: connection.key.clone(),
        secrets: connection.secrets,
        reference_resolves: connection.reference_resolves,
        or_literal: false,
    };
    let url = connection.url.clone();
    let transport = Transport::Http { url, credential: Some(credential), headers: Vec::new() };
    let server = Server { recipe, name: recipe.hub().to_owned(), transport };
    let composed = compose(recipe, current, surroundings, &[&server])?;
    let intent = match composed.parts.into_iter().next().unwrap() {
        Ok(done) => done.intent,
        Err(Stop::Content(refusal)) => return Err(refusal),
        Err(Stop::Environment(what)) => panic!("{what}"),
    };
    Ok(Planned {
        text: composed.text,
        from_nothing: composed.from_nothing,
        secrets: intent.secrets,
        disabled: intent.disabled,
        notices: [intent.notices, composed.faults].concat(),
    })
}

fn connection() -> Connection {
    Connection {
        url: "http://ci-hub:5002/api/mcp".to_owned(),
        key: Secret::new(KEY),
        secrets: None,
        reference_resolves: true,
    }
}

fn surroundings() -> Surroundings<'static> {
    Surroundings { directory: Path::new("/nonexistent"), world_readable: false, backups: &[] }
}

fn planned(host: Host, text: &str) -> Planned {
    plan(host.recipe(), Some(text.as_bytes()), surroundings(), &connection()).unwrap()
}

/// The new text, after which a second plan must find nothing to do.
fn wired(host: Host, text: &str) -> String {
    let first = planned(host, text).text.unwrap();
    let second = planned(host, &first);
    assert_eq!(second.text, None, "the second run changes the file:\n{first}");
    first
}

#[test]
fn hermes_gets_the_entry_of_its_checklist() {
    let expected = format!(
        "mcp_servers:\n  hub:\n    url: \"http://ci-hub:5002/api/mcp\"\n    headers:\n      Authorization: \"Bearer {KEY}\"\n    timeout: 180\n    connect_timeout: 60\n"
    );
    assert_eq!(wired(Host::Hermes, ""), expected);
    let planned = planned(Host::Hermes, "# mine\n");
    assert!(planned.from_nothing);
    assert_eq!(planned.text.unwrap(), format!("# mine\n{expected}"));
}

#[test]
fn openclaw_gets_the_canonical_entry_and_a_mode_when_made_from_nothing() {
    let text = wired(Host::OpenClaw, "");
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        value,
        serde_json::json!({
            "gateway": {"mode": "local"},
            "mcp": {"servers": {"ci-hub": {
                "url": "http://ci-hub:5002/api/mcp",
                "transport": "streamable-http",
                "headers": {"Authorization": "Bearer ${HUB_MCP_API_KEY}"},
            }}},
        })
    );
    assert!(!wired(Host::OpenClaw, "{ \"mcp\": {} }").contains("gateway"), "only a new file gets a mode");
}

#[test]
fn stale_transports_go_and_what_the_user_added_stays() {
    let text = wired(
        Host::Hermes,
        "mcp_servers:\n  hub:\n    command: npx # old\n    args: [mcp-remote]\n    transport: sse\n    url: http://old/sse\n    headers:\n      X-Mine: a\n    timeout: 20\n    connect_timeout: \"60\"\n    tools:\n      include: [hub_system_load]\n    enabled: false\n",
    );
    assert_eq!(
        text,
        format!(
            "mcp_servers:\n  hub:\n    url: \"http://ci-hub:5002/api/mcp\"\n    headers:\n      X-Mine: a\n      Authorization: \"Bearer {KEY}\"\n    timeout: 20\n    connect_timeout: 60\n    tools:\n      include: [hub_system_load]\n    enabled: false\n"
        )
    );
    assert!(planned(Host::Hermes, &text).disabled);
}

#[test]
fn an_authorization_in_another_case_is_the_same_header() {
    let text = wired(
        Host::OpenClaw,
        "{ mcp: { servers: { 'ci-hub': { url: 'http://ci-hub:5002/api/mcp', transport: 'streamable-http', headers: { AUTHORIZATION: 'Bearer old', authorization: 'Bearer older', 'x-mine': 1 } } } } }",
    );
    assert!(!text.contains("AUTHORIZATION") && !text.contains("old"), "{text}");
    assert_eq!(text.matches("Bearer ${HUB_MCP_API_KEY}").count(), 1, "{text}");
}

#[test]
fn what_already_means_the_same_is_adopted() {
    for standing in [
        "Bearer ${HUB_MCP_API_KEY}".to_owned(),
        "Bearer ${ env:HUB_MCP_API_KEY }".to_owned(),
        format!("Bearer {KEY}"),
    ] {
        let text = format!(
            "mcp_servers: {{hub: {{connect_timeout: 0x3C, timeout: 3:00, url: 'http://ci-hub:5002/api/mcp', headers: {{authorization: '{standing}'}}}}}}"
        );
        assert_eq!(planned(Host::Hermes, &text).text, None, "{text}");
        let world = Surroundings { world_readable: true, ..surroundings() };
        let planned = plan(Host::Hermes.recipe(), Some(text.as_bytes()), world, &connection()).unwrap();
        assert_eq!(
            planned.text.is_some(),
            standing.contains(KEY),
            "a literal that all can read is not adopted"
        );
    }
}

#[test]
fn a_reference_that_does_not_resolve_is_not_adopted() {
    let text = "mcp_servers: {hub: {timeout: 1, connect_timeout: 1, url: 'http://ci-hub:5002/api/mcp', headers: {Authorization: 'Bearer ${HUB_MCP_API_KEY}'}}}";
    let connection = Connection { reference_resolves: false, ..connection() };
    let planned = plan(Host::Hermes.recipe(), Some(text.as_bytes()), surroundings(), &connection).unwrap();
    assert_eq!(planned.secrets, Some(SecretStyle::Literal));
    assert!(planned.text.unwrap().contains(KEY));
}

#[test]
fn an_explicit_style_wins() {
    for (style, literal) in [(SecretStyle::Literal, true), (SecretStyle::Reference, false)] {
        for host in [Host::Hermes, Host::OpenClaw] {
            let connection = Connection { secrets: Some(style), ..connection() };
            let planned = plan(host.recipe(), None, surroundings(), &connection).unwrap();
            assert_eq!(planned.text.unwrap().contains(KEY), literal);
        }
    }
}

#[test]
fn an_empty_openclaw_file_beside_a_backup_was_clobbered() {
    let backups = ["openclaw.json.bak".to_owned()];
    let beside = Surroundings { backups: &backups, ..surroundings() };
    let refusal = plan(Host::OpenClaw.recipe(), Some(b""), beside, &connection()).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Clobbered);
    assert!(refusal.what.contains("openclaw.json.bak"));
    assert!(plan(Host::OpenClaw.recipe(), Some(b""), surroundings(), &connection()).is_ok());
    assert!(plan(Host::OpenClaw.recipe(), None, beside, &connection()).is_ok());
}

#[test]
fn an_entry_of_the_wrong_kind_is_refused_with_its_place() {
    for (host, text) in [
        (Host::Hermes, "mcp_servers:\n  hub: off\n"),
        (Host::Hermes, "mcp_servers:\n  hub: [a]\n"),
        (Host::OpenClaw, "{ mcp: {\n servers: { \"ci-hub\": \"x\" } } }"),
    ] {
        let refusal = plan(host.recipe(), Some(text.as_bytes()), surroundings(), &connection()).unwrap_err();
        assert_eq!((refusal.kind, refusal.at.unwrap().line), (RefusalKind::NotAMapping, 2), "{text}");
    }
}

#[test]
fn bytes_that_are_no_utf8_are_refused_with_their_place() {
    for host in [Host::Hermes, Host::OpenClaw] {
        let refusal = plan(host.recipe(), Some(b"\n\n  \xff"), surroundings(), &connection()).unwrap_err();
        assert_eq!(
            (refusal.kind, refusal.at),
            (RefusalKind::Encoding, Some(Position { line: 3, column: 3 }))
        );
    }
}

#[test]
fn a_file_may_be_as_large_as_the_limit_and_no_larger() {
    let mut text = vec![b'#'; limits::CONFIG_FILE_BYTES];
    assert!(plan(Host::Hermes.recipe(), Some(&text), surroundings(), &connection()).is_ok());
    text.push(b'#');
    let refusal = plan(Host::Hermes.recipe(), Some(&text), surroundings(), &connection()).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::TooLarge);
}

#[test]
fn faults_outside_our_entry_are_named_with_their_line() {
    let hermes = planned(
        Host::Hermes,
        "mcp_servers:\n  broken: hello\n  empty:\n  hub:\n    headers:\n      X-Flag: on\n",
    );
    let notices = hermes.notices.join("\n");
    for part in [
        "line 2: `mcp_servers.broken` is a string",
        "line 3: `mcp_servers.empty` is null",
        "line 6: header `X-Flag` is a boolean",
    ] {
        assert!(notices.contains(part), "{notices}");
    }
    let openclaw = planned(
        Host::OpenClaw,
        "{ plugins: {\n entries: { 'memory-core': { enabled: true, apiKey: 'x' } },\n slots: { memory: 'ci-memory' } }, mcpServers: {} }",
    );
    let notices = openclaw.notices.join("\n");
    for part in [
        "line 2: `plugins.entries.memory-core.apiKey`",
        "line 3: `plugins.slots.memory`",
        "`gateway.mode` is missing",
        "`mcpServers`",
    ] {
        assert!(notices.contains(part), "{notices}");
    }
}

#[test]
fn duplicates_are_reported_with_all_lines_and_the_last_is_wired() {
    let planned = planned(Host::Hermes, "mcp_servers:\n  a: {url: x}\nmcp_servers:\n  b: {url: y}\n");
    assert!(planned.notices.iter().any(|notice| notice.contains("lines 1, 3")), "{:?}", planned.notices);
    let text = planned.text.unwrap();
    assert!(text.find("hub:").unwrap() > text.find("b:").unwrap());
}

#[test]
fn keys_that_make_openclaw_refuse_its_file_go_from_our_entry() {
    let text = wired(
        Host::OpenClaw,
        "{ gateway: { mode: \"local\" }, mcp: { servers: { \"ci-hub\": { url: \"http://old.example/api/mcp\", transport: \"sse\", timeout: 5 } } } }",
    );
    assert!(!text.contains("timeout") && !text.contains("sse"), "{text}");
}

#[test]
fn what_the_user_switched_off_stays_off_under_the_new_key() {
    let text =
        wired(Host::OpenClaw, "{ mcp: { servers: { \"ci-hub\": { url: \"http://x/\", disabled: true } } } }");
    assert!(text.contains("enabled: false") && !text.contains("disabled"), "{text}");
    assert!(planned(Host::OpenClaw, &text).disabled);
}

#[test]
fn an_empty_object_is_made_from_nothing() {
    assert!(wired(Host::OpenClaw, "{}").contains("\"mode\": \"local\""));
}

#[test]
fn what_was_taken_over_and_a_second_way_to_the_hub_are_said() {
    let text = "mcp_servers:\n  hub: {command: docker, args: [x], url: http://old/}\n  ci-hub: {url: 'http://ci-hub:5002/api/mcp'}\n";
    let notices = planned(Host::Hermes, text).notices.join("\n");
    for part in [
        "another URL",
        "taken out of `mcp_servers.hub`: `command`, `args`",
        "`mcp_servers.ci-hub` leads to the same Hub",
    ] {
        assert!(notices.contains(part), "{notices}");
    }
}
