//! Strict intake of the environment: every variable is cleaned, checked and kept with what was done to it.
//!
//! A malformed variable is an error of that variable alone; a step fails only on what it uses.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use hubkit_redaction::{Redactor, Secret};

use crate::clean::{self, Cleaned};
use crate::environment as names;
use crate::{Urn, hub_url, limits, stale};

/// Where variables and `*_FILE` contents come from.
pub struct Source<'a> {
    /// A variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// The content of a file, of which at most the given number of bytes plus one are wanted.
    pub file: &'a dyn Fn(&Path, usize) -> io::Result<Vec<u8>>,
}

/// One accepted variable.
#[derive(Debug, Clone)]
pub struct Taken<T> {
    /// The clean value.
    pub value: T,
    /// Whether the environment itself holds exactly this value under the variable's own name, so that a
    /// host which expands `${NAME}` gets it. False after cleaning and for `*_FILE`.
    pub as_is: bool,
    /// Whether it came from a `*_FILE` alone, so that the environment does not hold it at all.
    pub from_file: bool,
}

impl<T> Taken<T> {
    fn from_variable(value: T, as_is: bool) -> Self {
        Self { value, as_is, from_file: false }
    }
}

/// A variable that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntakeError {
    /// The variable, or its `*_FILE` form.
    pub variable: String,
    /// What is wrong with it; never its value.
    pub what: String,
    /// What to do.
    pub next: &'static str,
}

impl fmt::Display for IntakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}; {}", self.variable, self.what, self.next)
    }
}

impl std::error::Error for IntakeError {}

/// The outcome of one variable: unset (or blank), taken, or unusable.
pub type Field<T> = Result<Option<Taken<T>>, IntakeError>;

/// Whose model the agent uses where the user has chosen one and the Hub offers another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ModelChoice {
    /// The user's.
    #[default]
    Keep,
    /// The Hub's.
    Hub,
}

/// Everything hubkit takes from the environment.
#[derive(Debug)]
pub struct Intake {
    /// `HUB_URL`, normalised.
    pub hub_url: Field<String>,
    /// `HUB_MCP_URL`, as given unless it is of the older transport.
    pub hub_mcp_url: Field<String>,
    /// `HUB_MCP_API_KEY`.
    pub hub_mcp_api_key: Field<Secret>,
    /// `HUB_WAKE_SECRET`.
    pub hub_wake_secret: Field<Secret>,
    /// `HUB_MCP_ENABLED`.
    pub hub_mcp_enabled: Field<bool>,
    /// `HUB_APP_KEY`.
    pub hub_app_key: Field<Secret>,
    /// `CI_APP_URN`.
    pub ci_app_urn: Field<Urn>,
    /// `CI_SERVER_URL`.
    pub ci_server_url: Field<String>,
    /// `CI_SERVER_TOKEN`.
    pub ci_server_token: Field<Secret>,
    /// `OLLAMA_HOST`.
    pub ollama_host: Field<String>,
    /// `CI_LLM_NUM_CTX`.
    pub ci_llm_num_ctx: Field<u32>,
    /// `HUBKIT_STATE_DIR`.
    pub hubkit_state_dir: Field<PathBuf>,
    /// `HUBKIT_MEMORY_MCP_PATH`.
    pub hubkit_memory_mcp_path: Field<String>,
    /// `HUBKIT_PLUGIN_DIR`.
    pub hubkit_plugin_dir: Field<Vec<PathBuf>>,
    /// `HUBKIT_HUB_PROXY`.
    pub hubkit_hub_proxy: Field<String>,
    /// `HUBKIT_MODEL`.
    pub hubkit_model: Field<ModelChoice>,
    /// What was forgiven, one line each, naming variables and no values.
    pub notes: Vec<String>,
    redactor: Redactor,
}

