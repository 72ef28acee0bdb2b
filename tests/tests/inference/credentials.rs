//! How the endpoint's key stands in a host's file, and which keys the agent's environment holds.

use std::fs;

use hubkit_dev_hub::Inference;
use hubkit_tests::binary;

use crate::scene::{REAL_KEY, Scene};

/// A Hub whose endpoint wants a real key.
fn with_key(name: &str) -> Inference {
    Inference { extra: vec![(name.to_owned(), REAL_KEY.to_owned())], ..Inference::default() }
}

fn hermes() -> Scene {
    Scene::hermes(with_key("HERMES_OPENAI_API_KEY"))
}

fn openclaw() -> Scene {
    Scene::openclaw(with_key("OPENAI_API_KEY"))
}

#[test]
fn a_real_key_is_written_as_each_host_wants_it() {
    let scene = hermes();
    let ran = scene.boot();
    assert_eq!((ran.status(), ran.text("secrets")), ("changed", "literal"), "{}", ran.err);
    assert!(scene.config_text().contains(&format!("api_key: {REAL_KEY}\n")), "{}", scene.config_text());
    assert_eq!(ran.agent("OPENAI_API_KEY"), Some(REAL_KEY), "Hermes's libraries read it");

    let scene = openclaw();
    let ran = scene.boot();
    assert_eq!((ran.status(), ran.text("secrets")), ("changed", "env"), "{}", ran.err);
    let provider = scene.json()["models"]["providers"]["ci-hub"].clone();
    assert_eq!(provider["apiKey"], "${HUBKIT_INFERENCE_API_KEY}");
    assert!(!scene.config_text().contains(REAL_KEY));
    assert_eq!(ran.agent("HUBKIT_INFERENCE_API_KEY"), Some(REAL_KEY));
    assert_eq!(ran.agent("OPENAI_API_KEY"), None);
    assert_eq!(scene.boot().status(), "unchanged");
}

#[test]
fn the_style_can_be_chosen() {
    let scene = hermes();
    assert_eq!(scene.boot_with(&["--secrets", "env"], &[]).text("secrets"), "env");
    let config = scene.config_text();
    assert!(config.contains("api_key: \"${HERMES_OPENAI_API_KEY}\"\n"), "{config}");
    assert_eq!(scene.boot().status(), "unchanged", "what gives the agent the key is kept");
    assert_eq!(scene.boot_with(&["--secrets", "literal"], &[]).text("secrets"), "literal");
    assert!(scene.config_text().contains(REAL_KEY));

    let scene = openclaw();
    assert_eq!(scene.boot_with(&["--secrets", "literal"], &[]).text("secrets"), "literal");
    assert_eq!(scene.json()["models"]["providers"]["ci-hub"]["apiKey"], REAL_KEY);
    assert_eq!(scene.boot().status(), "unchanged");
}

#[test]
fn a_placeholder_is_written_as_it_is_in_every_style() {
    for style in ["env", "literal"] {
        for scene in crate::scene::both() {
            let ran = scene.alone(&["--secrets", style], &[]);
            assert_eq!((ran.code, ran.text("secrets")), (Some(0), "literal"), "{}", ran.err);
            assert!(!scene.config_text().contains("${"), "{}", scene.config_text());
        }
    }
}

#[test]
fn no_real_key_comes_into_a_file_that_everybody_can_read() {
    let scene = hermes();
    scene.put_with("config.yaml", "other: 1\n", 0o644);
    let ran = scene.boot();
    assert_eq!((ran.status(), ran.text("secrets")), ("changed", "env"), "{}", ran.err);
    let config = scene.config_text();
    assert!(config.contains("${HERMES_OPENAI_API_KEY}") && !config.contains(REAL_KEY), "{config}");
    assert_eq!(ran.agent("HERMES_OPENAI_API_KEY"), Some(REAL_KEY), "the reference resolves");
}

#[test]
fn a_reference_that_nobody_would_resolve_is_an_error_without_a_command() {
    let readable = hermes();
    readable.put_with("config.yaml", "other: 1\n", 0o644);
    let asked: &[&str] = &["--secrets", "env"];
    for (scene, arguments) in [(openclaw(), asked), (hermes(), asked), (readable, &[])] {
        let before = scene.config_text();
        let ran = scene.alone(arguments, &[]);
        assert_eq!(ran.ended(), (Some(78), "refused"), "{}", ran.err);
        assert!(ran.reason().contains("--secrets literal"), "{}", ran.reason());
        assert_eq!(scene.config_text(), before);
    }
}

