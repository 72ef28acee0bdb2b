//! The recipe for OpenClaw: its entry point before every start of a container, in a tree with the image's paths, from
//! a new volume through the real onboarding to the real gateway. Started as root, and as the image's user.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::SystemTime;

use hubkit_contract::environment::{HUB_MCP_API_KEY, HUB_URL, HUBKIT_PLUGIN_DIR};
use hubkit_dev_hub::{CHAT_MODEL, DevHub, Options};
use hubkit_redaction::Secret;
use hubkit_tests::gateway::Gateway;
use hubkit_tests::image::{Image, NODE, PATH};
use hubkit_tests::scratch_home::KEY;
use hubkit_tests::{fixtures, onboarding, privilege};
use serde_json::Value as Json;

use crate::dockerfile::Dockerfile;

const VOLUME: &str = "/home/node/.openclaw";
const CONFIG: &str = "/home/node/.openclaw/openclaw.json";

/// Where the image's own entry point and command are run.
const DIRECTORY: &str = "/app";

const PLUGIN: &str = "hubkit-sample";
const PLUGIN_FOLDER: &str = "/opt/plugins/hubkit-sample";

/// The image's init, as far as an entry point can tell.
const TINI: &str = "#!/bin/sh\n[ \"$1\" = -- ] || exit 2\nshift\nexec \"$@\"\n";

/// What there is to wire.
const ADDED: [&str; 4] = ["agents.defaults.model", "mcp", "models", "plugins.entries.hubkit-sample"];

/// A container with its volume, and a Hub.
struct Container {
    image: Image,
    dockerfile: Dockerfile,
    hub: DevHub,
    /// Who starts it.
    user: u32,
}

impl Container {
    fn new(user: u32) -> Self {
        let image = Image::new();
        let dockerfile = Dockerfile::of("openclaw");
        dockerfile.copy_into(&image);
        image.file("/usr/local/bin/tini", TINI, 0, 0o755);
        for file in fixtures::names(&format!("plugins/{PLUGIN}")) {
            let bytes = fixtures::read(&format!("plugins/{PLUGIN}/{file}"));
            image.file(&format!("{PLUGIN_FOLDER}/{file}"), bytes, 0, 0o644);
        }
        // A mount comes as root's, or as that of the user whom a container without root is started as.
        image.directory(VOLUME, user, 0o755);
        let hub = DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap();
        Self { image, dockerfile, hub, user }
    }

    /// A start of the container with a command.
    fn with(&self, command: &[&str]) -> Command {
        let entry_point = self.dockerfile.words("ENTRYPOINT");
        let words: Vec<&str> =
            entry_point.iter().map(String::as_str).chain(command.iter().copied()).collect();
        let mut start = self.image.command(self.user, DIRECTORY, &words);
        let home = if self.user == 0 { "/root" } else { "/home/node" };
        start.envs([("PATH", PATH), ("HOME", home), ("LANG", "C.UTF-8"), ("NO_COLOR", "1")]);
        start.envs([("OPENCLAW_NO_AUTO_UPDATE", "1"), ("DO_NOT_TRACK", "1")]);
        start.envs([(HUB_URL, &*self.hub.url()), (HUB_MCP_API_KEY, KEY), (HUBKIT_PLUGIN_DIR, PLUGIN_FOLDER)]);
        start.stdin(Stdio::null());
        start
    }

    fn starts(&self, command: &[&str]) -> Output {
        let output = self.with(command).output().unwrap();
        let said = said(&output);
        assert!(!said.contains(KEY), "{said}");
        output
    }

    fn text(&self) -> String {
        fs::read_to_string(self.image.path(CONFIG)).unwrap()
    }

    /// The file as it stands: its number, when it was last changed, and what it holds.
    fn standing(&self) -> (u64, SystemTime, String) {
        let metadata = fs::metadata(self.image.path(CONFIG)).unwrap();
        assert_eq!((metadata.uid(), metadata.gid(), metadata.mode() & 0o7777), (NODE, NODE, 0o600));
        (metadata.ino(), metadata.modified().unwrap(), self.text())
    }

