//! The stamp of a complete piece: everything that decides what an installation holds, written as the
//! last step. A piece without its exact stamp is not there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::versions::Piece;

/// The stamp's file name, inside the piece.
const FILE: &str = ".hubkit-pin";

/// What a piece is pinned to now.
pub(super) struct Pin {
    text: String,
    place: PathBuf,
}

impl Pin {
    /// Packages, lock and place: a Python environment does not work anywhere but where it was made.
    pub(super) fn of(piece: &Piece, files: &Path, place: &Path) -> Result<Self> {
        let lock = match &piece.lock {
            Some(name) => {
                let path = files.join(name);
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?
            }
            None => String::new(),
        };
        let text = format!("{}\n{}\n\n{lock}", piece.packages.join("\n"), place.display());
        Ok(Self { text, place: place.to_owned() })
    }

    /// Whether a complete installation of exactly this is in place.
    pub(super) fn holds(&self, proof: &Path) -> bool {
        proof.exists() && fs::read_to_string(self.place.join(FILE)).is_ok_and(|found| found == self.text)
    }

    /// Stamps the piece that was completed in `directory`. The stamp appears whole or not at all.
    pub(super) fn write(&self, directory: &Path) -> Result<()> {
        let unfinished = directory.join(format!("{FILE}.new"));
        let stamp = directory.join(FILE);
        fs::write(&unfinished, &self.text)
            .and_then(|()| fs::rename(&unfinished, &stamp))
            .with_context(|| format!("cannot write {}", stamp.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::Installer;

    #[test]
    fn a_piece_counts_only_with_its_exact_stamp_and_its_proof() {
        let root = std::env::temp_dir().join(format!("xtask-stamp-{}", std::process::id()));
        let place = root.join("piece");
        fs::create_dir_all(&place).unwrap();
        fs::write(root.join("piece.lock"), "a 1").unwrap();
        let mut piece = Piece {
            name: "piece".to_owned(),
            with: Installer::Npm,
            packages: vec!["piece@1.0.0".to_owned()],
            lock: Some("piece.lock".to_owned()),
            proof: "it".to_owned(),
        };
        let proof = place.join("it");
        let pin = Pin::of(&piece, &root, &place).unwrap();
        fs::write(&proof, "").unwrap();
        assert!(!pin.holds(&proof), "no stamp yet");
        pin.write(&place).unwrap();
        assert!(pin.holds(&proof));

        fs::write(root.join("piece.lock"), "a 2").unwrap();
        assert!(!Pin::of(&piece, &root, &place).unwrap().holds(&proof), "another lock");
        fs::write(root.join("piece.lock"), "a 1").unwrap();
        piece.packages = vec!["piece@1.0.1".to_owned()];
        assert!(!Pin::of(&piece, &root, &place).unwrap().holds(&proof), "another version");
        fs::remove_file(&proof).unwrap();
        assert!(!pin.holds(&proof), "the proof is gone");
        fs::remove_dir_all(&root).unwrap();
    }
}
