//! From a host's file and what the environment wants to the file's new text, or to "already right".
//!
//! Never writes and never prints; a secret passes through into the new text alone.

use std::path::Path;

use hubkit_contract::limits;
use hubkit_contract::reference::bearer_reference;
use hubkit_redaction::Secret;

use crate::entry::authorizations;
use crate::recipe::{AsReader, Format, Recipe, SecretStyle, Wanted};
use crate::{Change, Document, Position, Refusal, RefusalKind, Value, json5, yaml};

/// What the environment wants the entry to say.
#[derive(Debug, Clone)]
pub struct Connection {
    /// The Hub's MCP endpoint, http or https.
    pub url: String,
    /// The Hub's key.
    pub key: Secret,
    /// How to write the key; `None` lets the file decide.
    pub secrets: Option<SecretStyle>,
    /// Whether the agent's environment will hold exactly this key under `HUB_MCP_API_KEY`.
    pub reference_resolves: bool,
}

/// What is known about the file beside its bytes.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The directory of the file.
    pub directory: &'a Path,
    /// Whether everybody on the machine may read the file.
    pub world_readable: bool,
    /// Names of backups that stand beside it.
    pub backups: &'a [String],
}

/// The outcome of planning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// The new text; `None` when the file is right as it is.
    pub text: Option<String>,
    /// Whether the file held no value before.
    pub from_nothing: bool,
    /// How the entry gives the agent its key.
    pub secrets: SecretStyle,
    /// Whether the user switched the entry off.
    pub disabled: bool,
    /// What a person should know, one sentence each, with line numbers.
    pub notices: Vec<String>,
}

/// Plans the file of `recipe`. `current` is the file's content, `None` where there is no file.
///
/// # Errors
/// A [`Refusal`]; the file must then be left as it is.
pub fn plan(
    recipe: &Recipe,
    current: Option<&[u8]>,
    surroundings: Surroundings<'_>,
    connection: &Connection,
) -> Result<Planned, Refusal> {
    let bytes = current.unwrap_or_default();
    if current.is_some() && bytes.is_empty() && recipe.empty_is_clobbered && !surroundings.backups.is_empty()
    {
        return Err(clobbered(surroundings.backups));
    }
    let text = text_of(bytes)?;
    match recipe.format {
        Format::Yaml => plan_in(recipe, text, &yaml::YamlDocument::parse(text)?, surroundings, connection),
        Format::Json5 => plan_in(recipe, text, &json5::Json5Document::parse(text)?, surroundings, connection),
    }
}

fn plan_in<'a, D: Document<'a>>(
    recipe: &Recipe,
    text: &'a str,
    document: &D,
    surroundings: Surroundings<'_>,
    connection: &Connection,
) -> Result<Planned, Refusal> {
    let entry = document.get(recipe.entry);
    let from_nothing =
        document.is_blank() || matches!(document.get(&[]), Some(Value::Map(root)) if root.is_empty());
    let authorization = Authorization::choose(recipe, entry.as_ref(), surroundings, connection);
    let mut changes = Vec::new();
    if from_nothing {
        changes.extend(recipe.in_new_file.iter().map(|(path, text)| Change::set(path, (*text).into())));
    }
    match &entry {
        Some(entry @ Value::Map(members)) if !members.is_empty() => {
            changes.extend(repairs(recipe, entry, connection, &authorization));
        }
        Some(other) if !is_empty_section(other) => return Err(no_entry(recipe, document, other)),
        _ => changes.push(Change::set(recipe.entry, new_entry(recipe, connection, &authorization))),
    }
    let mut notices = duplicates(recipe, document);
    notices.extend(taken_over(recipe, entry.as_ref(), connection));
    notices.extend(same_hub(recipe, document, connection));
    if authorization.replaced_literal_that_all_could_read {
        notices.push(
            "everybody on this machine can read the key that stood in this file: a reference takes its place"
                .to_owned(),
        );
    }
    notices.extend((recipe.faults)(&AsReader(document), surroundings.directory));
    let disabled =
        entry.as_ref().is_some_and(|entry| (recipe.is_disabled)(entry) || retired_off(recipe, entry));
    let edited = document.edit(&changes)?;
    Ok(Planned {
        text: (edited != text).then_some(edited),
        from_nothing,
        secrets: authorization.style,
        disabled,
        notices,
    })
}

