//! Which settings hide the tools of `hub`, and which do not.

use super::*;
use crate::Document as _;
use crate::recipe::AsReader;
use crate::yaml::YamlDocument;

fn said(text: &str) -> Vec<String> {
    hiding(&AsReader(&YamlDocument::parse(text).unwrap()), "hub")
}

const SERVERS: &str = "mcp_servers:\n  hub: {url: 'http://hub/api/mcp'}\n  time: {command: uvx}\n  off: {command: x, enabled: no}\n  memory: {command: y, enabled: false}\n";

#[track_caller]
fn says(rest: &str, parts: &[&str]) {
    let said = said(&format!("{SERVERS}{rest}"));
    assert_eq!(said.len(), parts.len(), "{rest}: {said:?}");
    for (sentence, part) in said.iter().zip(parts) {
        assert!(sentence.contains(part), "{rest}: {part:?} is not in {sentence:?}");
    }
}

#[test]
fn a_platform_that_names_a_server_gets_only_those_that_it_names() {
    says(
        "platform_toolsets:\n  cli: [hermes-cli, time]\n  telegram: [hermes-telegram]\n",
        &["line 7: `platform_toolsets.cli` names the MCP server `time`"],
    );
    says("platform_toolsets: {cli: [web, no_mcp]}\n", &["`platform_toolsets.cli` holds `no_mcp`"]);
    says("platform_toolsets: {cli: [web, hub, no_mcp]}\n", &["`platform_toolsets.cli` holds `no_mcp`"]);
    says(
        "platform_toolsets: {cli: [time], webhook: [time]}\n",
        &["`platform_toolsets.cli`", "`platform_toolsets.webhook`"],
    );
    for quiet in [
        "platform_toolsets: {cli: [hermes-cli, time, hub]}\n",
        "platform_toolsets: {cli: [hermes-cli, web]}\n",
        "platform_toolsets: {cli: [hermes-cli, off]}\n",
        "platform_toolsets: {cli: [memory, web]}\n",
        "platform_toolsets: {cli: [time, mcp-hub]}\n",
        "platform_toolsets: {cli: [time, all]}\n",
        "platform_toolsets: {cli: []}\n",
        "platform_toolsets: {cli: time}\n",
        "platform_toolsets:\n",
    ] {
        says(quiet, &[]);
    }
}

#[test]
fn disabled_toolsets_go_over_everything() {
    says("agent: {disabled_toolsets: [web, hub]}\n", &["line 6: `agent.disabled_toolsets` holds `hub`"]);
    says("agent: {disabled_toolsets: [mcp-hub]}\n", &["holds `mcp-hub`"]);
    says("agent: {disabled_toolsets: [web, time]}\n", &[]);
    says("agent: {disabled_toolsets: hub}\n", &[]);
}

#[test]
fn numbers_in_quotes_break_a_server() {
    for (server, part) in [
        ("x: {command: a, timeout: '180'}", "`mcp_servers.x.timeout` is a string"),
        ("x: {url: 'http://x', connect_timeout: \"60\"}", "the agent never connects"),
        ("x: {command: a, timeout: 1e3}", "`mcp_servers.x.timeout`"),
        ("x: {command: a, timeout: '${T}'}", "write a plain number"),
    ] {
        let said = said(&format!("mcp_servers:\n  {server}\n"));
        assert!(
            said.len() == 1 && said[0].contains(part) && said[0].starts_with("line 2: "),
            "{server}: {said:?}"
        );
    }
    for server in
        ["x: {timeout: 180, connect_timeout: 6.5}", "x: {timeout: '1', enabled: false}", "x: {timeout: }"]
    {
        assert_eq!(said(&format!("mcp_servers:\n  {server}\n")), Vec::<String>::new(), "{server}");
    }
}

#[test]
fn a_server_named_like_a_toolset_is_said() {
    let said = said("mcp_servers:\n  memory: {command: a}\n  web2: {command: b}\n");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].starts_with("line 2: `mcp_servers.memory` has the name of a built-in toolset"),
        "{said:?}"
    );
}

#[test]
fn a_server_named_like_everything_is_said() {
    let said = said("mcp_servers:\n  all: {command: a}\n  ball: {command: b}\n");
    assert!(said.len() == 1 && said[0].contains("by which Hermes means all toolsets"), "{said:?}");
}

#[test]
fn the_entrys_own_filter() {
    let filter =
        |tools: &str| said(&format!("mcp_servers:\n  hub:\n    url: http://h\n    tools: {tools}\n"));
    for (tools, part) in [
        (
            "{include: [mcp__hub__hub_status]}",
            "`mcp_servers.hub.tools.include` lets no tool of `hub` through",
        ),
        ("{include: mcp_hub_hub_status}", "without `mcp__`"),
        ("{include: ['']}", "`mcp_servers.hub.tools.include`"),
        ("{include: ['hub_*', '*status']}", "Hermes 0.19 takes its patterns for whole names"),
        ("{exclude: '*'}", "`mcp_servers.hub.tools.exclude`"),
        ("[hub_status]", "`mcp_servers.hub.tools` is a list"),
    ] {
        let said = filter(tools);
        assert!(
            said.len() == 1 && said[0].contains(part) && said[0].starts_with("line 4: "),
            "{tools}: {said:?}"
        );
    }
    for quiet in [
        "{include: [hub_status]}",
        "{include: [hub_status, 'hub_*']}",
        "{include: []}",
        "{include: [], exclude: [hub_reset]}",
        "{include: [hub_status], exclude: ['*']}",
        "{resources: false}",
        "{}",
        "[]",
        "",
    ] {
        assert_eq!(filter(quiet), Vec::<String>::new(), "{quiet}");
    }
}

#[test]
fn a_server_that_is_off_or_missing_has_nothing_to_hide() {
    for servers in
        ["  hub: {url: 'http://h', enabled: false}\n  time: {command: x}\n", "  time: {command: x}\n"]
    {
        let text = format!(
            "mcp_servers:\n{servers}platform_toolsets: {{cli: [time]}}\nagent: {{disabled_toolsets: [hub]}}\n"
        );
        assert_eq!(said(&text), Vec::<String>::new(), "{servers}");
    }
    assert_eq!(said("mcp_servers:\n"), Vec::<String>::new());
}
