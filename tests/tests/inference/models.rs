//! What is judged of a model before a host gets it: its context, and whether it calls tools.

use hubkit_contract::exit;
use hubkit_contract::limits::HERMES_CONTEXT_TOKENS;
use hubkit_dev_hub::{CHAT_MODEL, Inference};
use serde_json::json;

use crate::scene::Scene;

#[test]
fn hermes_gets_no_model_below_its_smallest_context() {
    let with = |num_ctx, context| Inference { num_ctx, context, ..Inference::default() };
    let below = HERMES_CONTEXT_TOKENS - 1;
    // As the Hub hands it out, and as Ollama says where the Hub hands out none.
    for inference in [with(Some(below), 131_072), with(None, below)] {
        let scene = Scene::hermes(inference);
        let ran = scene.boot();
        assert_eq!(ran.ended(), (Some(0), "refused"), "{}", ran.err);
        let wanted =
            format!("`{CHAT_MODEL}` has a context of 63999 tokens and Hermes refuses less than 64000");
        assert!(ran.reason().starts_with(&wanted), "{}", ran.reason());
        assert_eq!(scene.config_text(), "", "the model is not written");
        assert_eq!(scene.alone(&[], &[]).code, Some(i32::from(exit::CONFIG)));
        let strict = scene.boot_with(&["--strict"], &[]);
        assert_eq!((strict.code, strict.agent), (Some(i32::from(exit::CONFIG)), None));
    }
    for inference in [with(Some(HERMES_CONTEXT_TOKENS), 1), with(None, HERMES_CONTEXT_TOKENS)] {
        let scene = Scene::hermes(inference);
        let ran = scene.boot();
        assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);
        assert!(scene.config_text().ends_with("  context_length: 64000\n"), "{}", scene.config_text());
    }
}

#[test]
fn a_refused_model_leaves_the_one_that_stands() {
    let mut scene = Scene::hermes(Inference::default());
    scene.boot();
    let config = scene.config_text();
    scene.serve(Inference { num_ctx: Some(8192), ..Inference::default() });
    assert_eq!(scene.boot().status(), "refused");
    assert_eq!(scene.config_text(), config);
}

#[test]
fn an_unknown_context_is_said_and_none_is_written() {
    let cloud = Inference { provider: "cloud".to_owned(), num_ctx: None, ..Inference::default() };
    let scene = Scene::hermes(cloud);
    let ran = scene.boot();
    assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);
    let notices = ran.notices();
    assert!(notices.contains(&format!("the context of `{CHAT_MODEL}` is not known")), "{notices}");
    assert!(notices.contains("calls tools, which Hermes needs, could not be checked"), "{notices}");
    assert!(!scene.config_text().contains("context_length"), "{}", scene.config_text());
}

#[test]
fn a_model_that_calls_no_tools_is_written_and_said() {
    for scene in [Scene::hermes, Scene::openclaw]
        .map(|scene| scene(Inference { calls_tools: false, ..Inference::default() }))
    {
        let ran = scene.boot();
        assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);
        let said = format!("`{CHAT_MODEL}` does not call tools");
        assert!(ran.notices().contains(&said), "{}", ran.notices());
    }
}

#[test]
fn openclaws_window_is_the_smaller_of_the_hubs_and_the_models() {
    let window = |num_ctx, context| {
        let scene = Scene::openclaw(Inference { num_ctx, context, ..Inference::default() });
        let ran = scene.boot();
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        scene.json()["models"]["providers"]["ci-hub"]["models"][0]["contextWindow"].clone()
    };
    assert_eq!(window(Some(32_768), 131_072), 32_768);
    assert_eq!(window(Some(131_072), 40_960), 40_960);
    assert_eq!(window(None, 40_960), 40_960);
}

#[test]
fn a_server_of_openais_kind_gets_the_hubs_choice_under_its_own_name() {
    let scene = Scene::openclaw(Inference { provider: "vllm".to_owned(), ..Inference::default() });
    let ran = scene.boot();
    assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);
    let provider = scene.json()["models"]["providers"]["ci-hub"].clone();
    assert_eq!(
        (&provider["api"], &provider["baseUrl"], &provider["models"][0]["id"]),
        (&json!("openai-completions"), &json!(format!("{}/v1", scene.url())), &json!(CHAT_MODEL))
    );
}

#[test]
fn a_host_without_scheme_becomes_a_url_in_openclaws_file() {
    let mut scene = Scene::openclaw(Inference::default());
    let host = scene.url().strip_prefix("http://").unwrap().to_owned();
    let extra = vec![("OLLAMA_HOST".to_owned(), host)];
    scene.serve(Inference { extra, ..Inference::default() });
    let ran = scene.boot();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let provider = scene.json()["models"]["providers"]["ci-hub"].clone();
    assert_eq!(provider["baseUrl"], scene.url());
    assert_eq!(provider["models"][0]["id"], CHAT_MODEL, "and Ollama was asked there");
}

#[test]
fn a_pool_is_reached_where_the_hub_says_and_not_at_an_ollama_that_lacks_the_model() {
    let mut scene = Scene::openclaw(Inference::default());
    let pool = "http://127.0.0.2:9/api/inference/pool/v1";
    let extra = [("OPENAI_API_BASE", pool), ("DEFAULT_MODEL", "big:70b")];
    let extra = extra.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    scene.serve(Inference { extra, ..Inference::default() });
    let ran = scene.boot();
    assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);
    let config = scene.json();
    let provider = &config["models"]["providers"]["ci-hub"];
    assert_eq!((&provider["api"], &provider["baseUrl"]), (&json!("openai-completions"), &json!(pool)));
    assert_eq!(config["agents"]["defaults"]["model"]["primary"], "ci-hub/big:70b");
    let text = scene.config_text();
    scene.stop();
    assert_eq!(scene.boot().status(), "stale");
    assert_eq!(scene.config_text(), text, "an old answer moves no endpoint");
}

#[test]
fn a_choice_that_is_not_served_under_its_name_is_said() {
    let mut scene = Scene::openclaw(Inference::default());
    let extra = vec![("DEFAULT_MODEL".to_owned(), "absent:1b".to_owned())];
    scene.serve(Inference { extra, ..Inference::default() });
    let ran = scene.boot();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let said = format!("chose `absent:1b`, which it does not serve: `{CHAT_MODEL}` is taken");
    assert!(ran.notices().contains(&said), "{}", ran.notices());
    assert_eq!(scene.json()["agents"]["defaults"]["model"]["primary"], format!("ci-hub/{CHAT_MODEL}"));
}
