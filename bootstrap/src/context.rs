//! What every step of one run works with: the host, the environment, where its files are, and how it is wanted.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use hubkit_configurators::Host;
use hubkit_configurators::file::Mode;
use hubkit_configurators::recipe::SecretStyle;
use hubkit_contract::{Intake, exit};
use hubkit_hub_client::Options;

use crate::report::{Status, StepReport};

/// The directory of hubkit's own records below the agent's home.
const STATE: &str = ".hubkit";

/// How a run is wanted.
#[derive(Debug, Default, Clone)]
pub struct Wish {
    /// The host's configuration file, where it is not the one the host itself would find.
    pub config: Option<PathBuf>,
    /// How to write credentials; `None` lets the file decide.
    pub secrets: Option<SecretStyle>,
    /// Write nothing, say what would change.
    pub check: bool,
    /// Put a diff into the report.
    pub diff: bool,
    /// Somebody asked for this very thing: missing credentials are an error, not a reason to skip.
    pub explicit: bool,
    /// Leave a host alone that has no configuration file yet.
    pub keep_absent: bool,
    /// A command follows, whose environment can be given what it needs.
    pub starts_command: bool,
    /// Plugin folders to install.
    pub plugins: Vec<PathBuf>,
}

/// One run.
#[derive(Debug)]
pub struct Context<'a> {
    /// The agent that is wired.
    pub host: Host,
    /// The environment.
    pub intake: &'a Intake,
    /// How the run is wanted.
    pub wish: &'a Wish,
    /// The host's configuration file.
    pub file: PathBuf,
    /// The agent's home: `HERMES_HOME`, `OPENCLAW_STATE_DIR`.
    pub home: PathBuf,
    /// Where hubkit's own records are.
    pub state: PathBuf,
}

/// Why there is no run at all.
#[derive(Debug, Clone)]
pub struct NoPlace {
    /// What is wrong and what to do.
    pub reason: String,
    /// The documented exit code.
    pub code: u8,
}

impl NoPlace {
    /// The report of a step that had no place to work in.
    #[must_use]
    pub fn report(&self, step: &'static str, host: Host, wish: &Wish) -> StepReport {
        let name = host.recipe().host;
        let report = StepReport::stopped(step, name, Status::Refused, self.reason.clone(), self.code);
        match &wish.config {
            Some(path) => report.about(path),
            None => report,
        }
    }
}

impl<'a> Context<'a> {
    /// Finds the places of this run.
    ///
    /// # Errors
    /// No variable says where the host's files are, `--config` names a directory, or `HUBKIT_STATE_DIR` cannot
    /// be used.
    pub fn new(host: Host, intake: &'a Intake, wish: &'a Wish) -> Result<Self, NoPlace> {
        let variable = |name: &str| std::env::var_os(name);
        let exists = |path: &Path| path.exists();
        let nowhere = |reason: String| NoPlace { reason, code: exit::CONFIG };
        let unset = |variables: &str| {
            nowhere(format!("{variables} is not set; set it, or name the file with --config"))
        };
        let (file, home) = match &wish.config {
            Some(path) if path.as_os_str().as_bytes().ends_with(b"/") => {
                let reason = "--config names a directory; name the file in it".to_owned();
                return Err(NoPlace { reason, code: exit::CANNOT_WRITE });
            }
            Some(path) => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                (path.clone(), parent.unwrap_or(Path::new(".")).to_owned())
            }
            None => {
                let file = host.config_path(&variable, &exists).map_err(unset)?;
                let beside = || file.parent().unwrap_or(Path::new(".")).to_owned();
                let home = host.home(&variable, &exists).unwrap_or_else(|_| beside());
                (file, home)
            }
        };
        let named = intake.hubkit_state_dir.clone().map_err(|error| nowhere(error.to_string()))?;
        let state = named.map_or_else(|| home.join(STATE), |taken| taken.value);
        Ok(Self { host, intake, wish, file, home, state })
    }

    /// The host's name on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.host.recipe().host
    }

    /// Whether anything may be written.
    #[must_use]
    pub fn mode(&self) -> Mode {
        if self.wish.check { Mode::CheckOnly } else { Mode::Write }
    }

    /// Where the host looks for plugins that were put there.
    #[must_use]
    pub fn extensions(&self) -> PathBuf {
        self.home.join(match self.host {
            Host::Hermes => "plugins",
            Host::OpenClaw => "extensions",
        })
    }

    /// How the Hub is asked when an answer from before is at hand.
    #[must_use]
    pub fn asking(&self) -> Options {
        let proxy = self.intake.hubkit_hub_proxy.clone().ok().flatten().map(|proxy| proxy.value);
        Options { proxy, ..Options::when_cached() }
    }

    /// A report about `step` without details.
    #[must_use]
    pub fn report(&self, step: &'static str, status: Status) -> StepReport {
        StepReport::new(step, self.name(), status)
    }

    /// A step that had nothing to work with: fine, unless the run is strict.
    #[must_use]
    pub fn skipped(&self, step: &'static str, reason: String, strict_exit: u8) -> StepReport {
        StepReport { reason: Some(reason), strict_exit, ..self.report(step, Status::Skipped) }
    }

    /// A step that the environment does not allow.
    #[must_use]
    pub fn refused(&self, step: &'static str, reason: String, code: u8) -> StepReport {
        StepReport::stopped(step, self.name(), Status::Refused, reason, code)
    }
}
