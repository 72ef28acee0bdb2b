//! What is taken from a hand-out and what is not.

use reqwest::header::HeaderValue;
use serde_json::json;

use super::*;

const URL: &str = "http://hub:5002/api/inference/apps/openclaw/credentials";

fn reply(json: Value) -> Reply {
    Reply { headers: HeaderMap::new(), json }
}

fn with_env(env: Value) -> Handout {
    read(App::OpenClaw, &reply(json!({ "apiVersion": 1, "env": env })), URL).unwrap()
}

fn values(handout: &Handout) -> Vec<(&'static str, &str)> {
    handout.values.iter().map(|(name, value)| (*name, value.expose())).collect()
}

#[test]
fn an_ordinary_answer_is_taken_whole() {
    let mut reply = reply(json!({
        "app": "openclaw", "apiVersion": 1, "endpointUrl": "http://ollama:11434/v1", "endpointReady": true,
        "chatModelId": "qwen3-8b", "embeddingsModelId": null, "chatModelReady": true, "provider": "ollama",
        "chatModelError": null, "prePull": [], "managedKeys": ["CI_LLM_NUM_CTX", "PATH", 7],
        "env": { "OPENAI_API_BASE": " http://ollama:11434/v1 ", "OPENAI_API_KEY": "ollama", "CI_LLM_NUM_CTX": 65_536 }
    }));
    reply.headers.insert(VERSION_HEADER, HeaderValue::from_static("1"));
    reply
        .headers
        .append(MANAGED_HEADER, HeaderValue::from_static("DEFAULT_MODEL, CI_INFERENCE_ERROR,LD_PRELOAD"));
    reply.headers.append(MANAGED_HEADER, HeaderValue::from_static("OPENAI_API_KEY"));
    let handout = read(App::OpenClaw, &reply, URL).unwrap();
    assert_eq!(
        values(&handout),
        [
            ("CI_LLM_NUM_CTX", "65536"),
            ("OPENAI_API_BASE", "http://ollama:11434/v1"),
            ("OPENAI_API_KEY", "ollama")
        ]
    );
    assert_eq!(
        handout.managed,
        BTreeSet::from(["CI_INFERENCE_ERROR", "CI_LLM_NUM_CTX", "DEFAULT_MODEL", "OPENAI_API_KEY"])
    );
    let expected = Handout {
        endpoint_url: Some("http://ollama:11434/v1".to_owned()),
        endpoint_ready: true,
        chat_model_id: Some("qwen3-8b".to_owned()),
        chat_model_ready: true,
        provider: "ollama".to_owned(),
        values: handout.values.clone(),
        managed: handout.managed.clone(),
        ..Handout::default()
    };
    assert_eq!(handout, expected);
}

#[test]
fn names_outside_the_list_are_named_and_nothing_else() {
    let handout = with_env(json!({
        "LD_PRELOAD": "/x.so", "PATH": "/x", "NODE_OPTIONS": "--require /x", "HERMES_DEFAULT_MODEL": "x",
        "A\u{1b}[2J\nB": "x", "DEFAULT_MODEL": "qwen3:8b"
    }));
    assert_eq!(values(&handout), [("DEFAULT_MODEL", "qwen3:8b")]);
    let mut dropped = handout.dropped;
    dropped.sort();
    assert_eq!(dropped, ["A?[2J B", "HERMES_DEFAULT_MODEL", "LD_PRELOAD", "NODE_OPTIONS", "PATH"]);
}

#[test]
fn a_value_is_one_line_of_text_or_a_number() {
    for bad in
        [json!("a\nb"), json!("a\0b"), json!("a\u{2028}b"), json!(true), json!(["a"]), json!({ "a": 1 })]
    {
        let handout = with_env(json!({ "DEFAULT_MODEL": bad }));
        assert!(handout.values.is_empty(), "{bad}");
        assert_eq!(handout.dropped, ["DEFAULT_MODEL"], "{bad}");
    }
    for nothing in [json!(""), json!("  "), json!(null)] {
        let handout = with_env(json!({ "DEFAULT_MODEL": nothing }));
        assert!(handout.values.is_empty() && handout.dropped.is_empty(), "{nothing}");
    }
    for odd in ["$(id)", "`id`", "${HOME}", "it's \"quoted\"", "a b", "ü"] {
        assert_eq!(values(&with_env(json!({ "DEFAULT_MODEL": odd }))), [("DEFAULT_MODEL", odd)]);
    }
}

