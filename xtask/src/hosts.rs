//! Installs the pinned real hosts and oracles below `target/hosts`, so that it can be interrupted at
//! any instant and run twice at once: under one lock, each piece counts only once its stamp is written.

mod lock;
mod npm;
mod python;
mod stamp;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::progress;
use crate::versions::{self, Installer, Piece};
use crate::workspace::Workspace;

/// The piece whose Node.js the other npm pieces are installed with.
const NODE: &str = "node";

/// What every installation works with.
struct Site {
    /// `target/hosts`.
    directory: PathBuf,
    /// Held until the last child process is gone.
    lock: lock::Lock,
}

impl Site {
    fn place(&self, piece: &Piece) -> PathBuf {
        self.directory.join(&piece.name)
    }

    fn log(&self, piece: &Piece) -> PathBuf {
        self.directory.join(format!("{}.log", piece.name))
    }
}

/// Installs what is absent or pinned differently now.
///
/// # Errors
/// On another platform than Linux on x86-64, when a tool is missing, or when an installation fails:
/// with the tool's last words and what to do next. What was complete stays complete.
pub(crate) fn install(workspace: &Workspace) -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!(
            "the real hosts are pinned for Linux on x86-64 only, and this is {} on {}; run the tests there",
            std::env::consts::OS,
            std::env::consts::ARCH
        );
    }
    let files = workspace.host_files();
    let pieces = versions::read(&files)?;
    let directory = workspace.hosts();
    fs::create_dir_all(&directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let site = Site { lock: lock::Lock::take(&directory)?, directory };

    let mut node = None;
    for piece in &pieces {
        let place = site.place(piece);
        let pin = stamp::Pin::of(piece, &files, &place)?;
        if pin.holds(&place.join(&piece.proof)) {
            progress::say(&format!("{} is there: {}", piece.name, piece.packages.join(" ")));
        } else {
            progress::stage(&format!("install {}", piece.name), || match piece.with {
                Installer::Npm => npm::install(&site, piece, &pin, &files, node.as_deref()),
                Installer::Python => python::install(&site, piece, &pin, &files),
            })?;
        }
        if piece.name == NODE {
            node = place.join(&piece.proof).parent().map(Path::to_owned);
        }
    }
    Ok(())
}

/// A Python that the hosts accept.
///
/// # Errors
/// When there is none: what was found instead.
pub(crate) fn python() -> Result<PathBuf> {
    python::find()
}

/// Removes a directory if it is there.
fn clear(directory: &Path) -> Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}; remove it by hand", directory.display()))
        }
        _ => Ok(()),
    }
}
