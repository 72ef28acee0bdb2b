//! The installation of plugin folders against a real file system: outcomes, hostile sources and destinations,
//! other users, kills, races, odd file systems, and the real OpenClaw.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails here")]

#[path = "folders/attacks.rs"]
mod attacks;
#[path = "folders/destinations.rs"]
mod destinations;
#[path = "folders/failures.rs"]
mod failures;
#[path = "folders/kills.rs"]
mod kills;
#[path = "folders/mounts.rs"]
mod mounts;
#[path = "folders/openclaw.rs"]
mod openclaw;
#[path = "folders/outcomes.rs"]
mod outcomes;
#[path = "folders/owners.rs"]
mod owners;
#[path = "folders/races.rs"]
mod races;
#[path = "folders/sources.rs"]
mod sources;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use hubkit_configurators::file::Mode;
use hubkit_configurators::folder::{
    FolderError, Install, Installed, NoProbe, Probe, Source, install_with, remove_with,
};

/// The id of the plugins here.
const ID: &str = "sample";

/// The agent of tests that need one.
const AGENT: u32 = 1000;

/// What a folder holds: path, mode, bytes; `None` for a directory.
type Listing = BTreeMap<PathBuf, (u32, Option<Vec<u8>>)>;

/// A scratch directory with room for a source, `home/extensions` and `home/.hubkit/staging`.
struct Bench {
    _scratch: tempfile::TempDir,
    root: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().canonicalize().unwrap();
        set_mode(&root, 0o755);
        fs::create_dir(root.join("home")).unwrap();
        Self { _scratch: scratch, root }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Makes a folder `name` with these files; their modes are those of a careless build.
    fn source(&self, name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = self.path(name);
        fs::create_dir(&folder).unwrap();
        for (path, text) in files {
            write(&folder.join(path), text);
            set_mode(&folder.join(path), 0o666);
        }
        folder
    }

    fn home(&self) -> PathBuf {
        self.path("home")
    }

    fn extensions(&self) -> PathBuf {
        self.path("home/extensions")
    }

    fn staging(&self) -> PathBuf {
        self.path("home/.hubkit/staging")
    }

    /// Where the plugin is installed.
    fn folder(&self) -> PathBuf {
        self.extensions().join(ID)
    }

    fn install_with(&self, source: &Path, mode: Mode, probe: &dyn Probe) -> Result<Installed, FolderError> {
        let (extensions, staging) = (self.extensions(), self.staging());
        let source = Source::Folder(source);
        let install = Install { source, extensions: &extensions, id: ID, staging: &staging, mode };
        install_with(&install, probe)
    }

    fn install(&self, source: &Path) -> Result<Installed, FolderError> {
        self.install_with(source, Mode::Write, &NoProbe)
    }

    fn remove_with(&self, mode: Mode, probe: &dyn Probe) -> Result<Installed, FolderError> {
        remove_with(&self.extensions(), ID, &self.staging(), mode, probe)
    }

    /// Puts a folder where the plugin's should be, as somebody else would.
    fn plant(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            write(&self.folder().join(path), text);
        }
    }

    /// Gives the home and all in it to a user.
    fn give_home(&self, uid: u32) {
        give(&self.home(), uid);
    }

    /// Nothing of ours is left beside the plugin or where it was made.
    fn is_clean(&self, when: &str) {
        let beside: Vec<String> = names(&self.extensions()).into_iter().filter(|name| name != ID).collect();
        assert!(beside.is_empty(), "{when}: beside the plugin: {beside:?}");
        let staged = names(&self.staging());
        assert!(staged.is_empty(), "{when}: staged: {staged:?}");
    }
}

/// The folder with these files, as it is installed.
fn installed(files: &[(&str, &str)]) -> Listing {
    let mut listing = Listing::new();
    for (path, text) in files {
        let path = Path::new(path);
        for directory in path.ancestors().skip(1) {
            listing.insert(directory.to_owned(), (0o755, None));
        }
        listing.insert(path.to_owned(), (0o644, Some(text.as_bytes().to_vec())));
    }
    listing
}

/// What stands at `folder`; empty where nothing does.
fn listing(folder: &Path) -> Listing {
    let mut listing = Listing::new();
    let mut left = vec![folder.to_owned()];
    while let Some(path) = left.pop() {
        let Ok(meta) = path.symlink_metadata() else { continue };
        assert!(meta.is_dir() || meta.is_file(), "{}", path.display());
        let below = path.strip_prefix(folder).unwrap().to_owned();
        if meta.is_dir() {
            left.extend(names(&path).into_iter().map(|name| path.join(name)));
        }
        let bytes = meta.is_file().then(|| fs::read(&path).unwrap());
        listing.insert(below, (meta.mode() & 0o7777, bytes));
    }
    listing
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The names in a directory, sorted; none where there is no directory.
fn names(directory: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Mode, owner and group.
fn rights(path: &Path) -> (u32, u32, u32) {
    let meta = fs::symlink_metadata(path).unwrap();
    (meta.mode() & 0o7777, meta.uid(), meta.gid())
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn own(path: &Path, uid: u32) {
    std::os::unix::fs::lchown(path, Some(uid), Some(uid)).unwrap();
}

/// Gives a path and all below it to a user.
fn give(path: &Path, uid: u32) {
    own(path, uid);
    if !path.is_symlink() && path.is_dir() {
        for name in names(path) {
            give(&path.join(name), uid);
        }
    }
}

/// Everything at `folder` belongs to `uid`.
fn belongs(folder: &Path, uid: u32) {
    for below in listing(folder).keys() {
        assert_eq!(rights(&folder.join(below)).1, uid, "{}", folder.join(below).display());
    }
}
