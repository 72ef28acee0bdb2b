//! What the Hub hands out for inference: to which apps, and the closed list of names that are taken from it.
//!
//! The hand-out becomes the agent's environment, and nobody proves that it comes from the Hub. So a name counts
//! only if it equals one of the list; no prefix or pattern lets another one in.

use crate::environment::OLLAMA_HOST;

/// Which backend serves the model.
pub const BACKEND: &str = "CI_INFERENCE_BACKEND";
/// Why there is no usable model; part of an answer, not of a failure.
pub const ERROR: &str = "CI_INFERENCE_ERROR";

/// What ends the name of every credential in the list.
const SECRET_ENDING: &str = "_API_KEY";

/// Names that every app may get.
const SHARED: &[&str] = &[
    BACKEND,
    OLLAMA_HOST,
    ERROR,
    "CI_CLOUD_OPENAI_API_KEY",
    "CI_CLOUD_OPENAI_BASE_URL",
    "CI_CLOUD_OPENAI_MODEL",
    "CI_CLOUD_ANTHROPIC_API_KEY",
    "CI_CLOUD_ANTHROPIC_BASE_URL",
    "CI_CLOUD_ANTHROPIC_MODEL",
    "CI_CLOUD_GOOGLE_API_KEY",
    "CI_CLOUD_GOOGLE_BASE_URL",
    "CI_CLOUD_GOOGLE_MODEL",
    "CI_CLOUD_GITHUB_COPILOT_API_KEY",
    "CI_CLOUD_GITHUB_COPILOT_BASE_URL",
    "CI_CLOUD_GITHUB_COPILOT_MODEL",
    "ANTHROPIC_API_KEY",
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
];

/// Names that the agent's side derives for Hermes, whose libraries read them.
const DERIVED_FOR_HERMES: &[&str] = &["OPENAI_API_BASE", "OPENAI_BASE_URL", "OPENAI_API_KEY"];

/// An app to which the Hub hands out inference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum App {
    /// Hermes Agent.
    Hermes,
    /// OpenClaw.
    OpenClaw,
}

impl App {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 2] = [Self::Hermes, Self::OpenClaw];

    /// The app's name in the Hub's routes, which is not its name in the store.
    #[must_use]
    pub fn slug(self) -> &'static str {
        match self {
            Self::Hermes => "hermes-agent",
            Self::OpenClaw => "openclaw",
        }
    }

    /// The variable with the base URL of the OpenAI-compatible endpoint.
    #[must_use]
    pub fn base_url(self) -> &'static str {
        self.own()[0]
    }

    /// The variable with the endpoint's key.
    #[must_use]
    pub fn api_key(self) -> &'static str {
        self.own()[1]
    }

    /// The variable with the chat model's id.
    #[must_use]
    pub fn model(self) -> &'static str {
        self.own()[2]
    }

    /// The variable with the embedding model's id.
    #[must_use]
    pub fn embeddings(self) -> &'static str {
        self.own()[3]
    }

    /// The variable with the chat model's context length, tokens.
    #[must_use]
    pub fn num_ctx(self) -> &'static str {
        self.own()[4]
    }

    /// The app's own names: base URL, key, model, embeddings, context length.
    fn own(self) -> &'static [&'static str; 5] {
        match self {
            Self::Hermes => &[
                "HERMES_OPENAI_BASE_URL",
                "HERMES_OPENAI_API_KEY",
                "HERMES_DEFAULT_MODEL",
                "HERMES_EMBEDDINGS_MODEL",
                "HERMES_NUM_CTX",
            ],
            Self::OpenClaw => &[
                "OPENAI_API_BASE",
                "OPENAI_API_KEY",
                "DEFAULT_MODEL",
                "EMBEDDINGS_MODEL",
                crate::environment::CI_LLM_NUM_CTX,
            ],
        }
    }

    fn derived(self) -> &'static [&'static str] {
        match self {
            Self::Hermes => DERIVED_FOR_HERMES,
            Self::OpenClaw => &[],
        }
    }
}

/// All names of an app's list in the order of the documentation, each once.
pub fn names(app: App) -> impl Iterator<Item = &'static str> {
    app.own().iter().chain(SHARED).chain(app.derived()).copied()
}

/// The list's own spelling of `name`, if the list has it.
#[must_use]
pub fn listed(app: App, name: &str) -> Option<&'static str> {
    names(app).find(|listed| *listed == name)
}

/// Whether `name` is in an app's list.
#[must_use]
pub fn is_listed(app: App, name: &str) -> bool {
    listed(app, name).is_some()
}

