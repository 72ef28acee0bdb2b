//! Whether this machine can run all tests, asked before an hour is spent finding out.

use std::process::Command;

use anyhow::{Result, bail};

use crate::{hosts, privilege, tool};

/// What the tests that need root can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Namespace {
    /// We are root, and may mount.
    Root,
    /// We are not, but can be inside a user namespace that maps further users.
    Mapped,
}

/// The options of `unshare` that make a namespace in which the tests find themselves root, can give
/// files to other users and can mount.
const MAPPED: &[&str] = &["--user", "--map-root-user", "--map-auto", "--mount"];

/// The tests that cannot run without root, as a person would name them.
const NEED_ROOT: &str = "files of other users (owner and mode kept, unreadable and unwritable files), \
    read-only mounts and bind-mounted files, full file systems, the empty root directory of `cargo xtask dist`";

/// Checks the tools and the privileges.
///
/// # Errors
/// One sentence for everything that is missing, with what it is needed for.
pub(super) fn check() -> Result<Namespace> {
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
    if let Err(error) = hosts::python() {
        missing.push(error.to_string());
    }
    match namespace() {
        Ok(namespace) if missing.is_empty() => Ok(namespace),
        Ok(_) => bail!("{}", missing.join("\n")),
        Err(error) => {
            missing.push(error.to_string());
            bail!("{}", missing.join("\n"))
        }
    }
}

/// What the tests that need root can have.
///
/// # Errors
/// When they cannot have it: which tests these are and what would help.
pub(super) fn namespace() -> Result<Namespace> {
    if privilege::is_root() {
        if tool::answer(Command::new("unshare").args(["--mount", "true"])).is_some() {
            return Ok(Namespace::Root);
        }
        bail!(
            "this is root, but a mount namespace cannot be made (`unshare --mount true` fails); these tests \
             cannot run: {NEED_ROOT}; run in a container with CAP_SYS_ADMIN or on the machine itself"
        );
    }
    if tool::answer(Command::new("unshare").args(MAPPED).arg("true")).is_some() {
        return Ok(Namespace::Mapped);
    }
    bail!(
        "this is not root, and a user namespace with further users cannot be made (`unshare {} true` fails); \
         these tests cannot run: {NEED_ROOT}; run as root, or allow user namespaces and give this user a range in \
         /etc/subuid and /etc/subgid (package uidmap)",
        MAPPED.join(" ")
    );
}

/// The same command, run in the namespace in which it finds itself root.
pub(super) fn as_mapped_root(inner: &Command) -> Command {
    let mut command = Command::new("unshare");
    command.args(MAPPED).arg(inner.get_program()).args(inner.get_args());
    if let Some(directory) = inner.get_current_dir() {
        command.current_dir(directory);
    }
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_namespaced_command_keeps_directory_arguments_and_environment() {
        let mut inner = Command::new("cargo");
        inner.args(["test", "a b"]).current_dir("/").env("SET", "1").env_remove("GONE");
        let outer = as_mapped_root(&inner);
        let words: Vec<_> = outer.get_args().filter_map(|word| word.to_str()).collect();
        assert_eq!(words, ["--user", "--map-root-user", "--map-auto", "--mount", "cargo", "test", "a b"]);
        assert_eq!(outer.get_current_dir(), inner.get_current_dir());
        assert_eq!(outer.get_envs().collect::<Vec<_>>(), inner.get_envs().collect::<Vec<_>>());
    }
}
