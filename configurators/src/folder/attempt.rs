//! One attempt at an installation or a removal, made with the powers of the tree's owner.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Mode as Bits, fchmod, fstat};

use super::contents::Contents;
use super::error::FolderError;
use super::probe::{Probe, Step};
use super::staged::{Staged, us};
use super::staging::{Sites, retire};
use super::standing::{Standing, holds, owner_of};
use super::switch::{Switch, Switched};
use super::trouble::Trouble;
use crate::file::{Mode, Opened, Written, cannot, shown};

/// One attempt at the folder of one plugin.
pub(super) struct Attempt<'a> {
    pub(super) sites: &'a Sites,
    pub(super) id: &'a str,
    /// What the folder should hold; `None` for no folder.
    pub(super) wanted: Option<&'a Contents<'a>>,
    pub(super) mode: Mode,
    /// Whether to stage inside the extensions.
    pub(super) inside: bool,
    pub(super) lock_wait: Duration,
    pub(super) probe: &'a dyn Probe,
}

/// What an attempt did.
pub(super) struct Done {
    pub(super) written: Written,
    pub(super) notices: Vec<String>,
    pub(super) swept: usize,
}

impl Attempt<'_> {
    pub(super) fn run(&self) -> Result<Done, Trouble> {
        let Some(standing) = self.look()? else {
            let swept = self.sweep_in_passing();
            return Ok(Done { written: Written::Unchanged, notices: Vec::new(), swept });
        };
        if self.mode == Mode::CheckOnly {
            return Ok(Done { written: Written::WouldChange, notices: Vec::new(), swept: 0 });
        }
        self.write(standing)
    }

    /// What stands, if it is to be replaced; `None` where all is right already.
    #[expect(clippy::option_option, reason = "whether to act, and on what")]
    fn look(&self) -> Result<Option<Option<Standing>>, Trouble> {
        let (tree, path) = (self.sites.tree(), self.path());
        let extensions = self.sites.extensions.handle();
        let standing = match extensions {
            Some(extensions) => Standing::look(extensions, self.id, &path, tree)?,
            None => None,
        };
        let right = match (self.wanted, extensions, standing) {
            (None, _, None) => true,
            (Some(wanted), Some(extensions), Some(_)) => holds(extensions, self.id.as_ref(), wanted, tree)
                .map_err(|why| FolderError::system("read", &path, why))?,
            _ => false,
        };
        Ok((!right).then_some(standing))
    }

    fn write(&self, seen: Option<Standing>) -> Result<Done, Trouble> {
        let (sites, path) = (self.sites, self.path());
        if seen.is_some_and(|seen| seen.is_mount) {
            return Err(FolderError::Mounted { path }.into());
        }
        let Some(extensions) = self.open()? else { return Err(Trouble::Changed) };
        let Some(standing) = self.look()? else {
            // Another run was faster.
            extensions.keep();
            return Ok(Done { written: Written::Unchanged, notices: Vec::new(), swept: 0 });
        };
        if standing.is_some() != seen.is_some() {
            return Err(Trouble::Changed);
        }
        if let Some(standing) = standing.filter(|standing| standing.owner.uid != us().uid) {
            return Err(FolderError::Foreign { path, owner: standing.owner, tree: us() }.into());
        }
        self.probe.at(Step::Sweep).map_err(|why| FolderError::system("sweep", &extensions.path, why))?;
        let swept = sites.sweep(&extensions.file);
        let Some(staging) = sites.open(self.inside, self.lock_wait, self.probe)? else {
            return Err(Trouble::Changed);
        };
        let switch = Switch {
            extensions: std::os::fd::AsFd::as_fd(&extensions.file),
            staging: &staging,
            inside: staging.path().starts_with(sites.extensions.path()),
            id: self.id,
            path: &path,
            probe: self.probe,
        };
        let (switched, written) = match (self.wanted, standing) {
            (Some(wanted), _) => {
                let staged = Staged::make(&staging, wanted, self.probe)?;
                let written = if standing.is_some() { Written::Replaced } else { Written::Created };
                (switch.put(staged, standing)?, written)
            }
            (None, Some(standing)) => (switch.take_out(standing)?, Written::Removed),
            (None, None) => return Err(Trouble::Changed),
        };
        let written = match written {
            Written::Replaced if !switched.atomic => Written::ReplacedInPlace,
            other => other,
        };
        let notices = self.notices(&switched, &extensions, staging.path());
        // The work is done and on the disk; nothing that a probe says can undo it.
        let _ = self.probe.at(Step::Done);
        staging.keep();
        retire(&extensions.file);
        extensions.keep();
        Ok(Done { written, notices, swept })
    }

    /// Makes the extensions directory. It goes again, if it is empty, unless it is kept. `None` when the way to
    /// it changed meanwhile.
    ///
    /// On its own, because the staging directory may be inside of it, or of something that is made for it: it is
    /// found only when this one stands.
    pub(super) fn make_extensions(&self) -> Result<Option<Opened>, FolderError> {
        let site = &self.sites.extensions;
        let cannot = |doing| move |why| FolderError::system(doing, site.path(), why);
        self.probe.at(Step::MakeExtensions).map_err(cannot("make the directory"))?;
        let opened = site.open()?;
        if let Some(opened) = &opened {
            fchmod(&opened.file, Bits::from_raw_mode(0o755)).map_err(cannot("change the mode of"))?;
        }
        Ok(opened)
    }

    /// Whether [`Attempt::make_extensions`] must come first.
    pub(super) fn needs_extensions(&self) -> bool {
        self.wanted.is_some() && self.mode == Mode::Write && self.sites.extensions.handle().is_none()
    }

    /// Opens and locks the extensions directory. `None` when it went meanwhile.
    fn open(&self) -> Result<Option<Opened>, Trouble> {
        let site = &self.sites.extensions;
        if site.handle().is_none() {
            return Ok(None);
        }
        let cannot = |doing| move |why| FolderError::system(doing, site.path(), why);
        self.probe.at(Step::OpenExtensions).map_err(cannot("open the directory"))?;
        let Some(opened) = site.open()? else { return Ok(None) };
        let stat = fstat(&opened.file).map_err(cannot("look at"))?;
        let owner = owner_of(&stat);
        if owner.uid != us().uid && owner.uid != 0 {
            let path = site.path().to_owned();
            return Err(FolderError::NotOurs { path, owner, uid: us().uid }.into());
        }
        self.probe.at(Step::Lock).map_err(cannot("lock"))?;
        opened.lock(self.lock_wait)?;
        let is_there = fstat(&opened.file).map_err(cannot("look at"))?.st_nlink > 0;
        Ok(is_there.then_some(opened))
    }

    fn notices(&self, switched: &Switched, extensions: &Opened, staging: &Path) -> Vec<String> {
        let mut notices = Vec::new();
        if !switched.atomic {
            notices.push(format!(
                "{} could not be replaced in one instant on its file system: for a moment it was not there",
                shown(&self.path())
            ));
        }
        if let Some(why) = switched.left {
            let left = cannot("remove the old folder from", staging, why);
            notices.push(format!("{} is done, but hubkit {left}", shown(&self.path())));
        }
        if fstat(&extensions.file).is_ok_and(|stat| stat.st_mode & 0o002 != 0) {
            notices.push(format!(
                "every user of this machine may put plugins into {0}; run `chmod o-w {0}`",
                shown(&extensions.path)
            ));
        }
        notices
    }

    /// Removes leftovers when there is nothing to write. Whatever stands in the way of that, such as a lock or
    /// a read-only file system, is no reason to fail.
    fn sweep_in_passing(&self) -> usize {
        let sites = self.sites;
        if self.mode == Mode::CheckOnly || sites.extensions.handle().is_none() || !sites.have_leftovers() {
            return 0;
        }
        match sites.extensions.open() {
            Ok(Some(extensions)) if extensions.lock(Duration::ZERO).is_ok() => sites.sweep(&extensions.file),
            _ => 0,
        }
    }

    fn path(&self) -> PathBuf {
        self.sites.extensions.path().join(self.id)
    }
}
