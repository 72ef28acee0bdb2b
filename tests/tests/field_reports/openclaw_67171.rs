//! Writers resolved `${VAR}` and stored the secret in clear.

use crate::scene::{KEY, Scene, URL};

#[test]
fn references_stay_references() {
    let before = "{ gateway: { mode: \"local\" }, channels: { telegram: { botToken: \"${TELEGRAM_BOT_TOKEN}\" } }, logging: { file: \"/tmp/$${NOT_A_VAR}.log\" } }";
    let scene = Scene::openclaw(before);
    scene.bootstrap_with(&[
        ("HUB_MCP_URL", URL),
        ("HUB_MCP_API_KEY", KEY),
        ("TELEGRAM_BOT_TOKEN", "telegram-secret"),
    ]);
    let after = scene.text();
    assert!(after.contains("\"${TELEGRAM_BOT_TOKEN}\"") && after.contains("$${NOT_A_VAR}"), "{after}");
    assert!(
        after.contains("Bearer ${HUB_MCP_API_KEY}")
            && !after.contains(KEY)
            && !after.contains("telegram-secret"),
        "{after}"
    );
}
