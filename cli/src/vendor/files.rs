//! The files that the user means: those named, and those of a folder that aiecompiler wrote.
#![allow(clippy::disallowed_methods, reason = "this module lists the user's folders")]

use std::fs;
use std::path::{Path, PathBuf};

use aiec_diag::SourceFile;
use aiec_system::files::MAX_VENDOR;

use crate::errors;
use crate::invocation::Invocation;

/// What files are read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Nets and routes.
    Nets,
    /// Kernels, buffers, inputs and outputs.
    Placement,
}

impl Purpose {
    /// The names or ends of names of the files, the most complete first. Of files with nets the
    /// request and one form of the result suffice.
    const fn ends(self) -> &'static [&'static str] {
        match self {
            Self::Nets => &["router.input", "router_soln.json", "_routed.aiesol", "aie_control.cpp"],
            Self::Placement => &["Map_Report.csv", "_mapped.aiecst"],
        }
    }

    /// The missing data, as a message names them.
    const fn words(self) -> &'static str {
        match self {
            Self::Nets => "router.input, router_soln.json, *_routed.aiesol or aie_control.cpp",
            Self::Placement => "Map_Report.csv or *_mapped.aiecst",
        }
    }
}

/// The folders below one that the user names, in which aiecompiler puts its files.
const FOLDERS: [&str; 9] =
    ["", "temp", "reports", "ps/c_rts", "Work", "Work/temp", "Work/reports", "Work/ps/c_rts", ".."];

/// True for a folder.
pub(super) fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// True for a folder with files of aiecompiler.
pub(super) fn has_files(folder: &Path) -> bool {
    [Purpose::Placement, Purpose::Nets].into_iter().any(|purpose| !of_folder(folder, purpose).is_empty())
}

/// Reads the named files, and the files of named folders.
pub(crate) fn files(
    paths: &[PathBuf],
    purpose: Purpose,
    invocation: &mut Invocation,
) -> Option<Vec<SourceFile>> {
    let mut all = Vec::new();
    for path in paths {
        if !is_folder(path) {
            all.push(path.clone());
            continue;
        }
        let found = of_folder(path, purpose);
        if found.is_empty() {
            return invocation.fail(errors::no_vendor_files(path, purpose.words()));
        }
        all.extend(found);
    }
    all.iter().map(|path| invocation.read(path, MAX_VENDOR)).collect()
}

/// The files of a folder: for nets the request and the first result, for a placement one file of
/// each kind. The folder above is looked at only for a folder called Work, beside which the
/// compiler puts its report.
fn of_folder(folder: &Path, purpose: Purpose) -> Vec<PathBuf> {
    let is_work = folder.file_name().is_some_and(|name| name == "Work");
    let folders = FOLDERS.iter().filter(|below| **below != ".." || is_work).map(|below| folder.join(below));
    let mut there: Vec<PathBuf> = folders.flat_map(|folder| files_of(&folder)).collect();
    let of_end = |end: &&str| {
        let at = there.iter().position(|path| path.to_string_lossy().ends_with(end));
        at.map(|at| there.remove(at))
    };
    let found: Vec<PathBuf> = purpose.ends().iter().filter_map(of_end).collect();
    match purpose {
        Purpose::Placement => found,
        Purpose::Nets => {
            let is_request = |path: &PathBuf| path.ends_with("router.input");
            let (request, results): (Vec<_>, Vec<_>) = found.into_iter().partition(is_request);
            request.into_iter().chain(results.into_iter().take(1)).collect()
        }
    }
}

/// The simulator's profiles of functions, and the logs of the core's compiler: a file itself, or
/// those of a folder and of the folders that AMD's tools make in it.
pub(crate) fn profiles_in(path: &Path) -> Vec<PathBuf> {
    if !is_folder(path) {
        return vec![path.to_owned()];
    }
    let cores = ["aie", "Work/aie"].map(|below| path.join(below));
    let cores = cores.iter().flat_map(|folder| entries(folder)).filter(|path| is_folder(path));
    let folders = ["", "aiesimulator_output"].map(|below| path.join(below)).into_iter().chain(cores);
    let all = folders.flat_map(|folder| files_of(&folder));
    all.filter(|file| is_profile(&file.to_string_lossy())).collect()
}

/// True for the name of a profile of functions, or of a log of the core's compiler.
fn is_profile(file: &str) -> bool {
    aiec_vendor::cycles::tile_of(file).is_some() || aiec_vendor::schedule::tile_of(file).is_some()
}

/// The files of a folder by name. Empty when the folder cannot be listed.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_file()).collect()
}

/// What a folder holds, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut all: Vec<PathBuf> = entries.collect();
    all.sort();
    all
}

/// The names of files without their folders.
pub(crate) fn names(files: &[SourceFile]) -> String {
    let name =
        |file: &SourceFile| Path::new(&file.name).file_name().map(|name| name.to_string_lossy().into_owned());
    files.iter().filter_map(name).collect::<Vec<_>>().join(" and ")
}
