//! The hand-out in its forms, what a script puts in its place, and the memory state.

use crate::raw::{Exchange, exchange};
use hubkit_dev_hub::{
    CHAT_MODEL, ChatModel, DevHub, EMBEDDING_MODEL, Inference, Instead, Memory, Options, Script,
};
use hubkit_redaction::Secret;
use serde_json::{Value, json};

const KEY: &str = "canary-0123456789abcdef";

fn hub(inference: Inference) -> DevHub {
    DevHub::start_blocking(Options { inference, ..Options::new(Secret::new(KEY)) }).unwrap()
}

fn get(hub: &DevHub, path: &str) -> Exchange {
    exchange(&hub.url(), "GET", path, &[], "")
}

fn handed_out(hub: &DevHub, slug: &str) -> Value {
    let answer = get(hub, &format!("/api/inference/apps/{slug}/credentials?v=1"));
    assert_eq!(answer.status, 200, "{answer:?}");
    serde_json::from_str(&answer.body).unwrap()
}

fn managed(answer: &Value) -> Vec<&str> {
    answer["managedKeys"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn both_apps_get_a_model_under_their_own_names() {
    let hub = hub(Inference::default());
    let (url, endpoint) = (hub.url(), format!("{}/v1", hub.url()));
    assert_eq!(
        handed_out(&hub, "hermes-agent")["env"],
        json!({
            "HERMES_OPENAI_BASE_URL": endpoint, "HERMES_OPENAI_API_KEY": "ollama", "HERMES_DEFAULT_MODEL": CHAT_MODEL,
            "HERMES_EMBEDDINGS_MODEL": EMBEDDING_MODEL, "HERMES_NUM_CTX": "65536", "CI_INFERENCE_BACKEND": "ollama",
            "OLLAMA_HOST": url
        })
    );
    let answer = handed_out(&hub, "openclaw");
    assert_eq!(
        answer["env"],
        json!({
            "OPENAI_API_BASE": endpoint, "OPENAI_API_KEY": "ollama", "DEFAULT_MODEL": CHAT_MODEL,
            "EMBEDDINGS_MODEL": EMBEDDING_MODEL, "CI_LLM_NUM_CTX": "65536", "CI_INFERENCE_BACKEND": "ollama",
            "OLLAMA_HOST": url
        })
    );
    assert_eq!((&answer["apiVersion"], &answer["chatModelReady"]), (&json!(1), &json!(true)));
    assert!(
        managed(&answer).contains(&"DEFAULT_MODEL") && managed(&answer).contains(&"CI_CLOUD_OPENAI_API_KEY")
    );
}

#[test]
fn the_headers_repeat_version_and_managed_keys() {
    let hub = hub(Inference::default());
    for name in ["credentials", "credentials.env", "bootstrap.env"] {
        let answer = get(&hub, &format!("/api/inference/apps/openclaw/{name}?v=1"));
        assert_eq!(answer.header("x-hub-credentials-version"), Some("1"), "{name}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{name}");
        let listed: Vec<_> = answer.header("x-hub-managed-keys").unwrap().split(',').collect();
        assert_eq!(listed, managed(&handed_out(&hub, "openclaw")), "{name}");
    }
}

#[test]
fn the_dotenv_form_has_two_names() {
    let extra = vec![("CI_CLOUD_OPENAI_MODEL".to_owned(), "a \"b\"\nPATH=/x".to_owned())];
    let hub = hub(Inference { extra, ..Inference::default() });
    let [one, other] = ["credentials.env", "bootstrap.env"]
        .map(|name| get(&hub, &format!("/api/inference/apps/openclaw/{name}?v=1")));
    assert_eq!(one.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(one.body, other.body);
    let url = hub.url();
    let expected = format!(
        "OPENAI_API_BASE={url}/v1\nOPENAI_API_KEY=ollama\nDEFAULT_MODEL={CHAT_MODEL}\n\
         EMBEDDINGS_MODEL={EMBEDDING_MODEL}\nCI_LLM_NUM_CTX=65536\nCI_INFERENCE_BACKEND=ollama\nOLLAMA_HOST={url}\n\
         CI_CLOUD_OPENAI_MODEL=\"a \\\"b\\\"\nPATH=/x\"\n"
    );
    assert_eq!(one.body, expected);
}

#[test]
fn a_model_that_starts_is_neither_named_nor_taken_away() {
    let hub = hub(Inference { chat_model: ChatModel::Starting, ..Inference::default() });
    let answer = handed_out(&hub, "openclaw");
    assert_eq!((&answer["chatModelReady"], &answer["env"]["DEFAULT_MODEL"]), (&json!(false), &Value::Null));
    assert!(!managed(&answer).contains(&"DEFAULT_MODEL") && managed(&answer).contains(&"CI_LLM_NUM_CTX"));
}

#[test]
fn no_usable_model_is_an_answer() {
    let hub =
        hub(Inference { chat_model: ChatModel::Refused("none fits".to_owned()), ..Inference::default() });
    let answer = handed_out(&hub, "hermes-agent");
    assert_eq!(
        (&answer["env"]["CI_INFERENCE_ERROR"], &answer["chatModelError"]),
        (&json!("none fits"), &json!("none fits"))
    );
    assert_eq!(answer["env"]["HERMES_DEFAULT_MODEL"], Value::Null);
    assert!(managed(&answer).contains(&"HERMES_DEFAULT_MODEL"));
}

#[test]
fn extra_variables_stand_beside_the_hubs_or_in_their_place() {
    let extra = [("LD_PRELOAD", "/x.so"), ("DEFAULT_MODEL", "$(id)")];
    let extra = extra.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let answer = handed_out(&hub(Inference { extra, ..Inference::default() }), "openclaw");
    assert_eq!(
        (&answer["env"]["LD_PRELOAD"], &answer["env"]["DEFAULT_MODEL"]),
        (&json!("/x.so"), &json!("$(id)"))
    );
}

#[test]
fn other_apps_versions_and_routes_are_refused() {
    let hub = hub(Inference::default());
    for (path, status) in [
        ("/api/inference/apps/ci-hermes/credentials?v=1", 404),
        ("/api/inference/apps/openclaw/credentials?v=2", 400),
        ("/api/inference/apps/openclaw/credentials", 200),
        ("/api/inference/apps/openclaw/secrets?v=1", 404),
        ("/api/inference/apps/openclaw", 404),
    ] {
        let answer = get(&hub, path);
        assert_eq!(answer.status, status, "{path}");
        if status != 200 {
            let body: Value = serde_json::from_str(&answer.body).unwrap();
            assert_eq!(body["statusCode"], status, "{path}");
        }
    }
}

#[test]
fn a_script_is_played_and_ends() {
    let script = |script| hub(Inference { script: Some(script), ..Inference::default() });
    let path = "/api/inference/apps/openclaw/credentials?v=1";

    let refusing = script(Script::first(2, Instead::Status(403)));
    let statuses: Vec<_> = (0..4).map(|_| get(&refusing, path).status).collect();
    assert_eq!(statuses, [403, 403, 200, 200]);

    let busy = get(&script(Script::always(Instead::Busy(7))), path);
    assert_eq!((busy.status, busy.header("retry-after")), (429, Some("7")));

    let page = get(&script(Script::always(Instead::Page)), path);
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));

    let padded = get(&script(Script::always(Instead::Padded(5000))), path);
    assert_eq!((padded.status, padded.body.len()), (200, 5000));
    assert_eq!(serde_json::from_str::<Value>(&padded.body).unwrap()["apiVersion"], 1);

    let moved = get(&script(Script::always(Instead::Redirect("http://other:1/x".to_owned()))), path);
    assert_eq!((moved.status, moved.header("location")), (302, Some("http://other:1/x")));
}

#[test]
fn the_memory_state_needs_the_key() {
    let memory = Memory::Connected;
    let hub = DevHub::start_blocking(Options { memory, ..Options::new(Secret::new(KEY)) }).unwrap();
    let bearer = format!("Bearer {KEY}");
    let ask = |urn: &str, headers: &[(&str, &str)]| {
        exchange(&hub.url(), "GET", &format!("/api/memory-connect/apps/{urn}/state"), headers, "")
    };
    for urn in ["ci-hermes:official", "ci-hermes%3Aofficial", "ci-hermes%3aofficial"] {
        let answer = ask(urn, &[("Authorization", &bearer)]);
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (200, r#"{"connectUrl":null,"state":"connected"}"#)
        );
    }
    assert_eq!(ask("ci-hermes", &[("Authorization", &bearer)]).status, 404);
    assert_eq!(ask("ci-hermes:official", &[]).status, 401);
    assert_eq!(ask("ci-hermes:official", &[("Authorization", "Bearer other")]).status, 401);
}