/// Whether the Hub never sets a listed name, because hubkit derives it from others.
#[must_use]
pub fn is_derived(app: App, name: &str) -> bool {
    app.derived().contains(&name)
}

/// Whether a listed name holds a credential.
#[must_use]
pub fn is_secret(name: &str) -> bool {
    name.ends_with(SECRET_ENDING)
}

/// What becomes of a listed name: the rest of its row in the documentation.
#[must_use]
pub fn purpose(app: App, name: &str) -> &'static str {
    let own = [
        "base URL of the OpenAI-compatible endpoint",
        "its key; `ollama` for a local model",
        "chat model",
        "embedding model",
        "context length of the chat model, tokens",
    ];
    if let Some(index) = app.own().iter().position(|listed| *listed == name) {
        return own[index];
    }
    match name {
        BACKEND => "which backend serves the model",
        OLLAMA_HOST => "where Ollama listens",
        ERROR => "why there is no usable model",
        _ if is_derived(app, name) => "derived by hubkit from the names above",
        _ => "cloud provider that the operator enabled",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_list_is_complete_and_has_no_name_twice() {
        for (app, count) in [(App::Hermes, 26), (App::OpenClaw, 23)] {
            let all: Vec<_> = names(app).collect();
            assert_eq!(all.len(), count, "{app:?}");
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), count, "{app:?}");
            assert!(all.iter().all(|name| is_listed(app, name)));
        }
    }

    #[test]
    fn the_accessors_name_what_the_hub_names() {
        let hermes = App::Hermes;
        assert_eq!(hermes.slug(), "hermes-agent");
        assert_eq!(
            [hermes.base_url(), hermes.api_key(), hermes.model(), hermes.embeddings(), hermes.num_ctx()],
            [
                "HERMES_OPENAI_BASE_URL",
                "HERMES_OPENAI_API_KEY",
                "HERMES_DEFAULT_MODEL",
                "HERMES_EMBEDDINGS_MODEL",
                "HERMES_NUM_CTX"
            ]
        );
        let openclaw = App::OpenClaw;
        assert_eq!(openclaw.slug(), "openclaw");
        assert_eq!(
            [
                openclaw.base_url(),
                openclaw.api_key(),
                openclaw.model(),
                openclaw.embeddings(),
                openclaw.num_ctx()
            ],
            ["OPENAI_API_BASE", "OPENAI_API_KEY", "DEFAULT_MODEL", "EMBEDDINGS_MODEL", "CI_LLM_NUM_CTX"]
        );
    }

    #[test]
    fn nothing_gets_in_by_resembling_a_listed_name() {
        for name in [
            "",
            "PATH",
            "LD_PRELOAD",
            "NODE_OPTIONS",
            "PYTHONPATH",
            "HUB_API_KEY",
            "CI_CLOUD_",
            "CI_CLOUD_OPENAI_API_KEY ",
            "CI_CLOUD_OPENAI_ORG",
            "CI_CLOUD_MISTRAL_API_KEY",
            "ci_cloud_openai_api_key",
            "OPENAI_API_KEY2",
            "HERMES_HOME",
            "OLLAMA_HOST\0",
        ] {
            assert!(App::ALL.iter().all(|app| !is_listed(*app, name)), "{name:?}");
        }
        assert!(!is_listed(App::OpenClaw, App::Hermes.model()));
        assert!(!is_listed(App::OpenClaw, "OPENAI_BASE_URL"));
    }

    #[test]
    fn credentials_are_known_by_name() {
        let secret: Vec<_> = names(App::OpenClaw).filter(|name| is_secret(name)).collect();
        assert_eq!(
            secret,
            [
                "OPENAI_API_KEY",
                "CI_CLOUD_OPENAI_API_KEY",
                "CI_CLOUD_ANTHROPIC_API_KEY",
                "CI_CLOUD_GOOGLE_API_KEY",
                "CI_CLOUD_GITHUB_COPILOT_API_KEY",
                "ANTHROPIC_API_KEY",
                "GOOGLE_API_KEY",
                "GEMINI_API_KEY"
            ]
        );
        assert!(!is_secret(App::Hermes.model()) && !is_secret(ERROR));
    }

    #[test]
    fn only_the_names_for_hermes_own_libraries_are_derived() {
        let derived = |app| names(app).filter(|name| is_derived(app, name)).collect::<Vec<_>>();
        assert_eq!(derived(App::Hermes), ["OPENAI_API_BASE", "OPENAI_BASE_URL", "OPENAI_API_KEY"]);
        assert_eq!(derived(App::OpenClaw), [""; 0]);
    }
}
