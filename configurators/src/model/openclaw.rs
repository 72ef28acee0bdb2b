//! OpenClaw: the provider `ci-hub` under `models.providers`, and the default model where nobody chose one.
//!
//! The Hub writes the same provider into this file before it restarts the app; what means the same is kept.

use crate::credential::{Credential, Prefix};
use crate::hosts::openclaw;
use crate::part::{Intent, Part, Stop, Surroundings};
use crate::recipe::Reader;
use crate::{Change, Refusal, RefusalKind, Value};

/// The provider's name, by which its models are known: `ci-hub/NAME`.
const PROVIDER: &str = "ci-hub";

/// Keys of the provider.
const ENTRY: [&str; 3] = ["models", "providers", PROVIDER];

/// Keys of the default model; the value is a name, or a mapping with `primary`.
const DEFAULT: [&str; 3] = ["agents", "defaults", "model"];

/// Keys of the models that agents may use, where somebody limited them.
const ADMITTED: [&str; 3] = ["agents", "defaults", "models"];

/// A context that is assumed where nobody knows one, tokens.
pub const ASSUMED_CONTEXT: u32 = 32_768;

/// The longest answer that is asked for, tokens.
const ANSWER: u32 = 4_096;

/// How the endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// Ollama's own API, at a base URL without `/v1`.
    Ollama,
    /// OpenAI's chat completions.
    OpenAi,
}

impl Api {
    fn name(self) -> &'static str {
        match self {
            Self::Ollama => "ollama",
            Self::OpenAi => "openai-completions",
        }
    }
}

/// A model that the endpoint serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedModel {
    /// Its name at the endpoint.
    pub id: String,
    /// Its context, tokens, where it is known.
    pub context: Option<u32>,
}

/// The Hub's inference, for OpenClaw.
pub struct OpenClawProvider {
    /// Where the endpoint is.
    pub base_url: String,
    /// How it speaks.
    pub api: Api,
    /// What opens it.
    pub credential: Credential,
    /// Whether the Hub says so now. Otherwise an endpoint that stands in the file is kept.
    pub is_fresh: bool,
    /// What it serves; empty where nobody could say.
    pub models: Vec<OfferedModel>,
    /// Whether that is all it serves now. Otherwise no model is taken for gone.
    pub is_all: bool,
    /// The model that the Hub chose, one of `models`.
    pub primary: Option<String>,
    /// Whether the Hub's model replaces one that the user chose.
    pub take_over: bool,
}

impl Part for OpenClawProvider {
    fn plan(&self, document: &dyn Reader, surroundings: Surroundings<'_>) -> Result<Intent, Stop> {
        let entry = document.get(&ENTRY);
        if let Some(other) = &entry
            && !matches!(other, Value::Map(_) | Value::Null)
        {
            return Err(Refusal {
                kind: RefusalKind::NotAMapping,
                at: document.position(&ENTRY),
                what: format!("`{}` is {}, where a mapping should stand", ENTRY.join("."), other.kind()),
                next: "remove it or make it a mapping",
            }
            .into());
        }
        let standing = entry.as_ref().and_then(|entry| entry.get("apiKey")?.as_str());
        let key = self.credential.choose(&openclaw::RECIPE, Prefix::Nothing, standing, surroundings)?;
        let mut intent = Intent { secrets: Some(key.style), ..Intent::default() };
        intent.entries.push(ENTRY.iter().map(|key| (*key).to_owned()).collect());
        if matches!(document.get(&["models", "mode"]), None | Some(Value::Null)) {
            // Beside the providers that OpenClaw knows itself, not in their place.
            intent.changes.push(Change::set(&["models", "mode"], "merge".into()));
        }
        let set = |key: &str, value: Value| Change::set(&[ENTRY[0], ENTRY[1], ENTRY[2], key], value);
        let stands = |key: &str| entry.as_ref().is_some_and(|entry| entry.get(key).is_some());
        if self.is_fresh || !(stands("baseUrl") && stands("api")) {
            intent.changes.push(set("baseUrl", Value::Str(self.base_url.clone())));
            intent.changes.push(set("api", self.api.name().into()));
        }
        intent.changes.push(set("apiKey", Value::Str(key.value.expose().to_owned())));
        let models = entry.as_ref().and_then(|entry| entry.get("models"));
        intent.changes.extend(self.list(models));
        intent.notices.extend(self.gone(models));
        self.choose(document, &mut intent);
        Ok(intent)
    }
}

impl OpenClawProvider {
    /// What puts every served model into the list; entries that stand stay as they are.
    fn list(&self, standing: Option<&Value>) -> Vec<Change> {
        let path = [&ENTRY[..], &["models"]].concat();
        let Some(Value::List(standing)) = standing else {
            // A custom provider must have the list; an empty one lets OpenClaw ask the endpoint.
            let all = self.models.iter().map(OfferedModel::entry).collect();
            return vec![Change::set(&path, Value::List(all))];
        };
        let is_listed = |model: &&OfferedModel| standing.iter().any(|entry| id_of(entry) == Some(&model.id));
        let missing = self.models.iter().filter(|model| !is_listed(model));
        missing.map(|model| Change::append(&path, model.entry())).collect()
    }

