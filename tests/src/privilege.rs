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

/// Makes `/` a directory of the namespace's root and runs the arguments in it. In a fresh user namespace the
/// machine's own `/` belongs to nobody that it knows, so no path would lead through root's directories.
const OWN_ROOT: &str = r#"
set -e
mount -t tmpfs -o mode=0755 none "$1"
for entry in /*; do
    name=${entry#/}
    if [ -L "$entry" ]; then cp -P "$entry" "$1/$name"
    elif [ "$name" = tmp ]; then mkdir -m 1777 "$1/tmp"
    elif [ -d "$entry" ]; then mkdir "$1/$name"; mount --rbind "$entry" "$1/$name"
    fi
done
root=$1
shift
exec env -u TMPDIR chroot "$root" "$@"
"#;

/// Runs `body`, the body of the test called `test`, with root's powers over other users' files.
///
/// # Panics
/// When `body` does, and when the machine gives nobody such powers.
pub fn as_root(test: &str, body: impl FnOnce()) {
    if started_again() || has_powers() { body() } else { start_again(test, &namespace()) }
}

/// Like [`as_root`], in mount namespace of its own, so that `body` may mount what it likes.
///
/// # Panics
/// When `body` does, and when the machine gives nobody such powers.
pub fn as_root_with_mounts(test: &str, body: impl FnOnce()) {
    if started_again() {
        body();
    } else if has_powers() {
        start_again(test, &["unshare".into(), "--mount".into(), "--propagation=private".into(), "--".into()]);
    } else {
        start_again(test, &namespace());
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

/// Whether the first range of a namespace's map goes from 0 to beyond every id that tests use.
fn maps_all(map: &str) -> bool {
    let text = std::fs::read_to_string(map).unwrap_or_default();
    let ids: u32 = text
        .lines()
        .filter_map(|line| {
            let fields: Vec<u32> = line.split_whitespace().filter_map(|field| field.parse().ok()).collect();
            fields.get(2).copied()
        })
        .fold(0, u32::saturating_add);
    ids > HIGHEST_ID
}

fn namespace() -> Vec<String> {
    let own_root = tempfile::Builder::new().prefix("hubkit-root").tempdir().map(tempfile::TempDir::keep);
    let own_root = own_root.unwrap_or_else(|_| "/mnt".into());
    ["unshare", "--user", "--map-root-user", "--map-auto", "--mount", "--", "sh", "-c", OWN_ROOT, "sh"]
        .iter()
        .map(|word| (*word).to_owned())
        .chain([own_root.to_string_lossy().into_owned()])
        .collect()
}

#[expect(clippy::panic, reason = "a test that cannot run must fail, whoever calls it")]
fn start_again(test: &str, prefix: &[String]) {
    let fail = |why: String| -> ! {
        panic!(
            "{test} needs root, or a user namespace with a range of ids (util-linux's unshare, newuidmap of \
             the package uidmap, and a range for this user in /etc/subuid and /etc/subgid): {why}"
        )
    };
    let Ok(this) = std::env::current_exe() else { fail("this test binary is nowhere to be found".into()) };
    let output = Command::new(&prefix[0])
        .args(&prefix[1..])
        .arg(this)
        .args([test, "--exact", "--nocapture"])
        .env(AGAIN, "1")
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => fail(format!("{} did not start: {error}", prefix[0])),
    };
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // The count guards against a name that matches no test, which libtest calls a success.
    if !(output.status.success() && said.contains("test result: ok. 1 passed")) {
        fail(format!("the run that was started again ended with {}:\n{said}", output.status));
    }
}
