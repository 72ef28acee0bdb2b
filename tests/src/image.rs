//! A directory tree that stands for a container: what an image has at its paths, and programs that run in it as one
//! of its users.
//!
//! It is mounted in the mount namespace of the test, so that the paths are the image's own while nobody else sees
//! them. The machine's programs and libraries, the real hosts and the Python that runs Hermes are bound in at their
//! places; every directory on the way is open to all, because some of them may be where no other user may look.
//!
//! Never here: what an image does when it starts, and the removal of anything below the mount point.

#![expect(clippy::panic, reason = "a tree that cannot be made must fail the test that asked for it")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::hosts;

/// Directories of the machine that hold programs and libraries, and the kernel's own.
const OF_THE_MACHINE: [&str; 7] = ["bin", "sbin", "lib", "lib64", "usr", "dev", "proc"];

/// Where programs are looked for: the supervisor's first, as in images that have one.
pub const PATH: &str = "/command:/usr/local/bin:/usr/bin:/bin";

/// The user of the official image of OpenClaw.
pub const NODE: u32 = 1000;

/// The user of the official image of Hermes.
pub const HERMES: u32 = 10_000;

/// The users that there are, in the form of `/etc/passwd`.
const USERS: &str = "root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n\
    hermes:x:10000:10000::/opt/data:/bin/sh\n";

/// Their groups, in the form of `/etc/group`.
const GROUPS: &str = "root:x:0:\nnode:x:1000:\nhermes:x:10000:\n";

/// A mounted tree. It goes when it is dropped.
#[derive(Debug)]
pub struct Image {
    root: PathBuf,
}

impl Image {
    /// A tree with users, programs, libraries and the real hosts as the commands `hermes`, `openclaw` and `node`,
    /// and with OpenClaw's script in `/app`. The test must run in a mount namespace of its own.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    pub fn new() -> Self {
        let root = tempfile::Builder::new().prefix("hubkit-image-").tempdir();
        // The directory is never removed with what is below it, which is the machine's own as long as it is bound.
        let root = root.unwrap_or_else(|error| panic!("there is no room for a tree: {error}")).keep();
        mount(&["-t", "tmpfs", "-o", "mode=0755", "none"], &root);
        let image = Self { root };
        for name in OF_THE_MACHINE {
            image.take_over(&Path::new("/").join(name));
        }
        mount(&["-t", "tmpfs", "-o", "mode=0755", "none"], &image.path("/usr/local/bin"));
        image.file("/etc/passwd", USERS, 0, 0o644);
        image.file("/etc/group", GROUPS, 0, 0o644);
        image.file("/etc/hosts", "127.0.0.1 localhost\n", 0, 0o644);
        image.directory("/home/node", NODE, 0o755);
        image.directory("/run", 0, 0o755);
        image.directory("/tmp", 0, 0o1777);
        image.take_hosts();
        image
    }

    /// Where something is for a program outside.
    #[must_use]
    pub fn path(&self, inside: &str) -> PathBuf {
        self.root.join(inside.trim_start_matches('/'))
    }

    /// Makes a directory with all above it, and gives it to a user.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn directory(&self, inside: &str, user: u32, mode: u32) {
        let path = self.path(inside);
        give(fs::create_dir_all(&path), &path, user, mode);
    }

    /// Writes a file with all directories above it, and gives it to a user.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn file(&self, inside: &str, contents: impl AsRef<[u8]>, user: u32, mode: u32) {
        let path = self.path(inside);
        let parent = path.parent().unwrap_or(&self.root);
        give(fs::create_dir_all(parent).and_then(|()| fs::write(&path, contents)), &path, user, mode);
    }

    /// Starts a program with its arguments in `directory`, as `user` without further groups, and with nothing in its
    /// environment but a path.
    ///
    /// # Panics
    /// When there is no program.
    #[must_use]
    pub fn command(&self, user: u32, directory: &str, program: &[&str]) -> Command {
        assert!(!program.is_empty(), "a program has a name");
        let mut command = Command::new("/usr/sbin/chroot");
        command.arg(format!("--userspec={user}:{user}")).args(["--groups=", "--"]).arg(&self.root);
        command.args(["/usr/bin/env", "-C", directory]).args(program).env_clear().env("PATH", PATH);
        command
    }

    /// The real hosts under the names that they have in their images.
    fn take_hosts(&self) {
        let (hermes, openclaw) = (hosts::hermes(), hosts::openclaw());
        self.take_over(&hosts::target_dir().join("hosts"));
        for tree in interpreters(&hermes.python) {
            self.take_over(&tree);
        }
        let words = |words: [&Path; 2]| words.map(|word| format!("'{}'", word.display())).join(" ");
        for (name, words) in [
            ("hermes", words([&hermes.python, &hermes.program])),
            ("openclaw", words([&openclaw.node, &openclaw.entry])),
            ("node", format!("'{}'", openclaw.node.display())),
        ] {
            let text = format!("#!/bin/sh\nexec {words} \"$@\"\n");
            self.file(&format!("/usr/local/bin/{name}"), text, 0, 0o755);
        }
        self.directory("/app", 0, 0o755);
        self.link(&openclaw.entry, "/app/openclaw.mjs");
    }

    /// Puts what the machine has at `place` at the same place of the tree. A link stays one.
    fn take_over(&self, place: &Path) {
        let inside = self.path(&place.display().to_string());
        match fs::read_link(place) {
            Ok(target) if place.parent() == Some(Path::new("/")) => {
                self.link(&target, &place.display().to_string());
            }
            _ if place.is_dir() => {
                if let Err(error) = fs::create_dir_all(&inside) {
                    panic!("{} cannot be made: {error}", inside.display());
                }
                mount(&["--rbind".as_ref(), place.as_os_str()], &inside);
            }
            // Not every machine has every directory.
            _ => {}
        }
    }

    fn link(&self, target: &Path, inside: &str) {
        if let Err(error) = std::os::unix::fs::symlink(target, self.path(inside)) {
            panic!("{inside} cannot be made: {error}");
        }
    }
}

impl Default for Image {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let _gone = Command::new("umount").arg("--lazy").arg(&self.root).status();
        // Fails, as it should, on anything that is not empty or still mounted.
        let _gone = fs::remove_dir(&self.root);
    }
}

/// The installations that the Python of a virtual environment leads to, link by link, as far as the tree lacks them.
fn interpreters(python: &Path) -> BTreeSet<PathBuf> {
    let next = |path: &PathBuf| Some(path.parent()?.join(fs::read_link(path).ok()?));
    let hops = std::iter::successors(Some(python.to_owned()), next);
    let ends =
        hops.chain(python.canonicalize().ok()).filter_map(|hop| Some(hop.ancestors().nth(2)?.to_owned()));
    ends.filter(|tree| !tree.starts_with("/usr") && !tree.starts_with(hosts::target_dir())).collect()
}

fn give(made: std::io::Result<()>, path: &Path, user: u32, mode: u32) {
    let given = made
        .and_then(|()| chown(path, Some(user), Some(user)))
        .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(mode)));
    given.unwrap_or_else(|error| panic!("{} cannot be made: {error}", path.display()));
}

fn mount<W: AsRef<std::ffi::OsStr>>(what: &[W], at: &Path) {
    let output = Command::new("mount").args(what).arg(at).output();
    let output = output.unwrap_or_else(|error| panic!("mount cannot be run: {error}"));
    assert!(output.status.success(), "nothing can be mounted at {}: {output:?}", at.display());
}
