//! After a restart the file had 0 bytes, and a tool built on that.

use crate::scene::Scene;

#[test]
fn an_empty_file_beside_a_backup_is_refused_and_the_backup_is_named() {
    for backup in ["openclaw.json.bak", "openclaw.json.last-good"] {
        let scene = Scene::openclaw("");
        std::fs::write(scene.file.with_file_name(backup), "{}").unwrap();
        scene.refused(65, backup);
    }
}
