//! Root wires the configuration of an agent that runs as another user, as in the official image.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use hubkit_tests::scratch_home::{KEY, ScratchHome};
use hubkit_tests::{fixtures, privilege};

const URL: &str = "http://ci-hub:5002/api/mcp";

/// The user and group of the agent in OpenClaw's image.
const NODE: u32 = 1000;

#[test]
fn root_leaves_owner_and_mode_as_they_are() {
    privilege::as_root("owner::root_leaves_owner_and_mode_as_they_are", || {
        let home = ScratchHome::openclaw().with(&fixtures::read("openclaw/commented.json5"));
        for path in [home.path(), home.config().parent().unwrap(), home.config()] {
            chown(path, Some(NODE), Some(NODE)).unwrap();
        }
        assert_eq!(home.wire(URL, KEY).status(), "changed");
        assert_eq!(owner_and_mode(&home), (NODE, NODE, 0o600));
        assert!(agent_can_read(&home), "the agent's user cannot read its own file");
        home.is_wired(URL, KEY);
    });
}

#[test]
fn a_file_that_root_creates_belongs_to_the_agent() {
    privilege::as_root("owner::a_file_that_root_creates_belongs_to_the_agent", || {
        let home = ScratchHome::openclaw();
        let state = home.config().parent().unwrap();
        fs::create_dir(state).unwrap();
        for path in [home.path(), state] {
            chown(path, Some(NODE), Some(NODE)).unwrap();
        }
        assert_eq!(home.wire(URL, KEY).status(), "changed");
        assert_eq!(owner_and_mode(&home), (NODE, NODE, 0o600));
        assert!(agent_can_read(&home), "the agent's user cannot read its own file");
    });
}

fn owner_and_mode(home: &ScratchHome) -> (u32, u32, u32) {
    let metadata = fs::metadata(home.config()).unwrap();
    (metadata.uid(), metadata.gid(), metadata.mode() & 0o7777)
}

fn agent_can_read(home: &ScratchHome) -> bool {
    let output = Command::new("cat").arg(home.config()).uid(NODE).gid(NODE).output().unwrap();
    output.status.success() && output.stdout == home.read()
}
