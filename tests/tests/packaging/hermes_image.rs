//! The recipe for Hermes: the scripts that its image runs at every start with ours between them, in a tree with the
//! image's paths, and the real Hermes that reads what they left. Started as root, and as the image's user.
//!
//! The supervisor is not here. Its part is played by three scripts: one that resets the environment, one that steps
//! down to a user, and one that does to the volume what the image's first script does.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::SystemTime;

use hubkit_contract::environment::{HUB_MCP_API_KEY, HUB_MCP_URL, HUB_URL, file_form};
use hubkit_dev_hub::{CHAT_MODEL, DevHub, MODEL_ANSWER, Options};
use hubkit_redaction::Secret;
use hubkit_tests::image::{HERMES, Image, PATH};
use hubkit_tests::scratch_home::{HUB_TOOLS, KEY};
use hubkit_tests::{fixtures, privilege};

use crate::dockerfile::Dockerfile;

const ENVIRONMENT: &str = "/run/s6/container_environment";
const SCRIPTS: &str = "/etc/cont-init.d";
const VOLUME: &str = "/opt/data";
const CONFIG: &str = "/opt/data/config.yaml";
const OURS: &str = "016-hubkit";

/// Forgets all variables but the path, and takes those of the container.
const WITH_CONTENV: &str = r#"#!/bin/sh
for file in /run/s6/container_environment/*; do
    [ -f "$file" ] && set -- "${file##*/}=$(cat "$file")" "$@"
done
exec env -i PATH="$PATH" "$@"
"#;

/// Becomes a user with all of its groups, and fails for whoever is not root.
const SETUIDGID: &str = r#"#!/bin/sh
user=$1
shift
exec setpriv --reuid="$user" --regid="$user" --init-groups -- "$@"
"#;

/// What the image's first script does to the volume: who owns it, who may read its files, what is in a new one, and
/// the migration of an older one.
const SETUP: &str = r#"#!/command/with-contenv sh
set -eu
as_hermes() { if [ "$(id -u)" = 0 ]; then s6-setuidgid hermes "$@"; else "$@"; fi; }
own() {
    [ -f "$1" ] && [ ! -L "$1" ] || return 0
    [ "$(id -u)" != 0 ] || chown hermes:hermes "$1"
    chmod "$2" "$1"
}
[ "$(id -u)" != 0 ] || chown hermes:hermes "$HERMES_HOME"
own "$HERMES_HOME/config.yaml" 640
as_hermes mkdir -p "$HERMES_HOME/logs" "$HERMES_HOME/sessions"
[ -e "$HERMES_HOME/.env" ] || as_hermes cp /opt/hermes/.env.example "$HERMES_HOME/.env"
[ -e "$HERMES_HOME/config.yaml" ] || as_hermes cp /opt/hermes/cli-config.yaml.example "$HERMES_HOME/config.yaml"
own "$HERMES_HOME/.env" 600
[ -L "$HERMES_HOME/config.yaml" ] || as_hermes hermes config migrate </dev/null >/dev/null
"#;

/// Notes who it is, then becomes hubkit: a file of hubkit's does not tell, because root gives it to the agent.
const HUBKIT: &str = "#!/bin/sh\n{ id -u; id -G; } >/run/who\nexec /opt/hubkit \"$@\"\n";

/// A line that tells Hermes that a configuration needs no migration.
const UP_TO_DATE: &str = "_config_version: 33\n";

/// A container with its volume.
struct Container {
    image: Image,
    /// Who starts it.
    user: u32,
}

/// One file as it stands: its number, when it was last changed in any way, and what it holds.
type Standing = BTreeMap<PathBuf, (u64, SystemTime, Vec<u8>)>;

impl Container {
    fn new(user: u32, seed: &str, variables: &[(&str, &str)]) -> Self {
        let image = Image::new();
        Dockerfile::of("hermes").copy_into(&image);
        let hubkit = fs::read(image.path("/usr/local/bin/hubkit")).unwrap();
        image.file("/opt/hubkit", hubkit, 0, 0o755);
        image.file("/usr/local/bin/hubkit", HUBKIT, 0, 0o755);
        image.file("/run/who", "", 0, 0o666);
        image.file("/command/with-contenv", WITH_CONTENV, 0, 0o755);
        image.file("/command/s6-setuidgid", SETUIDGID, 0, 0o755);
        image.file(&format!("{SCRIPTS}/01-hermes-setup"), SETUP, 0, 0o755);
        image.file("/opt/hermes/cli-config.yaml.example", seed, 0, 0o644);
        image.file("/opt/hermes/.env.example", "# OPENROUTER_API_KEY=\n", 0, 0o644);
        // A volume comes as root's, or as that of the user whom a container without root is started as.
        image.directory(VOLUME, user, 0o755);
        image.directory(ENVIRONMENT, user, 0o700);
        let own = [("PATH", PATH), ("HOME", "/root"), ("HERMES_HOME", VOLUME), ("LANG", "C.UTF-8")];
        for (name, value) in own.iter().chain(variables) {
            image.file(&format!("{ENVIRONMENT}/{name}"), value, user, 0o600);
        }
        Self { image, user }
    }

