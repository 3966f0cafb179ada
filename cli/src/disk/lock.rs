//! Locks a folder, so that one process at a time writes to it. The lock ends with the process.
//!
//! [`WORK`] in the folder holds the lock and the files of an unfinished change
//! ([`journal`](super::journal)). It is removed with the lock. After a process was killed it stays,
//! and the next process that locks the folder finishes or undoes the change.
#![allow(clippy::disallowed_methods, reason = "this module writes files and waits for other processes")]

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::calls::{self, Dir, Kind};
use aiec_system::locks;

/// Name of the folder in which changes are prepared.
pub(crate) const WORK: &str = ".aiec-work";
/// Name of the locked file in it.
pub(super) const LOCK: &str = "lock";
/// Time limit for another process to finish; it needs milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time for which the folder may be missing because another process just removed it.
const GONE: Duration = Duration::from_secs(1);
/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(10);

/// A folder to which only this process writes.
#[derive(Debug)]
pub(crate) struct Locked {
    pub(super) root: Dir,
    pub(super) work: Dir,
    /// Folders that were made for it, the innermost last.
    made: Vec<PathBuf>,
    _lock: File,
}

impl Locked {
    /// Makes `folder` if it is missing, waits for the lock, and finishes or undoes a change that
    /// was left behind.
    pub(crate) fn take(folder: &Path) -> io::Result<Self> {
        let started = Instant::now();
        let mut made = Vec::new();
        loop {
            // The previous holder of the lock may have removed the folder meanwhile.
            match attempt(folder, &mut made) {
                Ok(Some((root, work, lock))) => {
                    let locked = Self { root, work, made, _lock: lock };
                    locked.recover()?;
                    return Ok(locked);
                }
                Err(error) if error.kind() != io::ErrorKind::NotFound || started.elapsed() > GONE => {
                    remove(&made);
                    return Err(error);
                }
                Ok(None) if started.elapsed() > PATIENCE => return Err(busy()),
                Ok(None) | Err(_) => std::thread::sleep(PAUSE),
            }
        }
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // Without a journal the work folder has no use; with one it stays for the next run.
        if self.tidy().is_ok() {
            let _ = self.work.remove(LOCK).and_then(|()| self.root.remove_folder(WORK));
            remove(&self.made);
        }
    }
}

/// Removes those of the made folders that are empty.
fn remove(made: &[PathBuf]) {
    let _ = made.iter().rev().map(|path| calls::remove_folder(path)).take_while(Result::is_ok).count();
}

/// The folder, its work folder and the lock. Returns None when another process holds the lock.
fn attempt(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<Option<(Dir, Dir, File)>> {
    make_all(folder, made)?;
    let root = Dir::open(folder)?;
    if root.kind(WORK)? == Kind::Missing {
        root.make(WORK)?;
    }
    let work = root.enter(WORK)?;
    let lock = work.open_file(LOCK)?;
    let alone = locks::alone(&lock)? && work.is(LOCK, &lock)? && root.is_folder(WORK, &work)?;
    Ok(alone.then_some((root, work, lock)))
}

/// Makes `folder` and the missing folders above it, and records them.
fn make_all(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let missing: Vec<&Path> =
        folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
    for path in missing.into_iter().rev() {
        if calls::make_folder(path)? {
            made.push(path.to_path_buf());
        }
    }
    Ok(())
}

/// Makes the file `name` of `folder` if it is missing, and locks it.
pub(super) fn locked_file(folder: &Dir, name: &str) -> io::Result<File> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        let file = folder.open_file(name)?;
        if locks::alone(&file)? && folder.is(name, &file)? {
            return Ok(file);
        }
        std::thread::sleep(PAUSE);
    }
    Err(busy())
}

fn busy() -> io::Error {
    io::Error::new(
        io::ErrorKind::WouldBlock,
        format!("another aiec has been writing there for {} seconds", PATIENCE.as_secs()),
    )
}
