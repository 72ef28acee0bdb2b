//! What the Hub hands out for an app's model.
//!
//! The answer comes over plain http from whoever holds the address. Never taken from it: a name outside the
//! closed list, a value that could be more than one line, or an unbounded amount of anything.

use std::collections::{BTreeMap, BTreeSet};

use hubkit_contract::handout::{self, App};
use hubkit_contract::{clean, limits};
use hubkit_redaction::{Redactor, Secret};
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::attempts::{Attempts, Failure};
use crate::error::HubError;
use crate::exchange::{Question, Reply};
use crate::link::Link;
use crate::printable::printable;

/// The version of the answer that is spoken here.
const VERSION: &str = "1";
/// The header that repeats the version.
const VERSION_HEADER: &str = "x-hub-credentials-version";
/// The header that repeats the managed keys.
const MANAGED_HEADER: &str = "x-hub-managed-keys";

/// Names of things not taken that are kept for a message.
const MOST_DROPPED: usize = 20;
/// Such a name, characters.
const DROPPED_CHARS: usize = 64;
/// The Hub's own words on why there is no model, characters.
const ERROR_CHARS: usize = 400;

/// An answer of the Hub, reduced to what may be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Handout {
    /// The endpoint that serves the models.
    pub endpoint_url: Option<String>,
    /// Whether it serves already.
    pub endpoint_ready: bool,
    /// The chat model, by the Hub's id.
    pub chat_model_id: Option<String>,
    /// The embedding model, by the Hub's id.
    pub embeddings_model_id: Option<String>,
    /// Whether the chat model serves already.
    pub chat_model_ready: bool,
    /// What serves the chat model: `ollama`, `vllm`, `cloud` and others; empty where the Hub does not say.
    pub provider: String,
    /// Why there is no chat model, made printable.
    pub chat_model_error: Option<String>,
    /// What the Hub sets, by names of the closed list. Not empty, one line each.
    pub values: BTreeMap<&'static str, Secret>,
    /// The names of the closed list that the Hub speaks about with authority: what it said about them before no
    /// longer holds, also where it says nothing now.
    pub managed: BTreeSet<&'static str>,
    /// What was in the answer and not taken, by name, made printable and bounded; the last may be a count.
    pub dropped: Vec<String>,
    /// Why there is no usable model (`CI_INFERENCE_ERROR`), made printable. Also among the values.
    pub inference_error: Option<String>,
}

impl Handout {
    /// The credentials among the values, for redaction to learn.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        self.values.iter().filter(|(name, _)| handout::is_secret(name)).map(|(_, value)| value)
    }
}

/// Whether a text is one line that hides nothing, is not empty, and has at most `most` bytes.
pub(crate) fn is_plain_text(text: &str, most: usize) -> bool {
    !text.is_empty() && text.len() <= most && clean::first_control(text).is_none()
}

/// Asks for the hand-out of `app`.
pub(crate) fn ask(link: &Link, app: App) -> Result<Handout, HubError> {
    let path = format!("/api/inference/apps/{}/credentials?v={VERSION}", app.slug());
    let question = Question::get(link.base.route(&path)?);
    let url = question.shown();
    let attempts = Attempts::new(&link.options, link.options.retries_origin_refusal);
    let reply = link.ask(&attempts, &question).map_err(|failure| match failure {
        Failure::Status { status: 404, .. } => HubError::UnknownApp { url: url.clone() },
        Failure::Status { status: 400, .. } => unsupported(&url, "HTTP 400"),
        failure => failure.into_error(&url, &link.options),
    })?;
    read(app, &reply, &url)
}

fn unsupported(url: &str, what: &str) -> HubError {
    HubError::UnsupportedVersion { url: url.to_owned(), what: what.to_owned() }
}