    /// Runs the scripts in the order of their names; all but ours must succeed. Returns what ours did.
    fn start(&self) -> Output {
        let names = fs::read_dir(self.image.path(SCRIPTS)).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let ran = names.iter().map(|name| {
            let output = self.runs(&[&format!("{SCRIPTS}/{name}")]);
            assert!(output.status.success() || name == OURS, "{name}: {output:?}");
            (name.as_str(), output)
        });
        let ran: BTreeMap<&str, Output> = ran.collect();
        let who = fs::read_to_string(self.image.path("/run/who")).unwrap();
        assert_eq!(who, format!("{HERMES}\n{HERMES}\n"), "who hubkit was, and its groups");
        ran.into_iter().find_map(|(name, output)| (name == OURS).then_some(output)).unwrap()
    }

    /// A start after which the Hub's entry is in place; returns what was said.
    fn starts(&self) -> String {
        let output = self.start();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.contains("[Hub MCP] Server registered"), "{said}");
        assert!(!said.contains(KEY), "{said}");
        said
    }

    fn runs(&self, program: &[&str]) -> Output {
        self.image.command(self.user, "/", program).stdin(Stdio::null()).output().unwrap()
    }

    /// What Hermes prints, run as the image runs its gateways.
    fn hermes(&self, arguments: &[&str]) -> String {
        let steps_down = if self.user == 0 { &["s6-setuidgid", "hermes"][..] } else { &[] };
        let words = [&["/command/with-contenv"], steps_down, &["hermes"], arguments].concat();
        String::from_utf8(self.runs(&words).stdout).unwrap()
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.image.path(VOLUME).join(name)).unwrap().mode() & 0o7777
    }

    fn config(&self) -> String {
        fs::read_to_string(self.image.path(CONFIG)).unwrap()
    }

    /// All files and directories of the volume, none of which may be another user's than Hermes's.
    fn standing(&self) -> Standing {
        let mut standing = Standing::new();
        let mut left = vec![self.image.path(VOLUME)];
        while let Some(path) = left.pop() {
            let metadata = path.symlink_metadata().unwrap();
            assert_eq!((metadata.uid(), metadata.gid()), (HERMES, HERMES), "{}", path.display());
            if metadata.is_dir() {
                left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            } else {
                let bytes = fs::read(&path).unwrap_or_default();
                standing.insert(path, (metadata.ino(), metadata.modified().unwrap(), bytes));
            }
        }
        standing
    }

    /// The whole life of a volume: new, wired, used, started again.
    fn lives(&self) {
        self.starts();
        assert_eq!(self.mode("config.yaml") & 0o007, 0, "others can read the key");
        assert_eq!((self.mode(".env"), self.mode(".env.hub-bootstrap")), (0o600, 0o600));
        let wired = self.config();
        assert!(wired.contains(&format!("Bearer {KEY}")), "{wired}");
        self.standing();

        let listed = self.hermes(&["mcp", "list"]);
        assert!(listed.lines().any(|line| line.trim_start().starts_with("hub ")), "{listed}");
        let tested = self.hermes(&["mcp", "test", "hub"]);
        let discovered = format!("✓ Tools discovered: {}", HUB_TOOLS.len());
        assert!(tested.contains("✓ Connected") && tested.contains(&discovered), "{tested}");

        let before = self.standing();
        let said = self.starts();
        assert!(!said.contains(" changed") && !said.contains(" wrote"), "{said}");
        assert_eq!(self.mode("config.yaml"), 0o640);
        let after = self.standing();
        for path in before.keys().chain(after.keys()).filter(|path| is_wiring(path)) {
            assert_eq!(before.get(path), after.get(path), "{}: {said}", path.display());
        }
        assert_eq!(self.config(), wired);
    }
}

