//! A tool edited `platform_toolsets`, which turned it into an allow-list.

use crate::scene::{Scene, all_lines_kept};

#[test]
fn platform_toolsets_are_not_touched() {
    let before = "platform_toolsets:\n  cli: [hermes-cli, time]       # an allow-list\nmcp_servers:\n  time: {command: uvx}\n";
    all_lines_kept(before, &Scene::hermes(before).wired());
}

#[test]
fn a_platform_that_shuts_the_hub_out_is_named_with_its_line() {
    let said = |list: &str| {
        let text = format!("mcp_servers:\n  time: {{command: uvx}}\nplatform_toolsets:\n  cli: {list}\n");
        let ran = Scene::hermes(text).bootstrap();
        ran.err
            .lines()
            .filter(|line| line.contains("platform_toolsets"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let shut = said("[hermes-cli, time]");
    assert!(
        shut.len() == 1 && shut[0].contains("`platform_toolsets.cli` names the MCP server `time`"),
        "{shut:?}"
    );
    assert!(shut[0].contains("line ") && shut[0].contains("add `hub` to it"), "{shut:?}");
    for list in ["[hermes-cli, time, hub]", "[hermes-cli, web]", "[]"] {
        assert_eq!(said(list), Vec::<String>::new(), "{list}");
    }
}
