//! Which settings hide the tools of `ci-hub`, and which do not.

use super::*;
use crate::Document as _;
use crate::json5::Json5Document;
use crate::recipe::AsReader;

const SERVER: &str = "mcp: { servers: { \"ci-hub\": { url: \"http://hub/api/mcp\" } } }";

fn said(rest: &str) -> Vec<String> {
    said_of(&format!("{{\n{SERVER},\n{rest} }}"))
}

fn said_of(text: &str) -> Vec<String> {
    hiding(&AsReader(&Json5Document::parse(text).unwrap()), "ci-hub")
}

#[track_caller]
fn says(rest: &str, parts: &[&str]) {
    let said = said(rest);
    assert_eq!(said.len(), parts.len(), "{rest}: {said:?}");
    for (sentence, part) in said.iter().zip(parts) {
        assert!(sentence.contains(part), "{rest}: {part:?} is not in {sentence:?}");
    }
}

#[test]
fn profiles() {
    let add = "add `bundle-mcp` to `tools.alsoAllow`";
    says("tools: { profile: \"minimal\" }", &[add]);
    assert!(said("tools: {\n profile: \"minimal\" }")[0].starts_with("line 4: `tools.profile` is `minimal`"));
    says("tools: { profile: \"minimal\", alsoAllow: [\"read\", \"other__*\"] }", &[add]);
    for quiet in [
        "tools: { profile: \"full\" }",
        "tools: { profile: \"coding\" }",
        "tools: { profile: \"messaging\" }",
        "tools: { profile: \"minimal\", alsoAllow: [\"bundle-mcp\"] }",
        "tools: { profile: \"minimal\", alsoAllow: [\" CI-Hub__* \"] }",
        "tools: { profile: \"minimal\", alsoAllow: [\"group:plugins\"] }",
        "tools: { exec: {} }",
        "tools: null",
    ] {
        says(quiet, &[]);
    }
}

#[test]
fn profiles_of_agents_stand_over_the_global_one() {
    let minimal = "tools: { profile: \"minimal\" }";
    let main = |tools: &str| format!("agents: {{ entries: {{ main: {{ tools: {tools} }} }} }}");
    says(
        &main("{ profile: \"minimal\" }"),
        &[
            "`agents.entries.main.tools.profile` is `minimal`, which hides the tools of `ci-hub` from `agents.entries.main`",
        ],
    );
    says(&format!("{minimal}, {}", main("{ profile: \"coding\" }")), &[]);
    says(&format!("{minimal}, {}", main("{ alsoAllow: [\"bundle-mcp\"] }")), &[]);
    says(
        &format!("{minimal}, {}", main("{}")),
        &["`tools.profile` is `minimal`, which hides the tools of `ci-hub`: "],
    );
    says(
        &format!(
            "tools: {{ profile: \"minimal\", alsoAllow: [\"bundle-mcp\"] }}, {}",
            main("{ alsoAllow: [\"x\"] }")
        ),
        &[
            "`tools.profile` is `minimal`, which hides the tools of `ci-hub` from `agents.entries.main`: add `bundle-mcp` to `agents.entries.main.tools.alsoAllow`",
        ],
    );
    says(
        &format!(
            "{minimal}, agents: {{ list: [ {{ id: \"a\" }}, {{ id: \"b\", tools: {{ profile: \"full\" }} }}, {{ id: \"c\" }} ] }}"
        ),
        &["`tools.profile` is `minimal`, which hides the tools of `ci-hub`: "],
    );
}

#[test]
fn lists() {
    for (rest, part) in [
        ("tools: { allow: [\"read\"] }", "`tools.allow` does not name the tools of `ci-hub`"),
        ("tools: { allow: [\"read\", \"ci-hub\"] }", "add `bundle-mcp` or `ci-hub__*` to it"),
        ("tools: { deny: [\"bundle-mcp\"] }", "`tools.deny` holds `bundle-mcp`"),
        ("tools: { deny: [\"x\", \"group:plugins\"] }", "`tools.deny` holds `group:plugins`"),
        ("tools: { deny: [\"ci-hub__*\"], allow: [\"bundle-mcp\"] }", "`tools.deny` holds `ci-hub__*`"),
        (
            "tools: { allow: [\"read\"], alsoAllow: [\"bundle-mcp\"] }",
            "`tools` holds both `allow` and `alsoAllow`",
        ),
        (
            "agents: { entries: { main: { tools: { allow: [\"read\"] } } } }",
            "`agents.entries.main.tools.allow` does not name the tools of `ci-hub`, which hides them from `agents.entries.main`",
        ),
        (
            "agents: { list: [ { id: \"m\", tools: { deny: [\"*\"] } } ] }",
            "`agents.list[0].tools.deny` holds `*`",
        ),
    ] {
        says(rest, &[part]);
        assert!(said(rest)[0].starts_with("line 3: "), "{rest}");
    }
    for quiet in [
        "tools: { allow: [\"read\", \"bundle-mcp\"] }",
        "tools: { allow: [\"read\", \"ci-hub__*\"] }",
        "tools: { allow: [\"ci-hub__hub_status\"] }",
        "tools: { allow: [\"*\"] }",
        "tools: { allow: [] }",
        "tools: { allow: [], alsoAllow: [\"x\"] }",
        "tools: { alsoAllow: [\"x\"] }",
        "tools: { allow: [\" \"] }",
        "tools: { deny: [\"exec\", \"ci-hub__hub_delete*\", \"other__*\"] }",
        "agents: { entries: { main: { tools: { allow: [\"bundle-mcp\"] } } }, list: [ { tools: { deny: [\"*\"] } } ] }",
    ] {
        says(quiet, &[]);
    }
}

