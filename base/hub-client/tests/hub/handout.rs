//! The hand-out in every state in which the Hub gives one.

use hubkit_contract::exit;
use hubkit_contract::handout::App;
use hubkit_dev_hub::{CHAT_MODEL, ChatModel, EMBEDDING_MODEL, Inference, Instead};
use hubkit_hub_client::{Handout, HubError};

use crate::{always, client, hub, once, patient};

fn values(handout: &Handout) -> Vec<(&'static str, &str)> {
    handout.values.iter().map(|(name, value)| (*name, value.expose())).collect()
}

#[test]
fn a_hub_with_a_model_hands_it_out_to_both_apps() {
    let hub = hub(Inference::default());
    let (url, endpoint) = (hub.url(), format!("{}/v1", hub.url()));
    for app in App::ALL {
        let handout = client(&url, patient()).handout(app).unwrap();
        let mut expected = vec![
            (app.base_url(), endpoint.as_str()),
            (app.api_key(), "ollama"),
            (app.model(), CHAT_MODEL),
            (app.embeddings(), EMBEDDING_MODEL),
            (app.num_ctx(), "65536"),
            ("CI_INFERENCE_BACKEND", "ollama"),
            ("OLLAMA_HOST", url.as_str()),
        ];
        expected.sort_unstable();
        assert_eq!(values(&handout), expected);
        assert_eq!(handout.endpoint_url.as_deref(), Some(endpoint.as_str()));
        assert_eq!(handout.chat_model_id.as_deref(), Some(CHAT_MODEL));
        assert_eq!(handout.embeddings_model_id.as_deref(), Some(EMBEDDING_MODEL));
        assert_eq!(handout.provider, "ollama");
        assert!(handout.endpoint_ready && handout.chat_model_ready);
        assert!(handout.managed.contains(app.model()) && handout.managed.contains("CI_CLOUD_OPENAI_API_KEY"));
        assert_eq!((handout.inference_error, handout.chat_model_error), (None, None));
        assert!(handout.dropped.is_empty());
    }
}

#[test]
fn a_model_that_starts_is_not_managed() {
    let hub = hub(Inference { chat_model: ChatModel::Starting, ..Inference::default() });
    let handout = client(&hub.url(), patient()).handout(App::OpenClaw).unwrap();
    assert!(!handout.chat_model_ready && !handout.endpoint_ready);
    assert!(!handout.values.contains_key("DEFAULT_MODEL") && !handout.managed.contains("DEFAULT_MODEL"));
    assert!(handout.managed.contains("CI_LLM_NUM_CTX"));
    assert_eq!(handout.inference_error, None);
}

#[test]
fn no_usable_model_is_an_answer_and_no_failure() {
    let chat_model = ChatModel::Refused("no model fits into 4 GB".to_owned());
    let hub = hub(Inference { chat_model, ..Inference::default() });
    let handout = client(&hub.url(), patient()).handout(App::Hermes).unwrap();
    assert_eq!(handout.inference_error.as_deref(), Some("no model fits into 4 GB"));
    assert_eq!(handout.chat_model_error.as_deref(), Some("no model fits into 4 GB"));
    assert_eq!(handout.values["CI_INFERENCE_ERROR"].expose(), "no model fits into 4 GB");
    assert!(handout.managed.contains("HERMES_DEFAULT_MODEL"));
    assert!(!handout.values.contains_key("HERMES_DEFAULT_MODEL"));
    assert_eq!(hub.requests().len(), 1);
}

