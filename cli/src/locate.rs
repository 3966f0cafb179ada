//! From a path to what a command reads: the design or graph of a folder, the report of a build.
#![allow(clippy::disallowed_methods, reason = "this module looks for the files of a project")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use aiec_codegen::report::FILE;
use aiec_diag::{Diagnostic, Sources};
use aiec_host_run::find::{graphs_in, is_source};
use aiec_system::files::{self, MAX_DESIGN, read_text};

use crate::errors;
use crate::instances;
use crate::ownership::MANIFEST;
use crate::values::Takes;

/// Folders are searched to this depth.
pub(crate) const DEPTH: usize = 16;
/// Most files of one search.
const MOST: usize = 10_000;

/// Places of the graph in a project's folder.
const GRAPHS: [&str; 4] = ["aie/graph.cpp", "graph.cpp", "src/graph.cpp", "aie/src/graph.cpp"];

/// What a folder stands for: the only design that lies in it, or the only graph of the project,
/// whose folder remains the argument. A file stands for itself. Fails for several and for none.
pub(crate) fn only(path: &Path, takes: Takes) -> Result<PathBuf, Diagnostic> {
    if !path.is_dir() {
        return match is_header(path) && takes != Takes::Designs {
            true => Err(errors::header(path, &graphs_around(path))),
            false => Ok(path.to_path_buf()),
        };
    }
    let designs = if takes == Takes::Graphs { Vec::new() } else { designs_in(path, 0) };
    // A command that takes no graphs says so if there is nothing else.
    let graphs = if takes == Takes::Designs && !designs.is_empty() { Vec::new() } else { graphs_of(path) };
    match (designs.as_slice(), graphs.as_slice()) {
        ([design], []) => Ok(design.clone()),
        ([], [_]) => Ok(path.to_path_buf()),
        _ => Err(errors::which_design(path, &designs, &graphs, takes)),
    }
}

/// True for a header of C or C++ that is there.
fn is_header(path: &Path) -> bool {
    let is_one = |ending: &OsStr| ["h", "hh", "hpp", "hxx"].iter().any(|one| ending == *one);
    path.extension().is_some_and(is_one) && path.is_file()
}

/// The graphs in the folder of a file, or in the one above it.
fn graphs_around(path: &Path) -> Vec<PathBuf> {
    let folder = files::folder_of(path);
    let beside = graphs_of(folder);
    let above = || folder.parent().filter(|above| !above.as_os_str().is_empty()).map(graphs_of);
    if beside.is_empty() { above().unwrap_or_default() } else { beside }
}

/// The fault of a folder with several designs or graphs. None for a folder with one or none.
pub(crate) fn several(folder: &Path) -> Option<Diagnostic> {
    let (designs, graphs) = (designs_in(folder, 0), graphs_of(folder));
    (designs.len() + graphs.len() > 1).then(|| errors::which_design(folder, &designs, &graphs, Takes::Both))
}

/// The designs of a folder, and of those in it to this depth, in order of their paths: the files
/// that hold more than components.
pub(crate) fn designs_in(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut files = files_in(folder, depth);
    files.retain(|file| !is_library(file));
    files
}

/// The files of the language in a folder, and in those below it to this depth, in order of their
/// paths, without hidden ones and links.
pub(crate) fn files_in(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(folder, depth, &mut found);
    found.sort();
    found
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        let path = path.strip_prefix(".").unwrap_or(&path);
        if is_hidden(&entry.file_name()) || kind.is_symlink() || found.len() == MOST {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            walk(path, depth - 1, found);
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "dsl") {
            found.push(path.to_path_buf());
        }
    }
}

/// True for a file that holds nothing but components, which other designs use.
fn is_library(design: &Path) -> bool {
    let Ok(text) = read_text(design, MAX_DESIGN, None) else { return false };
    let mut sources = Sources::default();
    let id = sources.add(design.display().to_string(), text);
    let components = sources.get(id).and_then(instances::components);
    components.is_some_and(|components| !components.is_empty())
}

/// The graph file that `path` names: itself, or the only graph of a project's folder. Returns None
/// when `path` is a design, or a folder with several graphs.
pub(crate) fn graph_of(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        let graphs = graphs_of(path);
        return <[PathBuf; 1]>::try_from(graphs).ok().map(|[only]| only);
    }
    is_source(path).then(|| path.to_path_buf())
}

/// The files of a folder that define a graph object, without those of projects in it that aiec
/// wrote. A file in a usual place serves where none is found by its text.
fn graphs_of(folder: &Path) -> Vec<PathBuf> {
    let mut graphs = graphs_in(folder);
    graphs.retain(|graph| {
        let mut above = graph.ancestors().skip(1).take_while(|above| *above != folder);
        !above.any(|above| above.join(MANIFEST).is_file())
    });
    if graphs.is_empty() {
        graphs.extend(GRAPHS.iter().map(|graph| folder.join(graph)).find(|graph| graph.is_file()));
    }
    graphs
}

/// The report that `path` names: a JSON file, or that in the folder of a build.
pub(crate) fn report_in(path: &Path) -> Option<PathBuf> {
    if path.extension().is_some_and(|ending| ending == "json") {
        return Some(path.to_path_buf());
    }
    Some(path.join(FILE)).filter(|file| file.is_file())
}
