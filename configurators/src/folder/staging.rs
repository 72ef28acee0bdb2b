//! Where a new folder is made ready, and where a displaced one goes: never among the plugins, because a host
//! finds a second folder with the same id there, hidden or not, and may load it.
//!
//! That is a directory of hubkit's own. Where it is on another file system than the extensions, or in another
//! user's tree, a directory inside the extensions stands in, two levels down and under a name that hosts skip;
//! it goes again when the work is done.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{AtFlags, Mode, OFlags, fstat, openat, statat, unlinkat};

use super::clear::clear;
use super::directory::list;
use super::error::FolderError;
use super::probe::{Probe, Step};
use super::staged::us;
use super::standing::owner_of;
use crate::file::{FileError, Opened, Owner, Site};

/// The directory inside the extensions. OpenClaw skips names with this ending.
const INNER: &str = ".hubkit.disabled";
/// The directory in that one.
const STAGING: &str = "staging";
/// Names in a staging directory that one sweep looks at.
const NAMES: usize = 4_096;

/// The directories of one installation, as they were found before any powers were given away.
pub(super) struct Sites {
    pub(super) extensions: Site,
    /// The directory of hubkit's own; what is wrong with it matters only when it is needed.
    apart: Result<Site, FileError>,
    /// The directory inside the extensions; likewise.
    inner: Result<Site, FileError>,
}

impl Sites {
    /// Finds the directories.
    ///
    /// # Errors
    /// When there cannot be an extensions directory.
    pub(super) fn find(extensions: &Path, staging: &Path) -> Result<Self, FolderError> {
        let extensions = Site::find(extensions)?;
        let inner = Site::find(&extensions.path().join(INNER).join(STAGING));
        Ok(Self { extensions, apart: Site::find(staging), inner })
    }

    /// Who must own the plugin.
    pub(super) fn tree(&self) -> Owner {
        self.extensions.actor().unwrap_or_else(us)
    }

    /// Where to stage: apart from the extensions, unless folders cannot move from there.
    fn choose(&self, inside: bool) -> Result<&Site, FolderError> {
        let apart = self.apart.as_ref().map_err(Clone::clone)?;
        let device = |site: &Site| fstat(site.nearest()).map(|stat| stat.st_dev).ok();
        let fits = apart.actor().map(|owner| owner.uid) == self.extensions.actor().map(|owner| owner.uid)
            && device(apart) == device(&self.extensions);
        if fits && !inside { Ok(apart) } else { Ok(self.inner.as_ref().map_err(Clone::clone)?) }
    }

    /// Opens and locks the staging directory; `inside` the extensions, or where it is best. `None` when the way
    /// to it changed meanwhile.
    pub(super) fn open(
        &self,
        inside: bool,
        wait: Duration,
        probe: &dyn Probe,
    ) -> Result<Option<Staging>, FolderError> {
        let site = self.choose(inside)?;
        probe
            .at(Step::OpenStaging)
            .map_err(|why| FolderError::system("open the directory", site.path(), why))?;
        let Some(opened) = site.open()? else { return Ok(None) };
        let staging = Staging { opened };
        let cannot = |why| FolderError::system("lock", staging.path(), why);
        staging.check()?;
        probe.at(Step::LockStaging).map_err(cannot)?;
        staging.opened.lock(wait)?;
        let is_there = fstat(&staging.opened.file).map_err(cannot)?.st_nlink > 0;
        Ok(is_there.then_some(staging))
    }

    /// Removes leftovers of killed runs, and the directory inside the extensions. The caller has locked those.
    /// What stands in the way of that is no reason to fail. Returns how many were removed.
    pub(super) fn sweep(&self, extensions: impl AsFd) -> usize {
        let ours = |site: &Site| site.actor() == self.extensions.actor() && site.handle().is_some();
        let there = [&self.apart, &self.inner].into_iter().flatten().filter(|site| ours(site));
        let swept = there.map(sweep).sum();
        retire(extensions);
        swept
    }