#[test]
fn a_hostile_hand_out_changes_nothing_but_the_list() {
    let extra = [
        ("LD_PRELOAD", "/x.so"),
        ("PATH", "/x"),
        ("NODE_OPTIONS", "--require /x"),
        ("CI_CLOUD_OPENAI_API_KEY_FILE", "/x"),
        ("DEFAULT_MODEL", "$(id) `id` 'x' \"y\" ${Z}"),
        ("EMBEDDINGS_MODEL", "a\nLD_PRELOAD=/x.so"),
        ("GEMINI_API_KEY", "a\0b"),
        ("CI_CLOUD_OPENAI_API_KEY", "canary-0123456789abcdef"),
    ];
    let extra = extra.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let hub = hub(Inference { extra, ..Inference::default() });
    let handout = client(&hub.url(), patient()).handout(App::OpenClaw).unwrap();
    let names: Vec<_> = handout.values.keys().copied().collect();
    assert_eq!(
        names,
        [
            "CI_CLOUD_OPENAI_API_KEY",
            "CI_INFERENCE_BACKEND",
            "CI_LLM_NUM_CTX",
            "DEFAULT_MODEL",
            "OLLAMA_HOST",
            "OPENAI_API_BASE",
            "OPENAI_API_KEY"
        ]
    );
    assert_eq!(handout.values["DEFAULT_MODEL"].expose(), "$(id) `id` 'x' \"y\" ${Z}");
    let mut dropped = handout.dropped.clone();
    dropped.sort_unstable();
    assert_eq!(
        dropped,
        [
            "CI_CLOUD_OPENAI_API_KEY_FILE",
            "EMBEDDINGS_MODEL",
            "GEMINI_API_KEY",
            "LD_PRELOAD",
            "NODE_OPTIONS",
            "PATH"
        ]
    );
    assert!(handout.secrets().any(|secret| secret.expose() == "canary-0123456789abcdef"));
    assert!(!format!("{handout:?}").contains("canary"));
}

#[test]
fn each_refusal_has_its_error_and_its_exit_code() {
    let refusal = |instead| {
        let hub = always(instead);
        let error = client(&hub.url(), once()).handout(App::Hermes).unwrap_err();
        assert_eq!(hub.requests().len(), 1, "{error}");
        // What was asked for is named, without its query.
        let asked = format!("{}/api/inference/apps/hermes-agent/credentials;", hub.url());
        assert!(error.to_string().contains(&asked), "{error}");
        error
    };
    for (instead, kind, code) in [
        (Instead::Status(400), "UnsupportedVersion", exit::PROTOCOL),
        (Instead::Status(401), "CredentialRefused", exit::CREDENTIAL_REFUSED),
        (Instead::Status(403), "OriginRefused", exit::CREDENTIAL_REFUSED),
        (Instead::Status(404), "UnknownApp", exit::PROTOCOL),
        (Instead::Status(418), "Protocol", exit::PROTOCOL),
        (Instead::Status(500), "Unreachable", exit::UNREACHABLE),
        (Instead::Status(503), "Unreachable", exit::UNREACHABLE),
        (Instead::Busy(1), "Unreachable", exit::UNREACHABLE),
        (Instead::Page, "Protocol", exit::PROTOCOL),
    ] {
        let case = format!("{instead:?}");
        let error = refusal(instead);
        assert!(format!("{error:?}").starts_with(kind), "{case}: {error:?}");
        assert_eq!(error.exit_code(), code, "{case}");
    }
}

#[test]
fn nothing_that_the_server_wrote_stands_in_an_error() {
    let body = r#"{"statusCode":418,"message":"canary-message","path":"/canary"}"#;
    for status in ["418 canary-reason", "500 canary-reason", "200 OK"] {
        let headers = "Content-Type: text/canary\r\nX-Canary: canary\r\n";
        let server =
            crate::raw::Raw::always(crate::raw::Act::Send(crate::raw::answer(status, headers, body)));
        let error = client(&server.url(), once()).handout(App::Hermes).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
    }
    let moved = "Location: http://user:canary@127.0.0.1:1/canary?canary#canary\r\n";
    let server = crate::raw::Raw::always(crate::raw::Act::Send(crate::raw::answer("302 Found", moved, "")));
    let error = client(&server.url(), once()).handout(App::Hermes).unwrap_err();
    assert!(matches!(error, HubError::Redirect { .. }), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
}