/// The header value to write and how it gives the key.
struct Authorization {
    style: SecretStyle,
    /// The value to stand in the file.
    value: Secret,
    replaced_literal_that_all_could_read: bool,
}

impl Authorization {
    /// An explicit style wins. Otherwise what stands is kept when it gives the agent this very key: a literal
    /// where others cannot read it, a reference where it will resolve. Otherwise the recipe's style, and a
    /// reference wherever everybody could read a literal.
    fn choose(
        recipe: &Recipe,
        entry: Option<&Value>,
        surroundings: Surroundings<'_>,
        connection: &Connection,
    ) -> Self {
        let literal = format!("Bearer {}", connection.key.expose());
        let standing = entry.and_then(|entry| authorizations(entry).last()?.1.as_str());
        let standing_literal = standing == Some(literal.as_str());
        let standing_reference = standing.filter(|text| (recipe.is_reference)(text));
        let style = match connection.secrets {
            Some(style) => style,
            None if standing_literal && !surroundings.world_readable => SecretStyle::Literal,
            None if standing_reference.is_some() && connection.reference_resolves => SecretStyle::Reference,
            None if surroundings.world_readable => SecretStyle::Reference,
            None => recipe.secrets,
        };
        let value = match (style, standing_reference) {
            (SecretStyle::Literal, _) => literal,
            (SecretStyle::Reference, Some(standing)) => standing.to_owned(),
            (SecretStyle::Reference, None) => bearer_reference(),
        };
        Self {
            style,
            value: Secret::new(value),
            replaced_literal_that_all_could_read: style == SecretStyle::Reference
                && standing_literal
                && surroundings.world_readable,
        }
    }
}

fn new_entry(recipe: &Recipe, connection: &Connection, authorization: &Authorization) -> Value {
    let value = |wanted: Wanted| match wanted {
        Wanted::Url => Value::Str(connection.url.clone()),
        Wanted::Text(text) => text.into(),
        Wanted::DefaultNumber(number) => Value::Int(number),
    };
    let mut members: Vec<(String, Value)> =
        recipe.fields.iter().map(|field| (field.key.to_owned(), value(field.wanted))).collect();
    let header = ("Authorization".to_owned(), Value::Str(authorization.value.expose().to_owned()));
    members.insert(recipe.before_headers, ("headers".to_owned(), Value::Map(vec![header])));
    Value::Map(members)
}

/// What must change in an entry that is already there.
fn repairs(
    recipe: &Recipe,
    entry: &Value,
    connection: &Connection,
    authorization: &Authorization,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for field in recipe.fields {
        let path = inside(recipe, &[field.key]);
        match field.wanted {
            Wanted::Url => changes.push(Change::set(&path, Value::Str(connection.url.clone()))),
            Wanted::Text(text) => changes.push(Change::set(&path, text.into())),
            Wanted::DefaultNumber(number) => {
                if !matches!(entry.get(field.key), Some(Value::Int(_) | Value::Float(_))) {
                    changes.push(Change::set(&path, Value::Int(number)));
                }
            }
        }
    }
    let mut names: Vec<&str> = authorizations(entry).map(|(name, _)| name).collect();
    let live = names.pop().unwrap_or("Authorization");
    let value = Value::Str(authorization.value.expose().to_owned());
    changes.push(Change::set(&inside(recipe, &["headers", live]), value));
    if retired_off(recipe, entry) {
        changes.push(Change::set(&inside(recipe, &["enabled"]), Value::Bool(false)));
    }
    changes.extend(names.iter().map(|name| Change::remove(&inside(recipe, &["headers", name]))));
    changes.extend(
        recipe
            .unwanted
            .iter()
            .filter(|key| entry.get(key).is_some())
            .map(|key| Change::remove(&inside(recipe, &[key]))),
    );
    changes
}

