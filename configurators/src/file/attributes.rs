//! Extended attributes, access control lists among them, carried over to the new version of a file.

use std::os::fd::BorrowedFd;
use std::path::Path;

use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
use rustix::io::Errno;

use super::error::FileError;

/// Attributes under this name belong to the kernel's security modules: they label the new file themselves
/// and often let nobody else do so. They are carried over where that works.
const KERNELS: &[u8] = b"security.";

/// The largest list or value that Linux has.
const LARGEST: usize = 64 * 1024;

/// Makes the attributes of `new` those of `old`: differing ones are set, others removed (a directory's
/// default access control list puts some on every new file).
///
/// # Errors
/// [`FileError::Attribute`] about `path` for the first one that cannot be kept.
pub(super) fn copy(old: BorrowedFd<'_>, new: BorrowedFd<'_>, path: &Path) -> Result<(), FileError> {
    let cannot = |name: &[u8], why| FileError::Attribute {
        path: path.to_owned(),
        what: format!("extended attribute {}", String::from_utf8_lossy(name).escape_debug()),
        why,
    };
    let wanted = names(old).map_err(|why| cannot(b"list", why))?;
    let present = names(new).map_err(|why| cannot(b"list", why))?;
    for name in present.iter().filter(|name| !wanted.contains(name)) {
        match fremovexattr(new, &name[..]) {
            Ok(()) | Err(Errno::NODATA) => {}
            Err(_) if name.starts_with(KERNELS) => {}
            Err(why) => return Err(cannot(name, why)),
        }
    }
    for name in &wanted {
        let value = match value(old, name) {
            Ok(value) => value,
            Err(_) if name.starts_with(KERNELS) => continue,
            Err(why) => return Err(cannot(name, why)),
        };
        if present.contains(name) && self::value(new, name).is_ok_and(|present| present == value) {
            continue;
        }
        match fsetxattr(new, &name[..], &value, XattrFlags::empty()) {
            Ok(()) => {}
            Err(Errno::PERM | Errno::ACCESS | Errno::NOTSUP | Errno::INVAL) if name.starts_with(KERNELS) => {}
            Err(why) => return Err(cannot(name, why)),
        }
    }
    Ok(())
}

fn names(file: BorrowedFd<'_>) -> Result<Vec<Vec<u8>>, Errno> {
    let mut list = vec![0; LARGEST];
    let length = match flistxattr(file, &mut list[..]) {
        Ok(length) => length,
        // A file system without any.
        Err(Errno::NOTSUP | Errno::NOSYS) => 0,
        Err(why) => return Err(why),
    };
    let names = list[..length].split(|byte| *byte == 0);
    Ok(names.filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
}

fn value(file: BorrowedFd<'_>, name: &[u8]) -> Result<Vec<u8>, Errno> {
    let mut value = vec![0; LARGEST];
    let length = fgetxattr(file, name, &mut value[..])?;
    value.truncate(length);
    Ok(value)
}
