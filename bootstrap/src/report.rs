//! What a step did, as data: printed for people, serialised for machines.

use std::path::Path;

use hubkit_contract::exit;
use hubkit_redaction::Secret;
use serde::Serialize;

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Everything was right already; nothing was written.
    Unchanged,
    /// The file was changed.
    Changed,
    /// The Hub did not say what the step needs: what it said before stays in use.
    Stale,
    /// The file would be changed (`--check`); nothing was written.
    WouldChange,
    /// The step was not wanted or had nothing to work with.
    Skipped,
    /// The file's content, the file itself or the environment does not allow it; nothing was written.
    Refused,
    /// hubkit itself failed.
    Failed,
}

/// A file or folder beside the host's configuration that a step keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Touched {
    /// Where it is. Bytes that are no UTF-8 are shown as U+FFFD.
    pub path: String,
    /// What became of it: `unchanged`, `changed`, `would_change`.
    pub status: Status,
}

/// The outcome of one step.
#[derive(Debug, Clone, Serialize)]
pub struct StepReport {
    /// The step's name on the command line.
    pub step: &'static str,
    /// The host's name on the command line.
    pub host: &'static str,
    /// How it ended.
    pub status: Status,
    /// The file, links resolved where it was reached. Bytes that are no UTF-8 are shown as U+FFFD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Where in the file, `line:column`, for refused content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Why, for everything but a plain success. A sentence fragment without secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The kind of refusal, a stable name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Whether the entry stands in the file now.
    pub registered: bool,
    /// Whether the user switched the entry off, which is respected.
    pub disabled: bool,
    /// Whether the file did not exist before.
    pub created: bool,
    /// How the entry gives the agent its key: `literal` or `env`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secrets: Option<&'static str>,
    /// How the file was written: `atomic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<&'static str>,
    /// Files and folders of its own that the step keeps beside the host's file, in the order of writing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Touched>,
    /// What a person should know, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// The change as a unified diff, masked, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The exit code of this step taken alone; 0 for everything that counts as done.
    pub exit: u8,
    /// What the agent's environment gets from this step.
    #[serde(skip)]
    pub exports: Vec<(String, Secret)>,
    /// Variables that the agent must not get.
    #[serde(skip)]
    pub withheld: Vec<&'static str>,
    /// The exit code under `--strict`, where a step that found no credentials counts as not done.
    #[serde(skip)]
    pub strict_exit: u8,
}

impl StepReport {
    /// A report without details.
    #[must_use]
    pub fn new(step: &'static str, host: &'static str, status: Status) -> Self {
        Self {
            step,
            host,
            status,
            file: None,
            at: None,
            reason: None,
            kind: None,
            registered: false,
            disabled: false,
            created: false,
            secrets: None,
            write: None,
            also: Vec::new(),
            notices: Vec::new(),
            diff: None,
            exports: Vec::new(),
            withheld: Vec::new(),
            exit: exit::DONE,
            strict_exit: exit::DONE,
        }
    }

    /// This report, about the file at `path`.
    #[must_use]
    pub fn about(self, path: &Path) -> Self {
        Self { file: Some(path.display().to_string()), ..self }
    }

    /// A step that did not do its work, with the exit code that says why.
    #[must_use]
    pub fn stopped(step: &'static str, host: &'static str, status: Status, reason: String, code: u8) -> Self {
        let reason = Some(reason);
        Self { reason, exit: code, strict_exit: code, ..Self::new(step, host, status) }
    }
}
