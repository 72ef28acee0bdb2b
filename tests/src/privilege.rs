//! Tests that need root's powers: other users' files, mounts.
//!
//! As root they run as they are. Otherwise the test binary runs the one test again as the root of a user
//! namespace of its own, on a file system root that belongs to that root. Where the machine allows neither,
//! the test fails and says so; it never passes without having run.

use std::process::Command;

use rustix::thread::{CapabilitySet, capabilities};

/// Is set in a run that was started again, so that it is not started for ever.
const AGAIN: &str = "HUBKIT_TESTS_STARTED_AGAIN";

/// The highest user or group id that these tests use.
const HIGHEST_ID: u32 = 60_000;

/// Makes `/` a directory of the namespace's root, with scratch space of its own, and runs the arguments in
/// it. In a fresh user namespace the machine's own `/` belongs to nobody whom it knows, so that no path would
/// lead through root's directories.
const OWN_ROOT: &str = r#"
set -e
mount -t tmpfs -o mode=0755 none "$1"
for entry in /*; do
    name=${entry#/}
    if [ -L "$entry" ]; then cp -P "$entry" "$1/$name"
    elif [ -d "$entry" ]; then mkdir "$1/$name"; mount --rbind "$entry" "$1/$name"
    fi
done
mkdir -m 1777 "$1/hubkit-scratch"
root=$1
shift
TMPDIR=/hubkit-scratch exec chroot "$root" "$@"
"#;

/// Runs `body`, the body of the test called `test`, with root's powers over other users' files.
///
/// # Panics
/// When `body` does, and when the machine gives nobody such powers.
pub fn as_root(test: &str, body: impl FnOnce()) {
    if started_again() || has_powers() { body() } else { in_namespace(test) }
}

/// Like [`as_root`], in a mount namespace of its own, so that `body` may mount what it likes.
///
/// # Panics
/// When `body` does, and when the machine gives nobody such powers.
pub fn as_root_with_mounts(test: &str, body: impl FnOnce()) {
    if started_again() {
        body();
    } else if has_powers() {
        start_again(test, Command::new("unshare").args(["--mount", "--propagation=private", "--"]));
    } else {
        in_namespace(test);
    }
}

fn started_again() -> bool {
    std::env::var_os(AGAIN).is_some()
}

/// Whether we are root, with the capabilities that are root's, over all the ids that tests use.
fn has_powers() -> bool {
    let needed = CapabilitySet::CHOWN
        | CapabilitySet::DAC_OVERRIDE
        | CapabilitySet::FOWNER
        | CapabilitySet::SETUID
        | CapabilitySet::SETGID
        | CapabilitySet::SYS_ADMIN;
    rustix::process::geteuid().is_root()
        && capabilities(None).is_ok_and(|sets| sets.effective.contains(needed))
        && ["/proc/self/uid_map", "/proc/self/gid_map"].iter().all(|map| maps_all(map))
}

/// Whether a namespace's map, lines of "inside outside count", holds every id that tests use.
fn maps_all(map: &str) -> bool {
    let text = std::fs::read_to_string(map).unwrap_or_default();
    let counts = text.lines().filter_map(|line| line.split_whitespace().nth(2)?.parse::<u32>().ok());
    counts.fold(0, u32::saturating_add) > HIGHEST_ID
}

fn in_namespace(test: &str) {
    let Ok(own_root) = tempfile::tempdir() else { fail(test, "no scratch directory can be made") };
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--map-auto", "--mount", "--", "sh", "-c", OWN_ROOT, "sh"]);
    start_again(test, command.arg(own_root.path()));
}

fn start_again(test: &str, command: &mut Command) {
    let Ok(this) = std::env::current_exe() else { fail(test, "the test's own program cannot be found") };
    let output = command.arg(this).args([test, "--exact", "--nocapture"]).env(AGAIN, "1").output();
    let output = match output {
        Ok(output) => output,
        Err(error) => fail(test, &format!("unshare did not start: {error}")),
    };
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // The count guards against a name that matches no test, which the test harness calls a success.
    if !(output.status.success() && said.contains("test result: ok. 1 passed")) {
        fail(test, &format!("started again it ended with {}:\n{said}", output.status));
    }
}

#[expect(clippy::panic, reason = "a test that cannot run must fail, whoever calls it")]
fn fail(test: &str, why: &str) -> ! {
    panic!(
        "{test} needs root, or a user namespace with a range of ids (util-linux's unshare, newuidmap of the \
         package uidmap, and a range for this user in /etc/subuid and /etc/subgid): {why}"
    )
}
