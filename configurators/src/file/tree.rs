//! Whose tree a file stands in, when root is about to work in it.
//!
//! The tree's owner is the first user other than root that is met on the way down, be it a directory's or a
//! link's; else root. From there on everything must be that user's: an agent that plants a link, or finds
//! something of root's in its home, must not be able to make root write where the agent could not.

use std::path::{Path, PathBuf};

use super::error::{FileError, Owner};

const ROOT: Owner = Owner { uid: 0, gid: 0 };

/// What is looked at on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Directory,
    /// A link on the way to a directory.
    Link,
    /// A link that stands for the file itself.
    LastLink,
    File,
}

/// Something on the way, as its opened handle tells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) kind: Kind,
    pub(super) path: &'a Path,
    pub(super) owner: Owner,
    /// Number of names; more than one matters for files alone.
    pub(super) names: u64,
    /// Whether it stands below a directory of the tree's owner, as directories are really nested.
    pub(super) inside: bool,
}

/// The rule, applied while a path is walked.
#[derive(Debug, Default)]
pub(super) struct Tree {
    owner: Option<Owner>,
    /// The last link that was followed.
    link: Option<(PathBuf, Owner)>,
    /// The first link of root's that stood for the file itself.
    last_link: Option<PathBuf>,
}

impl Tree {
    /// Whose tree it is as far as the path was walked; `None` while everything is root's.
    pub(super) fn owner(&self) -> Option<Owner> {
        self.owner
    }

    /// Looks at the next thing on the way.
    ///
    /// # Errors
    /// When it breaks the rule.
    pub(super) fn see(&mut self, seen: Seen<'_>) -> Result<(), FileError> {
        match (self.owner, seen.owner.uid) {
            (None, 0) => {}
            (None, _) if seen.kind == Kind::File => return Err(self.strange(seen, ROOT)),
            (None, _) => self.owner = Some(seen.owner),
            (Some(tree), uid) if uid == tree.uid => {}
            // After an absolute link the way leads down through root's directories once more.
            (Some(_), 0) if !seen.inside && seen.kind != Kind::File => {}
            (Some(tree), _) => return Err(self.strange(seen, tree)),
        }
        if matches!(seen.kind, Kind::Link | Kind::LastLink) {
            self.link = Some((seen.path.to_owned(), seen.owner));
        }
        if seen.kind == Kind::LastLink && seen.owner.uid == ROOT.uid && self.last_link.is_none() {
            self.last_link = Some(seen.path.to_owned());
        }
        Ok(())
    }

    /// Ends the walk at `path`: the directory at `holder` holds the file, or will.
    ///
    /// # Errors
    /// When the directory is not the tree's, or a link of root's stands for another owner's file.
    pub(super) fn end(&self, path: &Path, holder: &Path, owner: Owner) -> Result<(), FileError> {
        let Some(tree) = self.owner else { return Ok(()) };
        if owner.uid != tree.uid {
            let kind = Kind::Directory;
            return Err(self.strange(Seen { kind, path: holder, owner, names: 1, inside: false }, tree));
        }
        match &self.last_link {
            Some(link) => Err(FileError::LinkAway {
                path: link.clone(),
                owner: ROOT,
                target: path.to_owned(),
                target_owner: tree,
            }),
            None => Ok(()),
        }
    }

