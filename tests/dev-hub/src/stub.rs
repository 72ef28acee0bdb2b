//! A stub of a model: answers every turn with one sentence, as Ollama and as an OpenAI-compatible endpoint.
//!
//! It serves its chat model under that very name and no other, so that a client which asks for another one is
//! seen. It never calls a tool.

mod ollama;
mod openai;

use serde_json::Value;

use crate::answer::Answer;
use crate::inference::{EMBEDDING_MODEL, Inference};

/// What the model says, whatever it is asked.
pub const MODEL_ANSWER: &str = "The model of the development Hub has spoken.";

/// The routes of the stub.
#[derive(Debug)]
pub(crate) struct Stub {
    chat_model: String,
    calls_tools: bool,
    context: u32,
}

impl Stub {
    /// A stub that serves what `inference` says.
    pub(crate) fn new(inference: &Inference) -> Self {
        Self {
            chat_model: inference.served().to_owned(),
            calls_tools: inference.calls_tools,
            context: inference.context,
        }
    }

    /// The answer, if the path is one of the stub's routes. `posted` is the JSON of a POST; a GET without it.
    pub(crate) fn answer(&self, path: &str, posted: Option<&Value>) -> Option<Answer> {
        match (path, posted) {
            ("/api/version", None) => Some(ollama::version()),
            ("/api/tags", None) => Some(self.tags()),
            ("/api/show", Some(request)) => Some(self.show(request)),
            ("/api/chat", Some(request)) => Some(self.chat(request)),
            ("/v1/models", None) => Some(self.models()),
            ("/v1/chat/completions", Some(request)) => Some(self.completions(request)),
            _ => None,
        }
    }

    fn is_chat_model(&self, request: &Value) -> bool {
        request["model"] == self.chat_model.as_str()
    }
}

/// What a chat request says about itself: the model's name, and the names of the tools that it offers.
pub(crate) fn asked(path: &str, request: &Value) -> Option<(String, Vec<String>)> {
    if !matches!(path, "/api/chat" | "/v1/chat/completions") {
        return None;
    }
    let model = request["model"].as_str()?.to_owned();
    let tools = request["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names = tools.iter().filter_map(|tool| tool["function"]["name"].as_str()).map(str::to_owned);
    Some((model, names.collect()))
}