#[test]
fn lists_of_the_model_in_use() {
    let with = |model: &str, policy: &str| {
        format!(
            "agents: {{ defaults: {{ model: {model} }} }}, tools: {{ byProvider: {{ \"Hub\": {policy} }} }}"
        )
    };
    says(
        &with("\"hub/oak\"", "{ profile: \"minimal\" }"),
        &[
            "`tools.byProvider.Hub.profile` is `minimal`, which hides the tools of `ci-hub` with models of `Hub`",
        ],
    );
    says(&with("{ primary: \"hub/oak\" }", "{ allow: [\"read\"] }"), &["`tools.byProvider.Hub.allow`"]);
    says(&with("\"other/oak\"", "{ allow: [\"read\"] }"), &[]);
    says(&with("\"hub/oak\"", "{ profile: \"minimal\", alsoAllow: [\"bundle-mcp\"] }"), &[]);
    says(
        "agents: { defaults: { model: \"hub/oak\" } }, \
         tools: { byProvider: { hub: { deny: [\"*\"] }, \"hub/oak\": { deny: [\"exec\"] } } }",
        &[],
    );
}

#[test]
fn the_sandbox() {
    let all = "agents: { defaults: { sandbox: { mode: \"all\" } } }";
    says(
        all,
        &[
            "sessions in the sandbox do not get the tools of `ci-hub`: add `bundle-mcp` to `tools.sandbox.tools.alsoAllow`",
        ],
    );
    says(&all.replace("all", "non-main"), &["sessions in the sandbox"]);
    says(&all.replace("all", "off"), &[]);
    let tools = |tools: &str| format!("{all}, tools: {{ sandbox: {{ tools: {tools} }} }}");
    for quiet in [
        "{ alsoAllow: [\"bundle-mcp\"] }",
        "{ alsoAllow: [\"ci-hub__*\"] }",
        "{ allow: [] }",
        "{ allow: [\"*\"] }",
    ] {
        says(&tools(quiet), &[]);
    }
    says(&tools("{ allow: [\"read\"] }"), &["add `bundle-mcp` to `tools.sandbox.tools.allow`"]);
    says(
        &tools("{ alsoAllow: [\"bundle-mcp\"], deny: [\"bundle-mcp\"] }"),
        &["`tools.sandbox.tools.deny` holds"],
    );
    says(&tools("{ allow: [\"a\"], alsoAllow: [\"bundle-mcp\"] }"), &["`tools.sandbox.tools` holds both"]);
    let agent = |own: &str| {
        format!("agents: {{ defaults: {{ sandbox: {{ mode: \"all\" }} }}, entries: {{ main: {own} }} }}")
    };
    says(&agent("{ sandbox: { mode: \"off\" } }"), &[]);
    says(&agent("{ tools: { sandbox: { tools: { alsoAllow: [\"bundle-mcp\"] } } } }"), &[]);
    says(&agent("{}"), &["`tools.sandbox.tools.alsoAllow`"]);
    says(
        &agent("{ tools: { sandbox: { tools: { allow: [\"read\"] } } } }"),
        &["add `bundle-mcp` to `agents.entries.main.tools.sandbox.tools.allow`"],
    );
    let own_mode = "agents: { entries: { main: { sandbox: { mode: \"all\" } } } }";
    says(own_mode, &["line 3: `agents.entries.main.sandbox.mode` is `all`, and sessions in the sandbox"]);
}

#[test]
fn the_entrys_own_filter() {
    let filter = |filter: &str| {
        said_of(&format!("{{ mcp: {{ servers: {{ \"ci-hub\": {{ toolFilter: {filter} }} }} }} }}"))
    };
    for (text, part) in [
        ("{ exclude: [\"*\"] }", "`mcp.servers.ci-hub.toolFilter.exclude` lets no tool"),
        ("{ include: [\"a\"], exclude: [\"a\"] }", "toolFilter.include` lets no tool"),
        ("{ include: [\"ci-hub__hub_status\"] }", "without `ci-hub__`"),
        ("{ include: [\" \"] }", "toolFilter.include` lets no tool"),
        ("{ include: [] }", "refuses the file"),
    ] {
        let said = filter(text);
        assert!(
            said.len() == 1 && said[0].contains(part) && said[0].starts_with("line 1: "),
            "{text}: {said:?}"
        );
    }
    for quiet in [
        "{ include: [\"hub_*\"] }",
        "{ exclude: [\"hub_delete*\"] }",
        "{ include: [\"a\", \"b\"], exclude: [\"a\"] }",
        "{ include: [\"*\"], exclude: [\"b\"] }",
        "{}",
    ] {
        assert_eq!(filter(quiet), Vec::<String>::new(), "{quiet}");
    }
}

#[test]
fn a_server_that_is_off_or_missing_has_nothing_to_hide() {
    let tools = "tools: { profile: \"minimal\", deny: [\"*\"] }";
    assert_eq!(said_of(&format!("{{ {tools} }}")), Vec::<String>::new());
    let off = format!("{{ mcp: {{ servers: {{ \"ci-hub\": {{ enabled: false }} }} }}, {tools} }}");
    assert_eq!(said_of(&off), Vec::<String>::new());
}