/// As older entrypoints do, script by script: the model first, without a command, and the agent with the last one.
#[test]
fn steps_in_several_runs_give_the_agent_the_same_key() {
    for (scene, host, name) in
        [(openclaw(), "openclaw", "HUBKIT_INFERENCE_API_KEY"), (hermes(), "hermes", "HERMES_OPENAI_API_KEY")]
    {
        let first = scene.alone(&[], &[]);
        assert_eq!((first.code, first.text("secrets")), (Some(0), "literal"), "{}", first.err);
        assert!(scene.config_text().contains(REAL_KEY), "only its owner can read the file");
        let show = format!("printf '%s,%s' \"${name}\" \"$OPENAI_API_KEY\"");
        let mut last = binary::command(scene.path());
        last.args(["bootstrap", host, "--steps", "memory", "--", "sh", "-c", &show]);
        let shown = String::from_utf8(last.output().unwrap().stdout).unwrap();
        let openai = if host == "hermes" { REAL_KEY } else { "" };
        assert_eq!(shown, format!("{REAL_KEY},{openai}"));
        let whole = scene.boot();
        assert_eq!(whole.status(), "unchanged", "{}", whole.err);
    }
}

/// The file refers to the key by name, so a boot that does not come to ask the Hub gives it all the same.
#[test]
fn a_step_that_ends_early_still_gives_the_key_that_the_file_refers_to() {
    let scene = openclaw();
    scene.boot();
    assert!(scene.config_text().contains("${HUBKIT_INFERENCE_API_KEY}"));
    let unknown = scene.boot_with(&[], &[("HUBKIT_MODEL", "nonsense")]);
    assert_eq!(unknown.status(), "refused", "{}", unknown.err);
    let nowhere = scene.boot_with(&[], &[("HUB_URL", "")]);
    assert_eq!(nowhere.status(), "skipped", "{}", nowhere.err);
    for ran in [unknown, nowhere] {
        assert_eq!(ran.agent("HUBKIT_INFERENCE_API_KEY"), Some(REAL_KEY), "{}", ran.err);
    }
    // A cache that cannot be used: the Hub is asked all the same.
    fs::remove_file(scene.env_file()).unwrap();
    fs::create_dir(scene.env_file()).unwrap();
    let unusable = scene.boot();
    assert_eq!((unusable.status(), unusable.code), ("refused", Some(0)), "{}", unusable.err);
    assert_eq!(unusable.agent("HUBKIT_INFERENCE_API_KEY"), Some(REAL_KEY), "{}", unusable.err);
}

/// With an `OPENAI_API_KEY`, whatever it holds, OpenClaw sends texts of the workspace to api.openai.com.
#[test]
fn openclaw_never_gets_the_hubs_key_under_openais_name() {
    for (key, scene) in [("ollama", Scene::openclaw(Inference::default())), (REAL_KEY, openclaw())] {
        // The Hub's own list of variables for the container may hold the key already.
        let ran = scene.boot_with(&[], &[("OPENAI_API_KEY", key)]);
        assert_eq!(ran.agent("OPENAI_API_KEY"), None, "{}", ran.err);
    }
    let mut scene = openclaw();
    scene.boot();
    scene.serve(with_key("CI_CLOUD_OPENAI_API_KEY"));
    let ran = scene.boot_with(&[], &[("OPENAI_API_KEY", REAL_KEY)]);
    assert_eq!(ran.agent("OPENAI_API_KEY"), None, "a key that the Hub handed out before: {}", ran.err);
    // A Hub that is not there, and a placeholder from when it was.
    let mut scene = openclaw();
    scene.boot();
    scene.stop();
    let ran = scene.boot_with(&[], &[("OPENAI_API_KEY", "ollama")]);
    assert_eq!((ran.status(), ran.agent("OPENAI_API_KEY")), ("stale", None), "{}", ran.err);
}

#[test]
fn a_users_own_key_for_openai_stays_with_its_own_endpoint() {
    let users = "sk-user-0123456789abcdef";
    let scene = Scene::openclaw(Inference::default());
    let ran = scene.boot_with(&[], &[("OPENAI_API_KEY", users)]);
    assert_eq!(ran.agent("OPENAI_API_KEY"), Some(users));
    assert_eq!(ran.agent("OPENAI_API_BASE"), None, "the user's key must not travel to the Hub's endpoint");
    assert!(
        ran.notices().contains("OPENAI_API_KEY in the environment is not the Hub's"),
        "{}",
        ran.notices()
    );
    assert!(!ran.err.contains(users), "{}", ran.err);
}
