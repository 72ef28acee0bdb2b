//! What is recognised as left by an older set-up, and what is not.

use super::*;
use crate::Document as _;
use crate::hosts::small_file::tests::Scratch;
use crate::json5::Json5Document;
use crate::recipe::AsReader;

fn said(text: &str, directory: &Path) -> Vec<String> {
    leftovers(&AsReader(&Json5Document::parse(text).unwrap()), directory)
}

#[track_caller]
fn says(said: &[String], parts: &[&str]) {
    assert_eq!(said.len(), parts.len(), "{said:?}");
    for (sentence, part) in said.iter().zip(parts) {
        assert!(sentence.contains(part), "{part:?} is not in {sentence:?}");
    }
}

const MANIFEST: &str = "{ \"id\": \"ci-hub\", configSchema: { type: \"object\", properties: {} } }";
const OLD: &str = "{ \"id\": \"ci-hub\", \"configSchema\": { \"required\": [\"hubUrl\", \"hubApiKey\"] } }";

#[test]
fn registered_folders() {
    let scratch = Scratch::new();
    let home = &scratch.0;
    let with = |path: &str| format!("{{\n plugins: {{ load: {{ paths: [\"{path}\"] }} }} }}");
    let folder = |name: &str| home.join(name).display().to_string();
    says(&said(&with(&folder("gone")), home), &["which is not there: take it out"]);
    assert!(said(&with(&folder("gone")), home)[0].starts_with("line 2: `plugins.load.paths` names "));
    scratch.write("app/plugins/ci-hub/openclaw.plugin.json", MANIFEST);
    says(&said(&with(&folder("app/plugins/ci-hub")), home), &["as the older script did"]);
    scratch.write("app/plugins/ci-hub/openclaw.plugin.json", OLD);
    says(
        &said(&with(&folder("app/plugins/ci-hub")), home),
        &["is the older plugin: it demands `hubUrl` and `hubApiKey`"],
    );
    scratch.write("mine/openclaw.plugin.json", "{ \"id\": \"mine\" }");
    for quiet in [folder("mine"), "~/gone".to_owned(), "./gone".to_owned()] {
        says(&said(&with(&quiet), home), &[]);
    }
}

#[test]
fn folders_that_claim_the_same_plugin() {
    let scratch = Scratch::new();
    let home = &scratch.0;
    scratch.write("extensions/ci-hub/openclaw.plugin.json", MANIFEST);
    scratch.write("extensions/other/openclaw.plugin.json", "{ \"id\": \"other\" }");
    scratch.write("extensions/ci-hub.bak/openclaw.plugin.json", MANIFEST);
    scratch.write("extensions/ci-hub.disabled-1/openclaw.plugin.json", MANIFEST);
    scratch.write("extensions/.ci-hub.tmp-2/index.js", "");
    scratch.write("extensions/README", MANIFEST);
    says(&said("{}", home), &[]);
    scratch.write("extensions/.ci-hub.tmp-1/openclaw.plugin.json", MANIFEST);
    scratch.write("extensions/ci-hub.old/openclaw.plugin.json", MANIFEST);
    says(
        &said("{}", home),
        &[
            ".ci-hub.tmp-1 says that it is the plugin `ci-hub`, and OpenClaw takes it instead of the right one",
            "ci-hub.old says that it is the plugin `ci-hub` too, left by an upgrade",
        ],
    );
}

#[test]
fn the_older_plugin_and_its_settings() {
    let scratch = Scratch::new();
    let home = &scratch.0;
    scratch.write("extensions/ci-hub/openclaw.plugin.json", OLD);
    says(&said("{}", home), &["it demands `hubUrl` and `hubApiKey`"]);
    scratch.write("extensions/ci-hub/openclaw.plugin.json", MANIFEST);
    let config =
        |config: &str| format!("{{ plugins: {{ entries: {{ \"ci-hub\": {{\n config: {config} }} }} }} }}");
    let secret =
        config("{ hubUrl: \"http://h\", hubApiKey: \"s3cret-canary\", wakeSecret: \"s3cret-canary\" }");
    let said_here = said(&secret, home);
    says(
        &said_here,
        &[
            "`plugins.entries.ci-hub.config.hubApiKey` holds a credential",
            "`plugins.entries.ci-hub.config.wakeSecret`",
        ],
    );
    assert!(
        said_here.iter().all(|said| said.starts_with("line 2: ") && !said.contains("canary")),
        "{said_here:?}"
    );
    for quiet in
        ["{ socket: \"/run/x\" }", "{ hubApiKey: \"${HUB_MCP_API_KEY}\" }", "{ wakeSecret: \"\" }", "{}"]
    {
        says(&said(&config(quiet), home), &[]);
    }
}

#[test]
fn a_manifest_that_is_no_small_file_is_not_read() {
    let scratch = Scratch::new();
    let home = &scratch.0;
    let real = scratch.write("real.json", OLD);
    let folder = home.join("extensions/ci-hub");
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(real, folder.join("openclaw.plugin.json")).unwrap();
    says(&said("{}", home), &[]);
    scratch.write("extensions/.x/openclaw.plugin.json", format!("{MANIFEST}{}", " ".repeat(64 * 1024)));
    says(&said("{}", home), &[]);
}
