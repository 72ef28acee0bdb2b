//! The step `inference`: what the Hub hands out for this agent's model, kept in a file of its own, exported to the
//! agent and written into the host's configuration.
//!
//! The Hub authenticates nobody here and answers over plain HTTP, so its answer is data: closed names, quoted
//! values. Where it does not answer, what it said before stays, and the report says that it is old.

mod env_file;
mod exports;
mod fit;
mod hermes;
mod openclaw;
mod question;

use hubkit_configurators::Host;
use hubkit_configurators::file::{self, Current, Target};
use hubkit_configurators::part::Part;
use hubkit_contract::exit;
use hubkit_contract::handout::{self, App};
use hubkit_contract::limits::HUB_BUDGET_MS;
use hubkit_hub_client::{Handout, HubError};
use hubkit_redaction::{Redactor, Secret};

use crate::boot::Prepared;
use crate::context::Context;
use crate::report::{Status, StepReport, Touched};
use crate::wiring::Wanted;
use env_file::Values;

/// The step's name.
pub const STEP: &str = "inference";

/// Asks the Hub, writes the env file, and says what the step wants of the host's file.
pub(crate) fn prepare(context: &Context<'_>) -> Prepared {
    if let Err(error) = &context.intake.hubkit_model {
        return Prepared::Done(context.refused(STEP, error.to_string(), exit::CONFIG));
    }
    match context.intake.hub_url.clone() {
        Ok(Some(base)) => work(context, &base.value),
        Ok(None) => {
            // Who gives the MCP endpoint alone wants that alone.
            let has_endpoint = matches!(context.intake.hub_mcp_url, Ok(Some(_)));
            let strict_exit = if has_endpoint { exit::DONE } else { exit::CONFIG };
            let reason = "HUB_URL not set: no Hub to ask for a model; the Hub sets it for an app with `mcp_client: true`".to_owned();
            Prepared::Done(context.skipped(STEP, reason, strict_exit))
        }
        Err(error) => Prepared::Done(context.refused(STEP, error.to_string(), exit::CONFIG)),
    }
}

/// What to say before asking a Hub that has never answered, since the agent waits for it.
pub(crate) fn wait(context: &Context<'_>) -> Option<String> {
    let asks = matches!(context.intake.hub_url, Ok(Some(_)));
    let has_answer = context.home.join(env_file::NAME).symlink_metadata().is_ok();
    let seconds = HUB_BUDGET_MS / 1_000;
    (asks && !has_answer).then(|| {
        format!("asking the Hub for a model; while it does not answer, the agent waits for up to {seconds} s")
    })
}

/// What the agent's environment gets of an earlier answer, in a boot that does not ask the Hub: from a script that runs
/// the steps one by one, for one.
pub(crate) fn kept(context: &Context<'_>) -> StepReport {
    let mut report = context.report(STEP, Status::Unchanged);
    let path = context.home.join(env_file::NAME);
    let bytes = file::read_own(&path, hubkit_contract::limits::CONFIG_FILE_BYTES).ok().flatten();
    let values = bytes.map(|bytes| env_file::parse(app(context.host), &bytes)).unwrap_or_default();
    if !values.is_empty() {
        exports::fill(context, &Offer { before: values.clone(), values, handout: None }, &mut report);
    }
    report
}

fn app(host: Host) -> App {
    match host {
        Host::Hermes => App::Hermes,
        Host::OpenClaw => App::OpenClaw,
    }
}

/// What the step goes on with after the Hub has answered, or has not.
struct Offer {
    values: Values,
    /// The values that were kept from before this answer.
    before: Values,
    /// The answer, unless it failed.
    handout: Option<Handout>,
}

impl Offer {
    /// Whether the model is one of Ollama's own: then `OLLAMA_HOST` serves it.
    fn is_served_by_ollama(&self) -> bool {
        let backend = text(&self.values, handout::BACKEND);
        let said = self.handout.as_ref().map(|handout| handout.provider.as_str());
        said.filter(|said| !said.is_empty()).or(backend) == Some("ollama")
    }

    /// Whether the Hub named a model, or may still: not where it says that there is none.
    fn is_usable(&self) -> bool {
        self.handout.as_ref().is_none_or(|handout| handout.inference_error.is_none())
    }
}