    fn strange(&self, seen: Seen<'_>, tree: Owner) -> FileError {
        let path = seen.path.to_owned();
        // Offering `chown` for a file with a second name would hand that one out as well.
        if seen.kind == Kind::File && seen.names > 1 {
            return FileError::HardLinks { path, count: seen.names };
        }
        if seen.inside || tree == ROOT {
            return FileError::StrangeOwner { path, owner: seen.owner, tree };
        }
        match &self.link {
            Some((link, owner)) if owner.uid == tree.uid => FileError::LinkAway {
                path: link.clone(),
                owner: *owner,
                target: path,
                target_owner: seen.owner,
            },
            _ => FileError::Roundabout { path, owner: seen.owner, tree },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGENT: Owner = Owner { uid: 1000, gid: 1000 };
    const OTHER: Owner = Owner { uid: 2000, gid: 2000 };

    fn walk(steps: &[(Kind, &str, Owner, bool)]) -> Result<Tree, FileError> {
        let mut tree = Tree::default();
        for (kind, path, owner, inside) in steps {
            let path = Path::new(path);
            tree.see(Seen { kind: *kind, path, owner: *owner, names: 1, inside: *inside })?;
        }
        Ok(tree)
    }

    #[test]
    fn the_first_user_on_the_way_down_owns_the_tree() {
        let tree = walk(&[
            (Kind::Directory, "/", ROOT, false),
            (Kind::Directory, "/home", ROOT, false),
            (Kind::Directory, "/home/a", AGENT, false),
            (Kind::File, "/home/a/c", AGENT, true),
        ]);
        assert_eq!(tree.unwrap().owner(), Some(AGENT));
    }

    #[test]
    fn roots_own_tree_is_roots() {
        let tree = walk(&[(Kind::Directory, "/", ROOT, false), (Kind::File, "/c", ROOT, false)]).unwrap();
        assert_eq!(tree.owner(), None);
        assert_eq!(tree.end(Path::new("/c"), Path::new("/"), ROOT), Ok(()));
    }

    #[test]
    fn something_of_roots_below_a_users_directory_is_refused() {
        for kind in [Kind::Directory, Kind::Link, Kind::LastLink, Kind::File] {
            let error =
                walk(&[(Kind::Directory, "/h", AGENT, false), (kind, "/h/x", ROOT, true)]).unwrap_err();
            assert_eq!(
                error,
                FileError::StrangeOwner { path: "/h/x".into(), owner: ROOT, tree: AGENT },
                "{kind:?}"
            );
        }
    }

    #[test]
    fn a_users_link_may_lead_back_home_and_nowhere_else() {
        let home = [
            (Kind::Directory, "/h", AGENT, false),
            (Kind::LastLink, "/h/c", AGENT, true),
            (Kind::Directory, "/", ROOT, false),
        ];
        let back = [(Kind::Directory, "/h", AGENT, false), (Kind::File, "/h/d", AGENT, true)];
        assert!(walk(&[&home[..], &back].concat()).is_ok());
        for (kind, owner) in [(Kind::File, ROOT), (Kind::File, OTHER), (Kind::Directory, OTHER)] {
            let error = walk(&[&home[..], &[(kind, "/x", owner, false)]].concat()).unwrap_err();
            let expected = FileError::LinkAway {
                path: "/h/c".into(),
                owner: AGENT,
                target: "/x".into(),
                target_owner: owner,
            };
            assert_eq!(error, expected);
        }
        let tree = walk(&[&home[..], &[(Kind::File, "/d", AGENT, false)]].concat()).unwrap();
        assert!(matches!(tree.end(Path::new("/d"), Path::new("/"), ROOT), Err(FileError::LinkAway { .. })));
    }

    #[test]
    fn a_link_of_roots_may_lead_to_a_users_directory_but_not_stand_for_its_file() {
        let way = |kind| {
            let tree = walk(&[
                (kind, "/etc/l", ROOT, false),
                (Kind::Directory, "/h", AGENT, false),
                (Kind::File, "/h/c", AGENT, true),
            ]);
            tree.unwrap().end(Path::new("/h/c"), Path::new("/h"), AGENT)
        };
        assert_eq!(way(Kind::Link), Ok(()));
        assert!(matches!(way(Kind::LastLink), Err(FileError::LinkAway { owner: ROOT, .. })));
    }

    #[test]
    fn a_way_out_by_dots_never_advises_to_give_the_directory_away() {
        let tree = walk(&[(Kind::Directory, "/h", AGENT, false)]).unwrap();
        let error = tree.end(Path::new("/etc/c"), Path::new("/etc"), ROOT).unwrap_err();
        assert!(matches!(error, FileError::Roundabout { .. }));
        assert!(!error.to_string().contains("chown"), "{error}");
    }

    #[test]
    fn a_file_with_two_names_is_never_offered_for_chown() {
        let mut tree = walk(&[(Kind::Directory, "/h", AGENT, false)]).unwrap();
        let path = Path::new("/h/c");
        let error =
            tree.see(Seen { kind: Kind::File, path, owner: ROOT, names: 2, inside: true }).unwrap_err();
        assert_eq!(error, FileError::HardLinks { path: "/h/c".into(), count: 2 });
    }
}
