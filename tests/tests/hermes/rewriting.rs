//! Hermes's own commands rewrite the file without comments and quotes. What is right by value stays unwritten.

use hubkit_tests::scratch_home::{KEY, ScratchHome};

use crate::{agent, beginnings};

const URL: &str = "http://ci-hub:5002/api/mcp";

#[test]
fn the_wiring_of_a_commented_configuration_survives_hermess_rewriting() {
    survives(beginnings::commented());
}

#[test]
fn the_wiring_of_a_sample_configuration_survives_hermess_rewriting() {
    survives(beginnings::sample());
}

#[test]
fn the_wiring_of_a_new_home_survives_hermess_rewriting() {
    survives(beginnings::nothing());
}

fn survives(home: ScratchHome) {
    home.wire(URL, KEY);
    for rewriting in [&["config", "set", "agent.max_turns", "61"][..], &["config", "migrate"]] {
        let before = home.read();
        let output = agent::hermes(&home).args(rewriting).output().unwrap();
        assert!(output.status.success(), "{rewriting:?}: {output:?}");
        assert!(home.read() != before, "{rewriting:?} rewrote nothing: {output:?}");
        home.is_wired(URL, KEY);
    }
}
