//! Locks of open files and folders between processes. A lock ends with its file or its process.

use std::fs::File;
use std::io;

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

fn lock(file: &File, how: FlockOperation) -> io::Result<bool> {
    match flock(file, how) {
        Ok(()) | Err(Errno::NOTSUP | Errno::NOSYS | Errno::NOLCK) => Ok(true),
        Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
