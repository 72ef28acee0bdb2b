//! As much of OpenAI's chat API as a turn of an agent needs.

use hyper::StatusCode;
use serde_json::{Value, json};

use super::{EMBEDDING_MODEL, MODEL_ANSWER, Stub};
use crate::answer::{self, Answer};

impl Stub {
    pub(super) fn models(&self) -> Answer {
        let row = |id: &str| json!({ "id": id, "object": "model", "created": 0, "owned_by": "library" });
        let body = json!({ "object": "list", "data": [row(&self.chat_model), row(EMBEDDING_MODEL)] });
        answer::json(StatusCode::OK, body.to_string())
    }

    pub(super) fn completions(&self, request: &Value) -> Answer {
        if !self.is_chat_model(request) {
            let message = format!("model '{}' not found", request["model"].as_str().unwrap_or_default());
            let error = json!({
                "error": { "message": message, "type": "not_found_error", "param": null, "code": "model_not_found" }
            });
            return answer::json(StatusCode::NOT_FOUND, error.to_string());
        }
        if request["stream"] == true {
            let wants_usage = request["stream_options"]["include_usage"] == true;
            return answer::text("text/event-stream", self.events(wants_usage));
        }
        let message = json!({ "role": "assistant", "content": MODEL_ANSWER });
        let body = json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": self.chat_model,
            "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }], "usage": usage()
        });
        answer::json(StatusCode::OK, body.to_string())
    }

    /// The sentence, the end, the usage if it was asked for, and the mark after the last event.
    fn events(&self, wants_usage: bool) -> String {
        let event = |choices: Value, usage: Value| {
            let chunk = json!({
                "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": self.chat_model,
                "choices": choices, "usage": usage
            });
            format!("data: {chunk}\n\n")
        };
        let choice =
            |delta: Value, finish: Value| json!([{ "index": 0, "delta": delta, "finish_reason": finish }]);
        let said = json!({ "role": "assistant", "content": MODEL_ANSWER });
        let mut events = event(choice(said, Value::Null), Value::Null);
        events.push_str(&event(choice(json!({}), "stop".into()), Value::Null));
        if wants_usage {
            events.push_str(&event(json!([]), usage()));
        }
        events.push_str("data: [DONE]\n\n");
        events
    }
}

fn usage() -> Value {
    json!({ "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 })
}
