//! What becomes of a write in place that was cut short: judged by the backup that it left.
//!
//! The file gets its old content back only when it is provably a mix of what that write found and what it
//! was writing. Everything else is somebody else's word and is left alone.

use super::backup::Backup;
use super::mix::{Verdict, judge};
use super::replace::Replacement;
use super::snapshot::Snapshot;
use super::state::Store;
use super::target::Recovered;
use super::trouble::Trouble;

impl Replacement<'_> {
    /// Settles the backup in `store`, if there is one. The caller holds the file's locks, so that no run is
    /// at work on it.
    ///
    /// # Errors
    /// When a mix cannot be put right, or the backup not be removed. It is there then for the next run.
    pub(super) fn settle(&self, store: &Store<'_>) -> Result<Option<Recovered>, Trouble> {
        let Some(bytes) = store.read()? else { return Ok(None) };
        let Some(backup) = Backup::decode(&bytes) else {
            // Its writing was cut short, and the file was not touched before it was whole.
            store.remove()?;
            return Ok(None);
        };
        if backup.path != self.path {
            return Ok(None);
        }
        let now = Snapshot::take(self.directory, self.name, self.path, self.limit)?;
        match (verdict(&backup, now.as_ref()), now) {
            (Verdict::Old | Verdict::New, _) => {
                store.remove()?;
                Ok(None)
            }
            (Verdict::Mix, Some(now)) => {
                self.put_back(&backup, &now, store)?;
                Ok(Some(Recovered::Restored))
            }
            (Verdict::Mix | Verdict::Foreign, _) => {
                Ok(Some(Recovered::SetAside { backup: store.set_aside(backup.old)? }))
            }
        }
    }

    /// Says what [`Replacement::settle`] would do about `now`, and gives `now` the content that it would have.
    pub(super) fn foresee(
        &self,
        store: &Store<'_>,
        now: Option<&mut Snapshot>,
    ) -> Result<Option<Recovered>, Trouble> {
        let Some(bytes) = store.read()? else { return Ok(None) };
        let Some(backup) = Backup::decode(&bytes).filter(|backup| backup.path == self.path) else {
            return Ok(None);
        };
        match (verdict(&backup, now.as_deref()), now) {
            (Verdict::Old | Verdict::New, _) => Ok(None),
            (Verdict::Mix, Some(now)) => {
                backup.old.clone_into(&mut now.bytes);
                Ok(Some(Recovered::WouldRestore))
            }
            (Verdict::Mix | Verdict::Foreign, _) => {
                Ok(Some(Recovered::WouldSetAside { backup: store.backup.to_owned() }))
            }
        }
    }
}

/// A file that has gone, or another one in its place, is somebody else's doing, but for whole contents.
fn verdict(backup: &Backup<'_>, now: Option<&Snapshot>) -> Verdict {
    let Some(now) = now else { return Verdict::Foreign };
    match judge(&now.bytes, backup.old, backup.new) {
        Verdict::Mix if now.stat.st_ino != backup.inode => Verdict::Foreign,
        verdict => verdict,
    }
}
