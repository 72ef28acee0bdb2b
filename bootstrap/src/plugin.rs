//! The step `plugin`: plugin folders into the host's extensions, then their entries. Contacts nothing.

use std::path::{Path, PathBuf};

use hubkit_configurators::Host;
use hubkit_configurators::file::Written;
use hubkit_configurators::folder::{self, FolderError, Install, Source};
use hubkit_configurators::part::Part;
use hubkit_configurators::plugin::{HermesPlugins, PluginEntries};
use hubkit_contract::exit;

use crate::boot::Prepared;
use crate::context::Context;
use crate::report::{Status, StepReport, Touched};
use crate::wiring::Wanted;

/// The step's name.
pub const STEP: &str = "plugin";

/// The directory below hubkit's own records in which a folder is made ready.
const STAGING: &str = "staging";

/// Installs the folders, and says what the step wants of the host's file.
pub(crate) fn prepare(context: &Context<'_>) -> Prepared {
    let folders = match folders(context) {
        Ok(folders) => folders,
        Err(report) => return Prepared::Done(*report),
    };
    if folders.is_empty() {
        let reason = "no plugin folder was given (--plugin, HUBKIT_PLUGIN_DIR)".to_owned();
        return Prepared::Done(context.skipped(STEP, reason, exit::DONE));
    }
    let mut report = context.report(STEP, Status::Unchanged);
    let mut ids = Vec::new();
    for folder in &folders {
        match install(context, folder, &mut report) {
            Ok(id) => ids.push(id),
            // One that is refused does not keep the others from the agent.
            Err(refused) => {
                report.notices.extend(report.reason.take());
                report.status = Status::Refused;
                report.reason = Some(format!("{}: {}", folder.display(), refused.reason));
                (report.exit, report.strict_exit) = (refused.code, refused.code);
            }
        }
    }
    if ids.is_empty() {
        return Prepared::Done(report);
    }
    let extensions = context.extensions();
    let part: Box<dyn Part> = match context.host {
        Host::OpenClaw => Box::new(PluginEntries { ids, extensions }),
        Host::Hermes => Box::new(HermesPlugins { others_stand: others_stand(&extensions, &ids), names: ids }),
    };
    Prepared::Wanted(Wanted { part, so_far: report })
}

/// Why a folder was not installed.
struct Refused {
    reason: String,
    code: u8,
}

impl From<FolderError> for Refused {
    fn from(error: FolderError) -> Self {
        Self { reason: error.to_string(), code: error.exit_code() }
    }
}

/// Installs one folder and answers the name by which the host's file knows it.
fn install(context: &Context<'_>, folder: &Path, report: &mut StepReport) -> Result<String, Refused> {
    let source = Source::Folder(folder);
    let id = match context.host {
        Host::Hermes => folder::hermes_name_of(&source)?,
        Host::OpenClaw => {
            let manifest = folder::manifest_of(&source)?;
            if !manifest.missing.is_empty() {
                let reason = format!(
                    "the plugin `{}` names files that are not there: {}; OpenClaw would refuse its whole configuration",
                    manifest.id,
                    manifest.missing.join(", "),
                );
                return Err(Refused { reason, code: exit::CONTENT_REFUSED });
            }
            manifest.id
        }
    };
    let (extensions, staging) = (context.extensions(), context.state.join(STAGING));
    let install =
        Install { source, extensions: &extensions, id: &id, staging: &staging, mode: context.mode() };
    let installed = folder::install(&install)?;
    let status = match installed.written {
        Written::Unchanged => Status::Unchanged,
        Written::WouldChange => Status::WouldChange,
        _ => Status::Changed,
    };
    report.also.push(Touched { path: installed.path.display().to_string(), status });
    report.notices.extend(installed.notices);
    match status {
        _ if report.status == Status::Refused => {}
        Status::Unchanged => {}
        Status::WouldChange => (report.status, report.exit) = (status, exit::VERDICT_NO),
        _ => report.status = status,
    }
    Ok(id)
}

/// Whether there are other folders among the extensions. Names alone are looked at.
fn others_stand(extensions: &Path, ids: &[String]) -> bool {
    let Ok(entries) = std::fs::read_dir(extensions) else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let is_ours = ids.iter().any(|id| name == id.as_str());
        !is_ours && !name.as_encoded_bytes().starts_with(b".") && entry.path().is_dir()
    })
}

/// The folders of the command line and of the environment, in this order, each once.
fn folders(context: &Context<'_>) -> Result<Vec<PathBuf>, Box<StepReport>> {
    let named = context.intake.hubkit_plugin_dir.clone();
    let named = named.map_err(|error| Box::new(context.refused(STEP, error.to_string(), exit::CONFIG)))?;
    let mut folders = context.wish.plugins.clone();
    folders.extend(named.map(|taken| taken.value).unwrap_or_default());
    let mut seen = Vec::new();
    folders.retain(|folder| {
        let is_new = !seen.contains(folder);
        seen.push(folder.clone());
        is_new
    });
    Ok(folders)
}
