//! Any other MCP server in the host's configuration, as somebody described it on the command line.

use hubkit_configurators::server::{Server, Transport};
use hubkit_contract::{exit, hub_url};
use hubkit_redaction::Secret;

use crate::boot::Prepared;
use crate::context::Context;
use crate::report::Status;
use crate::wiring::Wanted;

/// The name of this work in reports.
pub const STEP: &str = "server";

/// Longest name of a server, characters.
const NAME_LENGTH: usize = 64;

/// A server as it was described.
pub struct Request {
    /// The key of its entry.
    pub name: String,
    /// How the host reaches it.
    pub reach: Reach,
}

/// How a host reaches a server.
pub enum Reach {
    /// Streamable HTTP.
    Http {
        /// http or https URL.
        url: String,
        /// Headers by name. A value may be a reference that the host expands, `${NAME}`.
        headers: Vec<(String, Secret)>,
    },
    /// A program that the host starts, with its arguments.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
    },
}

/// What the request wants of the host's file.
pub(crate) fn prepare(context: &Context<'_>, request: &Request) -> Prepared {
    let recipe = context.host.recipe();
    let fault = name_fault(&request.name)
        .or_else(|| (request.name == recipe.hub()).then(|| hubs(context)))
        .or_else(|| (recipe.is_reserved)(&request.name).then(|| reserved(context, &request.name)))
        .or_else(|| reach_fault(&request.reach));
    if let Some(fault) = fault {
        return Prepared::Done(context.refused(STEP, fault, exit::USAGE));
    }
    let mut so_far = context.report(STEP, Status::Unchanged);
    let transport = match &request.reach {
        Reach::Http { url, headers } => {
            for (name, _) in
                headers.iter().filter(|(name, value)| is_credential(name) && !is_reference(value))
            {
                so_far.notices.push(format!(
                    "the value of `{name}` stood on the command line, where others on this machine could see it; \
                     write a reference such as ${{NAME}} and set NAME in the agent's environment"
                ));
            }
            Transport::Http { url: url.clone(), credential: None, headers: headers.clone() }
        }
        Reach::Stdio { command, args } => Transport::Stdio { command: command.clone(), args: args.clone() },
    };
    let part = Box::new(Server { recipe, name: request.name.clone(), transport });
    Prepared::Wanted(Wanted { part, so_far })
}

/// Why a name cannot be that of a server.
pub(crate) fn name_fault(name: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fits = (1..=NAME_LENGTH).contains(&name.len()) && name.chars().all(is_plain);
    (!fits).then(|| {
        format!(
            "a server's name has 1 to {NAME_LENGTH} letters, digits, `-`, `_` and `.`; give it another name"
        )
    })
}

fn hubs(context: &Context<'_>) -> String {
    format!(
        "that is the Hub's own entry; run `hubkit configure {}` for it, or give the server another name",
        context.name()
    )
}

fn reserved(context: &Context<'_>, name: &str) -> String {
    format!(
        "`{name}` is the name of a built-in toolset of {}, which would hide the server from the agent; give it another name",
        context.name()
    )
}

fn reach_fault(reach: &Reach) -> Option<String> {
    match reach {
        Reach::Http { url, headers } => {
            if let Err(what) = hub_url::check(url) {
                return Some(format!("the URL {what}; give an http or https URL"));
            }
            headers.iter().find_map(|(name, value)| {
                // RFC 9110, section 5.1 and 5.5: a token, and no control character.
                let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
                let fits = !name.is_empty()
                    && name.chars().all(is_token)
                    && value.expose().chars().all(|c| (' '..='~').contains(&c))
                    && value.expose().trim() == value.expose();
                (!fits).then(|| "a header is no NAME=VALUE of visible ASCII; correct it".to_owned())
            })
        }
        Reach::Stdio { command, args } => std::iter::once(command)
            .chain(args)
            .any(|word| word.chars().any(|c| c.is_control()))
            .then(|| "the command holds a control character; take it out".to_owned()),
    }
}

fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["authorization", "cookie", "key", "token", "secret", "password"].iter().any(|word| name.contains(word))
}

fn is_reference(value: &Secret) -> bool {
    value.expose().contains("${")
}
