//! A turn of the agent: the model is offered the Hub's tools.

use hubkit_dev_hub::{DevHub, Options};
use hubkit_redaction::Secret;
use hubkit_tests::fixtures;
use hubkit_tests::scratch_home::{HUB_TOOLS, KEY, ScratchHome};
use hubkit_tests::stub_openai::{ANSWER, MODEL, StubOpenai};

use crate::agent;

#[test]
fn a_turn_offers_the_hubs_tools_to_the_model() {
    let hub = DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap();
    let stub = StubOpenai::start();
    let sample = String::from_utf8(fixtures::read("hermes/sample.yaml")).unwrap();
    let (model, endpoint) = ("local/oak-14b", "http://127.0.0.1:11434/v1");
    assert!(sample.contains(model) && sample.contains(endpoint), "the sample has another model");
    let sample = sample.replace(model, MODEL).replace(endpoint, &stub.base_url());
    let home = ScratchHome::hermes().with(sample.as_bytes());
    home.wire(&hub.mcp_url(), KEY);

    let said = agent::says(&home, &["-z", "Which apps are installed?"]);
    assert_eq!(said.trim(), ANSWER);
    let turns = stub.turns();
    let with_tools: Vec<_> = turns.iter().filter(|tools| !tools.is_empty()).collect();
    assert!(!with_tools.is_empty(), "no turn offered a tool: {turns:?}");
    for tools in with_tools {
        let hubs: Vec<&str> = tools.iter().filter_map(|tool| tool.strip_prefix("mcp__hub__")).collect();
        assert_eq!(hubs, HUB_TOOLS, "{tools:?}");
    }
}
