//! Setting a key in a broken file replaced the whole file by that key.

use crate::scene::Scene;

#[test]
fn a_broken_file_keeps_every_byte() {
    Scene::hermes(
        "model:\n  default: m\nmcp_servers:\n\ttime:\n\t  command: uvx\napprovals:\n  deny: [\"rm -rf /\"]\n",
    )
    .refused(65, "config.yaml:4:");
    Scene::hermes("model: {default: m\nmcp_servers:\n  hub: 1\n").refused(65, "config.yaml:");
}
