//! A slot that names a plugin which is not there keeps the gateway from starting.

use crate::scene::{REGISTERED, Scene};

#[test]
fn the_fault_is_reported_and_our_entry_is_in_place() {
    let scene =
        Scene::openclaw("{ gateway: { mode: \"local\" }, plugins: { slots: { memory: \"ci-memory\" } } }");
    let ran = scene.bootstrap();
    assert!(
        ran.err.contains("`plugins.slots.memory` names `ci-memory`") && ran.err.contains(REGISTERED),
        "{}",
        ran.err
    );
}
