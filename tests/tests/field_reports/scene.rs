//! A host's home with one configuration file, and `hubkit bootstrap` run on it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use hubkit_tests::binary;
use tempfile::TempDir;

pub(crate) const KEY: &str = "0123456789abcdef0123456789abcdef";
pub(crate) const URL: &str = "http://ci-hub:5002/api/mcp";
pub(crate) const REGISTERED: &str = "[Hub MCP] Server registered";

pub(crate) struct Scene {
    home: TempDir,
    host: &'static str,
    pub(crate) file: PathBuf,
}

pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) err: String,
}

impl Scene {
    pub(crate) fn hermes(text: impl AsRef<[u8]>) -> Self {
        Self::new("hermes", ".hermes/config.yaml", text.as_ref())
    }

    pub(crate) fn openclaw(text: impl AsRef<[u8]>) -> Self {
        Self::new("openclaw", ".openclaw/openclaw.json", text.as_ref())
    }

    fn new(host: &'static str, file: &str, text: &[u8]) -> Self {
        let home = TempDir::new().unwrap();
        let file = home.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        Self { home, host, file }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(&self.file).unwrap()
    }

    pub(crate) fn bootstrap(&self) -> Ran {
        self.bootstrap_with(&[("HUB_MCP_URL", URL), ("HUB_MCP_API_KEY", KEY)])
    }

    pub(crate) fn bootstrap_with(&self, variables: &[(&str, &str)]) -> Ran {
        let mut command = binary::command(self.home.path());
        command.args(["bootstrap", self.host, "--steps", "hub-mcp"]).envs(variables.iter().copied());
        let output = command.output().unwrap();
        Ran { code: output.status.code().unwrap(), err: String::from_utf8(output.stderr).unwrap() }
    }

    /// Wires the file, checks that a second run finds nothing to do, and answers the new text.
    pub(crate) fn wired(&self) -> String {
        let first = self.bootstrap();
        assert_eq!(first.code, 0, "{}", first.err);
        assert!(first.err.contains("changed") && first.err.contains(REGISTERED), "{}", first.err);
        let text = self.text();
        let second = self.bootstrap();
        assert!(second.err.contains("unchanged") && second.err.contains(REGISTERED), "{}", second.err);
        assert_eq!(self.text(), text, "the second run changed the file");
        text
    }

    /// Bootstraps and checks that the file was refused with `code`, says `part`, and was left as it was.
    pub(crate) fn refused(&self, code: i32, part: &str) -> Ran {
        let before = fs::read(&self.file).ok();
        let ran = self.bootstrap();
        assert_eq!(ran.code, code, "{}", ran.err);
        assert!(ran.err.contains(part), "{part:?} is not in: {}", ran.err);
        assert!(!ran.err.contains(REGISTERED), "{}", ran.err);
        assert_eq!(fs::read(&self.file).ok(), before, "the file changed");
        ran
    }
}

/// Every line of `before` stands in `after`, in order and unchanged.
pub(crate) fn all_lines_kept(before: &str, after: &str) {
    let mut rest = after.split_inclusive('\n');
    for line in before.split_inclusive('\n') {
        assert!(
            rest.any(|l| l == line || l.trim_end_matches(['\r', '\n']) == line),
            "lost the line {line:?} in:\n{after}"
        );
    }
}