impl Intake {
    /// Reads all variables of [`names::TABLE`] and the `*_FILE` forms of the secrets, and nothing else.
    #[must_use]
    pub fn take(source: &Source<'_>) -> Self {
        let mut taker = Taker { source, notes: Vec::new(), redactor: Redactor::new() };
        Self {
            hub_url: taker.hub_url(),
            hub_mcp_url: taker.hub_mcp_url(),
            hub_mcp_api_key: taker.secret(names::HUB_MCP_API_KEY, Taker::key),
            hub_wake_secret: taker.secret(names::HUB_WAKE_SECRET, Taker::text),
            hub_mcp_enabled: taker.switch(names::HUB_MCP_ENABLED),
            hub_app_key: taker.secret(names::HUB_APP_KEY, Taker::key),
            ci_app_urn: taker.urn(),
            ci_server_url: taker.url(names::CI_SERVER_URL, "set it to a URL such as http://gateway:8642"),
            ci_server_token: taker.secret(names::CI_SERVER_TOKEN, Taker::key),
            ollama_host: taker.ollama_host(),
            ci_llm_num_ctx: taker.tokens(),
            hubkit_state_dir: taker.directory(names::HUBKIT_STATE_DIR),
            hubkit_memory_mcp_path: taker.url_path(names::HUBKIT_MEMORY_MCP_PATH),
            hubkit_plugin_dir: taker.directories(names::HUBKIT_PLUGIN_DIR),
            hubkit_hub_proxy: taker.url(names::HUBKIT_HUB_PROXY, "set it to a URL such as http://proxy:3128"),
            hubkit_model: taker.model_choice(),
            notes: taker.all_notes(),
            redactor: taker.redactor,
        }
    }

    /// Masks every secret that was seen, also those that were refused.
    #[must_use]
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// The Hub's MCP endpoint: `HUB_MCP_URL`, else `HUB_URL` + `/api/mcp`. `None` when neither is set.
    ///
    /// # Errors
    /// The error of the variable that would have been used.
    pub fn mcp_endpoint(&self) -> Result<Option<String>, IntakeError> {
        if let Some(url) = self.hub_mcp_url.clone()? {
            return Ok(Some(url.value));
        }
        Ok(self.hub_url.clone()?.map(|base| format!("{}{}", base.value, hub_url::MCP_PATH)))
    }

    /// Whether the MCP wiring is wanted: unless `HUB_MCP_ENABLED` says no.
    ///
    /// # Errors
    /// The variable holds an unknown word.
    pub fn mcp_enabled(&self) -> Result<bool, IntakeError> {
        Ok(self.hub_mcp_enabled.clone()?.is_none_or(|switch| switch.value))
    }
}

struct Taker<'a> {
    source: &'a Source<'a>,
    notes: Vec<String>,
    redactor: Redactor,
}

