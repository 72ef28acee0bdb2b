//! The file that an older script wrote for the agent's model, as the Hub handed it out: names without quotes, and
//! whatever somebody else put there.

use std::fs;

use hubkit_contract::environment::{HUB_MCP_API_KEY, HUB_URL};
use hubkit_dev_hub::{ChatModel, DevHub, Inference, Options};
use hubkit_redaction::Secret;
use hubkit_tests::binary;
use hubkit_tests::scratch_home::KEY;
use tempfile::TempDir;

pub(crate) const ROW: &str = "an `.env.hub-bootstrap` that a script wrote";

/// What scripts kept: the Hub's own form, in which a value with a blank stands in double quotes, and a line for shells;
/// and three lines of somebody else.
const LEFT: &str = "export HERMES_DEFAULT_MODEL=oak:14b\nCI_INFERENCE_BACKEND=\"o llama\"\nOPENAI_API_BASE=http://old:1/v1\n\
    export PATH=/elsewhere\nLD_PRELOAD=/elsewhere/evil.so\nNODE_OPTIONS=\"--require /elsewhere\"\n";

#[test]
fn it_is_read_by_the_closed_list_and_written_anew() {
    let home = TempDir::with_prefix("hubkit-migration-").unwrap();
    let file = home.path().join(".hermes/.env.hub-bootstrap");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, LEFT).unwrap();
    // While the Hub has not chosen a model, the one of before is kept.
    let inference = Inference { chat_model: ChatModel::Starting, ..Inference::default() };
    let hub = DevHub::start_blocking(Options { inference, ..Options::new(Secret::new(KEY)) }).unwrap();
    let mut command = binary::command(home.path());
    command.args(["bootstrap", "hermes", "--steps", "inference", "--", "env"]);
    let output = command.env(HUB_URL, hub.url()).env(HUB_MCP_API_KEY, KEY).output().unwrap();
    let [printed, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{said}");
    assert!(said.contains(&format!("wrote: {}", file.display())), "{said}");
    assert!(
        said.contains("the Hub is still preparing its model; until it is ready the one before stays"),
        "{said}"
    );

    let text = fs::read_to_string(&file).unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let value = line.split_once('=').unwrap().1;
        assert!(value.len() >= 2 && value.starts_with('\'') && value.ends_with('\''), "{text}");
    }
    assert!(text.contains("HERMES_DEFAULT_MODEL='oak:14b'\n"), "{text}");
    assert!(text.contains(&format!("OPENAI_API_BASE='{}/v1'\n", hub.url())), "{text}");
    for text in [&text, &printed, &said] {
        assert!(!text.contains("elsewhere") && !text.contains("http://old"), "{text}");
    }
    assert!(printed.lines().any(|line| line == "HERMES_DEFAULT_MODEL=oak:14b"), "{printed}");
}
