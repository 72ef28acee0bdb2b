//! Hermes: the block `model` in `config.yaml`.

use hubkit_contract::hub_url;

use crate::credential::{Credential, Prefix};
use crate::hosts::hermes;
use crate::part::{Intent, Part, Stop, Surroundings};
use crate::recipe::Reader;
use crate::{Change, Refusal, RefusalKind, Value};

/// The block, by key.
const BLOCK: &str = "model";

/// What the template of Hermes says that nobody has edited: a provider that is found by whatever key there is.
const TEMPLATE: [(&str, &str); 3] = [
    ("default", "anthropic/claude-opus-4.6"),
    ("provider", "auto"),
    ("base_url", "https://openrouter.ai/api/v1"),
];

/// The model that the Hub offers, for Hermes.
pub struct HermesModel {
    /// The OpenAI-compatible endpoint, with its `/v1`.
    pub base_url: String,
    /// The model's name there; `None` while the Hub does not know one, which leaves the standing one alone.
    pub model: Option<String>,
    /// The model's context, tokens.
    pub context: Option<u32>,
    /// What opens the endpoint.
    pub credential: Credential,
    /// The endpoint that hubkit wrote last, by which its own block is known again.
    pub written_before: Option<String>,
    /// Whether the environment has a key for another provider, so that the template's block may be in use.
    pub has_other_provider: bool,
    /// Whether the Hub's model replaces one that the user chose.
    pub take_over: bool,
}

impl Part for HermesModel {
    fn plan(&self, document: &dyn Reader, surroundings: Surroundings<'_>) -> Result<Intent, Stop> {
        let block = document.get(&[BLOCK]);
        let is_ours = match &block {
            None | Some(Value::Null) => true,
            Some(Value::Str(text)) => text.is_empty(),
            Some(Value::Map(_)) => block.as_ref().is_some_and(|block| self.is_ours(block)),
            Some(_) => false,
        };
        if !is_ours && !self.take_over {
            let line = document.line(&[BLOCK]).map(|line| format!("line {line}: ")).unwrap_or_default();
            return Ok(Intent::skip(format!(
                "{line}`model` is set to another provider, which is kept; HUBKIT_MODEL=hub takes the Hub's model"
            )));
        }
        let block = match block {
            Some(Value::Map(_)) => block.unwrap_or(Value::Null),
            None | Some(Value::Null) => Value::Null,
            Some(Value::Str(text)) if text.is_empty() => Value::Null,
            Some(other) => {
                return Err(Refusal {
                    kind: RefusalKind::NotAMapping,
                    at: document.position(&[BLOCK]),
                    what: format!("`model` is {}, where a mapping should stand", other.kind()),
                    next: "remove it or make it a mapping",
                }
                .into());
            }
        };
        let named = |key: &str| block.get(key).and_then(Value::as_str).filter(|name| !name.is_empty());
        let standing_model = named("default").or(named("model")).filter(|_| self.leads_here(&block));
        if self.model.is_none() && standing_model.is_none() {
            return Ok(Intent::skip("the Hub names no model yet, so `model` is left as it is"));
        }
        let standing = block.get("api_key").and_then(Value::as_str);
        let key = self.credential.choose(&hermes::RECIPE, Prefix::Nothing, standing, surroundings)?;
        let mut members = Vec::new();
        if let Some(model) = &self.model {
            // Hermes takes `model` for `default`; a block has one of them.
            let name = if block.get("default").is_none() && block.get("model").is_some() {
                "model"
            } else {
                "default"
            };
            members.push((name, Value::Str(model.clone())));
        }
        members.push(("provider", "custom".into()));
        members.push(("base_url", Value::Str(self.base_url.clone())));
        members.push(("api_key", Value::Str(key.value.expose().to_owned())));
        let context = self.context.filter(|_| self.model.is_some());
        members.extend(context.map(|context| ("context_length", Value::Int(i64::from(context)))));
        let mut changes: Vec<Change> =
            members.into_iter().map(|(key, value)| Change::set(&[BLOCK, key], value)).collect();
        if context.is_none() && self.model.as_deref().is_some_and(|model| standing_model != Some(model)) {
            // What stands there is another model's.
            changes.push(Change::remove(&[BLOCK, "context_length"]));
        }
        if !self.leads_here(&block) {
            // Hermes would speak to the Hub's endpoint in the manner of the provider before.
            changes.push(Change::remove(&[BLOCK, "api_mode"]));
        }
        Ok(Intent {
            changes,
            entries: vec![vec![BLOCK.to_owned()]],
            secrets: Some(key.style),
            ..Intent::default()
        })
    }
}

impl HermesModel {
    fn is_ours(&self, block: &Value) -> bool {
        let Value::Map(members) = block else { return false };
        let names_nothing =
            members.iter().all(|(_, value)| matches!(value, Value::Null) || value.as_str() == Some(""));
        names_nothing || self.leads_here(block) || (is_template(block) && !self.has_other_provider)
    }

    /// Whether the block is about the Hub's endpoint, now or when hubkit wrote it.
    fn leads_here(&self, block: &Value) -> bool {
        let base = block.get("base_url").and_then(Value::as_str);
        let provider = block.get("provider").and_then(Value::as_str).unwrap_or_default();
        let is_ours = base.is_some_and(|base| {
            hub_url::same_origin(base, &self.base_url) || Some(base) == self.written_before.as_deref()
        });
        is_ours && matches!(provider, "" | "custom" | "ollama" | "vllm" | "llamacpp")
    }
}

