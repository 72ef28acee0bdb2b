//! Ollama's own routes.

use hyper::StatusCode;
use serde_json::{Value, json};

use super::{EMBEDDING_MODEL, MODEL_ANSWER, Stub};
use crate::answer::{self, Answer};

/// The moment at which everything here was made.
const MADE: &str = "2026-01-01T00:00:00Z";
/// The architecture that the chat model says it has.
const ARCHITECTURE: &str = "qwen3";

/// The version, which clients ask for to see whether this is an Ollama.
pub(super) fn version() -> Answer {
    ok(&json!({ "version": "0.12.0" }))
}

impl Stub {
    pub(super) fn tags(&self) -> Answer {
        let row = |name: &str, family: &str| {
            json!({
                "name": name, "model": name, "modified_at": MADE, "size": 1, "digest": "0".repeat(64),
                "details": {
                    "parent_model": "", "format": "gguf", "family": family, "families": [family],
                    "parameter_size": "8B", "quantization_level": "Q4_K_M"
                }
            })
        };
        ok(&json!({ "models": [row(&self.chat_model, ARCHITECTURE), row(EMBEDDING_MODEL, "nomic-bert")] }))
    }

    pub(super) fn show(&self, request: &Value) -> Answer {
        let mut capabilities = vec!["completion"];
        capabilities.extend(self.calls_tools.then_some("tools"));
        // Older clients call the member `name`.
        let name = request.get("model").or_else(|| request.get("name"));
        let (architecture, context, capabilities) = match name.and_then(Value::as_str) {
            Some(name) if name == self.chat_model => (ARCHITECTURE, self.context, capabilities),
            Some(EMBEDDING_MODEL) => ("nomic-bert", 2048, vec!["embedding"]),
            _ => return missing(name),
        };
        let mut info = serde_json::Map::new();
        info.insert("general.architecture".to_owned(), architecture.into());
        info.insert(format!("{architecture}.context_length"), context.into());
        ok(&json!({
            "modelfile": "", "parameters": "", "template": "{{ .Prompt }}", "modified_at": MADE,
            "details": { "format": "gguf", "family": architecture, "families": [architecture] },
            "model_info": info, "capabilities": capabilities
        }))
    }

    pub(super) fn chat(&self, request: &Value) -> Answer {
        if !self.is_chat_model(request) {
            return missing(request.get("model"));
        }
        let message = |text: &str| json!({ "role": "assistant", "content": text });
        let end = |text: &str| {
            json!({
                "model": self.chat_model, "created_at": MADE, "message": message(text), "done": true,
                "done_reason": "stop", "total_duration": 2, "load_duration": 1, "prompt_eval_count": 1,
                "prompt_eval_duration": 1, "eval_count": 1, "eval_duration": 1
            })
        };
        // Ollama streams unless it is asked not to.
        if request["stream"] == false {
            return ok(&end(MODEL_ANSWER));
        }
        let text = json!({
            "model": self.chat_model, "created_at": MADE, "message": message(MODEL_ANSWER), "done": false
        });
        answer::text("application/x-ndjson", format!("{text}\n{}\n", end("")))
    }
}

fn ok(body: &Value) -> Answer {
    answer::json(StatusCode::OK, body.to_string())
}

fn missing(name: Option<&Value>) -> Answer {
    let name = name.and_then(Value::as_str).unwrap_or_default();
    let body = json!({ "error": format!("model '{name}' not found") });
    answer::json(StatusCode::NOT_FOUND, body.to_string())
}