    /// All that is in the home of the image's user is that user's.
    fn belongs_to_node(&self) {
        let mut left: Vec<PathBuf> = vec![self.image.path("/home/node")];
        while let Some(path) = left.pop() {
            let metadata = path.symlink_metadata().unwrap();
            assert_eq!((metadata.uid(), metadata.gid()), (NODE, NODE), "{}", path.display());
            if metadata.is_dir() {
                left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
        }
    }

    /// Before onboarding nothing is there that OpenClaw takes for a set-up.
    fn waits_for_onboarding(&self) {
        let output = self.starts(&["sh", "-c", "id -u; id -G"]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{NODE}\n{NODE}\n"), "{output:?}");
        assert!(said(&output).contains("--no-create keeps hubkit from making it"), "{output:?}");
        self.belongs_to_node();

        let output = self.starts(&["openclaw", "setup", "--json"]);
        let answer: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &answer["ok"]), (Some(1), &Json::Bool(false)), "{output:?}");
        let message = answer["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("Onboarding needs an interactive TTY"), "{answer}");
        assert!(!self.image.path(CONFIG).exists(), "somebody made the file");
    }

    /// The real onboarding, as the command of a container; it takes this start for the first.
    fn is_onboarded(&self) {
        let command: Vec<&str> = std::iter::once("openclaw").chain(onboarding::ARGUMENTS).collect();
        let output = self.starts(&command);
        assert!(output.status.success(), "{output:?}");
        let config: Json = serde_json::from_str(&self.text()).unwrap();
        for plugin in ["anthropic", "codex"] {
            let catalog = &config["plugins"]["entries"][plugin]["config"]["sessionCatalog"];
            assert_eq!(catalog["enabled"], false, "not what a first start writes: {config}");
        }
    }

    /// The next start wires what onboarding wrote, and OpenClaw takes it.
    fn is_wired(&self) {
        let before = self.text();
        let output = self.starts(&["openclaw", "config", "validate", "--json"]);
        let verdict: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert!(output.status.success() && verdict["valid"] == true, "{output:?}");
        assert!(said(&output).contains("[Hub MCP] Server registered"), "{output:?}");
        let after = self.text();
        assert_eq!(onboarding::additions(&before, &after), ADDED);
        let config: Json = serde_json::from_str(&after).unwrap();
        let primary = format!("ci-hub/{CHAT_MODEL}");
        for (pointer, wanted) in [
            ("/mcp/servers/ci-hub/url", &*self.hub.mcp_url()),
            ("/mcp/servers/ci-hub/headers/Authorization", "Bearer ${HUB_MCP_API_KEY}"),
            ("/models/providers/ci-hub/baseUrl", &self.hub.url()),
            ("/agents/defaults/model/primary", &primary),
        ] {
            assert_eq!(config.pointer(pointer).and_then(Json::as_str), Some(wanted), "{pointer}: {after}");
        }
        self.belongs_to_node();
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn started_as_root_the_image_waits_for_onboarding_and_is_wired() {
    let test = "openclaw_image::started_as_root_the_image_waits_for_onboarding_and_is_wired";
    privilege::as_root_with_mounts(test, || {
        let container = Container::new(0);
        container.waits_for_onboarding();
        container.is_onboarded();
        container.is_wired();
        let wired = container.standing();

        // The image's own command, with a port that is free.
        let command = container.dockerfile.words("CMD");
        let (last, command) = command.split_last().unwrap();
        assert_eq!(last, "gateway");
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let gateway = Gateway::start(container.with(&command), &container.image.path("/run"));
        let printed = gateway.stop();
        assert!(printed.contains("hubkit: openclaw hub-mcp: unchanged"), "{printed}");
        assert_eq!(container.standing(), wired, "{printed}");
        container.belongs_to_node();
    });
}

#[test]
fn started_as_its_user_the_image_waits_for_onboarding_and_is_wired() {
    let test = "openclaw_image::started_as_its_user_the_image_waits_for_onboarding_and_is_wired";
    privilege::as_root_with_mounts(test, || {
        let container = Container::new(NODE);
        container.waits_for_onboarding();
        container.is_onboarded();
        container.is_wired();
        let wired = container.standing();
        let output = container.starts(&["true"]);
        assert!(output.status.success() && !said(&output).contains(" changed"), "{output:?}");
        assert_eq!(container.standing(), wired, "{output:?}");
    });
}
