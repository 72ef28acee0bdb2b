//! The `hubkit` binary as users run it.

#![expect(clippy::panic, reason = "a binary that does not build must fail the test that needs it")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The root of the repository.
#[must_use]
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// The `hubkit` binary of this checkout, built (or found fresh) once per test process, so that no test ever
/// judges an older build.
///
/// # Panics
/// When it does not build.
#[must_use]
pub fn hubkit() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["build", "--quiet", "--locked", "--package", "hubkit", "--message-format", "json"])
            .current_dir(repository())
            .output()
            .unwrap_or_else(|error| panic!("cargo cannot be run: {error}"));
        assert!(
            output.status.success(),
            "hubkit does not build:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let messages = String::from_utf8_lossy(&output.stdout).into_owned();
        messages
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter(|message| message["target"]["name"] == "hubkit")
            .find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .unwrap_or_else(|| panic!("cargo built hubkit but names no executable"))
    })
}

/// A command that runs `hubkit` with an empty environment but for `PATH` and a home in `home`.
#[must_use]
pub fn command(home: &Path) -> Command {
    let mut command = Command::new(hubkit());
    command.env_clear().env("HOME", home);
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command
}
