//! `/api/inference/apps/:slug/…`: the hand-out as JSON and in the two spellings of its dotenv form.
//!
//! Two of the Hub's three apps; who asks is not checked, because everything here is on loopback.

use hubkit_contract::handout::{self, App};
use hyper::header::{CACHE_CONTROL, HeaderValue};
use hyper::{StatusCode, Uri};
use serde_json::{Value, json};

use crate::answer::{self, Answer};
use crate::inference::{ChatModel, EMBEDDING_MODEL, Inference};
use crate::script::Player;

/// The only version that there is.
const VERSION: &str = "1";

/// The routes of the hand-out.
#[derive(Debug)]
pub(crate) struct HandoutRoutes {
    inference: Inference,
    /// Where the stub of a model listens, which is here.
    model_url: String,
    player: Player,
}

/// One of the two forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Dotenv,
}

impl HandoutRoutes {
    /// Routes that hand out the stub at `model_url`.
    pub(crate) fn new(inference: &Inference, model_url: &str) -> Self {
        Self {
            inference: inference.clone(),
            model_url: model_url.to_owned(),
            player: Player::new(inference.script.clone()),
        }
    }

    /// The answer, if the path is one of these routes.
    pub(crate) async fn answer(&self, uri: &Uri, path: &str) -> Option<Answer> {
        let (slug, name) = path.strip_prefix("/api/inference/apps/")?.split_once('/')?;
        let form = match name {
            "credentials" => Form::Json,
            "credentials.env" | "bootstrap.env" => Form::Dotenv,
            _ => return None,
        };
        let app = App::ALL.into_iter().find(|app| app.slug() == slug);
        if let Some(instead) = self.player.next() {
            return Some(instead.answer(path, || self.body(app.unwrap_or(App::Hermes), form)).await);
        }
        let Some(app) = app else {
            return Some(answer::filtered(StatusCode::NOT_FOUND, "Unknown inference app", path));
        };
        let asked = uri.query().and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("v=")));
        if asked.is_some_and(|version| version != VERSION) {
            return Some(answer::filtered(StatusCode::BAD_REQUEST, "Unsupported credentials version", path));
        }
        let body = self.body(app, form);
        let mut answer = match form {
            Form::Json => answer::json(StatusCode::OK, body),
            Form::Dotenv => answer::text("text/plain; charset=utf-8", body),
        };
        let headers = answer.headers_mut();
        headers.insert("x-hub-credentials-version", HeaderValue::from_static(VERSION));
        if let Ok(managed) = self.managed(app).join(",").parse() {
            headers.insert("x-hub-managed-keys", managed);
        }
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Some(answer)
    }

    fn body(&self, app: App, form: Form) -> String {
        match form {
            Form::Json => self.json(app).to_string(),
            Form::Dotenv => dotenv(&self.variables(app)),
        }
    }

    fn json(&self, app: App) -> Value {
        let (model, error) = match &self.inference.chat_model {
            ChatModel::Ready(name) => (Some(name), None),
            ChatModel::Starting => (None, None),
            ChatModel::Refused(why) => (None, Some(why)),
        };
        let env: serde_json::Map<_, _> =
            self.variables(app).into_iter().map(|(name, value)| (name, value.into())).collect();
        json!({
            "app": app.slug(), "apiVersion": 1,
            "endpointUrl": self.endpoint(),
            "endpointReady": self.inference.chat_model != ChatModel::Starting,
            "chatModelId": model, "embeddingsModelId": EMBEDDING_MODEL, "chatModelReady": model.is_some(),
            "provider": self.inference.provider, "routedThroughPool": false, "chatModelServedBy": [],
            "chatModelError": error, "prePull": [], "env": env, "managedKeys": self.managed(app)
        })
    }

    fn endpoint(&self) -> String {
        format!("{}/v1", self.model_url)
    }

    /// The variables in the Hub's order, each once.
    fn variables(&self, app: App) -> Vec<(String, String)> {
        let inference = &self.inference;
        let (model, num_ctx, error) = match &inference.chat_model {
            ChatModel::Ready(name) => (Some(name.clone()), inference.num_ctx, None),
            ChatModel::Starting => (None, None, None),
            ChatModel::Refused(why) => (None, None, Some(why.clone())),
        };
        let own = [
            (app.base_url(), Some(self.endpoint())),
            (app.api_key(), Some("ollama".to_owned())),
            (app.model(), model),
            (app.embeddings(), Some(EMBEDDING_MODEL.to_owned())),
            (app.num_ctx(), num_ctx.map(|tokens| tokens.to_string())),
            (handout::BACKEND, Some(inference.provider.clone())),
            (hubkit_contract::environment::OLLAMA_HOST, Some(self.model_url.clone())),
            (handout::ERROR, error),
        ];
        let is_replaced = |name: &str| inference.extra.iter().any(|(extra, _)| extra == name);
        let own = own.into_iter().filter(|(name, _)| !is_replaced(name));
        own.filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .chain(inference.extra.clone())
            .collect()
    }

    /// The names that the answer speaks about with authority: all but the model's while the backend starts.
    fn managed(&self, app: App) -> Vec<&'static str> {
        let is_undecided =
            |name: &str| self.inference.chat_model == ChatModel::Starting && name == app.model();
        handout::names(app).filter(|name| !is_undecided(name) && !handout::is_derived(app, name)).collect()
    }
}

/// The Hub's dotenv form: a value with white space, a quote, `#` or `=` stands in double quotes with `\` and `"`
/// escaped, every other one bare. Line breaks are not escaped, so such a value spans lines.
fn dotenv(variables: &[(String, String)]) -> String {
    let line = |(name, value): &(String, String)| {
        let needs_quotes = value.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '#' | '='));
        if needs_quotes {
            format!("{name}=\"{}\"\n", value.replace('\\', r"\\").replace('"', "\\\""))
        } else {
            format!("{name}={value}\n")
        }
    };
    variables.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dotenv_quotes_as_the_hub_does() {
        let variables = [("A", "plain"), ("B", "two words"), ("C", "a\\\"b"), ("D", "a=b"), ("E", "$(id)")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(dotenv(&variables), "A=plain\nB=\"two words\"\nC=\"a\\\\\\\"b\"\nD=\"a=b\"\nE=$(id)\n");
    }

    #[test]
    fn a_model_that_is_not_decided_is_not_managed() {
        let with = |chat_model| {
            HandoutRoutes::new(&Inference { chat_model, ..Inference::default() }, "http://127.0.0.1:1")
        };
        let ready = with(ChatModel::Ready("m".to_owned())).managed(App::Hermes);
        assert_eq!((ready.len(), ready.contains(&"HERMES_DEFAULT_MODEL")), (23, true));
        let refused = with(ChatModel::Refused("none fits".to_owned()));
        assert_eq!(refused.managed(App::Hermes), ready);
        assert!(refused.variables(App::Hermes).iter().all(|(name, _)| name != "HERMES_DEFAULT_MODEL"));
        let starting = with(ChatModel::Starting).managed(App::Hermes);
        assert_eq!((starting.len(), starting.contains(&"HERMES_DEFAULT_MODEL")), (22, false));
    }
}
