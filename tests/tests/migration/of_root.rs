//! A configuration that a script wrote as root into the agent's tree: the agent could neither read nor keep it, and
//! hubkit touches nothing of another user's.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;

use hubkit_contract::environment::{HUB_MCP_API_KEY, HUB_MCP_URL};
use hubkit_tests::scratch_home::{KEY, ScratchHome};
use hubkit_tests::{binary, privilege};

pub(crate) const ROW: &str = "an `openclaw.json` or `config.yaml` that belongs to root in the agent's tree";

/// The agent.
const AGENT: u32 = 1000;

#[test]
fn it_is_refused_with_the_command_that_mends_it() {
    privilege::as_root("of_root::it_is_refused_with_the_command_that_mends_it", || {
        for (host, scene, text) in
            [("hermes", ScratchHome::hermes(), "model: x\n"), ("openclaw", ScratchHome::openclaw(), "{}\n")]
        {
            let scene = scene.with(text.as_bytes());
            for directory in [scene.path(), scene.config().parent().unwrap()] {
                chown(directory, Some(AGENT), Some(AGENT)).unwrap();
            }
            let program = scene.path().join("hubkit");
            fs::copy(binary::hubkit(), &program).unwrap();
            for as_agent in [false, true] {
                let mut command = std::process::Command::new(&program);
                command.args(["bootstrap", host, "--steps", "hub-mcp"]).env_clear().env("HOME", scene.path());
                command.env(HUB_MCP_URL, "http://ci-hub:5002/api/mcp").env(HUB_MCP_API_KEY, KEY);
                if as_agent {
                    command.uid(AGENT).gid(AGENT);
                }
                let output = command.output().unwrap();
                let said = String::from_utf8(output.stderr).unwrap();
                assert_eq!(output.status.code(), Some(73), "{host}, {as_agent}: {said}");
                let next = if as_agent {
                    "it belongs to 0:0 with mode 0600; run hubkit as uid 0 or as root".to_owned()
                } else {
                    format!("run `chown -h {AGENT}:{AGENT} {}`", scene.config().display())
                };
                assert!(said.contains(&next), "{host}, {as_agent}: {next:?} is not in {said}");
                let metadata = fs::metadata(scene.config()).unwrap();
                assert_eq!(
                    (metadata.uid(), fs::read(scene.config()).unwrap()),
                    (0, text.as_bytes().to_vec())
                );
            }
        }
    });
}