/// A turn of the agent, at the Hub's model and with its tools.
fn talks(container: &Container, hub: &DevHub) {
    assert_eq!(container.hermes(&["-z", "Which apps are installed?"]).trim(), MODEL_ANSWER);
    let turn = hub.requests().into_iter().find(|request| request.model.is_some()).unwrap();
    assert_eq!(turn.model.as_deref(), Some(CHAT_MODEL));
    assert!(turn.offered.iter().any(|tool| tool == "mcp__hub__hub_list_installed_apps"), "{turn:?}");
}

/// Whether a file is of the wiring, not a log or a state of Hermes.
fn is_wiring(path: &Path) -> bool {
    let text = path.to_string_lossy();
    ["/config.yaml", "/.env", "/.env.hub-bootstrap"].iter().any(|end| text.ends_with(end))
        || text.contains("/.hubkit/")
}

/// What a new volume is seeded with: a file that the migration writes anew, which makes it its owner's alone, and one
/// that stays as it was copied, readable by everybody.
fn seeds() -> [String; 2] {
    let seed = String::from_utf8(fixtures::read("hermes/seeded-model.yaml")).unwrap();
    let up_to_date = format!("{seed}{UP_TO_DATE}");
    [seed, up_to_date]
}

fn hub() -> DevHub {
    DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap()
}

/// The lives of two volumes, and a turn of the agent in the last.
fn is_wired(user: u32) {
    let hub = hub();
    for (seed, is_last) in seeds().iter().zip([false, true]) {
        let container = Container::new(user, seed, &[(HUB_URL, &hub.url()), (HUB_MCP_API_KEY, KEY)]);
        container.lives();
        if is_last {
            talks(&container, &hub);
        }
    }
}

#[test]
fn started_as_root_the_image_is_wired() {
    privilege::as_root_with_mounts("hermes_image::started_as_root_the_image_is_wired", || is_wired(0));
}

#[test]
fn started_as_its_user_the_image_is_wired() {
    let test = "hermes_image::started_as_its_user_the_image_is_wired";
    privilege::as_root_with_mounts(test, || is_wired(HERMES));
}

#[test]
fn a_key_from_a_file_reaches_gateways_that_have_no_variable() {
    let test = "hermes_image::a_key_from_a_file_reaches_gateways_that_have_no_variable";
    privilege::as_root_with_mounts(test, || {
        let hub = hub();
        let [_, seed] = seeds();
        let secret = "/run/secrets/hub";
        let variables = [(HUB_URL, &*hub.url()), (&*file_form(HUB_MCP_API_KEY), secret)];
        let container = Container::new(0, &seed, &variables);
        container.image.file(secret, format!("{KEY}\n"), HERMES, 0o400);
        container.lives();
    });
}

#[test]
fn without_a_hub_the_image_is_left_as_it_is() {
    privilege::as_root_with_mounts("hermes_image::without_a_hub_the_image_is_left_as_it_is", || {
        let [_, seed] = seeds();
        let container = Container::new(0, &seed, &[]);
        let output = container.start();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(container.config(), seed);
        assert_eq!(
            fs::read_dir(container.image.path(VOLUME).join(".hubkit")).ok().map(Iterator::count),
            None
        );
    });
}

#[test]
fn a_link_that_an_agent_left_meets_no_process_of_roots() {
    privilege::as_root_with_mounts(
        "hermes_image::a_link_that_an_agent_left_meets_no_process_of_roots",
        || {
            let [_, seed] = seeds();
            let container = Container::new(
                0,
                &seed,
                &[(HUB_MCP_URL, "http://127.0.0.1:1/api/mcp"), (HUB_MCP_API_KEY, KEY)],
            );
            let target = "/etc/hermes-of-root.yaml";
            for mode in [0o600, 0o666] {
                container.image.file(target, "model: x\n", 0, mode);
                let link = container.image.path(CONFIG);
                let _absent = fs::remove_file(&link);
                symlink(target, &link).unwrap();
                let output = container.start();
                assert_eq!(output.status.code(), Some(73), "{output:?}");
                let metadata = fs::metadata(container.image.path(target)).unwrap();
                assert_eq!((metadata.uid(), metadata.mode() & 0o7777), (0, mode));
                assert_eq!(fs::read_to_string(container.image.path(target)).unwrap(), "model: x\n");
                assert_eq!(fs::read_link(&link).unwrap(), Path::new(target));
            }
        },
    );
}