fn work(context: &Context<'_>, base: &str) -> Prepared {
    let app = app(context.host);
    let path = context.home.join(env_file::NAME);
    // The file is a cache: where it cannot be used, the Hub is asked all the same.
    let (standing, mut unusable) = match file::read_own(&path, hubkit_contract::limits::CONFIG_FILE_BYTES) {
        Ok(standing) => (standing, None),
        Err(error) => (None, Some(error)),
    };
    let before = standing.as_deref().map(|bytes| env_file::parse(app, bytes)).unwrap_or_default();
    let mut report = context.report(STEP, Status::Unchanged);

    let answer = question::ask(context, base, app, !before.is_empty());
    report.notices.extend(answer.notices);
    let (values, handout) = match answer.result {
        Ok(handout) => {
            report.notices.extend(told(&handout));
            (merged(context.host, &before, &handout), Some(handout))
        }
        Err(error) => {
            mark_stale(&mut report, &error, !before.is_empty());
            (before.clone(), None)
        }
    };
    if let Some(handout) = &handout
        && let Some(why) = &handout.inference_error
    {
        let reason = format!("the Hub has no usable model: {}", known(context, &before).redact(why));
        report = StepReport {
            status: Status::Stale,
            reason: Some(reason),
            strict_exit: exit::NOTHING_THERE,
            ..report
        };
    }
    if !(values.is_empty() && standing.is_none()) {
        let stale = report.reason.clone().filter(|_| report.status == Status::Stale);
        let text = env_file::render(app, &values, stale.as_deref());
        if unusable.is_none() {
            unusable = write(context, &path, &text, &mut report).err();
        }
    }
    if let Some(error) = unusable {
        report.notices.extend(report.reason.take());
        report.status = Status::Refused;
        report.reason = Some(error.to_string());
        (report.exit, report.strict_exit) = (error.exit_code(), error.exit_code());
    }
    let offer = Offer { values, before, handout };
    exports::fill(context, &offer, &mut report);
    let planned = match context.host {
        Host::Hermes => hermes::part(context, &offer, &mut report),
        Host::OpenClaw => openclaw::part(context, &offer, &mut report),
    };
    match planned {
        Ok(Some(part)) => Prepared::Wanted(Wanted { part, so_far: report }),
        Ok(None) => {
            if offer.handout.is_some() && offer.is_usable() {
                report.notices.push(
                    "the Hub hands out no endpoint with its key, so nothing is written into the agent's file"
                        .to_owned(),
                );
            }
            Prepared::Done(report)
        }
        Err(unfit) => Prepared::Done(StepReport {
            status: Status::Refused,
            reason: Some(unfit.why),
            exit: unfit.code,
            strict_exit: unfit.code,
            ..report
        }),
    }
}

/// What the step wants of the host's file, if anything.
type Planned = Result<Option<Box<dyn Part>>, Unfit>;

/// Why what the Hub hands out cannot stand in the host's file.
struct Unfit {
    /// A sentence for the report.
    why: String,
    /// The documented exit code.
    code: u8,
}

impl From<String> for Unfit {
    /// The Hub's answer is at fault.
    fn from(why: String) -> Self {
        Self { why, code: exit::PROTOCOL }
    }
}

/// The credentials of the environment and those that the Hub handed out before, which a sentence of its may quote.
fn known(context: &Context<'_>, before: &Values) -> Redactor {
    let mut known = context.intake.redactor().clone();
    before.iter().filter(|(name, _)| handout::is_secret(name)).for_each(|(_, value)| known.add(value));
    known
}

/// What was kept, without what the Hub manages, and what it says now; with what only the agent's side knows.
fn merged(host: Host, before: &Values, handout: &Handout) -> Values {
    let kept = before.iter().filter(|(name, _)| !handout.managed.contains(*name));
    let mut values: Values = kept.map(|(name, value)| (*name, value.clone())).collect();
    values.extend(handout.values.iter().map(|(name, value)| (*name, value.clone())));
    if host == Host::Hermes {
        hermes::derive(&mut values);
    }
    values
}

/// What a person should know about an answer.
fn told(handout: &Handout) -> Vec<String> {
    let mut said = Vec::new();
    if !handout.dropped.is_empty() {
        said.push(format!(
            "the Hub's answer held {} that hubkit does not take: {}",
            if handout.dropped.len() == 1 { "a variable" } else { "variables" },
            handout.dropped.join(", "),
        ));
    }
    if !handout.chat_model_ready && handout.inference_error.is_none() {
        said.push("the Hub is still preparing its model; until it is ready the one before stays".to_owned());
    }
    said
}

fn mark_stale(report: &mut StepReport, error: &HubError, has_values: bool) {
    report.status = if has_values { Status::Stale } else { Status::Skipped };
    let kept = if has_values { "; what it said before is used" } else { "" };
    report.reason = Some(format!("{error}{kept}"));
    report.strict_exit = error.exit_code();
}

fn write(
    context: &Context<'_>,
    path: &std::path::Path,
    text: &str,
    report: &mut StepReport,
) -> Result<(), file::FileError> {
    let target = Target::own(path, context.mode());
    let outcome = file::edit(&target, &file::NoProbe, |_: Current<'_>| {
        Ok::<_, std::convert::Infallible>(file::Plan::Replace { bytes: text.as_bytes().to_vec(), note: () })
    });
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(file::EditError::File(error)) => return Err(error),
        Err(file::EditError::Plan(never)) => match never {},
    };
    let status = match outcome.written {
        file::Written::Unchanged => Status::Unchanged,
        file::Written::WouldChange => Status::WouldChange,
        _ => Status::Changed,
    };
    report.also.push(Touched { path: outcome.path.display().to_string(), status });
    if report.status == Status::Unchanged {
        report.status = status;
        report.exit = if status == Status::WouldChange { exit::VERDICT_NO } else { report.exit };
    }
    Ok(())
}

/// The text of a value.
fn text<'v>(values: &'v Values, name: &str) -> Option<&'v str> {
    values.get(name).map(Secret::expose).filter(|text| !text.is_empty())
}

/// A value as a number of tokens.
fn tokens(values: &Values, name: &str) -> Option<u32> {
    text(values, name)?.parse().ok().filter(|tokens| *tokens > 0)
}
