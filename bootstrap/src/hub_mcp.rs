//! The step `hub-mcp`: the Hub's MCP entry in the host's configuration. Contacts nothing.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use hubkit_configurators::diff;
use hubkit_configurators::file::{self, Current, EditError, Mode, NoProbe, Outcome, Target, Written};
use hubkit_configurators::plan::{self, Connection, Planned, Surroundings};
use hubkit_configurators::recipe::SecretStyle;
use hubkit_configurators::{Host, Refusal, RefusalKind};
use hubkit_contract::environment::{HUB_MCP_API_KEY, HUB_MCP_ENABLED, HUB_MCP_URL, HUB_URL};
use hubkit_contract::{Intake, IntakeError, exit};

use crate::report::{Status, StepReport};

/// The step's name.
pub const STEP: &str = "hub-mcp";

/// How the step is wanted.
#[derive(Debug, Default)]
pub struct Wish {
    /// The host's configuration file, where it is not the one the host itself would find.
    pub config: Option<PathBuf>,
    /// How to write the key; `None` lets the file decide.
    pub secrets: Option<SecretStyle>,
    /// Write nothing, say what would change.
    pub check: bool,
    /// Put a diff into the report.
    pub diff: bool,
    /// Somebody asked for the entry itself: missing credentials are an error, not a reason to skip.
    pub explicit: bool,
    /// The agent is started with the clean key in its environment.
    pub exports_clean_key: bool,
}

/// Runs the step.
#[must_use]
pub fn run(host: Host, intake: &Intake, wish: &Wish) -> StepReport {
    let name = host.recipe().host;
    match connection(intake, wish) {
        Ok(Ok(connection)) => wire(host, &connection, intake, wish),
        Ok(Err(skip)) => skip.report(name, wish),
        Err(error) => StepReport::stopped(STEP, name, Status::Refused, error.to_string(), exit::CONFIG),
    }
}

/// Why there is nothing to wire.
enum Skip {
    /// `HUB_MCP_ENABLED` says no.
    NotWanted,
    /// These variables are not set.
    NoCredentials(String),
}

impl Skip {
    fn report(self, host: &'static str, wish: &Wish) -> StepReport {
        match self {
            Self::NotWanted => {
                let reason = Some(format!("{HUB_MCP_ENABLED} is false"));
                StepReport { reason, ..StepReport::new(STEP, host, Status::Skipped) }
            }
            Self::NoCredentials(missing) if wish.explicit => {
                let reason = format!(
                    "{missing} not set; the Hub sets them for an app with `mcp_client: true`, elsewhere set them yourself"
                );
                StepReport::stopped(STEP, host, Status::Refused, reason, exit::CONFIG)
            }
            Self::NoCredentials(missing) => StepReport {
                reason: Some(format!("{missing} not set: no Hub to wire")),
                strict_exit: exit::CONFIG,
                ..StepReport::new(STEP, host, Status::Skipped)
            },
        }
    }
}

fn connection(intake: &Intake, wish: &Wish) -> Result<Result<Connection, Skip>, IntakeError> {
    if !intake.mcp_enabled()? {
        return Ok(Err(Skip::NotWanted));
    }
    let endpoint = intake.mcp_endpoint()?;
    let key = intake.hub_mcp_api_key.clone()?;
    let (url, key) = match (endpoint, key) {
        (Some(url), Some(key)) => (url, key),
        (url, key) => {
            let mut missing = Vec::new();
            if url.is_none() {
                missing.push(format!("{HUB_MCP_URL} (or {HUB_URL})"));
            }
            if key.is_none() {
                missing.push(HUB_MCP_API_KEY.to_owned());
            }
            return Ok(Err(Skip::NoCredentials(missing.join(" and "))));
        }
    };
    let reference_resolves = key.as_is || wish.exports_clean_key;
    Ok(Ok(Connection { url, key: key.value, secrets: wish.secrets, reference_resolves }))
}

