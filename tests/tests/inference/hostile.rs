//! A hand-out from somebody who is not the Hub: nothing but listed names arrives, and nothing of it runs.

use std::fs;
use std::process::Command;

use hubkit_contract::limits::HANDOUT_VALUE_BYTES;
use hubkit_dev_hub::{ChatModel, Inference};

use crate::scene::{Scene, both};

/// Names that would make the agent, or a shell, do something.
const NAMES: &[&str] = &[
    "LD_PRELOAD",
    "PATH",
    "NODE_OPTIONS",
    "PYTHONPATH",
    "BASH_ENV",
    "HERMES_HOME",
    "OPENCLAW_STATE_DIR",
    "HUB_MCP_API_KEY",
    "HUBKIT_INFERENCE_API_KEY",
    "CI_CLOUD_OPENAI_API_KEY ",
    "CI_CLOUD_MISTRAL_API_KEY",
    "ci_cloud_openai_model",
    "X\nLD_PRELOAD",
    "X\u{1b}]0;owned\u{7}",
    "X;touch pwned;",
    "X=$(touch pwned)",
    "",
];

/// Values that a shell would run, or that would end a quotation; all of them may be what somebody means.
const STRANGE: &[(&str, &str)] = &[
    ("CI_CLOUD_OPENAI_MODEL", "$(touch pwned)"),
    ("CI_CLOUD_OPENAI_BASE_URL", "`touch pwned`"),
    ("CI_CLOUD_ANTHROPIC_MODEL", "it's; touch pwned; '"),
    ("CI_CLOUD_ANTHROPIC_BASE_URL", "\"; touch pwned; \""),
    ("CI_CLOUD_GOOGLE_MODEL", r"'\''; touch pwned #"),
    ("CI_CLOUD_GOOGLE_BASE_URL", r"a\' & touch pwned & \\"),
    ("CI_CLOUD_GITHUB_COPILOT_MODEL", "${IFS}$PATH ${HOME} !! * ~"),
    ("CI_CLOUD_GITHUB_COPILOT_BASE_URL", "# ü 模型 = x"),
];

/// Values that are more than a line, or hide something.
const BROKEN: &[(&str, &str)] = &[
    ("ANTHROPIC_API_KEY", "a\nLD_PRELOAD=/tmp/evil.so"),
    ("GOOGLE_API_KEY", "a\r\ntouch pwned"),
    ("GEMINI_API_KEY", "\u{1b}]0;owned\u{7}"),
    ("CI_CLOUD_OPENAI_API_KEY", "a\u{202e}b"),
    ("CI_CLOUD_GOOGLE_API_KEY", "a\0b"),
];

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn only_listed_names_arrive_and_nothing_runs() {
    for mut scene in both() {
        let mut extra = owned(STRANGE);
        extra.extend(owned(BROKEN));
        extra.extend(NAMES.iter().map(|name| ((*name).to_owned(), "/tmp/evil.so".to_owned())));
        scene.serve(Inference { extra, ..Inference::default() });
        let ran = scene.boot();
        assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);

        let kept = scene.kept();
        for (name, value) in STRANGE {
            assert_eq!(kept.get(*name).map(String::as_str), Some(*value), "a value is data");
            assert_eq!(ran.agent(name), Some(*value));
        }
        for name in NAMES.iter().copied().chain(BROKEN.iter().map(|(name, _)| *name)) {
            assert!(!kept.contains_key(name), "{name} in {kept:?}");
        }
        let agent = ran.agent.as_ref().unwrap();
        assert!(agent.values().all(|value| !value.contains("evil")), "{agent:?}");
        assert_eq!(ran.agent("PATH"), std::env::var("PATH").ok().as_deref());

        // What was left out is said, and what is said drives no terminal and forges no line.
        for name in ["LD_PRELOAD", "PATH", "NODE_OPTIONS", "ANTHROPIC_API_KEY", "X LD_PRELOAD"] {
            assert!(ran.notices().contains(name), "{name}: {}", ran.notices());
        }
        let talk = ran.err.trim_end().lines().all(|line| line.starts_with("hubkit: "));
        assert!(talk && !ran.err.contains(['\u{1b}', '\u{7}', '\r', '\0', '\u{202e}']), "{:?}", ran.err);
        assert!(!ran.err.contains("evil.so"), "a value was said: {}", ran.err);

        sourced_by_a_shell(&scene);
        assert!(!scene.path().join("pwned").exists() && !scene.agent_home().join("pwned").exists());
    }
}