fn is_template(block: &Value) -> bool {
    block.get("api_key").is_none()
        && TEMPLATE.iter().all(|(key, text)| block.get(key).and_then(Value::as_str) == Some(text))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use hubkit_redaction::Secret;

    use super::*;
    use crate::Host;
    use crate::compose::{Composed, compose};

    fn part() -> HermesModel {
        HermesModel {
            base_url: "http://hub:11434/v1".to_owned(),
            model: Some("qwen3:8b".to_owned()),
            context: Some(65536),
            credential: Credential {
                variable: "HERMES_OPENAI_API_KEY",
                key: Secret::new("ollama"),
                secrets: None,
                reference_resolves: false,
                or_literal: false,
            },
            written_before: Some("http://old:1/v1".to_owned()),
            has_other_provider: false,
            take_over: false,
        }
    }

    fn composed(part: &HermesModel, text: &str) -> Composed {
        let surroundings =
            Surroundings { directory: Path::new("/nonexistent"), world_readable: false, backups: &[] };
        compose(Host::Hermes.recipe(), Some(text.as_bytes()), surroundings, &[part]).unwrap()
    }

    const BLOCK_WRITTEN: &str = "model:\n  default: \"qwen3:8b\"\n  provider: custom\n  base_url: \"http://hub:11434/v1\"\n  api_key: ollama\n  context_length: 65536\n";

    #[test]
    fn an_unset_or_own_block_is_written_and_then_left_alone() {
        for text in [
            "",
            "model:\n",
            "model: {}\n",
            "model: ''\n",
            "model: {default: '', provider: }\n",
            "model: {provider: custom, base_url: 'http://old:1/v1', default: gone}\n",
            "model: {provider: custom, base_url: 'http://hub:11434/other', default: gone}\n",
        ] {
            let first = composed(&part(), text).text.unwrap();
            assert_eq!(composed(&part(), &first).text, None, "{first}");
        }
        assert_eq!(composed(&part(), "").text.unwrap(), BLOCK_WRITTEN);
    }

    #[test]
    fn a_users_model_is_kept_unless_the_hubs_was_asked_for() {
        for text in [
            "model: gpt-x\n",
            "model: {default: x, provider: openrouter}\n",
            "model: {base_url: 'http://elsewhere/v1', provider: custom}\n",
            "model: {base_url: 'http://hub:11434/v1', provider: anthropic}\n",
        ] {
            let composed_here = composed(&part(), text);
            assert_eq!(composed_here.text, None, "{text}");
            let skipped = composed_here.parts[0].as_ref().unwrap().intent.skipped.clone().unwrap();
            assert!(skipped.contains("HUBKIT_MODEL=hub"), "{skipped}");
        }
        let taken = HermesModel { take_over: true, ..part() };
        assert!(composed(&taken, "model: {provider: openrouter}\n").text.unwrap().contains("custom"));
    }

    #[test]
    fn the_untouched_template_is_nobodys_choice_unless_it_has_a_key() {
        let text = "model:\n  default: \"anthropic/claude-opus-4.6\"\n  provider: \"auto\"\n  base_url: \"https://openrouter.ai/api/v1\"\n";
        assert!(composed(&part(), text).text.unwrap().contains("qwen3:8b"));
        let other = HermesModel { has_other_provider: true, ..part() };
        assert_eq!(composed(&other, text).text, None);
        assert_eq!(composed(&part(), &format!("{text}  api_key: x\n")).text, None);
    }

    #[test]
    fn without_a_model_nothing_is_written_that_has_none() {
        let unknown = HermesModel { model: None, take_over: true, ..part() };
        for text in
            ["", "model: {base_url: 'http://old:1/v1'}\n", "model: {default: x, provider: openrouter}\n"]
        {
            let composed = composed(&unknown, text);
            assert_eq!(composed.text, None, "{text}");
            assert!(composed.parts[0].as_ref().unwrap().intent.skipped.is_some());
        }
    }

    #[test]
    fn another_models_context_and_another_providers_manner_go() {
        let unknown = HermesModel { context: None, take_over: true, ..part() };
        let text = "model: {base_url: 'http://old:1/v1', default: gone, context_length: 9, api_mode: x}\n";
        let written = composed(&unknown, text).text.unwrap();
        assert!(!written.contains("context_length") && written.contains("api_mode: x"), "{written}");
        let same = "model: {base_url: 'http://old:1/v1', default: 'qwen3:8b', context_length: 9}\n";
        assert!(composed(&unknown, same).text.unwrap().contains("context_length: 9"));
        let other = "model: {provider: anthropic, default: x, api_mode: anthropic_messages}\n";
        let written = composed(&unknown, other).text.unwrap();
        assert!(!written.contains("api_mode") && written.contains("custom"), "{written}");
    }

    #[test]
    fn without_a_model_the_standing_one_stays() {
        let unknown = HermesModel { model: None, ..part() };
        let text =
            composed(&unknown, "model: {provider: custom, base_url: 'http://old:1/v1', default: kept}\n");
        assert!(text.text.unwrap().contains("default: kept"));
    }
}