fn wire(host: Host, connection: &Connection, intake: &Intake, wish: &Wish) -> StepReport {
    let recipe = host.recipe();
    let path = match &wish.config {
        Some(path) if path.as_os_str().as_bytes().ends_with(b"/") => {
            let reason = "--config names a directory; name the file in it".to_owned();
            return StepReport::stopped(STEP, recipe.host, Status::Refused, reason, exit::CANNOT_WRITE)
                .about(path);
        }
        Some(path) => path.clone(),
        None => match host.config_path(&|name| std::env::var_os(name), &|path| path.exists()) {
            Ok(path) => path,
            Err(variables) => {
                let reason = format!("{variables} is not set; set it, or name the file with --config");
                return StepReport::stopped(STEP, recipe.host, Status::Refused, reason, exit::CONFIG);
            }
        },
    };
    let mode = if wish.check { Mode::CheckOnly } else { Mode::Write };
    let directory = path.parent().unwrap_or(Path::new("."));
    let result = file::edit(&Target::new(&path, mode), &NoProbe, |current: Current<'_>| {
        let surroundings =
            Surroundings { directory, world_readable: current.others_can_read, backups: current.backups };
        let planned = plan::plan(recipe, current.bytes, surroundings, connection)?;
        if planned.secrets == SecretStyle::Reference && !connection.reference_resolves {
            return Err(Stop::ReferenceDoesNotResolve);
        }
        Ok(match planned.text.clone() {
            None => file::Plan::Keep(planned),
            Some(text) => file::Plan::Replace { bytes: text.into_bytes(), note: planned },
        })
    });
    match result {
        Ok(outcome) => done(host, outcome, intake, wish),
        Err(error) => stopped(recipe.host, &path, error),
    }
}

/// Why the planner stopped an edit.
enum Stop {
    Refused(Refusal),
    ReferenceDoesNotResolve,
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

fn done(host: Host, outcome: Outcome<Planned>, intake: &Intake, wish: &Wish) -> StepReport {
    let planned = outcome.note;
    let status = match outcome.written {
        Written::Unchanged => Status::Unchanged,
        Written::WouldChange => Status::WouldChange,
        Written::Created | Written::Replaced => Status::Changed,
    };
    let mut notices = planned.notices;
    if planned.from_nothing && outcome.before.is_some() {
        notices.insert(0, "the file held no settings; taken as a new file".to_owned());
    }
    if planned.disabled {
        notices.push("the entry is switched off, which is respected: the agent does not connect".to_owned());
    }
    for directory in &outcome.created_directories {
        notices.push(format!("created the directory {}", directory.display()));
    }
    if outcome.swept > 0 {
        notices.push(format!("removed {} leftover(s) of an interrupted run", outcome.swept));
    }
    let diff = wish.diff.then(|| {
        let text =
            |bytes: Option<&Vec<u8>>| String::from_utf8_lossy(bytes.map_or(&[], Vec::as_slice)).into_owned();
        let (before, after) =
            (text(outcome.before.as_ref()), text(outcome.after.as_ref().or(outcome.before.as_ref())));
        diff::unified(&outcome.path.display().to_string(), &before, &after, &|line| {
            intake.redactor().redact(line)
        })
    });
    StepReport {
        file: Some(outcome.path.display().to_string()),
        registered: status != Status::WouldChange,
        disabled: planned.disabled,
        created: outcome.written == Written::Created,
        secrets: Some(planned.secrets.name()),
        write: outcome.written.how(),
        notices,
        diff: diff.filter(|diff| !diff.is_empty()),
        exit: if status == Status::WouldChange { exit::VERDICT_NO } else { exit::DONE },
        ..StepReport::new(STEP, host.recipe().host, status)
    }
}

fn stopped(host: &'static str, path: &Path, error: EditError<Stop>) -> StepReport {
    let report = |reason: String, code| StepReport::stopped(STEP, host, Status::Refused, reason, code);
    match error {
        EditError::Plan(Stop::Refused(refusal)) => StepReport {
            at: refusal.at.map(|at| at.to_string()),
            kind: Some(refusal.kind.name()),
            ..report(refusal.to_string(), exit::CONTENT_REFUSED)
        }
        .about(path),
        EditError::Plan(Stop::ReferenceDoesNotResolve) => report(
            format!(
                "the file would refer to {HUB_MCP_API_KEY}, which does not hold exactly the key in this environment; \
                 clean the variable, start the agent through `hubkit bootstrap {host} -- COMMAND`, or use --secrets literal"
            ),
            exit::CONFIG,
        )
        .about(path),
        EditError::File(error) => {
            let code = error.exit_code();
            let kind = (code == exit::CONTENT_REFUSED).then(|| RefusalKind::TooLarge.name());
            StepReport { kind, ..report(error.to_string(), code) }.about(path)
        }
    }
}
