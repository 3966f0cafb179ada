//! The graph of a project: from a path to the file that defines the graph object. The report of a
//! build.
#![allow(clippy::disallowed_methods, reason = "this module looks for the files of a project")]

use std::path::{Path, PathBuf};

use aiec_codegen::report::FILE;
use aiec_host_run::find::graphs_in;

/// Places of the graph in a project's folder.
const GRAPHS: [&str; 4] = ["aie/graph.cpp", "graph.cpp", "src/graph.cpp", "aie/src/graph.cpp"];

/// The graph file that `path` names: itself, or the only file of a project's folder that defines a
/// graph object. A file in a usual place serves where none is found by its text. Returns None for
/// designs, and for folders with several graphs.
pub(crate) fn graph_of(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return match graphs_in(path).as_slice() {
            [only] => Some(only.clone()),
            [] => GRAPHS.iter().map(|graph| path.join(graph)).find(|graph| graph.is_file()),
            _ => None,
        };
    }
    let extension = path.extension()?.to_str()?;
    ["cpp", "cc", "cxx", "C"].contains(&extension).then(|| path.to_path_buf())
}

/// The report that `path` names: a JSON file, or that in the folder of a build.
pub(crate) fn report_in(path: &Path) -> Option<PathBuf> {
    if path.extension().is_some_and(|ending| ending == "json") {
        return Some(path.to_path_buf());
    }
    Some(path.join(FILE)).filter(|file| file.is_file())
}