    /// Entries that the endpoint no longer serves.
    fn gone(&self, standing: Option<&Value>) -> Option<String> {
        let Some(Value::List(entries)) = standing else { return None };
        let gone: Vec<String> = entries
            .iter()
            .filter_map(id_of)
            .filter(|id| self.is_gone(id))
            .map(|id| format!("`{id}`"))
            .collect();
        (!gone.is_empty()).then(|| {
            format!(
                "`models.providers.{PROVIDER}` lists {}, which the Hub does not serve now",
                gone.join(", ")
            )
        })
    }

    fn is_gone(&self, id: &str) -> bool {
        self.is_all && !self.models.iter().any(|model| model.id == id)
    }

    /// The default model, where nobody chose one or it is a model of ours that is no longer served.
    fn choose(&self, document: &dyn Reader, intent: &mut Intent) {
        let Some(primary) = &self.primary else { return };
        let default = document.get(&DEFAULT);
        let (chosen, path) = match &default {
            Some(Value::Str(name)) => (Some(name.as_str()), DEFAULT.to_vec()),
            other => {
                let chosen = other.as_ref().and_then(|model| model.get("primary")?.as_str());
                (chosen, [&DEFAULT[..], &["primary"]].concat())
            }
        };
        let ours = |name: &str| name.strip_prefix(PROVIDER)?.strip_prefix('/').map(str::to_owned);
        let keep = match chosen.filter(|name| !name.is_empty()) {
            None => false,
            Some(name) => match ours(name) {
                Some(id) => !self.is_gone(&id),
                None => !self.take_over,
            },
        };
        let wanted = format!("{PROVIDER}/{primary}");
        if keep {
            if chosen.is_some_and(|name| ours(name).is_none()) {
                intent.notices.push(format!(
                    "the default model is one of another provider, which is kept; HUBKIT_MODEL=hub takes `{wanted}`"
                ));
            }
            return;
        }
        intent.changes.push(Change::set(&path, Value::Str(wanted.clone())));
        if let Some(Value::Map(admitted)) = document.get(&ADMITTED)
            && !admitted.is_empty()
            && !admitted.iter().any(|(name, _)| *name == wanted)
        {
            let path = [&ADMITTED[..], &[wanted.as_str()]].concat();
            intent.changes.push(Change::set(&path, Value::Map(Vec::new())));
        }
    }
}

impl OfferedModel {
    fn entry(&self) -> Value {
        let context = self.context.unwrap_or(ASSUMED_CONTEXT);
        let number = |number: u32| Value::Int(i64::from(number));
        Value::Map(vec![
            ("id".to_owned(), Value::Str(self.id.clone())),
            ("name".to_owned(), Value::Str(self.id.clone())),
            ("contextWindow".to_owned(), number(context)),
            ("maxTokens".to_owned(), number(context.min(ANSWER))),
            ("input".to_owned(), Value::List(vec!["text".into()])),
        ])
    }
}

