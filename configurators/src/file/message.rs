//! The words of a [`FileError`]: what happened, where, and the command that helps.
//!
//! A command is only offered where following it blindly as root is harmless: never `chown` of something that
//! has a second name, nor of what an agent's link leads to.

use std::fmt;
use std::io;
use std::path::Path;

use rustix::io::Errno;

use super::error::{FileError, Owner};
use super::shown::Shown;
use super::target::Recovered;

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dangling { path, target } => write!(
                f,
                "{} is a symbolic link to {}, which does not exist; create that file or remove the link",
                Shown(path),
                Shown(target)
            ),
            Self::LinkLoop { path, links } => write!(
                f,
                "{} leads through more than {links} symbolic links, probably in a circle; \
                 run `namei -l {}` and remove one",
                Shown(path),
                Shown(path)
            ),
            Self::NotAFile { path, kind } => write!(
                f,
                "{} is {kind}, not a regular file; move it away or name another file with --config",
                Shown(path)
            ),
            Self::StrangeOwner { path, owner, tree } => write!(
                f,
                "{} belongs to {owner}, but the tree it stands in to {tree}; \
                 look at it, and if it is meant to be there run `chown -h {tree} {}`",
                Shown(path),
                Shown(path)
            ),
            Self::LinkAway { path, owner, target, target_owner } => {
                write!(
                    f,
                    "{} is a link of {owner} into another owner's files, {} belongs to {target_owner}; ",
                    Shown(path),
                    Shown(target)
                )?;
                // A link of the agent's to something of root's is nothing to make peace with.
                if owner.uid == 0 {
                    write!(f, "run `chown -h {target_owner} {}`", Shown(path))
                } else {
                    write!(f, "remove it with `rm {}`", Shown(path))
                }
            }
            Self::Roundabout { path, owner, tree } => write!(
                f,
                "{} belongs to {owner}, but the way to it leads through the tree of {tree}; \
                 name the file by its direct path",
                Shown(path)
            ),
            Self::NotOurs { path, owner, uid } => write!(
                f,
                "{} belongs to {owner} and uid {uid} could not give it back after a replacement; \
                 run hubkit as uid {} or as root, or run `chown -h {uid} {}`",
                Shown(path),
                owner.uid,
                Shown(path)
            ),
            Self::NotOwn { path, owner, uid } => write!(
                f,
                "{} should be hubkit's own but belongs to {owner}, not to uid {uid}; look at it, and if nobody \
                 needs it run `rm {}`",
                Shown(path),
                Shown(path)
            ),
            Self::OwnLink { path } => write!(
                f,
                "{} should be a file of hubkit's own but is a symbolic link, which is not followed; \
                 look at it, and if nobody needs it run `rm {}`",
                Shown(path),
                Shown(path)
            ),
            Self::Group { path, gid, uid } => write!(
                f,
                "{} belongs to group {gid}, which uid {uid} is no member of and could not keep; \
                 run hubkit as root, or run `chgrp -h $(id -g {uid}) {}`",
                Shown(path),
                Shown(path)
            ),
            Self::Attribute { path, what, why } => write!(
                f,
                "the {what} of {} cannot be kept: {}; look with `getfattr -d -m - {}`",
                Shown(path),
                words(*why),
                Shown(path)
            ),
            Self::HardLinks { path, count } => write!(
                f,
                "{} has {count} hard links, and one is all it may have; \
                 find the others with `find / -xdev -samefile {}` and remove all but one",
                Shown(path),
                Shown(path)
            ),
            Self::TooLarge { path, limit, planned: false } => write!(
                f,
                "{} is larger than {limit} bytes; a configuration file of that size is a mistake, \
                 look with `ls -l {}`",
                Shown(path),
                Shown(path)
            ),
            Self::TooLarge { path, limit, planned: true } => write!(
                f,
                "{} would become larger than {limit} bytes; make room in it, look with `ls -l {}`",
                Shown(path),
                Shown(path)
            ),
            Self::Mounted { path } => write!(
                f,
                "{} is a mount point of its own and cannot be replaced; \
                 mount its directory instead of the single file",
                Shown(path)
            ),
            Self::ReadOnly { path, uid } => write!(
                f,
                "uid {uid} cannot write {}: it is on a read-only file system; mount it writable, \
                 look with `findmnt -T {}`",
                Shown(path),
                Shown(path)
            ),
            Self::Full { path, uid, why } => write!(
                f,
                "no room for {} as uid {uid}: {}; free some, look with `df -h {}`",
                Shown(path),
                words(*why),
                Shown(path)
            ),
            Self::Denied { doing, path, uid, owner, why } => {
                write!(f, "uid {uid} cannot {doing} {}: {}; ", Shown(path), words(*why))?;
                denied_next(f, path, *uid, *owner, *why)
            }
            Self::CannotAct { path, owner, why } => write!(
                f,
                "root cannot act as {owner}, who owns {}: {}; grant CAP_SETUID and CAP_SETGID, \
                 or run hubkit as uid {}",
                Shown(path),
                words(*why),
                owner.uid
            ),
            Self::Locked { path, waited } => write!(
                f,
                "another process has held the lock on {} for {} ms; \
                 find it with `fuser -v {}` and try again when it is done",
                Shown(path),
                waited.as_millis(),
                Shown(path)
            ),
            Self::KeepsChanging { path, attempts } => write!(
                f,
                "{} was changed by somebody else during each of {attempts} attempts; \
                 try again when its other writer is quiet",
                Shown(path)
            ),
            Self::Stranded { path, target, why } => write!(
                f,
                "another program's newer {} could not be put back: {}; run `mv {} {}`",
                Shown(target),
                words(*why),
                Shown(path),
                Shown(target)
            ),
            Self::NoBackup { path, uid, cause } => write!(
                f,
                "{} can only be written in place, and not without a backup: {cause}; \
                 or name a directory of uid {uid} in HUBKIT_STATE_DIR",
                Shown(path)
            ),
            Self::StateOwner { path, owner, uid } => write!(
                f,
                "the state directory {} belongs to {owner}, but the work is done as uid {uid}; \
                 look with `ls -ld {}`",
                Shown(path),
                Shown(path)
            ),
            Self::StateOpen { path, mode } => write!(
                f,
                "others can write in the state directory {}, its mode is {mode:04o}; run `chmod go-w {}`",
                Shown(path),
                Shown(path)
            ),
            Self::HalfWritten { path, backup, cause } => write!(
                f,
                "{} is half written and its old content could not be put back: {cause}; then run hubkit again, \
                 which puts it back from {}",
                Shown(path),
                Shown(backup)
            ),
            Self::System { doing, path, why } => write!(
                f,
                "cannot {doing} {}: {}; look with `ls -ld {}`",
                Shown(path),
                words(*why),
                Shown(path)
            ),
        }
    }
}

