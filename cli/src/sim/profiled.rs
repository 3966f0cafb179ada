//! What the vendor's tools tell about the cycles of kernels (`--profiled`): functions that the
//! simulator profiled, and loops that the core's compiler scheduled.
#![allow(clippy::disallowed_methods, reason = "this module asks how old the user's files are")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use aiec_system::files::{MAX_VENDOR, read_lossy};
use aiec_timing::LoopSchedule;
use aiec_vendor::cycles::{self, CoreCycles};
use aiec_vendor::schedule::{self, ScheduledLoop};

use crate::invocation::Invocation;
use crate::{errors, vendor};

/// The contents of all files, of all cores.
#[derive(Default)]
pub(super) struct Profiled {
    cores: Vec<CoreCycles>,
    loops: Vec<ScheduledLoop>,
    files: Vec<PathBuf>,
}

impl Profiled {
    /// Reads the files that the user names, and those of named folders.
    pub(super) fn read(paths: &[PathBuf], invocation: &mut Invocation) -> Option<Self> {
        let mut all = Self::default();
        for path in paths {
            let files = vendor::profiles_in(path);
            if files.is_empty() {
                return invocation.fail(errors::no_vendor_files(path, FILES));
            }
            for file in files {
                all.add(&file, invocation)?;
            }
        }
        Some(all)
    }

    /// Adds a profile, or a log by its name.
    fn add(&mut self, path: &Path, invocation: &mut Invocation) -> Option<()> {
        if schedule::tile_of(&path.to_string_lossy()).is_some() {
            let text = invocation.require(read_lossy(path, MAX_VENDOR))?;
            let id = invocation.sources.add(path.display().to_string(), text);
            self.loops.extend(schedule::parse(invocation.sources.get(id)?));
        } else {
            let source = invocation.read(path, MAX_VENDOR)?;
            self.cores.push(invocation.log.take(cycles::parse(&source))?);
        }
        self.files.push(path.to_owned());
        Some(())
    }

    /// Cycles of a call of a function. Of several cores that ran it, the slowest.
    pub(super) fn of_function(&self, function: &str) -> Option<f64> {
        self.cores.iter().filter_map(|core| core.per_call(function)).reduce(f64::max)
    }

    /// The schedule of the loop at this line of a file, whatever its folder. Of several cores that
    /// run it, or several copies on one, the slowest.
    pub(super) fn of_loop(&self, file: &str, line: u32) -> Option<LoopSchedule> {
        let name = file.rsplit('/').next()?;
        let is_it = |one: &&ScheduledLoop| one.places.iter().any(|(file, at)| file == name && *at == line);
        let slowest = self.loops.iter().filter(is_it).max_by_key(|one| (one.interval, one.folded))?;
        Some(LoopSchedule { interval: slowest.interval.into(), folded: slowest.folded.into() })
    }

    /// Warns if a source of a kernel is newer than a file, which may then be of another program.
    pub(super) fn warn_if_old(&self, sources: &[PathBuf], invocation: &mut Invocation) {
        let newest = newest(sources);
        let oldest = self.files.iter().filter_map(|file| Some((modified(file)?, file))).min();
        if let (Some((changed, source)), Some((written, file))) = (newest, oldest)
            && changed > written + TOGETHER
        {
            invocation.log.add(vec![errors::old_cycles(file, source)]);
        }
    }
}

/// The files that `--profiled` takes.
const FILES: &str = "profile_funct_COLUMN_ROW.xml or COLUMN_ROW.log";

/// Files that were copied or checked out together differ by less.
const TOGETHER: Duration = Duration::from_secs(60);

fn newest(files: &[PathBuf]) -> Option<(SystemTime, &PathBuf)> {
    files.iter().filter_map(|file| Some((modified(file)?, file))).max()
}

/// When a file was changed last. Returns None when the file system does not tell.
fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}
