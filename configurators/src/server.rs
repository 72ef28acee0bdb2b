//! One MCP server in a host's file: the Hub, the memory server, or any other.

use hubkit_contract::hub_url;
use hubkit_redaction::Secret;

use crate::credential::{Credential, Prefix, Written};
use crate::entry::authorizations;
use crate::part::{Intent, Part, Stop, Surroundings};
use crate::recipe::{Reader, Recipe, Wanted};
use crate::{Change, Refusal, RefusalKind, Value};

/// An MCP server that should stand in the file of `recipe`.
pub struct Server {
    /// The host's wiring.
    pub recipe: &'static Recipe,
    /// The server's name, which is the key of its entry.
    pub name: String,
    /// How the host reaches it.
    pub transport: Transport,
}

/// How a host reaches an MCP server.
pub enum Transport {
    /// Streamable HTTP.
    Http {
        /// http or https URL.
        url: String,
        /// What opens it, as `Authorization: Bearer …`.
        credential: Option<Credential>,
        /// Other headers, exactly as they shall stand.
        headers: Vec<(String, Secret)>,
    },
    /// A program that the host starts.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
    },
}

/// Keys that select Streamable HTTP or belong to it; in the entry of a program they do not stand.
const OF_HTTP: [&str; 3] = ["url", "headers", "transport"];

/// Keys that select a program, which are the entry's own where it is one.
const OF_STDIO: [&str; 2] = ["command", "args"];

impl Part for Server {
    fn plan(&self, document: &dyn Reader, surroundings: Surroundings<'_>) -> Result<Intent, Stop> {
        let path = self.recipe.server_path(&self.name);
        let entry = document.get(&path);
        let wanted = self.wanted(entry.as_ref(), surroundings)?;
        let mut changes = Vec::new();
        match &entry {
            Some(entry @ Value::Map(members)) if !members.is_empty() => {
                changes.extend(self.repairs(&path, entry, &wanted));
            }
            Some(other) if !is_empty_section(other) => return Err(no_entry(document, &path, other).into()),
            _ => changes.push(Change::set(&path, self.new_entry(&wanted))),
        }
        let mut notices = self.duplicates(document, &path);
        notices.extend(self.taken_over(&path, entry.as_ref()));
        notices.extend(self.same_endpoint(document));
        let authorization = wanted.authorization.as_ref();
        if authorization.is_some_and(|authorization| authorization.replaced_literal_that_all_could_read) {
            notices.push(
                "everybody on this machine can read the key that stood in this file: a reference takes its place"
                    .to_owned(),
            );
        }
        let is_off = |entry: &Value| (self.recipe.is_disabled)(entry) || self.retired_off(entry);
        Ok(Intent {
            changes,
            entries: vec![path.iter().map(|key| (*key).to_owned()).collect()],
            secrets: authorization.map(|authorization| authorization.style),
            disabled: entry.as_ref().is_some_and(is_off),
            skipped: None,
            notices,
        })
    }
}

