//! Locks of open files and folders between processes. A lock ends with its file or its process.
#![allow(clippy::disallowed_methods, reason = "this module looks up files that it locks")]

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// Locks an open file for this process alone. Returns false when another process holds a lock of
/// it. On systems without locks it returns true.
///
/// # Errors
/// Any other error of the system (POSIX systems, `flock`).
pub fn alone(file: &File) -> io::Result<bool> {
    lock(file, FlockOperation::NonBlockingLockExclusive)
}

/// Locks an open file for this process and others that lock it in the same way, and waits while a
/// process holds it alone. Returns false when a signal ends the wait. On systems without locks it
/// returns true.
///
/// # Errors
/// Like [`alone`].
pub fn shared(file: &File) -> io::Result<bool> {
    lock(file, FlockOperation::LockShared)
}

/// True if an open file or folder is the one at `path` now. A file that is locked may have been
/// replaced before.
pub fn is_at(file: &File, path: &Path) -> bool {
    let same =
        |ours: fs::Metadata, there: fs::Metadata| (ours.dev(), ours.ino()) == (there.dev(), there.ino());
    file.metadata().is_ok_and(|ours| fs::metadata(path).is_ok_and(|there| same(ours, there)))
}

fn lock(file: &File, how: FlockOperation) -> io::Result<bool> {
    match flock(file, how) {
        Ok(()) | Err(Errno::NOTSUP | Errno::NOSYS | Errno::NOLCK) => Ok(true),
        Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
