//! Walks a path to its file, one component at a time, on handles.
//!
//! Every directory and link on the way is opened without being followed and judged by what the handle says,
//! so that nothing can be swapped between the look and the use. Nothing is created, read or changed here.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat};
use rustix::io::Errno;

use super::account::groups_of;
use super::actor::Actor;
use super::error::{FileError, Owner};
use super::snapshot::names;
use super::tree::{Kind, Seen, Tree};

/// As many links as the kernel itself follows.
const LINKS: usize = 40;

/// Where a file is, or would be.
#[derive(Debug)]
pub(super) struct Place {
    /// The physical path of the file.
    pub(super) path: PathBuf,
    /// Its last component.
    pub(super) name: OsString,
    /// The deepest directory on the way that exists; a path handle, good for `…at` calls alone.
    pub(super) directory: OwnedFd,
    /// The physical path of that directory.
    pub(super) directory_path: PathBuf,
    /// Directories between that one and the file, which do not exist.
    pub(super) missing: Vec<OsString>,
    /// Whom all file work must be done as; `None` for "as we are".
    pub(super) actor: Option<Actor>,
}

struct Level {
    handle: OwnedFd,
    stat: Stat,
    path: PathBuf,
}

/// A component that is still to be walked.
struct Pending {
    /// `None` for `..`.
    name: Option<OsString>,
    /// The link whose text it comes from.
    link: Option<PathBuf>,
    /// Whether it stands for the file, be it in the path or in the text of a link that stands for the file.
    last: bool,
}

/// Finds the place of the file at `path`, judging owners when we are root. A link in the place of a file of
/// hubkit's `own` is not followed.
///
/// # Errors
/// When there cannot be a file, or the rule for owners is broken.
pub(super) fn resolve(path: &Path, own: bool) -> Result<Place, FileError> {
    Walk::start(path, own)?.run()
}

struct Walk<'a> {
    given: &'a Path,
    own: bool,
    root: bool,
    tree: Tree,
    levels: Vec<Level>,
    pending: VecDeque<Pending>,
    links: usize,
}

impl<'a> Walk<'a> {
    fn start(given: &'a Path, own: bool) -> Result<Self, FileError> {
        let absolute = std::path::absolute(given).map_err(|error| {
            FileError::system("find", given, Errno::from_io_error(&error).unwrap_or(Errno::INVAL))
        })?;
        let mut walk = Self {
            given,
            own,
            root: rustix::process::geteuid().is_root(),
            tree: Tree::default(),
            levels: Vec::new(),
            pending: VecDeque::new(),
            links: 0,
        };
        walk.enter(CWD, OsStr::new("/"), PathBuf::from("/"))?;
        walk.prepend(&absolute, None, true);
        Ok(walk)
    }

    fn run(mut self) -> Result<Place, FileError> {
        while let Some(next) = self.pending.pop_front() {
            let Some(name) = next.name else {
                if self.levels.len() > 1 {
                    self.levels.pop();
                }
                continue;
            };
            let level = self.level()?;
            let path = level.path.join(&name);
            let handle = openat(
                &level.handle,
                &name,
                OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC,
                Mode::empty(),
            );
            let handle = match handle {
                Ok(handle) => handle,
                Err(Errno::NOENT) => match next.link {
                    Some(link) => return Err(FileError::Dangling { path: link, target: path }),
                    None => return self.missing(name),
                },
                Err(why) => return Err(FileError::system("look up", &path, why)),
            };
            let stat = fstat(&handle).map_err(|why| FileError::system("look at", &path, why))?;
            match FileType::from_raw_mode(stat.st_mode) {
                FileType::Symlink if next.last && self.own => return Err(FileError::OwnLink { path }),
                FileType::Symlink => self.follow(&handle, &stat, path, next.last)?,
                FileType::Directory => {
                    self.see(Kind::Directory, &path, &stat)?;
                    self.levels.push(Level { handle, stat, path });
                }
                FileType::RegularFile if self.pending.is_empty() => {
                    self.see(Kind::File, &path, &stat)?;
                    return self.place(name, Vec::new(), Some(stat.st_gid));
                }
                FileType::RegularFile => return Err(FileError::system("look below", &path, Errno::NOTDIR)),
                kind => return Err(FileError::NotAFile { path, kind: kind_name(kind) }),
            }
        }
        let path = self.level()?.path.clone();
        Err(FileError::NotAFile { path, kind: kind_name(FileType::Directory) })
    }

    fn level(&self) -> Result<&Level, FileError> {
        self.levels.last().ok_or_else(|| FileError::system("find", self.given, Errno::NOENT))
    }