impl std::error::Error for FileError {}

impl fmt::Display for Recovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (did, backup) = match self {
            Self::Restored => {
                return f.write_str(
                    "an earlier run was killed while it wrote the file; the content before that run was restored",
                );
            }
            Self::WouldRestore => {
                return f.write_str(
                    "an earlier run was killed while it wrote the file; the content before that run would be \
                     restored",
                );
            }
            Self::SetAside { backup } => ("is kept", backup),
            Self::WouldSetAside { backup } => ("would be kept", backup),
        };
        write!(
            f,
            "a write into the file was cut short, or met another program's; what stands there since is taken as \
             that program's, and the content before {did} in {}; compare the two, then remove that one",
            Shown(backup)
        )
    }
}

fn denied_next(
    f: &mut fmt::Formatter<'_>,
    path: &Path,
    uid: u32,
    owner: Option<(Owner, u32)>,
    why: Errno,
) -> fmt::Result {
    let path = Shown(path);
    match owner {
        Some((owner, mode)) if why == Errno::ACCESS && owner.uid == uid => {
            write!(f, "its mode is {mode:04o}; run `chmod u+rwX {path}`")
        }
        Some((owner, mode)) if owner.uid != uid => {
            write!(
                f,
                "it belongs to {owner} with mode {mode:04o}; run hubkit as uid {} or as root",
                owner.uid
            )
        }
        _ => write!(f, "look with `namei -l {path}` and `lsattr -d {path}`"),
    }
}

/// The operating system's words without the number.
fn words(why: Errno) -> String {
    let text = io::Error::from(why).to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const AGENT: Owner = Owner { uid: 1000, gid: 1000 };
    const ROOT: Owner = Owner { uid: 0, gid: 0 };

    #[test]
    fn what_where_and_the_next_command() {
        let path = || "/home/a/c.yaml".into();
        let cases = [
            (
                FileError::Dangling { path: path(), target: "/home/gone".into() },
                "/home/a/c.yaml is a symbolic link to /home/gone, which does not exist; create that file or \
                 remove the link",
            ),
            (
                FileError::StrangeOwner { path: path(), owner: ROOT, tree: AGENT },
                "/home/a/c.yaml belongs to 0:0, but the tree it stands in to 1000:1000; look at it, and if it is \
                 meant to be there run `chown -h 1000:1000 /home/a/c.yaml`",
            ),
            (
                FileError::LinkAway {
                    path: path(),
                    owner: AGENT,
                    target: "/etc/shadow".into(),
                    target_owner: ROOT,
                },
                "/home/a/c.yaml is a link of 1000:1000 into another owner's files, /etc/shadow belongs to 0:0; \
                 remove it with `rm /home/a/c.yaml`",
            ),
            (
                FileError::Denied {
                    doing: "create a file in",
                    path: "/etc".into(),
                    uid: 1000,
                    owner: Some((ROOT, 0o755)),
                    why: Errno::ACCESS,
                },
                "uid 1000 cannot create a file in /etc: permission denied; it belongs to 0:0 with mode 0755; \
                 run hubkit as uid 0 or as root",
            ),
            (
                FileError::Locked { path: "/home/a".into(), waited: Duration::from_secs(10) },
                "another process has held the lock on /home/a for 10000 ms; find it with `fuser -v /home/a` \
                 and try again when it is done",
            ),
            (
                FileError::ReadOnly { path: path(), uid: 1000 },
                "uid 1000 cannot write /home/a/c.yaml: it is on a read-only file system; mount it writable, \
                 look with `findmnt -T /home/a/c.yaml`",
            ),
        ];
        for (error, expected) in cases {
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn a_name_made_to_be_pasted_stays_one_word() {
        let path = "/home/a/$(reboot)\n`x`.yaml".into();
        let error = FileError::StrangeOwner { path, owner: ROOT, tree: AGENT };
        assert!(
            error.to_string().ends_with(r"`chown -h 1000:1000 $'/home/a/$(reboot)\x0a`x`.yaml'`"),
            "{error}"
        );
    }
}