/// The path of something inside the entry.
fn inside<'k>(recipe: &Recipe, rest: &[&'k str]) -> Vec<&'k str> {
    [recipe.entry, rest].concat()
}

/// Whether the entry was switched off by a key that the host no longer takes.
fn retired_off(recipe: &Recipe, entry: &Value) -> bool {
    let off = recipe.retired_switch.and_then(|key| entry.get(key)) == Some(&Value::Bool(true));
    off && entry.get("enabled").is_none()
}

/// What goes from an entry that was there: somebody may have meant something else by its name.
fn taken_over(recipe: &Recipe, entry: Option<&Value>, connection: &Connection) -> Vec<String> {
    let Some(entry) = entry else { return Vec::new() };
    let name = recipe.entry.join(".");
    let mut said = Vec::new();
    if entry.get("url").and_then(Value::as_str).is_some_and(|url| url != connection.url) {
        said.push(format!("`{name}` pointed to another URL before"));
    }
    let gone: Vec<String> =
        recipe.unwanted.iter().filter(|key| entry.get(key).is_some()).map(|key| format!("`{key}`")).collect();
    if !gone.is_empty() {
        said.push(format!(
            "{} does not belong in `{name}`: of another transport, or retired",
            gone.join(", ")
        ));
    }
    said
}

/// Other entries that lead to the same Hub, such as older scripts have left: every tool appears twice.
fn same_hub<'a, D: Document<'a>>(recipe: &Recipe, document: &D, connection: &Connection) -> Vec<String> {
    let Some((ours, section)) = recipe.entry.split_last() else { return Vec::new() };
    let Some(Value::Map(servers)) = document.get(section) else { return Vec::new() };
    let leads_there = |server: &Value| server.get("url").and_then(Value::as_str) == Some(&connection.url);
    servers
        .iter()
        .filter(|(name, server)| name != ours && leads_there(server))
        .map(|(name, _)| {
            format!("`{}.{name}` leads to the same Hub: the agent sees its tools twice", section.join("."))
        })
        .collect()
}

/// `null`, nothing, `{}` and `''` hold a place; the entry is written into it.
fn is_empty_section(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Map(members) => members.is_empty(),
        Value::Str(text) => text.is_empty(),
        _ => false,
    }
}

fn no_entry<'a, D: Document<'a>>(recipe: &Recipe, document: &D, found: &Value) -> Refusal {
    Refusal {
        kind: RefusalKind::NotAMapping,
        at: document.position(recipe.entry),
        what: format!("`{}` is {}, where a mapping should stand", recipe.entry.join("."), found.kind()),
        next: "remove it or make it a mapping",
    }
}

fn duplicates<'a, D: Document<'a>>(recipe: &Recipe, document: &D) -> Vec<String> {
    let sentence = |duplicate: crate::Duplicate| {
        let lines: Vec<String> = duplicate.lines.iter().map(usize::to_string).collect();
        format!(
            "`{}` stands {} times (lines {}); {} reads the last one, and that is the one hubkit wires",
            duplicate.path.join("."),
            lines.len(),
            lines.join(", "),
            recipe.host,
        )
    };
    document.duplicates(&inside(recipe, &["headers"])).into_iter().map(sentence).collect()
}

fn text_of(bytes: &[u8]) -> Result<&str, Refusal> {
    if bytes.len() > limits::CONFIG_FILE_BYTES {
        return Err(Refusal {
            kind: RefusalKind::TooLarge,
            at: None,
            what: format!("the file is larger than {} bytes", limits::CONFIG_FILE_BYTES),
            next: "keep a configuration of that size out of this file",
        });
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        Refusal {
            kind: RefusalKind::Encoding,
            at: Some(Position::of(&String::from_utf8_lossy(valid), valid.len())),
            what: "the file is not valid UTF-8".to_owned(),
            next: "save it as UTF-8",
        }
    })
}

fn clobbered(backups: &[String]) -> Refusal {
    Refusal {
        kind: RefusalKind::Clobbered,
        at: None,
        what: format!("the file is empty, and beside it stands {}: something emptied it", backups.join(", ")),
        next: "restore the backup, or remove the empty file to start anew",
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
