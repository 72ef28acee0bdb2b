//! `hubkit demo`: the main job against an embedded development Hub, in a scratch directory.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use hubkit_bootstrap::{Boot, BootReport, Step, StepReport, Wish, hub_mcp};
use hubkit_configurators::{Host, entry};
use hubkit_contract::{Intake, Source, environment, exit};
use hubkit_dev_hub::{DevHub, Options, generate_key};
use hubkit_mcp_client::{Contact, Endpoint, Limits, first_contact};
use hubkit_redaction::Secret;

use crate::args::DemoArgs;
use crate::output::Output;

/// A configuration as a user left it, and where its host keeps it.
struct Sample {
    host: Host,
    file: &'static str,
    text: &'static str,
}

const SAMPLES: [Sample; 2] = [
    Sample {
        host: Host::Hermes,
        file: "hermes/config.yaml",
        text: include_str!("../../../tests/fixtures/hermes/sample.yaml"),
    },
    Sample {
        host: Host::OpenClaw,
        file: "openclaw/openclaw.json",
        text: include_str!("../../../tests/fixtures/openclaw/sample.json5"),
    },
];

/// Runs the demo and answers its exit code.
pub(crate) fn run(arguments: &DemoArgs, output: &Output) -> u8 {
    match demonstrate(arguments, output) {
        Ok(code) => code,
        Err(failure) => {
            output.say(&format!("hubkit: the demo cannot go on: {}", failure.what));
            failure.code
        }
    }
}

/// What ended the demo, with its exit code.
struct Failure {
    what: String,
    code: u8,
}

impl Failure {
    fn new(code: u8, what: impl Display) -> Self {
        Self { what: what.to_string(), code }
    }
}

fn demonstrate(arguments: &DemoArgs, output: &Output) -> Result<u8, Failure> {
    let local = |error: io::Error| Failure::new(exit::CANNOT_WRITE, error);
    let key = generate_key().map_err(local)?;
    let hub = DevHub::start_blocking(Options::new(key.clone())).map_err(local)?;
    let scratch = tempfile::Builder::new().prefix("hubkit-demo-").tempdir().map_err(local)?;
    output.data(&format!("A development Hub listens on {}, in this process, on loopback alone.", hub.url()));

    let intake = made_up_environment(&hub.url(), &key);
    let output = &Output::new(intake.redactor().clone());
    for sample in &SAMPLES {
        let file = scratch.path().join(sample.file);
        fs::create_dir_all(file.parent().unwrap_or(scratch.path())).map_err(local)?;
        fs::write(&file, sample.text).map_err(local)?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).map_err(local)?;
        let name = sample.host.recipe().host;
        output.data(&format!("\n── {name}: a configuration that a person wrote, and what `hubkit bootstrap {name}` does to it\n"));
        wire_twice(sample, &file, &intake, output)?;
        let contact = connect(sample.host, &file, &key)?;
        show(&contact, output);
    }
    if arguments.keep {
        let kept: PathBuf = scratch.keep();
        output.data(&format!("\nThe files stay in {}.", kept.display()));
    }
    output.data("\nDone. Both agents would come up connected.");
    Ok(exit::DONE)
}

/// The environment that a Hub gives an app, without touching that of this process.
fn made_up_environment(url: &str, key: &Secret) -> Intake {
    Intake::take(&Source {
        variable: &|name| match name {
            environment::HUB_URL => Some(OsString::from(url)),
            environment::HUB_MCP_API_KEY => Some(OsString::from(key.expose())),
            _ => None,
        },
        file: &|_, _| Err(io::Error::from(io::ErrorKind::NotFound)),
    })
}

fn wire_twice(sample: &Sample, file: &Path, intake: &Intake, output: &Output) -> Result<(), Failure> {
    let boot = Boot {
        host: sample.host,
        steps: vec![Step::Inference, Step::HubMcp],
        wish: Wish { config: Some(file.to_owned()), diff: true, ..Wish::default() },
        strict: false,
    };
    let read = || fs::read(file).map_err(|error| Failure::new(exit::CANNOT_WRITE, error));
    let steps = succeeded(boot.run(intake, &|_| {}))?;
    let diff = steps.iter().find_map(|step| step.diff.as_deref());
    output.data(diff.unwrap_or("(no change)"));
    for step in &steps {
        tell(step, output);
    }
    let after_first = read()?;
    if !is_all_there(sample.text.as_bytes(), &after_first) {
        return Err(Failure::new(exit::BUG, "something of the file is gone"));
    }
    succeeded(boot.run(intake, &|_| {}))?;
    if read()? != after_first {
        return Err(Failure::new(exit::BUG, "the second run changed the file again"));
    }
    output.data("Every byte that was there is there, and a second run finds nothing to do.");
    Ok(())
}

/// Whether `after` holds all bytes of `before` in their order: something came in between, and nothing went.
fn is_all_there(before: &[u8], after: &[u8]) -> bool {
    let mut after = after.iter();
    before.iter().all(|byte| after.any(|other| other == byte))
}

/// What a step says beside the change of the file.
fn tell(step: &StepReport, output: &Output) {
    let wrote = step.also.iter().map(|touched| format!("wrote {}", touched.path));
    for line in step.reason.iter().cloned().chain(wrote).chain(step.notices.iter().cloned()) {
        output.data(&format!("{}: {line}", step.step));
    }
}

fn succeeded(booted: BootReport) -> Result<Vec<StepReport>, Failure> {
    let connects = booted.steps.iter().any(|step| step.step == hub_mcp::STEP && step.registered);
    if booted.exit == exit::DONE && connects {
        return Ok(booted.steps);
    }
    let reasons: Vec<String> = booted.steps.into_iter().filter_map(|step| step.reason).collect();
    Err(Failure::new(booted.exit.max(exit::VERDICT_NO), reasons.join("; ")))
}

/// Connects with what stands in the written file, as the agent would.
fn connect(host: Host, file: &Path, key: &Secret) -> Result<Contact, Failure> {
    let text = fs::read_to_string(file).map_err(|error| Failure::new(exit::CANNOT_WRITE, error))?;
    let entry =
        entry::read(host.recipe(), &text).map_err(|refusal| Failure::new(exit::CONTENT_REFUSED, refusal))?;
    let missing = || Failure::new(exit::BUG, "the written file has no usable entry");
    let entry = entry.ok_or_else(missing)?;
    let standing = entry.authorization.ok_or_else(missing)?;
    let expanded = Secret::new(format!("Bearer {}", key.expose()));
    let authorization = if entry.is_reference { expanded } else { standing };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(exit::BUG, error))?;
    runtime
        .block_on(first_contact(&Endpoint { url: entry.url, authorization }, Limits::default()))
        .map_err(|error| Failure::new(error.exit_code(), error))
}

fn show(contact: &Contact, output: &Output) {
    output.data(&format!(
        "Connected with exactly these values: {} {}, MCP {}, {} tools: {}",
        contact.server_name,
        contact.server_version,
        contact.protocol_version,
        contact.tools.len(),
        contact.tools.join(", "),
    ));
}
