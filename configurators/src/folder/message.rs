//! The words of a [`FolderError`]: what happened, where, and what helps.

use std::fmt;
use std::path::Path;

use super::error::FolderError;
use super::id::LONGEST;
use crate::file::shown;

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::BadId { id } => write!(
                f,
                "{} cannot be the name of a plugin's folder; an id begins with a small letter or a digit, goes \
                 on with those and `.`, `_`, `-`, and has at most {} of them: change it in the manifest",
                shown(Path::new(id)),
                LONGEST
            ),
            Self::NoFolder { path } => write!(
                f,
                "there is no folder {}; name the folder of a plugin, look with `ls -ld {}`",
                shown(path),
                shown(path)
            ),
            Self::NotPlain { path, kind } => write!(
                f,
                "{} is {kind}, and a plugin's folder may hold regular files and directories alone; \
                 replace it with a copy of what is meant, or remove it",
                shown(path)
            ),
            Self::SecondName { path, count } => write!(
                f,
                "{} has {count} hard links, so that it may belong to something else; \
                 install from a copy made with `cp -r --no-preserve=links`",
                shown(path)
            ),
            Self::BadPath { path } => write!(
                f,
                "{} is no path inside a plugin's folder, or stands there twice; use plain relative paths",
                shown(path)
            ),
            Self::TooMuch { path, limit, unit } => write!(
                f,
                "{} holds more than {limit} {unit}; leave out what the plugin does not run with, \
                 look with `du -a {}`",
                shown(path),
                shown(path)
            ),
            Self::KeepsChanging { path, attempts } => write!(
                f,
                "{} was changed by somebody else during each of {attempts} attempts; \
                 try again when its other writer is quiet",
                shown(path)
            ),
            Self::NoManifest { path } => {
                write!(f, "there is no manifest {}; name the folder that holds it, or add one", shown(path))
            }
            Self::Manifest { path, what } => write!(f, "{}: {what}", shown(path)),
            Self::Occupied { path, kind, owner } => write!(
                f,
                "{} is {kind} of {owner}, where the folder of a plugin should stand; \
                 look at it with `ls -ln {}` and remove it with `rm {}`",
                shown(path),
                shown(path),
                shown(path)
            ),
            Self::Foreign { path, owner, tree } if owner.uid == 0 => write!(
                f,
                "{} belongs to {owner} and not to {tree}, whose tree it stands in; look at it with `ls -lan {}` and, if it is \
                 an older copy of the plugin, remove it as root with `rm -r {}`",
                shown(path),
                shown(path),
                shown(path)
            ),
            Self::Foreign { path, owner, tree } => write!(
                f,
                "{} belongs to {owner}, which is neither {tree}, whose tree it stands in, nor root; \
                 look at it with `ls -ln {}` and, if nobody needs it, remove it with `rm -r {}`",
                shown(path),
                shown(path),
                shown(path)
            ),
            Self::NotOurs { path, owner, uid } => write!(
                f,
                "{} belongs to {owner}, whose agent would not load a plugin of uid {uid}; \
                 run hubkit as uid {} or as root",
                shown(path),
                owner.uid
            ),
            Self::Shared { path, owner, mode } => write!(
                f,
                "{} of {owner} has mode {mode:04o}, so that others could swap what is made ready there; \
                 run `chmod go-w {}`",
                shown(path),
                shown(path)
            ),
            Self::Mounted { path } => write!(
                f,
                "{} is a mount point of its own and cannot be replaced; change what is mounted there, \
                 or mount the directory around it instead; look with `findmnt -T {}`",
                shown(path),
                shown(path)
            ),
            Self::Unkept { path, is: (owner, mode), should: (wanted, wanted_mode) } => write!(
                f,
                "{} has owner {owner} and mode {mode:04o} whatever is set, and the host wants {wanted} and \
                 {wanted_mode:04o}; put the extensions on a file system that keeps them, look with \
                 `findmnt -T {}`",
                shown(path),
                shown(path)
            ),
        }
    }
}

impl std::error::Error for FolderError {}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::file::Owner;

    const AGENT: Owner = Owner { uid: 1000, gid: 1000 };
    const OTHER: Owner = Owner { uid: 1001, gid: 1001 };
    const ROOT: Owner = Owner { uid: 0, gid: 0 };

    #[test]
    fn what_where_and_what_helps() {
        let path = || PathBuf::from("/s/extensions/x");
        let cases = [
            (
                FolderError::NotPlain { path: path(), kind: "a symbolic link" },
                "/s/extensions/x is a symbolic link, and a plugin's folder may hold regular files and directories \
                 alone; replace it with a copy of what is meant, or remove it",
            ),
            (
                FolderError::TooMuch { path: path(), limit: 7, unit: "bytes" },
                "/s/extensions/x holds more than 7 bytes; leave out what the plugin does not run with, look with \
                 `du -a /s/extensions/x`",
            ),
            (
                FolderError::Occupied { path: path(), kind: "a fifo", owner: OTHER },
                "/s/extensions/x is a fifo of 1001:1001, where the folder of a plugin should stand; look at it \
                 with `ls -ln /s/extensions/x` and remove it with `rm /s/extensions/x`",
            ),
            (
                FolderError::Foreign { path: path(), owner: OTHER, tree: AGENT },
                "/s/extensions/x belongs to 1001:1001, which is neither 1000:1000, whose tree it stands in, nor \
                 root; look at it with `ls -ln /s/extensions/x` and, if nobody needs it, remove it with \
                 `rm -r /s/extensions/x`",
            ),
            (
                FolderError::Foreign { path: path(), owner: ROOT, tree: AGENT },
                "/s/extensions/x belongs to 0:0 and not to 1000:1000, whose tree it stands in; look at it with \
                 `ls -lan /s/extensions/x` and, if it is an older copy of the plugin, remove it as root with \
                 `rm -r /s/extensions/x`",
            ),
            (
                FolderError::NotOurs { path: path(), owner: AGENT, uid: 1001 },
                "/s/extensions/x belongs to 1000:1000, whose agent would not load a plugin of uid 1001; run \
                 hubkit as uid 1000 or as root",
            ),
        ];
        for (error, expected) in cases {
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn a_name_made_to_be_pasted_stays_one_word() {
        let path = PathBuf::from("/s/$(reboot)\n");
        let error = FolderError::Shared { path, owner: AGENT, mode: 0o777 };
        assert!(error.to_string().ends_with(r"`chmod go-w $'/s/$(reboot)\x0a'`"), "{error}");
    }
}
