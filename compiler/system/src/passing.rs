//! Resources that end with aiec, however aiec ends: child processes ([`children`]) and temporary
//! folders ([`scratch`]).
//!
//! One list holds both, so that a signal handler finds all of them. [`end`] ends the processes,
//! removes the folders and prevents new ones. The next process that needs such a folder removes
//! those that a killed process left behind.

pub mod children;
pub mod scratch;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The process groups of running children, and the existing folders.
#[derive(Debug, Default)]
struct Passing {
    /// True after [`end`]: nothing begins any more.
    ending: bool,
    groups: BTreeSet<u32>,
    folders: BTreeSet<PathBuf>,
}

impl Passing {
    /// Fails after [`end`].
    fn may_begin(&self) -> io::Result<()> {
        if self.ending {
            Err(io::Error::new(io::ErrorKind::Interrupted, "aiec is about to end"))
        } else {
            Ok(())
        }
    }

    fn end(&mut self) {
        self.ending = true;
        self.groups.iter().for_each(|group| children::kill(*group));
        self.folders.iter().for_each(|folder| scratch::remove(folder));
    }
}

static PASSING: Mutex<Passing> =
    Mutex::new(Passing { ending: false, groups: BTreeSet::new(), folders: BTreeSet::new() });

fn passing() -> MutexGuard<'static, Passing> {
    PASSING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the child processes with all their descendants, and removes the temporary folders. A
/// process calls this when it is about to end: afterwards it can start no process and make no such
/// folder.
pub fn end() {
    passing().end();
}