fn read(app: App, reply: &Reply, url: &str) -> Result<Handout, HubError> {
    if reply.headers.get_all(VERSION_HEADER).iter().any(|version| version.as_bytes() != VERSION.as_bytes()) {
        return Err(unsupported(url, "another version in the header"));
    }
    let json = &reply.json;
    match json.get("apiVersion") {
        Some(version) if text(version).as_deref() == Some(VERSION) => {}
        Some(_) => return Err(unsupported(url, "another version in the answer")),
        None => return Err(HubError::protocol(url, "JSON without a version")),
    }
    let Some(env) = json.get("env").and_then(Value::as_object) else {
        return Err(HubError::protocol(url, "JSON without variables"));
    };
    let own = own_secrets(env);
    let mut dropped = Dropped::default();
    let mut field = |name: &str| {
        let value = json.get(name).filter(|value| !value.is_null())?;
        let value = text(value).filter(|text| text.is_empty() || is_usable(text));
        if value.is_none() {
            dropped.add(name);
        }
        value.filter(|text| !text.is_empty())
    };
    let mut handout = Handout {
        endpoint_url: field("endpointUrl"),
        chat_model_id: field("chatModelId"),
        embeddings_model_id: field("embeddingsModelId"),
        provider: field("provider").unwrap_or_default(),
        endpoint_ready: is_true(json, "endpointReady"),
        chat_model_ready: is_true(json, "chatModelReady"),
        chat_model_error: json.get("chatModelError").and_then(|text| prose(text, &own)),
        inference_error: env.get(handout::ERROR).and_then(|text| prose(text, &own)),
        managed: managed(app, &reply.headers, json),
        ..Handout::default()
    };
    for (name, value) in env {
        match handout::listed(app, name) {
            // Prose may have several lines; it was made one above.
            Some(handout::ERROR) => {}
            Some(listed) => match text(value) {
                Some(text) if is_usable(&text) => drop(handout.values.insert(listed, Secret::new(text))),
                Some(text) if text.is_empty() => {}
                None if value.is_null() => {}
                _ => dropped.add(name),
            },
            None => dropped.add(name),
        }
    }
    if let Some(error) = &handout.inference_error {
        handout.values.insert(handout::ERROR, Secret::new(error));
    }
    handout.dropped = dropped.finish();
    Ok(handout)
}

/// The text of a string or number, without white space around it.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn is_usable(text: &str) -> bool {
    is_plain_text(text, limits::HANDOUT_VALUE_BYTES)
}

fn is_true(json: &Value, name: &str) -> bool {
    json.get(name).and_then(Value::as_bool).unwrap_or_default()
}

/// The credentials of an answer, also those that are not taken: a sentence of the same answer may quote them.
fn own_secrets(env: &serde_json::Map<String, Value>) -> Redactor {
    let mut own = Redactor::new();
    let secrets = env.iter().filter(|(name, _)| handout::is_secret(name));
    secrets.filter_map(|(_, value)| text(value)).for_each(|text| own.add(&Secret::new(text)));
    own
}

/// A sentence for a person. What it quotes of the answer's own credentials goes before it is cut to its length, so
/// that no part of one is left.
fn prose(value: &Value, own: &Redactor) -> Option<String> {
    Some(printable(&own.redact(value.as_str()?), ERROR_CHARS)).filter(|text| !text.is_empty())
}

/// The managed names of the closed list, from header and body together.
fn managed(app: App, headers: &HeaderMap, json: &Value) -> BTreeSet<&'static str> {
    let header = headers.get_all(MANAGED_HEADER).iter().filter_map(|value| value.to_str().ok());
    let header = header.flat_map(|value| value.split(',')).map(str::trim);
    let body = json.get("managedKeys").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    header
        .chain(body.iter().filter_map(Value::as_str))
        .filter_map(|name| handout::listed(app, name))
        .collect()
}

/// Names of what was not taken, bounded.
#[derive(Default)]
struct Dropped {
    names: Vec<String>,
    more: usize,
}

impl Dropped {
    fn add(&mut self, name: &str) {
        if self.names.len() < MOST_DROPPED {
            self.names.push(printable(name, DROPPED_CHARS));
        } else {
            self.more += 1;
        }
    }

    fn finish(mut self) -> Vec<String> {
        if self.more > 0 {
            self.names.push(format!("and {} more", self.more));
        }
        self.names
    }
}

#[cfg(test)]
#[path = "handout_tests.rs"]
mod tests;