impl Taker<'_> {
    /// The cleaned text of a variable and whether cleaning left it as it was.
    fn read(&mut self, name: &str) -> Result<Option<(Cleaned, bool)>, IntakeError> {
        let Some(raw) = (self.source.variable)(name) else { return Ok(None) };
        let raw = raw
            .into_string()
            .map_err(|_| error(name, "is not valid UTF-8".to_owned(), "set it to plain text"))?;
        let Some(cleaned) = clean::clean(&raw) else {
            self.notes.push(format!("{name} is set but blank: taken as unset"));
            return Ok(None);
        };
        let as_is = cleaned.text == raw;
        self.notes.extend(cleaned.notes.iter().map(|note| format!("{name}: {note}")));
        Ok(Some((cleaned, as_is)))
    }

    fn url(&mut self, name: &'static str, next: &'static str) -> Field<String> {
        let Some((cleaned, as_is)) = self.read(name)? else { return Ok(None) };
        hub_url::check(&cleaned.text).map_err(|what| error(name, what, next))?;
        Ok(Some(Taken::from_variable(cleaned.text, as_is)))
    }

    fn hub_url(&mut self) -> Field<String> {
        let next = "set it to the Hub's address alone, such as http://ci-hub:5002";
        let Some(given) = self.url(names::HUB_URL, next)? else { return Ok(None) };
        let (value, note) = hub_url::base(&given.value).map_err(|what| error(names::HUB_URL, what, next))?;
        self.notes.extend(note.map(|note| format!("{}: {note}", names::HUB_URL)));
        let as_is = given.as_is && value == given.value;
        Ok(Some(Taken::from_variable(value, as_is)))
    }

    fn hub_mcp_url(&mut self) -> Field<String> {
        let name = names::HUB_MCP_URL;
        let given = self.url(name, "set it to a URL such as http://ci-hub:5002/api/mcp")?;
        Ok(given.map(|given| match stale::renewed(&given.value) {
            None => given,
            Some(url) => {
                self.notes
                    .push(format!("{name} is of the Hub's older transport: `{}` is used", hub_url::MCP_PATH));
                Taken::from_variable(url, false)
            }
        }))
    }

    fn ollama_host(&mut self) -> Field<String> {
        let name = names::OLLAMA_HOST;
        let Some((cleaned, as_is)) = self.read(name)? else { return Ok(None) };
        let bare = !cleaned.text.contains("://");
        let value = if bare { format!("http://{}", cleaned.text) } else { cleaned.text };
        hub_url::check(&value).map_err(|what| error(name, what, "set it to http://HOST:PORT"))?;
        Ok(Some(Taken::from_variable(value, as_is && !bare)))
    }

    fn switch(&mut self, name: &'static str) -> Field<bool> {
        let Some((cleaned, as_is)) = self.read(name)? else { return Ok(None) };
        let value = match cleaned.text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => true,
            "false" | "0" | "no" | "off" => false,
            _ => {
                return Err(error(
                    name,
                    "holds a word that means neither yes nor no".to_owned(),
                    "set it to true or false, or unset it",
                ));
            }
        };
        Ok(Some(Taken::from_variable(value, as_is)))
    }

    fn urn(&mut self) -> Field<Urn> {
        let name = names::CI_APP_URN;
        let Some((cleaned, as_is)) = self.read(name)? else { return Ok(None) };
        let value = Urn::parse(&cleaned.text)
            .ok_or_else(|| error(name, "is no app name".to_owned(), "set it to APP:STORE"))?;
        Ok(Some(Taken::from_variable(value, as_is)))
    }

    fn tokens(&mut self) -> Field<u32> {
        let name = names::CI_LLM_NUM_CTX;
        let Some((cleaned, as_is)) = self.read(name)? else { return Ok(None) };
        let value = cleaned.text.parse().ok().filter(|tokens| *tokens > 0).ok_or_else(|| {
            error(
                name,
                "is no positive whole number".to_owned(),
                "set it to a number of tokens such as 65536",
            )
        })?;
        Ok(Some(Taken::from_variable(value, as_is)))
    }

    fn directory(&mut self, name: &'static str) -> Field<PathBuf> {
        let Some((cleaned, as_is)) = self.read(name)? else { return Ok(None) };
        absolute(name, &cleaned.text).map(|value| Some(Taken::from_variable(value, as_is)))
    }

    fn directories(&mut self, name: &'static str) -> Field<Vec<PathBuf>> {
        let Some((cleaned, as_is)) = self.read(name)? else { return Ok(None) };
        let folders = cleaned.text.split(':').filter(|folder| !folder.trim().is_empty());
        let value = folders.map(|folder| absolute(name, folder)).collect::<Result<_, _>>()?;
        Ok(Some(Taken::from_variable(value, as_is)))
    }

    fn url_path(&mut self, name: &'static str) -> Field<String> {
        let Some((cleaned, as_is)) = self.read(name)? else { return Ok(None) };
        let next = "set it to a path such as /api/mcp";
        if let Some(stray) = clean::first_stray(&cleaned.text) {
            return Err(error(name, format!("contains {stray}"), next));
        }
        let is_path = cleaned.text.starts_with('/')
            && !cleaned.text.starts_with("//")
            && !cleaned.text.contains(['?', '#', '\\'])
            && !cleaned.text.split('/').any(|segment| segment == "..");
        if !is_path {
            return Err(error(name, "is no plain path of a URL".to_owned(), next));
        }
        Ok(Some(Taken::from_variable(cleaned.text, as_is)))
    }

    fn model_choice(&mut self) -> Field<ModelChoice> {
        let name = names::HUBKIT_MODEL;
        let Some((cleaned, as_is)) = self.read(name)? else { return Ok(None) };
        let value = match cleaned.text.to_ascii_lowercase().as_str() {
            "keep" => ModelChoice::Keep,
            "hub" => ModelChoice::Hub,
            _ => {
                return Err(error(
                    name,
                    "holds an unknown word".to_owned(),
                    "set it to keep or hub, or unset it",
                ));
            }
        };
        Ok(Some(Taken::from_variable(value, as_is)))
    }

    /// A secret from its variable or from the file that its `*_FILE` form names.
    fn secret(
        &mut self,
        name: &'static str,
        check: fn(&mut Self, &str, Cleaned) -> Result<String, IntakeError>,
    ) -> Field<Secret> {
        self.learn_raw((self.source.variable)(name));
        let direct = match self.read(name)? {
            Some((cleaned, as_is)) => {
                let before = cleaned.text.clone();
                let text = check(self, name, cleaned)?;
                Some(Taken::from_variable(self.learn(text.clone()), as_is && text == before))
            }
            None => None,
        };
        let from_file = match self.secret_file(name)? {
            Some(text) => {
                self.learn_raw(Some(text.clone().into()));
                let file_form = names::file_form(name);
                match clean::clean(&text) {
                    Some(cleaned) => {
                        // A line break at the end is how files end; anything else that went is said.
                        let ordinary = text.trim_end_matches(['\r', '\n']) == cleaned.text;
                        let notes = cleaned.notes.iter().filter(|_| !ordinary);
                        self.notes.extend(notes.map(|note| format!("{file_form}: {note}")));
                        Some(check(self, &file_form, cleaned).map(|text| self.learn(text))?)
                    }
                    None => {
                        let what = "names a file that is blank".to_owned();
                        return Err(error(
                            &file_form,
                            what,
                            "write the secret into the file, or unset the variable",
                        ));
                    }
                }
            }
            None => None,
        };
        match (direct, from_file) {
            (Some(direct), Some(file)) if direct.value != file => Err(error(
                name,
                format!("and {} hold different secrets", names::file_form(name)),
                "unset one of the two",
            )),
            (Some(direct), _) => Ok(Some(direct)),
            (None, Some(value)) => Ok(Some(Taken { value, as_is: false, from_file: true })),
            (None, None) => Ok(None),
        }
    }

    fn secret_file(&mut self, name: &str) -> Result<Option<String>, IntakeError> {
        let file_form = names::file_form(name);
        let Some(path) = (self.source.variable)(&file_form).filter(|path| !path.is_empty()) else {
            return Ok(None);
        };
        let path = PathBuf::from(path);
        let next = "name a readable file that holds the secret alone";
        let bytes = (self.source.file)(&path, limits::SECRET_FILE_BYTES).map_err(|cause| {
            error(&file_form, format!("names {}, which cannot be read: {cause}", path.display()), next)
        })?;
        if bytes.len() > limits::SECRET_FILE_BYTES {
            let what =
                format!("names {}, which is larger than {} bytes", path.display(), limits::SECRET_FILE_BYTES);
            return Err(error(&file_form, what, next));
        }
        let text = String::from_utf8(bytes).map_err(|_| {
            error(&file_form, format!("names {}, which is not valid UTF-8", path.display()), next)
        })?;
        Ok(Some(text))
    }

    /// A key that travels in an HTTP header: visible ASCII, no placeholder, without a `Bearer ` of its own.
    fn key(&mut self, name: &str, cleaned: Cleaned) -> Result<String, IntakeError> {
        let mut text = cleaned.text.as_str();
        while let Some((scheme, rest)) = text.split_once(' ') {
            if !scheme.eq_ignore_ascii_case("bearer") {
                break;
            }
            self.notes.push(format!("{name}: leading `Bearer` removed"));
            text = rest.trim_start();
        }
        if let Some(stray) = clean::first_stray(text) {
            return Err(error(
                name,
                format!("contains {stray}"),
                "copy the key again, without anything around it",
            ));
        }
        if text.is_empty() || clean::is_placeholder(text) || text.eq_ignore_ascii_case("bearer") {
            let what = "is a placeholder that nobody filled in".to_owned();
            return Err(error(name, what, "set it to the key itself, or unset it"));
        }
        Ok(text.to_owned())
    }

    /// A secret whose bytes are used as they are.
    fn text(&mut self, name: &str, cleaned: Cleaned) -> Result<String, IntakeError> {
        if let Some(control) = clean::first_control(&cleaned.text) {
            let next = "copy the secret again, without anything around it";
            return Err(error(name, format!("contains {control}"), next));
        }
        if clean::is_placeholder(&cleaned.text) {
            let what = "is a placeholder that nobody filled in".to_owned();
            return Err(error(name, what, "set it to the secret itself, or unset it"));
        }
        Ok(cleaned.text)
    }

    /// What was noted, and what older set-ups left.
    fn all_notes(&mut self) -> Vec<String> {
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(stale::stale_environment(self.source.variable));
        notes
    }

    fn learn(&mut self, text: String) -> Secret {
        let secret = Secret::new(text);
        self.redactor.add(&secret);
        secret
    }

    /// What a refused value holds must not be printed either.
    fn learn_raw(&mut self, raw: Option<OsString>) {
        if let Some(raw) = raw {
            self.redactor.add(&Secret::new(raw.to_string_lossy().trim()));
        }
    }
}

fn absolute(name: &str, text: &str) -> Result<PathBuf, IntakeError> {
    let path = PathBuf::from(text);
    if !path.is_absolute() || clean::first_control(text).is_some() {
        return Err(error(name, "holds no absolute path".to_owned(), "set it to a path that begins with /"));
    }
    Ok(path)
}

fn error(variable: &str, what: String, next: &'static str) -> IntakeError {
    IntakeError { variable: variable.to_owned(), what, next }
}

#[cfg(test)]
#[path = "intake_tests.rs"]
mod tests;