#[test]
fn a_value_may_be_as_long_as_the_limit_and_no_longer() {
    let at = "x".repeat(limits::HANDOUT_VALUE_BYTES);
    assert_eq!(with_env(json!({ "DEFAULT_MODEL": at })).values.len(), 1);
    let past = with_env(json!({ "DEFAULT_MODEL": format!("{at}x") }));
    assert_eq!((past.values.len(), past.dropped), (0, vec!["DEFAULT_MODEL".to_owned()]));
}

#[test]
fn what_is_dropped_is_bounded() {
    let env: serde_json::Map<_, _> =
        (0..MOST_DROPPED + 5).map(|n| (format!("{}{n}", "N".repeat(500)), json!("x"))).collect();
    let dropped = with_env(Value::Object(env)).dropped;
    assert_eq!(dropped.len(), MOST_DROPPED + 1);
    assert_eq!(dropped.last().unwrap(), "and 5 more");
    assert!(dropped.iter().all(|name| name.chars().count() <= DROPPED_CHARS + 1));
}

#[test]
fn a_reason_for_no_model_is_an_answer_made_printable() {
    let said = format!("no model fits\r\n\u{1b}[31m{}", "x".repeat(1000));
    let handout = with_env(json!({ "CI_INFERENCE_ERROR": said }));
    let error = handout.inference_error.clone().unwrap();
    assert!(error.starts_with("no model fits  ?[31mxxx"), "{error}");
    assert_eq!(error.chars().count(), ERROR_CHARS + 1);
    assert_eq!(values(&handout), [("CI_INFERENCE_ERROR", error.as_str())]);
    assert!(handout.dropped.is_empty());
}

#[test]
fn a_field_that_hides_something_is_dropped_and_named() {
    let json =
        json!({ "apiVersion": 1, "env": {}, "chatModelId": "a\u{202e}b", "provider": 7, "endpointUrl": [] });
    let handout = read(App::OpenClaw, &reply(json), URL).unwrap();
    assert_eq!((handout.chat_model_id, handout.endpoint_url), (None, None));
    assert_eq!(handout.provider, "7");
    assert_eq!(handout.dropped, ["endpointUrl", "chatModelId"]);
}

#[test]
fn another_version_is_refused_wherever_it_stands() {
    for version in [json!(2), json!("2"), json!(null), json!([1])] {
        let error =
            read(App::OpenClaw, &reply(json!({ "apiVersion": version, "env": {} })), URL).unwrap_err();
        assert!(matches!(error, HubError::UnsupportedVersion { .. }), "{version}: {error:?}");
    }
    let mut reply = reply(json!({ "apiVersion": "1", "env": {} }));
    assert!(read(App::OpenClaw, &reply, URL).is_ok());
    reply.headers.insert(VERSION_HEADER, HeaderValue::from_static("2"));
    let error = read(App::OpenClaw, &reply, URL).unwrap_err();
    assert!(matches!(error, HubError::UnsupportedVersion { .. }), "{error:?}");
}

#[test]
fn json_of_another_shape_breaks_the_protocol() {
    for json in
        [json!([]), json!("x"), json!({}), json!({ "apiVersion": 1 }), json!({ "apiVersion": 1, "env": [] })]
    {
        let error = read(App::OpenClaw, &reply(json.clone()), URL).unwrap_err();
        assert!(matches!(error, HubError::Protocol { .. }), "{json}: {error:?}");
    }
}

#[test]
fn credentials_are_offered_and_not_shown() {
    let handout = with_env(json!({
        "OPENAI_API_KEY": "canary-0123456789abcdef", "DEFAULT_MODEL": "qwen3:8b", "GEMINI_API_KEY": "canary-2"
    }));
    let secrets: Vec<_> = handout.secrets().map(Secret::expose).collect();
    assert_eq!(secrets, ["canary-2", "canary-0123456789abcdef"]);
    assert!(!format!("{handout:?}").contains("canary"));
}

#[test]
fn a_sentence_does_not_quote_a_credential_nor_a_part_of_one() {
    let key = "canary-0123456789abcdef";
    let before_the_cut = ERROR_CHARS - 10;
    for filler in [0, before_the_cut] {
        let error = format!("{}{key} was refused", "x".repeat(filler));
        let handout = with_env(json!({ "CI_CLOUD_OPENAI_API_KEY": key, "CI_INFERENCE_ERROR": error }));
        assert!(!handout.inference_error.unwrap().contains("canary"), "{filler}");
        assert!(!handout.values[handout::ERROR].expose().contains("canary"), "{filler}");
    }
}
