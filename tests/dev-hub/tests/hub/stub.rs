//! The stub of a model, as Ollama and as an OpenAI-compatible endpoint.

use crate::raw::{Exchange, exchange};
use hubkit_dev_hub::{CHAT_MODEL, DevHub, EMBEDDING_MODEL, Inference, MODEL_ANSWER, Options};
use hubkit_redaction::Secret;
use serde_json::{Value, json};

fn hub(inference: Inference) -> DevHub {
    DevHub::start_blocking(Options { inference, ..Options::new(Secret::new("canary-0123456789abcdef")) })
        .unwrap()
}

fn post(hub: &DevHub, path: &str, body: &Value) -> Exchange {
    exchange(&hub.url(), "POST", path, &[("Content-Type", "application/json")], &body.to_string())
}

fn get(hub: &DevHub, path: &str) -> Value {
    serde_json::from_str(&exchange(&hub.url(), "GET", path, &[], "").body).unwrap()
}

fn ask(stream: Option<bool>) -> Value {
    let mut ask = json!({
        "model": CHAT_MODEL, "messages": [{ "role": "user", "content": "hello" }],
        "tools": [{ "type": "function", "function": { "name": "one" } }, { "function": { "name": "two" } }]
    });
    if let Some(stream) = stream {
        ask["stream"] = stream.into();
    }
    ask
}

#[test]
fn ollama_lists_a_model_that_chats_and_one_that_embeds() {
    let hub = hub(Inference::default());
    let models = get(&hub, "/api/tags")["models"].clone();
    let names: Vec<_> = models.as_array().unwrap().iter().map(|model| &model["name"]).collect();
    assert_eq!(names, [CHAT_MODEL, EMBEDDING_MODEL]);
    let listed = get(&hub, "/v1/models")["data"].clone();
    let ids: Vec<_> = listed.as_array().unwrap().iter().map(|model| &model["id"]).collect();
    assert_eq!(ids, [CHAT_MODEL, EMBEDDING_MODEL]);
    assert!(get(&hub, "/api/version")["version"].is_string());
}

#[test]
fn ollama_shows_what_it_is_told_to_show() {
    let hub = hub(Inference { calls_tools: false, context: 8192, ..Inference::default() });
    let show = |name: &str| post(&hub, "/api/show", &json!({ "model": name }));
    let shown: Value = serde_json::from_str(&show(CHAT_MODEL).body).unwrap();
    assert_eq!(shown["capabilities"], json!(["completion"]));
    assert_eq!(shown["model_info"]["qwen3.context_length"], 8192);
    let shown: Value = serde_json::from_str(&show(EMBEDDING_MODEL).body).unwrap();
    assert_eq!(shown["capabilities"], json!(["embedding"]));
    assert_eq!(show("other").status, 404);
}

#[test]
fn ollama_answers_in_lines_unless_asked_not_to() {
    let hub = hub(Inference::default());
    let whole: Value = serde_json::from_str(&post(&hub, "/api/chat", &ask(Some(false))).body).unwrap();
    assert_eq!((&whole["message"]["content"], &whole["done"]), (&json!(MODEL_ANSWER), &json!(true)));
    for stream in [None, Some(true)] {
        let answer = post(&hub, "/api/chat", &ask(stream));
        assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
        let lines: Vec<Value> = answer.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let said: String = lines.iter().map(|line| line["message"]["content"].as_str().unwrap()).collect();
        assert_eq!(said, MODEL_ANSWER);
        let done: Vec<_> = lines.iter().map(|line| line["done"].as_bool().unwrap()).collect();
        assert_eq!(done, [false, true]);
    }
}

#[test]
fn openai_answers_whole_unless_asked_for_events() {
    let hub = hub(Inference::default());
    for stream in [None, Some(false)] {
        let whole: Value =
            serde_json::from_str(&post(&hub, "/v1/chat/completions", &ask(stream)).body).unwrap();
        assert_eq!(whole["choices"][0]["message"]["content"], MODEL_ANSWER);
    }
    let answer = post(&hub, "/v1/chat/completions", &ask(Some(true)));
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    let events: Vec<_> =
        answer.body.split_terminator("\n\n").map(|event| event.strip_prefix("data: ").unwrap()).collect();
    assert_eq!(events.len(), 3);
    assert_eq!(events[2], "[DONE]");
    let said: Value = serde_json::from_str(events[0]).unwrap();
    assert_eq!(said["choices"][0]["delta"]["content"], MODEL_ANSWER);
    let end: Value = serde_json::from_str(events[1]).unwrap();
    assert_eq!(end["choices"][0]["finish_reason"], "stop");

    let mut with_usage = ask(Some(true));
    with_usage["stream_options"] = json!({ "include_usage": true });
    let answer = post(&hub, "/v1/chat/completions", &with_usage);
    assert_eq!(answer.body.split_terminator("\n\n").count(), 4);
    assert!(answer.body.contains("\"total_tokens\":2"), "{}", answer.body);
}

#[test]
fn another_models_name_is_refused() {
    let hub = hub(Inference::default());
    for path in ["/api/chat", "/v1/chat/completions"] {
        for name in ["other", "ci-hub/qwen3:8b", "qwen3", EMBEDDING_MODEL] {
            let mut ask = ask(None);
            ask["model"] = name.into();
            assert_eq!(post(&hub, path, &ask).status, 404, "{path} {name}");
        }
    }
}

#[test]
fn the_log_names_the_model_and_the_tools_of_a_turn() {
    let hub = hub(Inference::default());
    post(&hub, "/api/chat", &ask(None));
    post(&hub, "/v1/chat/completions", &ask(None));
    get(&hub, "/api/tags");
    let seen: Vec<_> = hub.requests().into_iter().map(|seen| (seen.model, seen.offered)).collect();
    let turn = (Some(CHAT_MODEL.to_owned()), vec!["one".to_owned(), "two".to_owned()]);
    assert_eq!(seen, [turn.clone(), turn, (None, Vec::new())]);
}
