//! One installation at a time. The lock belongs to the open file, and the tools that install inherit
//! it as their standard input: if this program is killed, whoever comes next waits until the orphaned
//! tool has ended too, instead of writing into the same directory.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result};

use crate::progress;

/// The right to install; released when it and every child that got [`Lock::stdin`] are gone.
pub(super) struct Lock(File);

impl Lock {
    /// Takes the lock of this directory, waiting for another installation to end.
    pub(super) fn take(directory: &Path) -> Result<Self> {
        let path = directory.join(".lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                progress::say("another installation is running; waiting for it to end");
                file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
        Ok(Self(file))
    }

    /// The lock as the empty standard input of a tool.
    pub(super) fn stdin(&self) -> Result<Stdio> {
        Ok(self.0.try_clone().context("cannot share the lock with the tool")?.into())
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_child_keeps_the_lock_after_its_parent_let_go() {
        let directory = std::env::temp_dir().join(format!("xtask-lock-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let lock = Lock::take(&directory).unwrap();
        let mut child = Command::new("sleep").arg("600").stdin(lock.stdin().unwrap()).spawn().unwrap();
        drop(lock);
        let again = File::options().read(true).write(true).open(directory.join(".lock")).unwrap();
        let held = again.try_lock();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(matches!(held, Err(TryLockError::WouldBlock)), "{held:?}");
        drop(Lock::take(&directory).unwrap());
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
