//! Taking one MCP server's entry out of the host's file again, and what was made for it.

use hubkit_configurators::file::{self, Current, NoProbe, Outcome, Plan, Target, Written};
use hubkit_configurators::undo::{self, Footprint, Removed};
use hubkit_configurators::{Host, Refusal};
use hubkit_contract::{Intake, exit};

use crate::context::{Context, Wish};
use crate::record;
use crate::report::{Status, StepReport};
use crate::wiring;

/// Removes the entry of the server `name` from the host's file.
pub(crate) fn run(step: &'static str, name: &str, host: Host, intake: &Intake, wish: &Wish) -> StepReport {
    let context = match Context::new(host, intake, wish) {
        Ok(context) => context,
        Err(no_place) => return no_place.report(step, host, wish),
    };
    let recipe = host.recipe();
    let entry = recipe.server_path(name);
    let target = Target::new(&context.file, context.mode()).with_state(&context.state);
    let physical = context.file.canonicalize().unwrap_or_else(|_| context.file.clone());
    let footprint = record::of(&context, &physical);
    let result = file::edit(&target, &NoProbe, |current: Current<'_>| {
        let Some(bytes) = current.bytes else { return Ok(Plan::Keep(())) };
        let text = hubkit_configurators::compose::text_of(bytes)?;
        let removed = undo::remove(recipe.format, text, &entry, footprint.as_ref(), recipe.in_new_file)?;
        Ok::<_, Refusal>(match removed {
            Removed::Absent => Plan::Keep(()),
            Removed::Text(text) => Plan::Replace { bytes: text.into_bytes(), note: () },
            Removed::File => Plan::Remove { note: () },
        })
    });
    let so_far = context.report(step, Status::Unchanged);
    match result {
        Ok(outcome) => done(&context, &outcome, footprint, so_far),
        Err(error) => wiring::stopped(so_far, &context.file, &error),
    }
}

fn done(
    context: &Context<'_>,
    outcome: &Outcome<()>,
    footprint: Option<Footprint>,
    so_far: StepReport,
) -> StepReport {
    let mut report = so_far.about(&outcome.path);
    report.status = match outcome.written {
        Written::Unchanged => Status::Unchanged,
        Written::WouldChange => Status::WouldChange,
        _ => Status::Changed,
    };
    report.write = outcome.written.how();
    report.notices.extend(wiring::about_file(outcome));
    report.diff =
        context.wish.diff.then(|| wiring::difference(context, outcome)).filter(|diff| !diff.is_empty());
    match outcome.written {
        Written::Unchanged => report.reason = Some("there is no such entry".to_owned()),
        Written::WouldChange => report.exit = exit::VERDICT_NO,
        _ => {
            if outcome.written == Written::Removed {
                report
                    .notices
                    .push("hubkit had made the file, and nothing was left in it: it is gone".to_owned());
            }
            let text = outcome.after.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok());
            let format = context.host.recipe().format;
            let left = text.and_then(|text| footprint?.left_in(format, text));
            if let Err(error) = record::replace(context, &outcome.path, left) {
                report.notices.push(format!("the record of what hubkit made is not up to date: {error}"));
            }
        }
    }
    report
}
