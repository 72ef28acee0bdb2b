//! Replacing a file safely: links, owners, locks, temporary files, fsync.
