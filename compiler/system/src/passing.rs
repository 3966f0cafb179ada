//! What ends with aiec, however aiec ends: programs that it started ([`children`]) and folders that it works in ([`scratch`]).
//!
//! One list holds both, so that a signal finds all of them. [`end`] ends the programs, removes the folders and lets nobody begin anything
//! more. What a process that was killed leaves behind is removed by the next one that wants such a folder.

pub mod children;
pub mod scratch;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Programs that run, by their process groups, and folders that are there.
#[derive(Debug, Default)]
struct Passing {
    /// The end has come: nothing begins any more.
    ending: bool,
    groups: BTreeSet<u32>,
    folders: BTreeSet<PathBuf>,
}

impl Passing {
    /// Whether anything may begin.
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

/// Ends the programs that aiec started, with all that these started, and removes its passing folders. For a process that is about to
/// end: it can start no program and make no such folder afterwards.
pub fn end() {
    passing().end();
}
