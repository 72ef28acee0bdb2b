//! The first boot of a home, and the second, which finds nothing to do.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use hubkit_contract::handout::App;
use hubkit_dev_hub::{CHAT_MODEL, EMBEDDING_MODEL, Inference};
use serde_json::json;

use crate::scene::{Scene, both};

#[test]
fn hermes_gets_its_env_file_its_model_and_its_variables() {
    let scene = Scene::hermes(Inference::default());
    let first = scene.boot();
    assert_eq!(first.ended(), (Some(0), "changed"), "{}", first.err);
    let url = scene.url();
    assert_eq!(
        scene.env_text(),
        format!(
            "# Written by hubkit at every start from what the Hub hands out; edits are lost.\n\
             HERMES_OPENAI_BASE_URL='{url}/v1'\nHERMES_OPENAI_API_KEY='ollama'\n\
             HERMES_DEFAULT_MODEL='{CHAT_MODEL}'\nHERMES_EMBEDDINGS_MODEL='{EMBEDDING_MODEL}'\n\
             HERMES_NUM_CTX='65536'\nCI_INFERENCE_BACKEND='ollama'\nOLLAMA_HOST='{url}'\n\
             OPENAI_API_BASE='{url}/v1'\nOPENAI_BASE_URL='{url}/v1'\nOPENAI_API_KEY='ollama'\n"
        )
    );
    assert_eq!(
        scene.config_text(),
        format!(
            "model:\n  default: \"{CHAT_MODEL}\"\n  provider: custom\n  base_url: \"{url}/v1\"\n  \
             api_key: ollama\n  context_length: 65536\n"
        )
    );
    for (name, value) in scene.kept() {
        assert_eq!(first.agent(&name), Some(value.as_str()), "{name}");
    }
}

#[test]
fn openclaw_gets_its_env_file_its_provider_and_its_variables() {
    let scene = Scene::openclaw(Inference::default());
    let first = scene.boot();
    assert_eq!(first.ended(), (Some(0), "changed"), "{}", first.err);
    let url = scene.url();
    assert_eq!(
        scene.env_text(),
        format!(
            "# Written by hubkit at every start from what the Hub hands out; edits are lost.\n\
             OPENAI_API_BASE='{url}/v1'\nOPENAI_API_KEY='ollama'\nDEFAULT_MODEL='{CHAT_MODEL}'\n\
             EMBEDDINGS_MODEL='{EMBEDDING_MODEL}'\nCI_LLM_NUM_CTX='65536'\nCI_INFERENCE_BACKEND='ollama'\n\
             OLLAMA_HOST='{url}'\n"
        )
    );
    let config = scene.json();
    assert_eq!(
        config["models"],
        json!({
            "mode": "merge",
            "providers": { "ci-hub": {
                "baseUrl": url, "api": "ollama", "apiKey": "ollama",
                // By the name that Ollama serves it under, and without the embedding model that it lists too.
                "models": [{
                    "id": CHAT_MODEL, "name": CHAT_MODEL, "contextWindow": 65536, "maxTokens": 4096,
                    "input": ["text"]
                }]
            } }
        })
    );
    assert_eq!(config["agents"]["defaults"]["model"]["primary"], format!("ci-hub/{CHAT_MODEL}"));
    for (name, value) in scene.kept() {
        let expected = (name != "OPENAI_API_KEY").then_some(value.as_str());
        assert_eq!(first.agent(&name), expected, "{name}");
    }
    assert_eq!(first.agent("HUBKIT_INFERENCE_API_KEY"), Some("ollama"));
}

#[test]
fn the_second_boot_finds_nothing_to_do() {
    for scene in both() {
        let first = scene.boot();
        assert_eq!(first.ended(), (Some(0), "changed"), "{}", first.err);
        let files = [scene.env_file(), scene.config()];
        let look = || {
            files.clone().map(|file| {
                let metadata = fs::metadata(&file).unwrap();
                assert_eq!(metadata.permissions().mode() & 0o7777, 0o600, "{file:?}");
                (metadata.ino(), metadata.mtime_nsec(), fs::read(&file).unwrap())
            })
        };
        let before = look();
        let second = scene.boot();
        assert_eq!(second.ended(), (Some(0), "unchanged"), "{}", second.err);
        assert_eq!(look(), before, "something was written");
        assert_eq!(second.agent, first.agent, "the agent's environment is another");
        assert_eq!(scene.asked(), 2, "the Hub is asked once for each boot");
        let check = scene.alone(&["--check"], &[]);
        assert_eq!(check.ended(), (Some(0), "unchanged"), "{}", check.err);
    }
}

