//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use hubkit_bootstrap::Step;
use hubkit_configurators::Host;
use hubkit_configurators::recipe::SecretStyle;
use hubkit_contract::exit;

use crate::output::Output;

/// Parses the command line of this process. The other outcome is the exit code, after the help or the usage
/// error was printed: through `output`, since a usage error repeats what was typed, which may be a secret.
pub(crate) fn parse(output: &Output) -> Result<Command, u8> {
    Hubkit::try_parse().map(|hubkit| hubkit.command).map_err(|stop| {
        if stop.use_stderr() {
            output.explain(&stop.render().to_string());
            exit::USAGE
        } else {
            output.data(&stop.render().to_string());
            exit::DONE
        }
    })
}

#[derive(Parser)]
#[command(
    name = "hubkit",
    version,
    about = "Wires an AI agent (Hermes Agent or OpenClaw) to its Hub",
    long_about = "Wires an AI agent (Hermes Agent or OpenClaw) to its Hub.\n\n\
        Reads the Hub's address and key from the environment (HUB_URL or HUB_MCP_URL, HUB_MCP_API_KEY or \
        HUB_MCP_API_KEY_FILE), asks the Hub for a model, and puts tools, model, memory and plugins into the agent's own \
        configuration, without touching any other byte of the file. docs/CONTRACTS.md lists every variable.",
    after_long_help = "Exit codes: 0 done; 1 --check found a change; 2 usage; 65 a file's content was refused; \
        70 a bug in hubkit; 73 cannot write; 75 try again later; 78 the environment is wrong. With bootstrap \
        also, about the Hub: 3 it refused us; 4 unreachable; 6 its answer breaks the protocol; 7 timeout; 8 no model; \
        and about COMMAND: 126 cannot be executed; 127 not found.\n\
        Reports go to standard error, data (--json, --diff) to standard output.",
    arg_required_else_help = true
)]
struct Hubkit {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Put the Hub's MCP entry, or another server's, into an agent's configuration, or take it out; contacts nothing
    Configure(ConfigureArgs),
    /// Wire an agent from the environment and the Hub (model, plugins, memory, tools), then start it
    Bootstrap(BootstrapArgs),
    /// Show the main job against an embedded development Hub, in a scratch directory
    #[cfg(feature = "demo")]
    Demo(DemoArgs),
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = false, subcommand_negates_reqs = true)]
pub(crate) struct ConfigureArgs {
    /// The agent whose configuration is edited
    pub(crate) host: HostName,
    /// The configuration file, where it is not the one the agent itself would read
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// Never create the agent's configuration file, which its own onboarding may want to make
    #[arg(long, global = true)]
    pub(crate) no_create: bool,
    /// Take the entry out again, and what hubkit made for it
    #[arg(long, global = true)]
    pub(crate) remove: bool,
    /// Write nothing; exit 1 if a change would be made
    #[arg(long, global = true)]
    pub(crate) check: bool,
    /// Print the change as a unified diff, secrets masked
    #[arg(long, global = true)]
    pub(crate) diff: bool,
    /// Print the report as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Write the key itself, or a reference to HUB_MCP_API_KEY; without it the file decides
    #[arg(long, value_name = "STYLE")]
    pub(crate) secrets: Option<Secrets>,
    #[command(subcommand)]
    pub(crate) entry: Option<EntryName>,
}

/// What is configured, where it is not the Hub's own entry.
#[derive(Subcommand)]
pub(crate) enum EntryName {
    /// Any other MCP server, by URL or as a program that the agent starts
    Server(ServerArgs),
}

#[derive(Args)]
#[command(
    override_usage = "hubkit configure <HOST> server <NAME> --url <URL> [--header <NAME=VALUE>]...\n       \
    hubkit configure <HOST> server <NAME> -- <COMMAND> [ARGUMENT]...\n       \
    hubkit configure <HOST> server <NAME> --remove"
)]
pub(crate) struct ServerArgs {
    /// The server's name in the agent's configuration
    pub(crate) name: String,
    /// Where the server speaks Streamable HTTP
    #[arg(long, conflicts_with = "command")]
    pub(crate) url: Option<String>,
    /// A header of every request; `${NAME}` in the value is expanded by the agent
    #[arg(long, value_name = "NAME=VALUE", requires = "url", conflicts_with = "command")]
    pub(crate) header: Vec<String>,
    /// The program that speaks MCP on its standard input and output, with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Args)]
#[command(
    after_long_help = "Without --strict the agent is started whatever happens, and the report says what was not done.\n\
    Without COMMAND the exit code is 0 when every step was done or skipped, else the code of the first that was not."
)]
pub(crate) struct BootstrapArgs {
    /// The agent that is wired
    pub(crate) host: HostName,
    /// The steps to run, separated by commas; all by default
    #[arg(long, value_name = "STEPS", value_delimiter = ',')]
    pub(crate) steps: Vec<StepName>,
    /// Treat anything that is not done as fatal: exit with its code and do not start COMMAND
    #[arg(long)]
    pub(crate) strict: bool,
    /// Write nothing and start nothing; exit 1 if a change would be made
    #[arg(long, conflicts_with = "command")]
    pub(crate) check: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The configuration file, where it is not the one the agent itself would read
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Write credentials themselves, or references to their variables; without it the file decides
    #[arg(long, value_name = "STYLE")]
    pub(crate) secrets: Option<Secrets>,
    /// Install this plugin folder (step `plugin`); may be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) plugin: Vec<PathBuf>,
    /// Never create the agent's configuration file: what wants one that is not there is skipped
    #[arg(long)]
    pub(crate) no_create: bool,
    /// What becomes of this process afterwards, with its signals and exit status
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[cfg(feature = "demo")]
#[derive(Args)]
pub(crate) struct DemoArgs {
    /// Keep the scratch directory and say where it is
    #[arg(long)]
    pub(crate) keep: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum HostName {
    /// Hermes Agent: config.yaml in HERMES_HOME
    Hermes,
    /// OpenClaw: openclaw.json in OPENCLAW_STATE_DIR
    Openclaw,
}

impl From<HostName> for Host {
    fn from(name: HostName) -> Self {
        match name {
            HostName::Hermes => Self::Hermes,
            HostName::Openclaw => Self::OpenClaw,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum StepName {
    /// The model that the Hub hands out: .env.hub-bootstrap, and the agent's model or provider
    Inference,
    /// Plugin folders (--plugin) among the agent's extensions, and their entries
    Plugin,
    /// The memory server that the Hub connected this app to
    Memory,
    /// The Hub's MCP entry in the host's configuration
    HubMcp,
}

impl From<StepName> for Step {
    fn from(name: StepName) -> Self {
        match name {
            StepName::Inference => Self::Inference,
            StepName::Plugin => Self::Plugin,
            StepName::Memory => Self::Memory,
            StepName::HubMcp => Self::HubMcp,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Secrets {
    /// The credential itself
    Literal,
    /// `${NAME}`, which the agent expands from its environment
    Env,
}

impl From<Secrets> for SecretStyle {
    fn from(secrets: Secrets) -> Self {
        match secrets {
            Secrets::Literal => Self::Literal,
            Secrets::Env => Self::Reference,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Hubkit::command().debug_assert();
    }

    #[test]
    fn every_step_can_be_named() {
        for step in Step::ALL {
            assert!(StepName::from_str(step.name(), false).is_ok(), "{}", step.name());
        }
    }
}