    /// Whether there is anything for [`Sites::sweep`].
    pub(super) fn have_leftovers(&self) -> bool {
        let has = |site: &Site| {
            let opened = site.handle().and_then(|_| site.open().ok().flatten());
            let names = opened.and_then(|opened| list(&opened.file, NAMES).ok()).unwrap_or_default();
            names.iter().any(|name| is_temp_name(name))
        };
        self.inner.as_ref().is_ok_and(|site| site.handle().is_some()) || self.apart.as_ref().is_ok_and(has)
    }
}

fn sweep(site: &Site) -> usize {
    let Ok(Some(opened)) = site.open() else { return 0 };
    let staging = Staging { opened };
    if staging.check().is_err() || staging.opened.lock(Duration::ZERO).is_err() {
        return 0;
    }
    let names = list(&staging.opened.file, NAMES).unwrap_or_default();
    let is_ours = |name: &OsStr| {
        is_temp_name(name)
            && statat(&staging.opened.file, name, AtFlags::SYMLINK_NOFOLLOW)
                .is_ok_and(|stat| stat.st_uid == us().uid)
    };
    names.iter().filter(|name| is_ours(name) && clear(staging.handle(), name).is_ok()).count()
}

/// Removes the directory inside the extensions if nothing is in it. The caller has locked the extensions.
pub(super) fn retire(extensions: impl AsFd) {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    if let Ok(inner) = openat(&extensions, INNER, flags, Mode::empty()) {
        let _ = unlinkat(inner, STAGING, AtFlags::REMOVEDIR);
        let _ = unlinkat(extensions, INNER, AtFlags::REMOVEDIR);
    }
}

/// The open and locked staging directory.
pub(super) struct Staging {
    opened: Opened,
}

impl Staging {
    pub(super) fn path(&self) -> &Path {
        &self.opened.path
    }

    pub(super) fn handle(&self) -> BorrowedFd<'_> {
        self.opened.file.as_fd()
    }

    /// It stays. Ends the lock.
    pub(super) fn keep(self) {
        self.opened.keep();
    }

    /// Nobody but us may be able to change what is made here.
    fn check(&self) -> Result<(), FolderError> {
        let path = self.path();
        let stat = fstat(self.handle()).map_err(|why| FolderError::system("look at", path, why))?;
        let (owner, mode) = (owner_of(&stat), stat.st_mode & 0o7777);
        if owner.uid != us().uid {
            return Err(FolderError::Foreign { path: path.to_owned(), owner, tree: us() });
        }
        if mode & 0o022 != 0 {
            return Err(FolderError::Shared { path: path.to_owned(), owner, mode });
        }
        Ok(())
    }
}

/// A name in a staging directory, of a process and a random number.
pub(super) fn temp_name() -> OsString {
    let pid = std::process::id();
    format!("folder-{pid}-{:016x}", RandomState::new().hash_one(pid)).into()
}

/// Whether `name` is what [`temp_name`] makes, to the letter.
fn is_temp_name(name: &OsStr) -> bool {
    let is_hexadecimal = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let parts: Vec<&[u8]> = name.as_bytes().split(|byte| *byte == b'-').collect();
    matches!(parts[..], [b"folder", pid, random]
        if (1..=10).contains(&pid.len())
            && pid.iter().all(u8::is_ascii_digit)
            && random.len() == 16
            && random.iter().all(is_hexadecimal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_name_is_known_again() {
        for _ in 0..3 {
            let name = temp_name();
            assert!(is_temp_name(&name), "{name:?}");
            assert_ne!(name, temp_name());
        }
        for name in [
            "folder",
            "folder-1",
            "folder-1-0123456789abcde",
            "folder-1-0123456789abcdef0",
            "folder-1-0123456789ABCDEF",
            "folder--0123456789abcdef",
            "folder-x-0123456789abcdef",
            "folder-12345678901-0123456789abcdef",
            "folder-1-0123456789abcdef-",
            "afolder-1-0123456789abcdef",
        ] {
            assert!(!is_temp_name(OsStr::new(name)), "{name}");
        }
    }
}
