//! Installing the folder of a plugin among a host's extensions, with the owner and the modes that hosts demand.
//!
//! [`install`] reads the source, makes a complete copy of it where no host looks, and puts that in place by one
//! rename, so that at every instant the old folder or the new one is there whole. A folder that is right already
//! is left alone. When root works in somebody else's tree, all of the writing is done with that user's powers.
//!
//! Never here: a link that is followed or made, a hard link, a file or directory that others may write, a look
//! at a host's configuration, the running of anything.

mod attempt;
mod clear;
mod contents;
mod directory;
mod error;
mod hermes_manifest;
mod id;
mod manifest;
mod message;
mod probe;
mod source;
mod staged;
mod staging;
mod standing;
mod switch;
mod trouble;

use std::path::{Path, PathBuf};
use std::time::Duration;

use hubkit_contract::limits::{LOCK_WAIT_MS, REPLACE_ATTEMPTS};

pub use error::FolderError;
pub use manifest::Manifest;
pub use probe::{NoProbe, Probe, Step};

use crate::file::{Mode, Opened, Written};
use attempt::{Attempt, Done};
use contents::Contents;
use staging::Sites;
use trouble::Trouble;

/// The pause after the first attempt that somebody else's change spoilt; doubled after each further one.
const PAUSE: Duration = Duration::from_millis(2);

/// Where a plugin's files come from.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// A folder on disk. Regular files and directories alone; nothing in it may be a link or have a second name.
    Folder(&'a Path),
    /// Files inside the binary: relative path and bytes.
    Embedded(&'a [(&'a str, &'a [u8])]),
}

/// A folder to install.
#[derive(Debug, Clone, Copy)]
pub struct Install<'a> {
    /// Where its files come from.
    pub source: Source<'a>,
    /// The directory that the host finds plugins in, made if it is missing.
    pub extensions: &'a Path,
    /// The plugin's id, which becomes the name of its folder there.
    pub id: &'a str,
    /// A directory of hubkit's own outside of that one, made if it is missing. Where folders cannot be moved from
    /// there, a directory inside the extensions stands in that hosts pass over.
    pub staging: &'a Path,
    /// Whether anything may be written.
    pub mode: Mode,
}

/// What was done, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// What happened to the folder.
    pub written: Written,
    /// Its physical path.
    pub path: PathBuf,
    /// Sentences for whoever reads the report.
    pub notices: Vec<String>,
    /// How many leftovers of killed runs were removed.
    pub swept: usize,
}

/// Installs a folder.
///
/// Files get mode 0644, or 0755 where their owner could run them, directories 0755; the owner is that of the
/// extensions. A folder with exactly these contents and modes is left as it is, also when it is root's.
///
/// # Errors
/// The source is refused (65), the folder cannot be written (73), or another run is at it (75). What stood there
/// stands there still.
pub fn install(install: &Install<'_>) -> Result<Installed, FolderError> {
    install_with(install, &NoProbe)
}

/// [`install`] with a probe, for drills.
///
/// # Errors
/// As [`install`].
pub fn install_with(install: &Install<'_>, probe: &dyn Probe) -> Result<Installed, FolderError> {
    id::check(install.id)?;
    let contents = install.source.read(probe)?;
    let Install { extensions, id, staging, mode, .. } = *install;
    Work { extensions, id, staging, mode, probe }.run(Some(&contents))
}

/// Takes the folder of the plugin `id` out of `extensions`: as a whole, and then removes it.
///
/// # Errors
/// It cannot be removed (73), or another run is at it (75).
pub fn remove(extensions: &Path, id: &str, staging: &Path, mode: Mode) -> Result<Installed, FolderError> {
    remove_with(extensions, id, staging, mode, &NoProbe)
}

