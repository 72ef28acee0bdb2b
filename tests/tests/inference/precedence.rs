//! Which value the agent gets: what the Hub says now, then the environment, then what the Hub said before; names
//! that hubkit derives fill gaps alone, all or none.

use hubkit_dev_hub::{CHAT_MODEL, Inference};

use crate::scene::{Scene, both};

#[test]
fn what_the_hub_says_now_goes_before_the_environment() {
    for scene in both() {
        let model = scene.app().model();
        let ran = scene.boot_with(&[], &[(model, "from-the-container")]);
        assert_eq!(ran.agent(model), Some(CHAT_MODEL));
        let said = format!("instead of what the environment holds: {model}");
        assert!(ran.notices().contains(&said), "{}", ran.notices());
        assert!(!ran.notices().contains("from-the-container"), "{}", ran.notices());
        let same = scene.boot_with(&[], &[(model, CHAT_MODEL)]);
        assert!(!same.notices().contains("instead"), "{}", same.notices());
        let alone = scene.alone(&[], &[(model, "from-the-container")]);
        assert!(!alone.notices().contains("instead"), "nobody gets anything: {}", alone.notices());
    }
}

#[test]
fn what_the_hub_said_before_fills_gaps_alone() {
    for mut scene in both() {
        scene.boot();
        scene.stop();
        let (model, context) = (scene.app().model(), scene.app().num_ctx());
        let ran = scene.boot_with(&[], &[(model, "from-the-container"), (context, "")]);
        assert_eq!(ran.ended(), (Some(0), "stale"), "{}", ran.err);
        assert_eq!(ran.agent(model), Some("from-the-container"), "the container is younger than that");
        assert_eq!(ran.agent(context), Some("65536"), "a blank variable is a gap");
        assert_eq!(scene.kept()[model], CHAT_MODEL, "the file holds the Hub's words alone");
    }
}

#[test]
fn derived_names_come_all_or_not_at_all() {
    let names = ["OPENAI_API_BASE", "OPENAI_BASE_URL", "OPENAI_API_KEY"];
    let scene = Scene::hermes(Inference::default());
    let base = format!("{}/v1", scene.url());
    let hubs = [Some(base.as_str()), Some(base.as_str()), Some("ollama")];
    let found = |variables: &[(&str, &str)]| {
        let ran = scene.boot_with(&[], variables);
        let said = ran.notices().contains("has an OpenAI endpoint or key of its own");
        (names.map(|name| ran.agent(name).map(str::to_owned)), said)
    };
    assert_eq!(found(&[]), (hubs.map(|value| value.map(str::to_owned)), false));
    assert_eq!(found(&[("OPENAI_API_KEY", "ollama")]), (hubs.map(|value| value.map(str::to_owned)), false));
    // A user's key with the Hub's endpoint, or the reverse, would carry a key where it does not belong.
    let mine = |value: &str| Some(value.to_owned());
    assert_eq!(found(&[("OPENAI_API_KEY", "sk-mine")]), ([None, None, mine("sk-mine")], true));
    assert_eq!(
        found(&[("OPENAI_BASE_URL", "https://proxy/v1")]),
        ([None, mine("https://proxy/v1"), None], true)
    );
    assert!(scene.kept().contains_key("OPENAI_BASE_URL"), "the file is the same for everybody");
}

#[test]
fn what_hermes_reads_from_its_own_env_file_instead_is_said() {
    let scene = Scene::hermes(Inference::default());
    scene.put(".env", "HERMES_DEFAULT_MODEL=mine\n");
    let ran = scene.boot();
    assert!(ran.notices().contains(".env sets HERMES_DEFAULT_MODEL to another value"), "{}", ran.notices());
    assert_eq!(
        std::fs::read_to_string(scene.agent_home().join(".env")).unwrap(),
        "HERMES_DEFAULT_MODEL=mine\n"
    );
}