    fn enter(&mut self, at: impl std::os::fd::AsFd, name: &OsStr, path: PathBuf) -> Result<(), FileError> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle =
            openat(at, name, flags, Mode::empty()).map_err(|why| FileError::system("open", &path, why))?;
        let stat = fstat(&handle).map_err(|why| FileError::system("look at", &path, why))?;
        self.see(Kind::Directory, &path, &stat)?;
        self.levels.push(Level { handle, stat, path });
        Ok(())
    }

    /// Puts the components of `text` before what is still to be walked.
    fn prepend(&mut self, text: &Path, link: Option<&Path>, last: bool) {
        let start = self.pending.len();
        for component in text.components() {
            let name = match component {
                Component::Normal(name) => Some(name.to_owned()),
                Component::ParentDir => None,
                Component::RootDir | Component::CurDir | Component::Prefix(_) => continue,
            };
            self.pending.push_back(Pending { name, link: link.map(Path::to_owned), last: false });
        }
        if let Some(end) = self.pending.iter_mut().skip(start).next_back() {
            end.last = last;
        }
        self.pending.rotate_left(start);
    }

    fn follow(&mut self, link: &OwnedFd, stat: &Stat, path: PathBuf, last: bool) -> Result<(), FileError> {
        self.links += 1;
        if self.links > LINKS {
            return Err(FileError::LinkLoop { path: self.given.to_owned(), links: LINKS });
        }
        self.see(if last { Kind::LastLink } else { Kind::Link }, &path, stat)?;
        let text = readlinkat(link, "", Vec::new())
            .map_err(|why| FileError::system("read the symbolic link", &path, why))?;
        let text = PathBuf::from(OsString::from_vec(text.into_bytes()));
        if text.is_absolute() {
            self.levels.truncate(1);
        }
        self.prepend(&text, Some(&path), last);
        Ok(())
    }

    fn see(&mut self, kind: Kind, path: &Path, stat: &Stat) -> Result<(), FileError> {
        if !self.root {
            return Ok(());
        }
        let owner = Owner { uid: stat.st_uid, gid: stat.st_gid };
        let tree = self.tree.owner();
        let inside = tree.is_some_and(|tree| self.levels.iter().any(|level| level.stat.st_uid == tree.uid));
        self.tree.see(Seen { kind, path, owner, names: names(stat), inside })
    }

    /// Nothing stands at `first`: it and what follows are directories to be made, and the file's name.
    fn missing(mut self, first: OsString) -> Result<Place, FileError> {
        let mut names = vec![first];
        for next in self.pending.drain(..) {
            match next.name {
                Some(name) => names.push(name),
                // What `..` of nothing is, nobody knows.
                None => return Err(FileError::system("find", self.given, Errno::NOENT)),
            }
        }
        match names.pop() {
            Some(name) => self.place(name, names, None),
            None => Err(FileError::system("find", self.given, Errno::NOENT)),
        }
    }

    fn place(
        mut self,
        name: OsString,
        missing: Vec<OsString>,
        file_group: Option<u32>,
    ) -> Result<Place, FileError> {
        let Some(Level { handle, stat, path: directory_path }) = self.levels.pop() else {
            return Err(FileError::system("find", self.given, Errno::NOENT));
        };
        let mut path = directory_path.clone();
        path.extend(&missing);
        path.push(&name);
        let holder = Owner { uid: stat.st_uid, gid: stat.st_gid };
        self.tree.end(&path, &directory_path, holder)?;
        let actor = self.tree.owner().map(|tree| {
            let mut groups = groups_of(tree.uid);
            // So that the file's group can be kept, whatever the machine's list of groups says.
            groups.extend(file_group);
            Actor { owner: Owner { uid: tree.uid, gid: holder.gid }, groups }
        });
        Ok(Place { path, name, directory: handle, directory_path, missing, actor })
    }
}

/// What a person calls a kind of file.
pub(super) fn kind_name(kind: FileType) -> &'static str {
    match kind {
        FileType::RegularFile => "a regular file",
        FileType::Directory => "a directory",
        FileType::Symlink => "a symbolic link",
        FileType::Fifo => "a fifo",
        FileType::Socket => "a socket",
        FileType::CharacterDevice => "a character device",
        FileType::BlockDevice => "a block device",
        FileType::Unknown => "of an unknown kind",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(walk: &Walk<'_>) -> String {
        let names: Vec<String> = walk
            .pending
            .iter()
            .map(|next| {
                let name = next.name.as_deref().map_or("..".into(), OsStr::to_string_lossy);
                format!("{name}{}", if next.last { "!" } else { "" })
            })
            .collect();
        names.join("/")
    }

    #[test]
    fn the_text_of_a_link_comes_first_and_its_end_stands_for_what_the_link_stood_for() {
        let mut walk = Walk::start(Path::new("/x/./y//z"), false).unwrap();
        assert_eq!(pending(&walk), "x/y/z!");
        walk.pending.pop_front();
        walk.prepend(Path::new("../a/b"), Some(Path::new("/x")), false);
        assert_eq!(pending(&walk), "../a/b/y/z!");
        walk.pending.clear();
        walk.prepend(Path::new("/q/r/"), Some(Path::new("/x")), true);
        assert_eq!(pending(&walk), "q/r!");
        walk.prepend(Path::new("/"), None, true);
        assert_eq!(pending(&walk), "q/r!");
    }
}
