//! A tool edited `platform_toolsets`, which turned it into an allow-list.

use crate::scene::{Scene, all_lines_kept};

#[test]
fn platform_toolsets_are_not_touched() {
    let before = "platform_toolsets:\n  cli: [hermes-cli, time]       # an allow-list\nmcp_servers:\n  time: {command: uvx}\n";
    all_lines_kept(before, &Scene::hermes(before).wired());
}