/// A shell that reads the file runs nothing and finds exactly the values.
fn sourced_by_a_shell(scene: &Scene) {
    for shell in ["sh", "bash"] {
        let mut command = Command::new(shell);
        command.args(["-c", "set -a; . \"$0\"; env -0"]).arg(scene.env_file());
        command.env_clear().env("PATH", "/usr/bin:/bin").current_dir(scene.path());
        let output = command.output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let pairs = text.split_terminator('\0').map(|pair| pair.split_once('=').unwrap());
        let mut found: Vec<_> =
            pairs.filter(|(name, _)| !["PATH", "PWD", "SHLVL", "_"].contains(name)).collect();
        found.sort_unstable();
        let kept = scene.kept();
        let expected: Vec<_> = kept.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(found, expected, "{shell}");
    }
    assert!(!scene.path().join("pwned").exists());
}

#[test]
fn a_value_may_be_as_long_as_the_limit_and_no_longer() {
    for mut scene in both() {
        let at = "x".repeat(HANDOUT_VALUE_BYTES);
        let past = format!("{at}x");
        let extra = owned(&[("CI_CLOUD_OPENAI_MODEL", &at), ("CI_CLOUD_GOOGLE_MODEL", &past)]);
        scene.serve(Inference { extra, ..Inference::default() });
        let ran = scene.boot();
        assert_eq!(ran.agent("CI_CLOUD_OPENAI_MODEL"), Some(at.as_str()));
        assert_eq!(ran.agent("CI_CLOUD_GOOGLE_MODEL"), None);
        assert!(ran.notices().contains("CI_CLOUD_GOOGLE_MODEL"), "{}", ran.notices());
    }
}

#[test]
fn a_thousand_names_are_said_in_one_bounded_line() {
    let extra = (0..1000).map(|number| (format!("EVIL_{number:0900}"), "x".to_owned())).collect();
    let scene = Scene::hermes(Inference { extra, ..Inference::default() });
    let ran = scene.boot();
    assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);
    assert!(ran.notices().contains("and 980 more") && ran.err.len() < 5000, "{}", ran.err);
    assert!(!scene.env_text().contains("EVIL"));
}

/// Both hosts expand `${NAME}` wherever it stands in their files: the agent's own key would travel to whoever
/// answered in the Hub's place.
#[test]
fn nothing_that_a_host_would_expand_is_written_into_its_file() {
    for mut scene in both() {
        let app = scene.app();
        let key = "${HUB_MCP_API_KEY}";
        let url = format!("http://127.0.0.2:9/{key}/v1");
        let with =
            |name: &str, value: &str| Inference { extra: owned(&[(name, value)]), ..Inference::default() };
        let mut bad = vec![
            (app.base_url(), with(app.base_url(), &url)),
            (app.api_key(), with(app.api_key(), key)),
            (app.model(), with(app.model(), "a${HUB_MCP_API_KEY}")),
        ];
        if app == hubkit_contract::handout::App::OpenClaw {
            bad.push(("OLLAMA_HOST", with("OLLAMA_HOST", &url)));
        }
        let model = ChatModel::Ready("served-${HUB_MCP_API_KEY}".to_owned());
        bad.push((app.model(), Inference { chat_model: model, ..Inference::default() }));
        for (name, inference) in bad {
            scene.serve(inference);
            let ran = scene.boot();
            assert_eq!(ran.ended(), (Some(0), "refused"), "{name}: {}", ran.err);
            assert!(ran.reason().contains(name) && !ran.reason().contains("${"), "{name}: {}", ran.reason());
            assert_eq!(scene.config_text(), "", "{name}");
            assert_eq!(scene.alone(&[], &[]).code, Some(6), "{name}");
        }
        // What stands there stays.
        scene.serve(Inference::default());
        scene.boot();
        let config = scene.config_text();
        assert_ne!(config, "");
        scene.serve(with(app.base_url(), &url));
        assert_eq!(scene.boot().status(), "refused");
        assert_eq!(scene.config_text(), config);
    }
}

#[test]
fn no_answer_makes_a_file_outside_the_agents_home() {
    for scene in both() {
        scene.boot();
        let names: Vec<_> =
            fs::read_dir(scene.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [scene.agent_home().file_name().unwrap()], "{names:?}");
    }
}