#[test]
fn a_check_writes_nothing_and_says_what_would_be() {
    for scene in both() {
        let check = scene.alone(&["--check"], &[]);
        assert_eq!(check.ended(), (Some(1), "would_change"), "{}", check.err);
        assert!(!scene.agent_home().exists(), "a check created {:?}", scene.agent_home());
        assert_eq!(check.step["also"][0]["status"], "would_change", "{}", check.step);
    }
}

#[test]
fn an_env_file_that_others_can_read_becomes_private() {
    for scene in both() {
        scene.boot();
        fs::set_permissions(scene.env_file(), fs::Permissions::from_mode(0o644)).unwrap();
        let next = scene.boot();
        assert_eq!(next.ended(), (Some(0), "changed"), "{}", next.err);
        assert_eq!(fs::metadata(scene.env_file()).unwrap().permissions().mode() & 0o7777, 0o600);
    }
}

#[test]
fn what_the_hub_wrote_into_openclaws_file_is_completed() {
    let scene = Scene::openclaw(Inference::default());
    let url = scene.url().to_owned();
    let hubs = json!({
        "gateway": { "mode": "local" },
        "models": { "mode": "merge", "providers": { "ci-hub": {
            "baseUrl": url, "apiKey": "ollama", "api": "ollama"
        } } }
    });
    let scene = scene.configured(&hubs.to_string());
    let first = scene.boot();
    assert_eq!(first.ended(), (Some(0), "changed"), "{}", first.err);
    let provider = scene.json()["models"]["providers"]["ci-hub"].clone();
    assert_eq!(provider["models"][0]["id"], CHAT_MODEL, "OpenClaw refuses a provider without models");
    assert_eq!((&provider["baseUrl"], &provider["apiKey"]), (&json!(url), &json!("ollama")));
    // For a server of OpenAI's kind the Hub writes the models itself, with keys that are not ours to change.
    let full = json!({ "id": CHAT_MODEL, "name": "the Hub's", "reasoning": false, "contextWindow": 32000 });
    let scene = Scene::openclaw(Inference { provider: "vllm".to_owned(), ..Inference::default() });
    let base = format!("{}/v1", scene.url());
    let hubs = json!({
        "gateway": { "mode": "local" },
        "models": { "mode": "merge", "providers": { "ci-hub": {
            "baseUrl": base, "apiKey": "ollama", "api": "openai-completions", "models": [full]
        } } },
        "agents": { "defaults": { "model": { "primary": format!("ci-hub/{CHAT_MODEL}") } } },
        "tools": { "profile": "coding" }
    });
    let scene = scene.configured(&hubs.to_string());
    let adopted = scene.boot();
    assert_eq!(adopted.code, Some(0), "{}", adopted.err);
    assert_eq!(scene.config_text(), hubs.to_string(), "two writers must not fight");
}

#[test]
fn without_a_hub_nothing_is_asked_and_nothing_is_written() {
    for scene in both() {
        let ran = scene.boot_with(&[], &[("HUB_URL", "")]);
        assert_eq!(ran.ended(), (Some(0), "skipped"), "{}", ran.err);
        assert!(ran.reason().contains("HUB_URL not set"), "{}", ran.reason());
        assert!(!scene.agent_home().exists() && scene.asked() == 0);
        let base = match scene.app() {
            App::Hermes => "HERMES_OPENAI_BASE_URL",
            App::OpenClaw => "OPENAI_API_BASE",
        };
        assert_eq!(ran.agent(base), None);
        assert_eq!(scene.alone(&["--strict"], &[("HUB_URL", "")]).code, Some(78));
    }
}
