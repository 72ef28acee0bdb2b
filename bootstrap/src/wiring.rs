//! The one edit of the host's configuration file in a run: all steps' parts, one replacement, a report for each.

use std::path::Path;

use hubkit_configurators::compose::{Composed, compose};
use hubkit_configurators::diff;
use hubkit_configurators::file::{self, Current, EditError, FileError, NoProbe, Outcome, Target, Written};
use hubkit_configurators::part::{Part, Stop, Surroundings};
use hubkit_configurators::{Refusal, RefusalKind};
use hubkit_contract::exit;

use crate::context::Context;
use crate::record;
use crate::report::{Status, StepReport};

/// What a step wants of the host's file.
pub(crate) struct Wanted {
    /// The part.
    pub(crate) part: Box<dyn Part>,
    /// What the step did before, such as writing a file of its own; the edit's outcome goes on top.
    pub(crate) so_far: StepReport,
}

/// Edits the file for all of `wanted` and reports each, in order.
#[must_use]
pub(crate) fn apply(context: &Context<'_>, wanted: Vec<Wanted>) -> Vec<StepReport> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let recipe = context.host.recipe();
    let target = Target::new(&context.file, context.mode()).with_state(&context.state);
    let parts: Vec<&dyn Part> = wanted.iter().map(|wanted| wanted.part.as_ref()).collect();
    let result = file::edit(&target, &NoProbe, |current: Current<'_>| {
        if current.bytes.is_none() && context.wish.keep_absent {
            return Ok(file::Plan::Keep(None));
        }
        let directory = context.file.parent().unwrap_or(Path::new("."));
        let surroundings =
            Surroundings { directory, world_readable: current.others_can_read, backups: current.backups };
        let composed = compose(recipe, current.bytes, surroundings, &parts)?;
        Ok::<_, Refusal>(match composed.text.clone() {
            None => file::Plan::Keep(Some(composed)),
            Some(text) => file::Plan::Replace { bytes: text.into_bytes(), note: Some(composed) },
        })
    });
    let so_far: Vec<StepReport> = wanted.into_iter().map(|wanted| wanted.so_far).collect();
    match result {
        Ok(mut outcome) => match outcome.note.take() {
            None => so_far.into_iter().map(|step| absent(step, &outcome.path)).collect(),
            Some(composed) => done(context, outcome.with_note(composed), so_far),
        },
        Err(error) => so_far.into_iter().map(|step| stopped(step, &context.file, &error)).collect(),
    }
}

fn absent(so_far: StepReport, path: &Path) -> StepReport {
    StepReport {
        status: Status::Skipped,
        reason: Some("there is no such file yet, and --no-create keeps hubkit from making it; the start after the agent's own onboarding wires it".to_owned()),
        ..so_far.about(path)
    }
}

fn done(context: &Context<'_>, outcome: Outcome<Composed>, so_far: Vec<StepReport>) -> Vec<StepReport> {
    let mut about_file = about_file(&outcome);
    if outcome.note.from_nothing && outcome.before.is_some() && outcome.note.text.is_some() {
        about_file.insert(0, "the file held no settings; taken as a new file".to_owned());
    }
    let diff = context.wish.diff.then(|| difference(context, &outcome)).filter(|diff| !diff.is_empty());
    let (path, written) = (outcome.path, outcome.written);
    let Composed { parts, faults, from_nothing: _, text: _, footprint } = outcome.note;
    let unrecorded = footprint
        .filter(|_| !context.wish.check)
        .and_then(|made| record::keep(context, &path, made).err())
        .map(|error| format!("how to take this out again could not be recorded: {error}"));
    let last = so_far.len().saturating_sub(1);
    let mut first_change = Some((about_file, diff));
    let mut reports: Vec<StepReport> = Vec::new();
    for (index, (so_far, part)) in so_far.into_iter().zip(parts).enumerate() {
        let mut report = match part {
            Err(stop) => refused(so_far, &stop).about(&path),
            Ok(part) => {
                let mut report = one(so_far, &path, written, part.changed);
                report.disabled = part.intent.disabled;
                report.secrets = part.intent.secrets.map(|style| style.name()).or(report.secrets);
                report.notices.extend(part.intent.notices);
                if part.intent.disabled && part.intent.secrets.is_some() {
                    report.notices.push(
                        "the entry is switched off, which is respected: the agent does not connect"
                            .to_owned(),
                    );
                }
                if let Some(why) = part.intent.skipped {
                    report.registered = false;
                    if !matches!(report.status, Status::Stale | Status::Refused) {
                        report.status = Status::Skipped;
                    }
                    match &report.reason {
                        // Why the step has only older values says more.
                        Some(_) => report.notices.push(why),
                        None => report.reason = Some(why),
                    }
                }
                report
            }
        };
        let is_changed = matches!(report.status, Status::Changed | Status::WouldChange);
        if let Some((notices, diff)) = first_change.take_if(|_| is_changed || index == last) {
            report.notices.splice(0..0, notices);
            report.diff = diff;
        }
        if index == last {
            report.notices.extend(faults.iter().cloned());
            report.notices.extend(unrecorded.clone());
        }
        reports.push(report);
    }
    reports
}

