//! What an Ollama serves, by the names that it serves it under.

use serde_json::{Value, json};

use crate::base::Base;
use crate::error::HubError;
use crate::exchange::Question;
use crate::handout::is_plain_text;
use crate::link::Link;
use crate::options::Options;

/// Names that are taken from one answer.
const MOST_NAMES: usize = 1_024;
/// A model's name, bytes.
const NAME_BYTES: usize = 256;
/// What marks a model that embeds and does not chat.
const EMBEDDING_MARK: &str = "embed";

/// An Ollama.
#[derive(Debug)]
pub struct Ollama {
    link: Link,
}

/// What Ollama knows of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelFacts {
    /// Whether it calls tools; `None` from an Ollama too old to say.
    pub tools: Option<bool>,
    /// The context that it was trained for, tokens.
    pub context: Option<u32>,
}

impl Ollama {
    /// The Ollama at `base`, a URL or `host:port` as in `OLLAMA_HOST`. Nothing is sent yet.
    ///
    /// # Errors
    /// The URL or the proxy cannot be used, or TLS cannot be set up.
    pub fn new(base: &str, options: Options) -> Result<Self, HubError> {
        let place = "OLLAMA_HOST";
        let base = match base.contains("://") {
            true => Base::new(place, base)?,
            false => Base::new(place, &format!("http://{base}"))?,
        };
        Ok(Self { link: Link::new(base, options)? })
    }

    /// The names of the models that chat, in Ollama's order, each once. Embedding models are known by their name
    /// alone, so one that hides it is listed.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn tags(&self) -> Result<Vec<String>, HubError> {
        let question = Question::get(self.link.base.route("/api/tags")?);
        let reply = self.ask(&question)?;
        let Some(models) = reply.get("models").and_then(Value::as_array) else {
            return Err(HubError::protocol(&question.shown(), "JSON without models"));
        };
        let mut names: Vec<String> = Vec::new();
        for name in models.iter().filter_map(|model| model.get("name")?.as_str()) {
            let chats = !name.to_ascii_lowercase().contains(EMBEDDING_MARK);
            if chats && is_plain_text(name, NAME_BYTES) && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
            if names.len() == MOST_NAMES {
                break;
            }
        }
        Ok(names)
    }

    /// What Ollama knows of a model.
    ///
    /// # Errors
    /// Why there is no answer; a model that is not there is [`HubError::Protocol`] with HTTP 404.
    pub fn show(&self, model: &str) -> Result<ModelFacts, HubError> {
        let json = json!({ "model": model }).to_string();
        let question = Question { json: Some(json), ..Question::get(self.link.base.route("/api/show")?) };
        let shown = self.ask(&question)?;
        let capabilities = shown.get("capabilities").and_then(Value::as_array);
        Ok(ModelFacts {
            tools: capabilities.map(|capabilities| capabilities.iter().any(|known| known == "tools")),
            context: context(&shown),
        })
    }

    fn ask(&self, question: &Question<'_>) -> Result<Value, HubError> {
        match self.link.ask(&self.link.attempts(), question) {
            Ok(reply) => Ok(reply.json),
            Err(failure) => Err(failure.into_error(&question.shown(), &self.link.options)),
        }
    }
}

/// The context length: the key is the architecture's name and `.context_length`. A model of several parts (one
/// that sees, say) has several such keys, of which the architecture's is the chat model's.
fn context(shown: &Value) -> Option<u32> {
    let info = shown.get("model_info")?.as_object()?;
    let architecture = info.get("general.architecture").and_then(Value::as_str);
    let own = architecture.and_then(|architecture| info.get(&format!("{architecture}.context_length")));
    let any = || info.iter().find(|(key, _)| key.ends_with(".context_length")).map(|(_, value)| value);
    own.or_else(any)?.as_u64()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_context_is_the_architectures() {
        let shown = json!({ "model_info": {
            "clip.context_length": 77, "general.architecture": "qwen3", "qwen3.context_length": 65_536
        } });
        assert_eq!(context(&shown), Some(65_536));
        assert_eq!(context(&json!({ "model_info": { "llama.context_length": 8192 } })), Some(8192));
    }

    #[test]
    fn no_number_is_no_context() {
        for info in [
            json!({}),
            json!([]),
            json!({ "x.context_length": "8192" }),
            json!({ "x.context_length": -1 }),
            json!({ "x.context_length": 4_294_967_296_u64 }),
        ] {
            assert_eq!(context(&json!({ "model_info": info })), None, "{info}");
        }
    }
}
