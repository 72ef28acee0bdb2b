//! Reports as a person and as a program read them.

use hubkit_bootstrap::{Status, StepReport, hub_mcp};
use hubkit_contract::Intake;
use serde::Serialize;

use crate::output::Output;

/// The line that container logs are searched for: the entry stands in the host's file.
const REGISTERED: &str = "[Hub MCP] Server registered";

/// Says what the intake of the environment forgave.
pub(crate) fn notes(intake: &Intake, output: &Output) {
    for note in &intake.notes {
        output.say(&format!("hubkit: {note}"));
    }
}

/// Says one step's outcome.
pub(crate) fn say(step: &StepReport, output: &Output) {
    let mut place = step.file.clone().unwrap_or_default();
    if let Some(at) = &step.at {
        place = format!("{place}:{at}");
    }
    let outcome = match step.status {
        Status::Unchanged => "unchanged",
        Status::Changed if step.created => "created",
        Status::Changed => "changed",
        Status::Stale => "stale",
        Status::WouldChange => "would change",
        Status::Skipped => "skipped",
        Status::Refused => "refused",
        Status::Failed => "failed",
    };
    // Errors of the file system name the file themselves.
    let is_named = step.reason.as_ref().is_some_and(|reason| reason.contains(&place));
    let place = Some(place).filter(|place| !place.is_empty() && !is_named);
    let parts = [Some(outcome.to_owned()), place, step.reason.clone()];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    output.say(&format!("hubkit: {} {}: {}", step.host, step.step, parts.join(": ")));
    for touched in step.also.iter().filter(|touched| touched.status != Status::Unchanged) {
        let outcome = if touched.status == Status::WouldChange { "would write" } else { "wrote" };
        output.say(&format!("hubkit: {} {}: {outcome}: {}", step.host, step.step, touched.path));
    }
    for notice in &step.notices {
        output.say(&format!("hubkit: {} {}: note: {notice}", step.host, step.step));
    }
    if step.registered && step.step == hub_mcp::STEP {
        output.say(REGISTERED);
    }
}

/// Prints a report as one line of JSON.
pub(crate) fn json(report: &impl Serialize, output: &Output) {
    match serde_json::to_string(report) {
        Ok(text) => output.data(&text),
        Err(error) => output.say(&format!("hubkit: the report cannot be written as JSON: {error}")),
    }
}
