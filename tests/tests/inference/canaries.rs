//! Keys of a hand-out through every outcome of the step: none may come out.

use std::fs;

use hubkit_contract::handout::{self, App};
use hubkit_dev_hub::{ChatModel, Inference, Instead, Script};

use crate::scene::{Scene, both};

/// Every credential that the Hub may hand out, each with a value of its own.
fn keys(app: App) -> Vec<(String, String)> {
    let secrets = handout::names(app).filter(|name| handout::is_secret(name));
    let set = secrets.filter(|name| !handout::is_derived(app, name));
    set.map(|name| (name.to_owned(), format!("canary-{name}-0123456789'\"$x"))).collect()
}

/// What a Hub says, with all its keys in it.
fn talkative(app: App) -> Inference {
    Inference { extra: keys(app), ..Inference::default() }
}

/// Boots in every style and looks at all that is printed. The agent itself prints nothing.
fn quiet(scene: &Scene, what: &str) {
    for arguments in [
        &["--secrets", "literal", "--", "true"][..],
        &["--secrets", "env", "--", "true"],
        &["--", "/nonexistent"],
        &["--check"],
        &["--strict"],
        &[],
    ] {
        // An older value of the environment is a secret, too.
        let old = ("CI_CLOUD_OPENAI_API_KEY", "canary-old-0123456789abcdef");
        let ran = scene.alone(arguments, &[old, ("RUST_BACKTRACE", "full")]);
        let all = format!("{}{}", ran.out, ran.err);
        assert!(!all.contains("canary"), "{what}: {arguments:?} printed a part of a key:\n{all}");
    }
}

#[test]
fn no_key_of_a_hand_out_is_printed_whatever_the_outcome() {
    for mut scene in both() {
        let app = scene.app();
        scene.serve(talkative(app));
        quiet(&scene, "handed out");
        assert!(scene.env_text().contains("canary-CI_CLOUD_OPENAI_API_KEY"), "{}", scene.env_text());

        let cited = keys(app).iter().map(|(_, key)| key.as_str()).collect::<Vec<_>>()[..4].join(" and ");
        scene.serve(Inference {
            chat_model: ChatModel::Refused(format!("the provider refused {cited}")),
            ..talkative(app)
        });
        quiet(&scene, "keys in the reason");

        // A key of before, which the Hub no longer hands out.
        scene.serve(talkative(app));
        scene.boot();
        let why = "the provider refused canary-CI_CLOUD_OPENAI_API_KEY-0123456789'\"$x".to_owned();
        scene.serve(Inference { chat_model: ChatModel::Refused(why), ..Inference::default() });
        let ran = scene.boot();
        assert!(ran.reason().ends_with("the provider refused [redacted]"), "{}", ran.reason());
        assert!(!ran.err.contains("canary") && !ran.step.to_string().contains("canary"), "{}", ran.err);

        scene.serve(Inference { num_ctx: Some(1), calls_tools: false, ..talkative(app) });
        quiet(&scene, "a small model");
        scene.serve(Inference { script: Some(Script::always(Instead::Status(403))), ..talkative(app) });
        quiet(&scene, "old values");

        scene.serve(talkative(app));
        fs::write(scene.config(), "mcp:\n\tbroken: [canary-in-the-file-0123456789\n").unwrap();
        quiet(&scene, "a broken configuration");
        fs::remove_file(scene.config()).unwrap();
        fs::create_dir(scene.config()).unwrap();
        quiet(&scene, "a directory in the configuration's place");
        fs::remove_dir(scene.config()).unwrap();
        fs::remove_file(scene.env_file()).unwrap();
        fs::create_dir(scene.env_file()).unwrap();
        quiet(&scene, "a directory in the env file's place");
    }
}

#[test]
fn no_key_stands_in_a_refused_value_that_is_said() {
    for mut scene in both() {
        let app = scene.app();
        let mut extra = keys(app);
        extra.retain(|(name, _)| name != app.api_key());
        extra.push((app.api_key().to_owned(), "canary-${X}-0123456789abcdef".to_owned()));
        extra.push((app.base_url().to_owned(), "http://me:canary-pass-0123456789@hub/v1".to_owned()));
        extra.push(("OLLAMA_HOST".to_owned(), "http://me:canary-pass-0123456789@hub".to_owned()));
        scene.serve(Inference { extra, ..Inference::default() });
        quiet(&scene, "values that no file can hold");
    }
}

#[test]
fn a_key_never_stands_in_an_argument_or_outside_its_two_files() {
    for mut scene in both() {
        scene.serve(talkative(scene.app()));
        scene.boot();
        let mut left: Vec<_> = walk(scene.path());
        left.retain(|path| fs::read(path).unwrap().windows(6).any(|window| window == b"canary"));
        left.sort();
        let mut allowed = vec![scene.env_file(), scene.config()];
        allowed.retain(|path| left.contains(path));
        assert_eq!(left, allowed, "a key was written elsewhere");
    }
}

fn walk(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(walk(&entry));
        } else {
            found.push(entry);
        }
    }
    found
}