/// The report of a part that was planned.
fn one(so_far: StepReport, path: &Path, written: Written, changed: bool) -> StepReport {
    let status = match written {
        _ if !changed => so_far.status,
        Written::WouldChange => Status::WouldChange,
        Written::Unchanged => so_far.status,
        // What was written is from an older answer, or is not all that was wanted.
        _ if matches!(so_far.status, Status::Stale | Status::Refused) => so_far.status,
        Written::Created | Written::Replaced | Written::ReplacedInPlace | Written::Removed => Status::Changed,
    };
    StepReport {
        file: Some(path.display().to_string()),
        status,
        registered: !matches!(status, Status::WouldChange | Status::Refused),
        created: changed && written == Written::Created,
        write: written.how().filter(|_| changed),
        exit: if status == Status::WouldChange { exit::VERDICT_NO } else { so_far.exit },
        ..so_far
    }
}

/// What a person should know about the replacement itself.
pub(crate) fn about_file<T>(outcome: &Outcome<T>) -> Vec<String> {
    let mut notices: Vec<String> = outcome.recovered.iter().map(ToString::to_string).collect();
    for directory in &outcome.created_directories {
        notices.push(format!("created the directory {}", directory.display()));
    }
    if outcome.swept > 0 {
        notices.push(format!("removed {} leftover(s) of an interrupted run", outcome.swept));
    }
    notices
}

/// The change as a unified diff, masked.
pub(crate) fn difference<T>(context: &Context<'_>, outcome: &Outcome<T>) -> String {
    let text =
        |bytes: Option<&Vec<u8>>| String::from_utf8_lossy(bytes.map_or(&[], Vec::as_slice)).into_owned();
    let (before, after) =
        (text(outcome.before.as_ref()), text(outcome.after.as_ref().or(outcome.before.as_ref())));
    diff::unified(&outcome.path.display().to_string(), &before, &after, &|line| {
        context.intake.redactor().redact(line)
    })
}

fn refused(so_far: StepReport, stop: &Stop) -> StepReport {
    match stop {
        Stop::Content(refusal) => content(so_far, refusal),
        Stop::Environment(what) => ended(so_far, what.clone(), exit::CONFIG),
    }
}

fn content(so_far: StepReport, refusal: &Refusal) -> StepReport {
    StepReport {
        at: refusal.at.map(|at| at.to_string()),
        kind: Some(refusal.kind.name()),
        ..ended(so_far, refusal.to_string(), exit::CONTENT_REFUSED)
    }
}

/// The report of an edit that was not made.
pub(crate) fn stopped(so_far: StepReport, path: &Path, error: &EditError<Refusal>) -> StepReport {
    match error {
        EditError::Plan(refusal) => content(so_far, refusal),
        EditError::File(error) => {
            let kind = matches!(error, FileError::TooLarge { .. }).then(|| RefusalKind::TooLarge.name());
            StepReport { kind, ..ended(so_far, error.to_string(), error.exit_code()) }
        }
    }
    .about(path)
}

fn ended(so_far: StepReport, reason: String, code: u8) -> StepReport {
    StepReport {
        status: Status::Refused,
        reason: Some(reason),
        exit: code,
        strict_exit: code,
        registered: false,
        ..so_far
    }
}
