//! A boot template rendered the file anew and erased the servers in it.

use crate::scene::{Scene, all_lines_kept};

#[test]
fn servers_that_were_there_stay() {
    let before = "mcp_servers:\n  mine:\n    command: a\n  yours:\n    url: http://b/\n";
    let after = Scene::hermes(before).wired();
    all_lines_kept(before, &after);
    assert!(after.starts_with(before), "{after}");
}
