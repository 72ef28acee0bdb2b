//! The server was healthy in every probe, and the agent saw none of its tools.

use crate::scene::{REGISTERED, Scene};

fn said(rest: &str) -> Vec<String> {
    let scene = Scene::openclaw(format!("{{ gateway: {{ mode: \"local\" }},\n{rest} }}"));
    let before = scene.text();
    let ran = scene.bootstrap();
    assert!(ran.err.contains(REGISTERED), "{}", ran.err);
    assert!(
        scene.text().contains(before.trim_end().trim_end_matches('}').trim_end()),
        "the policy was edited"
    );
    ran.err.lines().filter(|line| line.contains("the tools of `ci-hub`")).map(str::to_owned).collect()
}

#[test]
fn what_hides_the_hubs_tools_from_openclaw_is_named_with_its_line() {
    for (rest, part) in [
        ("tools: { profile: \"minimal\" }", "line 2: `tools.profile` is `minimal`"),
        ("tools: { allow: [\"read\", \"exec\"] }", "line 2: `tools.allow` does not name"),
        ("tools: { deny: [\"bundle-mcp\"] }", "line 2: `tools.deny` holds `bundle-mcp`"),
        (
            "agents: { defaults: { sandbox: { mode: \"all\" } } }",
            "add `bundle-mcp` to `tools.sandbox.tools.alsoAllow`",
        ),
    ] {
        let said = said(rest);
        assert!(said.len() == 1 && said[0].contains(part), "{rest}: {said:?}");
    }
    for rest in ["tools: { profile: \"coding\" }", "tools: { allow: [\"read\", \"ci-hub__*\"] }", "tools: {}"]
    {
        assert_eq!(said(rest), Vec::<String>::new(), "{rest}");
    }
}
