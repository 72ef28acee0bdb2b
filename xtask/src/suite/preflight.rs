//! Whether this machine can run all tests, asked before an hour is spent finding out.

use std::process::Command;

use anyhow::{Result, bail};

use crate::{hosts, privilege, tool};

/// The options with which a test that needs root, but is not, starts itself again: `tests/src/privilege.rs`.
const MAPPED: &[&str] = &["--user", "--map-root-user", "--map-auto", "--mount"];

/// The tests that cannot run without root, as a person would name them.
const NEED_ROOT: &str = "files of other users (owner and mode kept, unreadable and unwritable files), \
    read-only mounts and bind-mounted files, full file systems";

/// Checks the tools and the privileges.
///
/// # Errors
/// One sentence for everything that is missing, with what it is needed for.
pub(super) fn check() -> Result<()> {
    let mut missing = Vec::new();
    for (tool, purpose) in [
        ("git", "git is missing or does not start; tests about the repository's own files ask it"),
        ("npm", "npm is missing or does not start; it installs OpenClaw, its Node.js and the JSON5 oracle"),
        ("unshare", "unshare (util-linux) is missing; tests that mount do it in a namespace of their own"),
    ] {
        if tool::answer(Command::new(tool).arg("--version")).is_none() {
            missing.push(purpose.to_owned());
        }
    }
    missing.extend(hosts::python().err().map(|error| error.to_string()));
    missing.extend(powers().err().map(|error| error.to_string()));
    if !missing.is_empty() {
        bail!("{}", missing.join("\n"));
    }
    Ok(())
}

/// Whether the tests that need root's powers can have them.
///
/// # Errors
/// When they cannot: which tests these are and what would help.
fn powers() -> Result<()> {
    if privilege::is_root() {
        if tool::answer(Command::new("unshare").args(["--mount", "true"])).is_some() {
            return Ok(());
        }
        bail!(
            "this is root, but a mount namespace cannot be made (`unshare --mount true` fails); these tests \
             cannot run: {NEED_ROOT}; run in a container with CAP_SYS_ADMIN or on the machine itself"
        );
    }
    if tool::answer(Command::new("unshare").args(MAPPED).arg("true")).is_some() {
        return Ok(());
    }
    bail!(
        "this is not root, and a user namespace with further users cannot be made (`unshare {} true` fails); \
         these tests cannot run: {NEED_ROOT}; run as root, or allow user namespaces and give this user a range in \
         /etc/subuid and /etc/subgid (package uidmap)",
        MAPPED.join(" ")
    );
}
