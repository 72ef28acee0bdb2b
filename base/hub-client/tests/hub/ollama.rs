//! What the Hub's Ollama serves.

use hubkit_contract::exit;
use hubkit_dev_hub::{CHAT_MODEL, EMBEDDING_MODEL, Inference};
use hubkit_hub_client::{HubError, ModelFacts, Ollama};
use serde_json::json;

use crate::raw::{Act, Raw, answer, json as json_answer};
use crate::{hub, once};

fn ollama(base: &str) -> Ollama {
    Ollama::new(base, once()).unwrap()
}

#[test]
fn models_that_embed_are_left_out() {
    let hub = hub(Inference::default());
    assert_eq!(ollama(&hub.url()).tags().unwrap(), [CHAT_MODEL]);
    assert_eq!(ollama(&format!("{}/", hub.url())).tags().unwrap(), [CHAT_MODEL]);
    let bare = hub.url().replace("http://", "");
    assert_eq!(ollama(&bare).tags().unwrap(), [CHAT_MODEL]);
}

#[test]
fn names_are_bounded_and_hide_nothing() {
    let name = |name: &str| json!({ "name": name });
    let odd = [
        name("a:1"),
        name("mxbai-EMBED-large"),
        name("a:1"),
        name(""),
        name("b\nc"),
        name("d\u{202e}"),
        json!({ "name": 7 }),
        json!("e"),
        name(&"f".repeat(256)),
        name(&"f".repeat(257)),
    ];
    let server = Raw::always(Act::Send(json_answer(&json!({ "models": odd }).to_string())));
    assert_eq!(ollama(&server.url()).tags().unwrap(), ["a:1".to_owned(), "f".repeat(256)]);

    let many: Vec<_> = (0..1_025).map(|number| name(&format!("m{number}"))).collect();
    let server = Raw::always(Act::Send(json_answer(&json!({ "models": many }).to_string())));
    assert_eq!(ollama(&server.url()).tags().unwrap().len(), 1_024);
}

#[test]
fn what_a_model_can_do_is_shown() {
    for calls_tools in [true, false] {
        let hub = hub(Inference { calls_tools, context: 40_960, ..Inference::default() });
        let facts = ollama(&hub.url()).show(CHAT_MODEL).unwrap();
        assert_eq!(facts, ModelFacts { tools: Some(calls_tools), context: Some(40_960) });
        let facts = ollama(&hub.url()).show(EMBEDDING_MODEL).unwrap();
        assert_eq!(facts, ModelFacts { tools: Some(false), context: Some(2048) });
    }
}

#[test]
fn an_old_ollama_says_nothing_about_tools() {
    let server = Raw::always(Act::Send(json_answer("{}")));
    assert_eq!(ollama(&server.url()).show("m").unwrap(), ModelFacts::default());
}

#[test]
fn a_model_that_is_not_there_is_an_error_and_not_a_fact() {
    let hub = hub(Inference::default());
    let error = ollama(&hub.url()).show("other").unwrap_err();
    assert!(matches!(&error, HubError::Protocol { what, .. } if what == "HTTP 404"), "{error:?}");
}

#[test]
fn a_question_stays_a_question_through_redirects() {
    let hub = hub(Inference::default());
    let to = |status: &str, location: &str| {
        let headers = format!("Location: {location}\r\n");
        let answer = answer(status, &headers, "");
        let shown = json_answer(r#"{"capabilities":["tools"]}"#);
        Raw::start(move |head| match head.starts_with("POST /moved ") {
            true => Act::Send(shown.clone()),
            false => Act::Send(answer.clone()),
        })
    };
    let server = to("307 Temporary Redirect", "/moved");
    assert_eq!(ollama(&server.url()).show("m").unwrap().tools, Some(true));
    let server = to("302 Found", "/moved");
    let error = ollama(&server.url()).show("m").unwrap_err();
    assert!(matches!(error, HubError::Protocol { .. }), "{error:?}");
    assert_eq!(server.heads().len(), 1);
    let server = to("307 Temporary Redirect", &format!("{}/api/show", hub.url()));
    let error = ollama(&server.url()).show("m").unwrap_err();
    assert!(matches!(error, HubError::Redirect { .. }), "{error:?}");
    assert!(hub.requests().is_empty());
}

#[test]
fn an_unusable_base_is_refused() {
    for base in
        ["", "http://user:pa55word@ollama:11434", "user:pa55word@ollama", "http://ollama:11434/?k=pa55word"]
    {
        let error = Ollama::new(base, once()).unwrap_err();
        assert_eq!(error.exit_code(), exit::CONFIG, "{base}");
        assert!(!format!("{error} {error:?}").contains("pa55word"), "{error}");
    }
}
