//! `aiec watch`: checks designs, and again when a file that they need was saved.
//!
//! The files are polled for their times: those that a check read, those that the design names, and
//! their folders, in which a missing file may appear. They are few, and a look at one takes a
//! microsecond. Notifications of the system would add a dozen crates to the first compilation, and
//! do not arrive from network and container mounts.
#![allow(clippy::disallowed_methods, reason = "this module looks at the times of files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use aiec_diag::count;
use aiec_system::files::{STDIN, folder_of};

use crate::args::{Check, Input};
use crate::asked::Asked;
use crate::invocation::{Invocation, open};
use crate::locate::graph_of;
use crate::output::Console;
use crate::{FAILURE, USAGE, check, pipeline, project};

/// Time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(200);
/// Folders of graphs are searched for C++ to this depth.
const DEPTH: usize = 4;
/// Most files of the folder of a graph.
const MOST: usize = 1000;
/// Endings of the files of a graph.
const ENDINGS: [&str; 9] = ["cpp", "cc", "cxx", "C", "h", "hpp", "hh", "cfg", "aiecst"];

/// The time and size of each file. None when the file is missing.
type State = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Checks until Ctrl-C, which ends the program. Returns the exit status of wrong usage, or of a
/// design that is not there at the start. A design that goes away later may come back.
pub(crate) fn run(args: &Check, asked: &Asked, console: &mut Console<'_>) -> u8 {
    if args.designs.iter().any(|design| design == Path::new(STDIN)) {
        console.error("aiec: `watch` looks at files, and standard input is none\n");
        return USAGE;
    }
    let format = args.reading.message_format;
    if format.is_data() {
        console.silence();
    }
    let mut seen = State::new();
    loop {
        let mut invocation =
            Invocation { asked: asked.clone(), progress: console.progress(), ..Invocation::default() };
        // The faults are in the log.
        let _ = check::run(args, &mut invocation, console);
        console.diagnostics(&invocation.log.diagnostics, &invocation.sources, format);
        if seen.is_empty() && args.designs.iter().any(|design| state_of(design).is_none()) {
            return FAILURE;
        }
        // A file that was saved during the check has the time of before.
        for file in files(args, &invocation) {
            let now = state_of(&file);
            seen.entry(file).or_insert(now);
        }
        let number = seen.keys().filter(|path| path.is_file()).count() as u64;
        let watched = if number == 0 { "for a file".to_owned() } else { count(number, "file") };
        console.line(&format!("watching {watched}; Ctrl-C ends"));
        let changed = changed(&mut seen);
        console.line(&format!("\n{} changed", changed.join(", ")));
    }
}

/// Waits until files change, and then until they stay as they are. Returns their names, and those
/// of folders only if nothing else changed.
fn changed(seen: &mut State) -> Vec<String> {
    let look = |seen: &State| -> State { seen.keys().map(|path| (path.clone(), state_of(path))).collect() };
    let mut before = seen.clone();
    loop {
        std::thread::sleep(PERIOD);
        let now = look(seen);
        let is_quiet = now == before;
        before = now;
        if is_quiet && before != *seen {
            break;
        }
    }
    let differs = |path: &&PathBuf| before[*path] != seen[*path];
    let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
        seen.keys().filter(differs).partition(|path| path.is_dir());
    let named = if files.is_empty() { folders } else { files };
    let names = named.into_iter().map(|path| path.display().to_string()).collect();
    *seen = before;
    names
}

fn state_of(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    // The size of a folder says nothing.
    let bytes = if metadata.is_dir() { 0 } else { metadata.len() };
    Some((metadata.modified().ok()?, bytes))
}

/// The files that the designs need, with their folders.
fn files(args: &Check, checked: &Invocation) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = checked.sources.iter().map(|source| PathBuf::from(&source.name)).collect();
    for design in &args.designs {
        match graph_of(design) {
            Some(graph) => beside(folder_of(&graph), DEPTH, &mut files),
            None => files.extend(named(design, args)),
        }
        files.push(design.clone());
    }
    let folders: Vec<PathBuf> = files.iter().map(|file| folder_of(file).to_path_buf()).collect();
    files.extend(folders);
    files
}

/// Sources of kernels and data that a design names. Empty when the design has errors; the files of
/// before are then still known.
fn named(design: &Path, args: &Check) -> Vec<PathBuf> {
    let mut invocation = Invocation::default();
    let input = Input { design: design.to_path_buf(), reading: args.reading.clone() };
    let expanded = open(&input, None, None, &mut invocation).and_then(|(source, options)| {
        let design = pipeline::design(&source, &options, &mut invocation.log)?;
        pipeline::expand(&design, &options, &mut invocation.log)
    });
    expanded.map_or_else(Vec::new, |expanded| project::user_paths(&expanded, design))
}

/// Adds the C++ of a folder and of those in it, without hidden ones and without links.
fn beside(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if entry.file_name().as_encoded_bytes().starts_with(b".") || files.len() >= MOST {
            continue;
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if kind.is_dir() && depth > 0 {
            beside(&path, depth - 1, files);
        } else if kind.is_file() && ENDINGS.contains(&ending) {
            files.push(path);
        }
    }
}
