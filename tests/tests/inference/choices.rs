//! A model that the user chose is kept; the Hub's is taken where nobody chose, or where somebody asked for it.

use std::fs;

use hubkit_dev_hub::{CHAT_MODEL, Inference};
use hubkit_tests::fixtures;
use serde_json::json;

use crate::scene::{Scene, both};

const TAKE: (&str, &str) = ("HUBKIT_MODEL", "hub");

fn seeded() -> String {
    String::from_utf8(fixtures::read("hermes/seeded-model.yaml")).unwrap()
}

#[test]
fn a_users_model_of_hermes_is_kept_and_said() {
    for text in [
        "model:\n  default: gpt-x # mine\n  provider: openrouter\n",
        "model: gpt-x\n",
        "# mine\nmodel: {provider: custom, base_url: 'http://elsewhere:1/v1', default: x}\n",
    ] {
        let scene = Scene::hermes(Inference::default()).configured(text);
        let ran = scene.boot();
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(
            ran.reason()
                .contains("`model` is set to another provider, which is kept; HUBKIT_MODEL=hub takes"),
            "{ran:?}"
        );
        assert_eq!(scene.config_text(), text);
        assert_eq!(ran.agent("HERMES_DEFAULT_MODEL"), Some(CHAT_MODEL), "the variables arrive all the same");
        assert_eq!(scene.boot_with(&["--strict"], &[]).code, Some(0), "the user's choice is no failure");
    }
}

#[test]
fn the_hubs_model_replaces_a_users_where_it_is_asked_for() {
    let text =
        "model:\n  default: gpt-x # mine\n  provider: anthropic\n  api_mode: anthropic_messages\nother: 1\n";
    let scene = Scene::hermes(Inference::default()).configured(text);
    let ran = scene.boot_with(&[], &[TAKE]);
    assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);
    let config = scene.config_text();
    assert!(config.contains(&format!("default: \"{CHAT_MODEL}\" # mine\n  provider: custom\n")), "{config}");
    assert!(!config.contains("api_mode") && config.contains("other: 1"), "{config}");
    // Once taken it is the Hub's, also without being asked again.
    assert_eq!(scene.boot().ended(), (Some(0), "unchanged"));
    let scene = Scene::hermes(Inference::default()).configured("model: gpt-x\n");
    let ran = scene.alone(&[], &[TAKE]);
    assert_eq!((ran.code, ran.text("at")), (Some(65), "1:1"), "a name alone has no room: {}", ran.err);
}

#[test]
fn a_users_default_of_openclaw_is_kept_and_the_provider_stands_beside_it() {
    for model in [json!("openai/gpt-x"), json!({ "primary": "openai/gpt-x", "fallbacks": ["a/b"] })] {
        let text = json!({ "gateway": { "mode": "local" }, "agents": { "defaults": { "model": model } } });
        let scene = Scene::openclaw(Inference::default()).configured(&text.to_string());
        let ran = scene.boot();
        assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);
        let said = format!("which is kept; HUBKIT_MODEL=hub takes `ci-hub/{CHAT_MODEL}`");
        assert!(ran.notices().contains(&said), "{}", ran.notices());
        let config = scene.json();
        assert_eq!(config["agents"]["defaults"]["model"], model);
        assert_eq!(config["models"]["providers"]["ci-hub"]["models"][0]["id"], CHAT_MODEL);
        let taken = scene.boot_with(&[], &[TAKE]);
        assert_eq!(taken.ended(), (Some(0), "changed"), "{}", taken.err);
        let now = scene.json()["agents"]["defaults"]["model"].clone();
        let primary = now.as_str().or_else(|| now["primary"].as_str()).map(str::to_owned);
        assert_eq!(primary, Some(format!("ci-hub/{CHAT_MODEL}")));
        assert_eq!(now.get("fallbacks"), model.get("fallbacks"));
    }
}

#[test]
fn what_was_chosen_about_the_other_models_stays() {
    let text = json!({
        "gateway": { "mode": "local" },
        "models": { "mode": "replace", "providers": { "mine": {
            "baseUrl": "http://127.0.0.2:9/v1", "api": "openai-completions", "models": [{ "id": "a", "name": "a" }]
        } } }
    });
    let scene = Scene::openclaw(Inference::default()).configured(&text.to_string());
    assert_eq!(scene.boot().status(), "changed");
    let config = scene.json();
    assert_eq!(config["models"]["mode"], "replace");
    assert_eq!(config["models"]["providers"]["mine"], text["models"]["providers"]["mine"]);
}