/// [`remove`] with a probe, for drills.
///
/// # Errors
/// As [`remove`].
pub fn remove_with(
    extensions: &Path,
    id: &str,
    staging: &Path,
    mode: Mode,
    probe: &dyn Probe,
) -> Result<Installed, FolderError> {
    id::check(id)?;
    Work { extensions, id, staging, mode, probe }.run(None)
}

/// What the manifest of an OpenClaw plugin in `source` says.
///
/// # Errors
/// The source cannot be read, or the host would refuse its manifest (65).
pub fn manifest_of(source: &Source<'_>) -> Result<Manifest, FolderError> {
    let root = match source {
        Source::Folder(path) => path,
        Source::Embedded(_) => Path::new(""),
    };
    Manifest::of(&source.read(&NoProbe)?, root)
}

/// The name of the Hermes plugin in `source`, under which Hermes lists it.
///
/// # Errors
/// The source cannot be read, or Hermes would not load it (65).
pub fn hermes_name_of(source: &Source<'_>) -> Result<String, FolderError> {
    let root = match source {
        Source::Folder(path) => path,
        Source::Embedded(_) => Path::new(""),
    };
    hermes_manifest::name(&source.read(&NoProbe)?, root)
}

impl<'a> Source<'a> {
    fn read(&self, probe: &dyn Probe) -> Result<Contents<'a>, FolderError> {
        match self {
            Source::Folder(path) => source::read(path, probe),
            Source::Embedded(files) => Contents::embedded(files),
        }
    }
}

struct Work<'a> {
    extensions: &'a Path,
    id: &'a str,
    staging: &'a Path,
    mode: Mode,
    probe: &'a dyn Probe,
}

impl Work<'_> {
    fn run(&self, wanted: Option<&Contents<'_>>) -> Result<Installed, FolderError> {
        let mut made = None;
        let result = self.attempts(wanted, &mut made);
        if let Some(Made { sites, extensions }) = made {
            let keep = result.is_ok();
            sites.extensions.run(|| if keep { extensions.keep() } else { drop(extensions) })?;
        }
        result
    }

    /// What is made of directories on the way is put into `made`, for the caller to keep or to drop.
    fn attempts(
        &self,
        wanted: Option<&Contents<'_>>,
        made: &mut Option<Made>,
    ) -> Result<Installed, FolderError> {
        let lock_wait = Duration::from_millis(LOCK_WAIT_MS);
        let Self { id, mode, probe, .. } = *self;
        let mut pause = PAUSE;
        let mut inside = false;
        let mut path = self.extensions.join(id);
        for _ in 0..REPLACE_ATTEMPTS {
            let mut sites = Sites::find(self.extensions, self.staging)?;
            let attempt = Attempt { sites: &sites, id, wanted, mode, inside, lock_wait, probe };
            if attempt.needs_extensions()
                && let Some(extensions) = sites.extensions.run(|| attempt.make_extensions())??
            {
                let found = Sites::find(self.extensions, self.staging)?;
                let now = Made { sites: std::mem::replace(&mut sites, found), extensions };
                // One that was made before and went again: its name is now the new one's.
                if let Some(before) = made.replace(now) {
                    before.extensions.keep();
                }
            }
            path = sites.extensions.path().join(id);
            let attempt = Attempt { sites: &sites, id, wanted, mode, inside, lock_wait, probe };
            match sites.extensions.run(|| attempt.run())? {
                Ok(Done { written, notices, swept }) => {
                    return Ok(Installed { written, path, notices, swept });
                }
                Err(Trouble::Failed(error)) => return Err(error),
                Err(Trouble::Elsewhere) => inside = true,
                Err(Trouble::Changed) => {
                    std::thread::sleep(pause);
                    pause *= 2;
                }
            }
        }
        Err(FolderError::KeepsChanging { path, attempts: REPLACE_ATTEMPTS })
    }
}

/// An extensions directory that was made for a folder that is not there yet.
struct Made {
    /// With whose powers it was made.
    sites: Sites,
    extensions: Opened,
}
