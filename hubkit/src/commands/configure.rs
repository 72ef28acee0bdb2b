//! `hubkit configure`: one entry alone, the Hub's or another server's.

use hubkit_bootstrap::server::{Reach, Request};
use hubkit_bootstrap::{StepReport, Wish, configure};
use hubkit_contract::{Intake, exit};
use hubkit_redaction::Secret;

use super::report;
use crate::args::{ConfigureArgs, EntryName, ServerArgs};
use crate::output::Output;

/// Runs the command and answers its exit code.
pub(crate) fn run(arguments: &ConfigureArgs, intake: &Intake, output: &Output) -> u8 {
    report::notes(intake, output);
    let wish = Wish {
        config: arguments.config.clone(),
        secrets: arguments.secrets.map(Into::into),
        check: arguments.check,
        diff: arguments.diff,
        explicit: true,
        keep_absent: arguments.no_create,
        ..Wish::default()
    };
    let host = arguments.host.into();
    let step: StepReport = match &arguments.entry {
        None if arguments.remove => configure::remove_hub(host, intake, &wish),
        None => configure::hub(host, intake, &wish),
        Some(EntryName::Server(server)) if arguments.remove => {
            if server.url.is_some() || !server.command.is_empty() {
                output.say(
                    "hubkit: --remove takes a server out by its name alone; leave the URL or command away",
                );
                return exit::USAGE;
            }
            configure::remove_server(host, intake, &wish, &server.name)
        }
        Some(EntryName::Server(server)) => match request(server) {
            Ok(request) => {
                if let Reach::Http { headers, .. } = &request.reach {
                    headers.iter().for_each(|(_, value)| output.learn(value));
                }
                configure::server(host, intake, &wish, &request)
            }
            Err(what) => {
                output.say(&format!("hubkit: {what}"));
                return exit::USAGE;
            }
        },
    };
    report::say(&step, output);
    if arguments.json {
        report::json(&step, output);
    } else if let Some(diff) = &step.diff {
        output.data(diff);
    }
    step.exit
}

/// The server that was described. An error never repeats a header, whose value may be a secret.
fn request(server: &ServerArgs) -> Result<Request, &'static str> {
    let reach = match (&server.url, server.command.split_first()) {
        (Some(url), None) => {
            let header = |header: &String| {
                let (name, value) = header.split_once('=')?;
                Some((name.to_owned(), Secret::new(value)))
            };
            let headers = server.header.iter().map(header).collect::<Option<_>>();
            let headers = headers.ok_or("a --header is no NAME=VALUE; correct it")?;
            Reach::Http { url: url.clone(), headers }
        }
        (None, Some((command, args))) => Reach::Stdio { command: command.clone(), args: args.to_vec() },
        _ => {
            return Err("say how the server is reached: --url URL, or a command behind `--`; or --remove it");
        }
    };
    Ok(Request { name: server.name.clone(), reach })
}
