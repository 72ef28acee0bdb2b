//! A server that was named like a built-in toolset was wired, answered, and was never seen by the agent.

use crate::scene::{REGISTERED, Scene};

#[test]
fn a_server_named_like_a_toolset_is_reported_and_ours_is_not_named_so() {
    let scene = Scene::hermes(
        "mcp_servers:\n  memory:\n    url: http://mem/mcp\n  todo: {command: uvx}\n  notes: {command: uvx}\n",
    );
    let ran = scene.bootstrap();
    assert!(ran.err.contains(REGISTERED), "{}", ran.err);
    for (line, name) in [(2, "memory"), (4, "todo")] {
        let sentence = format!("line {line}: `mcp_servers.{name}` has the name of a built-in toolset");
        assert!(ran.err.contains(&sentence), "{}", ran.err);
    }
    assert_eq!(ran.err.matches("built-in toolset").count(), 2, "{}", ran.err);
    for host in [hubkit_configurators::Host::Hermes, hubkit_configurators::Host::OpenClaw] {
        let recipe = host.recipe();
        for ours in [recipe.hub()].into_iter().chain(recipe.memory) {
            assert!(!(recipe.is_reserved)(ours), "{ours}");
        }
    }
    assert!((hubkit_configurators::Host::Hermes.recipe().is_reserved)("memory"));
}
