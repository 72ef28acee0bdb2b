//! Hermes's own `.env` went over the key that the container was given.

use std::fs;

use crate::scene::{KEY, REGISTERED, Scene, URL};

const OTHER: &str = "canary-of-another-key-0123456789";

fn with_env_file(text: &str, config: &str) -> (Scene, Vec<String>) {
    let scene = Scene::hermes(config);
    fs::write(scene.file.with_file_name(".env"), text).unwrap();
    let ran = scene.bootstrap_with(&[("HUB_MCP_URL", URL), ("HUB_MCP_API_KEY", KEY)]);
    assert!(ran.code == 0 && ran.err.contains(REGISTERED), "{}", ran.err);
    assert!(!ran.err.contains("canary") && !ran.err.contains(KEY), "{}", ran.err);
    let said = ran.err.lines().filter(|line| line.contains(".env sets")).map(str::to_owned).collect();
    (scene, said)
}

const REFERENCE: &str =
    "mcp_servers:\n  hub:\n    url: http://old/\n    headers: {Authorization: 'Bearer ${HUB_MCP_API_KEY}'}\n";

#[test]
fn a_key_that_the_env_file_sets_is_reported_by_name_and_line() {
    let (_, said) = with_env_file(&format!("# mine\nexport HUB_MCP_API_KEY=\"{OTHER}\"\n"), REFERENCE);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("line 2 of ") && said[0].contains("sets HUB_MCP_API_KEY to another value"),
        "{said:?}"
    );
    let (_, said) = with_env_file(&format!("HUB_MCP_API_KEY={KEY}\n"), REFERENCE);
    assert!(said.len() == 1 && said[0].contains("sets HUB_MCP_API_KEY to what it is now"), "{said:?}");
}

#[test]
fn what_the_env_file_does_not_take_away_is_no_report() {
    for (text, config) in [
        (format!("# HUB_MCP_API_KEY={OTHER}\nTELEGRAM_TOKEN={OTHER}\n"), REFERENCE),
        // The key stands in the file itself.
        (format!("HUB_MCP_API_KEY={OTHER}\n"), "model: m\n"),
    ] {
        let (_, said) = with_env_file(&text, config);
        assert_eq!(said, Vec::<String>::new(), "{text}");
    }
}