/// What the entry must hold.
struct Fields {
    /// Keys with values that must be exactly these; a default is wanted only where the user has no number.
    fields: Vec<(&'static str, Value, Need)>,
    authorization: Option<Written>,
    /// How many of `fields` a new entry holds before its headers.
    before_headers: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Need {
    Exactly,
    SomeNumber,
}

impl Server {
    fn wanted(&self, entry: Option<&Value>, surroundings: Surroundings<'_>) -> Result<Fields, Stop> {
        match &self.transport {
            Transport::Http { url, credential, .. } => {
                let field = |wanted: Wanted| match wanted {
                    Wanted::Url => (Value::Str(url.clone()), Need::Exactly),
                    Wanted::Text(text) => (text.into(), Need::Exactly),
                    Wanted::DefaultNumber(number) => (Value::Int(number), Need::SomeNumber),
                };
                let fields = self.recipe.fields.iter().map(|wanted| {
                    let (value, need) = field(wanted.wanted);
                    (wanted.key, value, need)
                });
                let standing = entry.and_then(|entry| authorizations(entry).last()?.1.as_str());
                let choose = |credential: &Credential| {
                    credential.choose(self.recipe, Prefix::Bearer, standing, surroundings)
                };
                Ok(Fields {
                    fields: fields.collect(),
                    authorization: credential.as_ref().map(choose).transpose()?,
                    before_headers: self.recipe.before_headers,
                })
            }
            Transport::Stdio { command, args } => {
                let mut fields = vec![("command", Value::Str(command.clone()), Need::Exactly)];
                if !args.is_empty() {
                    let args = args.iter().map(|arg| Value::Str(arg.clone())).collect();
                    fields.push(("args", Value::List(args), Need::Exactly));
                }
                Ok(Fields { before_headers: fields.len(), fields, authorization: None })
            }
        }
    }

    /// The headers that must stand beside the authorization.
    fn headers(&self) -> &[(String, Secret)] {
        match &self.transport {
            Transport::Http { headers, .. } => headers,
            Transport::Stdio { .. } => &[],
        }
    }

    fn new_entry(&self, wanted: &Fields) -> Value {
        let fields = wanted.fields.iter();
        let mut members: Vec<(String, Value)> =
            fields.map(|(key, value, _)| ((*key).to_owned(), value.clone())).collect();
        let ours = wanted.authorization.iter().map(|ours| ("Authorization".to_owned(), text(&ours.value)));
        let others = self.headers().iter().map(|(name, value)| (name.clone(), text(value)));
        let headers: Vec<_> = ours.chain(others).collect();
        if !headers.is_empty() {
            members.insert(wanted.before_headers, ("headers".to_owned(), Value::Map(headers)));
        }
        Value::Map(members)
    }

    /// What must change in an entry that is already there.
    fn repairs(&self, path: &[&str], entry: &Value, wanted: &Fields) -> Vec<Change> {
        let mut changes = Vec::new();
        for (key, value, need) in &wanted.fields {
            let has_number = matches!(entry.get(key), Some(Value::Int(_) | Value::Float(_)));
            if *need == Need::Exactly || !has_number {
                changes.push(Change::set(&inside(path, &[key]), value.clone()));
            }
        }
        if let Some(ours) = &wanted.authorization {
            let mut names: Vec<&str> = authorizations(entry).map(|(name, _)| name).collect();
            let live = names.pop().unwrap_or("Authorization");
            changes.push(Change::set(&inside(path, &["headers", live]), text(&ours.value)));
            changes.extend(names.iter().map(|name| Change::remove(&inside(path, &["headers", name]))));
        }
        for (name, value) in self.headers() {
            changes.extend(header(path, entry, name, value));
        }
        let strangers = self.strangers(entry);
        changes.extend(strangers.iter().map(|name| Change::remove(&inside(path, &["headers", name]))));
        if self.retired_off(entry) {
            changes.push(Change::set(&inside(path, &["enabled"]), Value::Bool(false)));
        }
        changes.extend(self.unwanted(entry).map(|key| Change::remove(&inside(path, &[key]))));
        changes
    }

    /// Headers that were for a server at another origin and were not given for this one: a credential must not go
    /// to whoever is there now. Where hubkit manages the credential, the others are the user's for that server.
    fn strangers<'e>(&self, entry: &'e Value) -> Vec<&'e str> {
        let Transport::Http { url, credential: None, headers } = &self.transport else { return Vec::new() };
        let Some(standing) = entry.get("url").and_then(Value::as_str) else { return Vec::new() };
        if hub_url::same_origin(standing, url) {
            return Vec::new();
        }
        let members = match entry.get("headers") {
            Some(Value::Map(members)) => members.as_slice(),
            _ => &[],
        };
        let is_given = |name: &str| headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        members.iter().map(|(name, _)| name.as_str()).filter(|name| !is_given(name)).collect()
    }