fn id_of(entry: &Value) -> Option<&str> {
    entry.get("id").and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use hubkit_redaction::Secret;

    use super::*;
    use crate::Host;
    use crate::compose::{Composed, compose};

    fn part() -> OpenClawProvider {
        let model = |id: &str, context| OfferedModel { id: id.to_owned(), context };
        OpenClawProvider {
            base_url: "http://hub:11434".to_owned(),
            api: Api::Ollama,
            credential: Credential {
                variable: "OPENAI_API_KEY",
                key: Secret::new("ollama"),
                secrets: None,
                reference_resolves: false,
                or_literal: false,
            },
            models: vec![model("qwen3:8b", Some(65536)), model("tiny:1b", None)],
            is_fresh: true,
            is_all: true,
            primary: Some("qwen3:8b".to_owned()),
            take_over: false,
        }
    }

    fn composed(part: &OpenClawProvider, text: &str) -> Composed {
        let surroundings =
            Surroundings { directory: Path::new("/nonexistent"), world_readable: false, backups: &[] };
        compose(Host::OpenClaw.recipe(), Some(text.as_bytes()), surroundings, &[part]).unwrap()
    }

    fn written(part: &OpenClawProvider, text: &str) -> serde_json::Value {
        let first = composed(part, text).text.unwrap();
        assert_eq!(composed(part, &first).text, None, "{first}");
        ::json5::from_str(&first).unwrap()
    }

    #[test]
    fn a_new_file_gets_the_provider_and_the_default_model() {
        let value = written(&part(), "");
        assert_eq!(value["models"]["mode"], "merge");
        assert_eq!(
            value["models"]["providers"]["ci-hub"],
            serde_json::json!({
                "baseUrl": "http://hub:11434", "api": "ollama", "apiKey": "ollama",
                "models": [
                    {"id": "qwen3:8b", "name": "qwen3:8b", "contextWindow": 65536, "maxTokens": 4096, "input": ["text"]},
                    {"id": "tiny:1b", "name": "tiny:1b", "contextWindow": 32768, "maxTokens": 4096, "input": ["text"]},
                ],
            })
        );
        assert_eq!(value["agents"]["defaults"]["model"]["primary"], "ci-hub/qwen3:8b");
    }

    #[test]
    fn what_the_hub_wrote_itself_is_completed_and_otherwise_kept() {
        let hub = "{gateway:{mode:'local'},models:{mode:'replace',providers:{'ci-hub':{baseUrl:'http://hub:11434',apiKey:'ollama',api:'ollama',models:[{id:'qwen3:8b',name:'Q',contextWindow:9}]}}},agents:{defaults:{model:{primary:'ci-hub/qwen3:8b'}}}}";
        let value = written(&part(), hub);
        assert_eq!(value["models"]["mode"], "replace", "a mode that was chosen stays");
        let models = &value["models"]["providers"]["ci-hub"]["models"];
        assert_eq!((&models[0]["name"], &models[1]["id"]), (&"Q".into(), &"tiny:1b".into()));
    }

    #[test]
    fn a_model_that_comes_leaves_the_lines_of_the_others() {
        let text = "{\n  \"models\": {\n    \"mode\": \"merge\",\n    \"providers\": {\n      \"ci-hub\": {\n        \"baseUrl\": \"http://hub:11434\",\n        \"api\": \"ollama\",\n        \"apiKey\": \"ollama\",\n        \"models\": [\n          {\n            \"name\": \"Q\",\n            \"id\": \"qwen3:8b\",\n            \"cost\": {\"input\": 0.0}\n          }\n        ]\n      }\n    }\n  },\n  \"agents\": {\"defaults\": {\"model\": \"ci-hub/qwen3:8b\"}}\n}\n";
        let new = composed(&part(), text).text.unwrap();
        let added = ",\n          {\n            \"id\": \"tiny:1b\",\n            \"name\": \"tiny:1b\",\n            \"contextWindow\": 32768,\n            \"maxTokens\": 4096,\n            \"input\": [\"text\"]\n          }\n        ]";
        assert_eq!(new, text.replace("\n        ]", added));
        assert_eq!(composed(&part(), &new).text, None);
    }

    #[test]
    fn a_users_default_is_kept_unless_the_hubs_was_asked_for() {
        for (text, kept) in [
            ("{agents:{defaults:{model:'openai/x'}}}", "openai/x"),
            ("{agents:{defaults:{model:{primary:'openai/x'}}}}", "openai/x"),
            ("{agents:{defaults:{model:'ci-hub/tiny:1b'}}}", "ci-hub/tiny:1b"),
        ] {
            let model = written(&part(), text)["agents"]["defaults"]["model"].clone();
            assert_eq!(model.as_str().or_else(|| model["primary"].as_str()), Some(kept));
        }
        let taken = OpenClawProvider { take_over: true, ..part() };
        let text = "{agents:{defaults:{model:'openai/x',models:{'openai/x':{}}}}}";
        let value = written(&taken, text);
        assert_eq!(value["agents"]["defaults"]["model"], "ci-hub/qwen3:8b");
        assert!(value["agents"]["defaults"]["models"]["ci-hub/qwen3:8b"].is_object());
    }

    #[test]
    fn nothing_is_gone_while_nobody_can_say_what_is_served() {
        let text = "{models:{providers:{'ci-hub':{models:[{id:'old:7b',name:'o'}]}}},agents:{defaults:{model:{primary:'ci-hub/old:7b'}}}}";
        let unsure = OpenClawProvider { is_all: false, ..part() };
        assert_eq!(written(&unsure, text)["agents"]["defaults"]["model"]["primary"], "ci-hub/old:7b");
        let old = OpenClawProvider { is_fresh: false, ..unsure };
        let pool = "{models:{providers:{'ci-hub':{baseUrl:'http://hub/pool/v1',api:'openai-completions'}}}}";
        let value = written(&old, pool)["models"]["providers"]["ci-hub"].clone();
        assert_eq!((&value["api"], &value["apiKey"]), (&"openai-completions".into(), &"ollama".into()));
        let unsure = OpenClawProvider { is_fresh: true, ..old };
        let done = composed(&unsure, text).parts[0].as_ref().unwrap().clone();
        assert_eq!(done.intent.notices, Vec::<String>::new());
    }

    #[test]
    fn a_default_of_ours_that_is_gone_is_replaced_and_gone_models_are_named() {
        let text = "{models:{providers:{'ci-hub':{models:[{id:'old:7b',name:'o'}]}}},agents:{defaults:{model:{primary:'ci-hub/old:7b'}}}}";
        assert_eq!(written(&part(), text)["agents"]["defaults"]["model"]["primary"], "ci-hub/qwen3:8b");
        let done = composed(&part(), text).parts[0].as_ref().unwrap().clone();
        assert!(done.intent.notices[0].contains("`old:7b`"), "{:?}", done.intent.notices);
    }
}