#[test]
fn the_template_of_hermes_is_nobodys_choice() {
    let scene = Scene::hermes(Inference::default()).configured(&seeded());
    let ran = scene.boot();
    assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);
    let (before, after) = (seeded(), scene.config_text());
    assert!(after.contains(&format!("  default: \"{CHAT_MODEL}\"\n")), "{after}");
    let comments = |text: &str| text.lines().filter(|line| line.trim().starts_with('#')).count();
    assert_eq!(comments(&after), comments(&before), "{after}");
    assert_eq!(scene.boot().ended(), (Some(0), "unchanged"));
}

#[test]
fn the_template_of_hermes_is_in_use_where_another_provider_has_a_key() {
    let kept = |prepare: &dyn Fn(&Scene), variables: &[(&str, &str)]| {
        let scene = Scene::hermes(Inference::default()).configured(&seeded());
        prepare(&scene);
        let ran = scene.boot_with(&[], variables);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        scene.config_text() == seeded()
    };
    assert!(kept(&|_| {}, &[("OPENROUTER_API_KEY", "mine")]));
    assert!(kept(&|_| {}, &[("GLM_API_KEY", "mine")]));
    // The usual place of a key that somebody entered.
    assert!(kept(&|scene| scene.put(".env", "OPENROUTER_API_KEY=mine\n"), &[]));
    assert!(kept(&|scene| scene.put("auth.json", "{\"active_provider\": \"nous\"}\n"), &[]));
    assert!(kept(
        &|scene| std::os::unix::fs::symlink("/etc/shadow", scene.agent_home().join(".env")).unwrap(),
        &[]
    ));
    // Neither an empty line of the example nor what the Hub itself hands out is a user's key.
    assert!(!kept(&|scene| scene.put(".env", "OPENROUTER_API_KEY=\nTERMINAL_TIMEOUT=60\n"), &[]));
    assert!(!kept(&|_| {}, &[("OPENAI_API_KEY", "ollama")]));
}

#[test]
fn what_hides_the_model_from_hermes_is_said() {
    let scene = Scene::hermes(Inference::default());
    scene.put(".env", "HERMES_INFERENCE_MODEL=mine\n");
    let ran = scene.boot_with(&[], &[("CUSTOM_BASE_URL", "http://elsewhere/v1")]);
    let notices = ran.notices();
    assert!(
        notices.contains("CUSTOM_BASE_URL is set, and Hermes takes it before `model.base_url`"),
        "{notices}"
    );
    assert!(notices.contains(".env sets HERMES_INFERENCE_MODEL"), "{notices}");
}

#[test]
fn a_word_that_nobody_knows_is_no_choice() {
    for scene in both() {
        let ran = scene.boot_with(&[], &[("HUBKIT_MODEL", "mine")]);
        assert_eq!(ran.ended(), (Some(0), "refused"), "{}", ran.err);
        assert!(ran.reason().contains("HUBKIT_MODEL"), "{}", ran.reason());
        assert!(!scene.agent_home().exists() && scene.asked() == 0);
        assert_eq!(scene.alone(&[], &[("HUBKIT_MODEL", "mine")]).code, Some(78));
    }
}

#[test]
fn a_host_without_a_configuration_is_left_alone_where_that_is_asked_for() {
    let scene = Scene::openclaw(Inference::default());
    let ran = scene.boot_with(&["--no-create"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(fs::metadata(scene.config()).is_err(), "onboarding must find no configuration");
    assert!(ran.agent("DEFAULT_MODEL").is_some(), "the variables arrive all the same");
}

#[test]
fn why_the_values_are_old_is_said_beside_a_users_choice() {
    let mut scene = Scene::hermes(Inference::default()).configured("model: gpt-x\n");
    scene.boot();
    scene.stop();
    let ran = scene.boot();
    assert_eq!(ran.ended(), (Some(0), "stale"), "{}", ran.err);
    assert!(ran.reason().contains("the Hub is unreachable"), "{}", ran.reason());
    assert!(ran.notices().contains("which is kept"), "{}", ran.notices());
}