    /// Keys of the entry that must not stand in it.
    fn unwanted<'e>(&'e self, entry: &'e Value) -> impl Iterator<Item = &'static str> + 'e {
        let (of_ours, of_other): (&[_], &[_]) = match &self.transport {
            // The recipes name those of a program themselves.
            Transport::Http { .. } => (&OF_HTTP[..2], &[]),
            Transport::Stdio { args, .. } if args.is_empty() => (&OF_STDIO[..1], &OF_HTTP),
            Transport::Stdio { .. } => (&OF_STDIO, &OF_HTTP),
        };
        let candidates = self.recipe.unwanted.iter().chain(of_other).copied();
        candidates.filter(move |key| !of_ours.contains(key) && entry.get(key).is_some())
    }

    /// Whether the entry was switched off by a key that the host no longer takes.
    fn retired_off(&self, entry: &Value) -> bool {
        let off = self.recipe.retired_switch.and_then(|key| entry.get(key)) == Some(&Value::Bool(true));
        off && entry.get("enabled").is_none()
    }

    /// What goes from an entry that was there: somebody may have meant something else by its name.
    fn taken_over(&self, path: &[&str], entry: Option<&Value>) -> Vec<String> {
        let Some(entry) = entry else { return Vec::new() };
        let name = path.join(".");
        let mut said = Vec::new();
        if let Transport::Http { url, .. } = &self.transport
            && entry.get("url").and_then(Value::as_str).is_some_and(|standing| standing != url)
        {
            said.push(format!("`{name}` pointed to another URL before"));
        }
        let strangers = self.strangers(entry);
        if !strangers.is_empty() {
            said.push(format!(
                "taken out of `{name}.headers`, which were for the server before: `{}`; give them with --header where \
                 they are meant for this one",
                strangers.join("`, `")
            ));
        }
        let gone: Vec<String> = self.unwanted(entry).map(|key| format!("`{key}`")).collect();
        if !gone.is_empty() {
            said.push(format!("taken out of `{name}`: {}, of another transport or retired", gone.join(", ")));
        }
        said
    }

    /// Other entries that lead to the same place, such as older scripts have left: every tool appears twice.
    fn same_endpoint(&self, document: &dyn Reader) -> Vec<String> {
        let Transport::Http { url, .. } = &self.transport else { return Vec::new() };
        let section = self.recipe.servers();
        let Some(Value::Map(servers)) = document.get(section) else { return Vec::new() };
        let leads_there = |server: &Value| server.get("url").and_then(Value::as_str) == Some(url);
        let whose = if self.name == self.recipe.hub() { "the same Hub" } else { "the same server" };
        servers
            .iter()
            .filter(|(name, server)| *name != self.name && leads_there(server))
            .map(|(name, _)| {
                format!("`{}.{name}` leads to {whose}: the agent sees its tools twice", section.join("."))
            })
            .collect()
    }

    fn duplicates(&self, document: &dyn Reader, path: &[&str]) -> Vec<String> {
        let sentence = |duplicate: crate::Duplicate| {
            let lines: Vec<String> = duplicate.lines.iter().map(usize::to_string).collect();
            format!(
                "`{}` stands {} times (lines {}); {} reads the last one, and that is the one hubkit wires",
                duplicate.path.join("."),
                lines.len(),
                lines.join(", "),
                self.recipe.host,
            )
        };
        document.duplicates(&inside(path, &["headers"])).into_iter().map(sentence).collect()
    }
}

/// One header under the spelling that stands, without its other spellings: HTTP ignores the case of names.
fn header(path: &[&str], entry: &Value, name: &str, value: &Secret) -> Vec<Change> {
    let members = match entry.get("headers") {
        Some(Value::Map(members)) => members.as_slice(),
        _ => &[],
    };
    let mut names: Vec<&str> = members
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|other| other.eq_ignore_ascii_case(name))
        .collect();
    let live = names.pop().unwrap_or(name);
    let set = Change::set(&inside(path, &["headers", live]), text(value));
    std::iter::once(set)
        .chain(names.into_iter().map(|name| Change::remove(&inside(path, &["headers", name]))))
        .collect()
}

fn text(secret: &Secret) -> Value {
    Value::Str(secret.expose().to_owned())
}

/// The path of something inside the entry.
fn inside<'k>(path: &[&'k str], rest: &[&'k str]) -> Vec<&'k str> {
    [path, rest].concat()
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

fn no_entry(document: &dyn Reader, path: &[&str], found: &Value) -> Refusal {
    Refusal {
        kind: RefusalKind::NotAMapping,
        at: document.position(path),
        what: format!("`{}` is {}, where a mapping should stand", path.join("."), found.kind()),
        next: "remove it or make it a mapping",
    }
}

#[cfg(test)]
mod tests;
