//! `hubkit demo`: both agents' samples are wired and the written values connect.

use hubkit_tests::binary;

#[test]
fn the_demo_connects_with_what_it_wrote_and_leaves_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let output = binary::command(scratch.path()).arg("demo").env("TMPDIR", scratch.path()).output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    assert_eq!(out.matches("Connected with exactly these values: ci-hub 1.0.0").count(), 2, "{out}");
    assert!(out.contains("hub_get_inference_status"), "{out}");
    assert!(
        out.contains("+    hub:") && out.contains("+      \"ci-hub\": {"),
        "the changes are shown: {out}"
    );
    assert!(
        out.contains("+        primary: \"ci-hub/qwen3:8b\"")
            && out.contains("`model` is set to another provider"),
        "OpenClaw, where nobody chose a model, gets the Hub's; Hermes keeps its own: {out}"
    );
    assert!(
        out.contains("Authorization: \"[redacted]\""),
        "Hermes's file holds the key itself, masked here: {out}"
    );
    assert_eq!(scratch.path().read_dir().unwrap().count(), 0, "the scratch directory is gone");
}

#[test]
fn what_is_kept_is_named() {
    let scratch = tempfile::tempdir().unwrap();
    let output = binary::command(scratch.path())
        .args(["demo", "--keep"])
        .env("TMPDIR", scratch.path())
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let kept = scratch.path().read_dir().unwrap().next().unwrap().unwrap().path();
    assert!(out.contains(kept.to_str().unwrap()), "{out}");
    assert!(kept.join("hermes/config.yaml").is_file() && kept.join("openclaw/openclaw.json").is_file());
}
