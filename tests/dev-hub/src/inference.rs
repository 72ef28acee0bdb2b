//! What a development Hub hands out for a model, and what its stub of a model says of itself.

use crate::script::Script;

/// The chat model that the stub serves unless told otherwise.
pub const CHAT_MODEL: &str = "qwen3:8b";

/// The embedding model that the stub lists beside the chat model.
pub const EMBEDDING_MODEL: &str = "nomic-embed-text:latest";

/// The context of the stub's chat model, tokens: more than the 64,000 that Hermes asks for.
const CONTEXT: u32 = 65_536;

/// How the Hub stands to its chat model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatModel {
    /// It chose this one, which serves.
    Ready(String),
    /// The backend is starting: no model is named, and none is taken away.
    Starting,
    /// No model is usable, for this reason. The backend runs, so the model of before is taken away.
    Refused(String),
}

/// What is handed out for inference.
#[derive(Debug, Clone)]
pub struct Inference {
    /// The chat model.
    pub chat_model: ChatModel,
    /// What serves it, in the Hub's word.
    pub provider: String,
    /// The context length that is handed out, tokens; the Hub knows none for cloud models.
    pub num_ctx: Option<u32>,
    /// Variables beside the Hub's own, or instead of them where the names are equal.
    pub extra: Vec<(String, String)>,
    /// Whether the stub says that its chat model calls tools.
    pub calls_tools: bool,
    /// The context length that the stub says its chat model has, tokens.
    pub context: u32,
    /// Answers that the routes of the hand-out give in place of their own.
    pub script: Option<Script>,
}

impl Default for Inference {
    fn default() -> Self {
        Self {
            chat_model: ChatModel::Ready(CHAT_MODEL.to_owned()),
            provider: "ollama".to_owned(),
            num_ctx: Some(CONTEXT),
            extra: Vec::new(),
            calls_tools: true,
            context: CONTEXT,
            script: None,
        }
    }
}

impl Inference {
    /// The chat model's name in the stub, which serves one also while none is handed out.
    pub(crate) fn served(&self) -> &str {
        match &self.chat_model {
            ChatModel::Ready(name) => name,
            ChatModel::Starting | ChatModel::Refused(_) => CHAT_MODEL,
        }
    }
}
