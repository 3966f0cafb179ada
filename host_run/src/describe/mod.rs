//! From the file of a graph to its description. Takes a compiler, the file, folders and flags, and
//! returns what the graph's constructors created, connected and constrained, with source spans.
//!
//! aiec compiles the file alone; the sources of the kernels need not exist. The program describes
//! its graph before its main begins. The constructors run every time, since they may read files;
//! the program comes from the cache.
#![allow(clippy::disallowed_methods, reason = "this module compiles and runs the graph, and measures it")]

mod convert;
mod refusals;
mod sites;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aiec_adf::Description;
use aiec_diag::{Diagnostic, Sources};

use crate::build::{STANDARD_NAMES, all_flags, graph_unit, lacks_standard_names};
use crate::cache::{Cache, Refusal, Unit};
use crate::objects;
use crate::parts::DESCRIBE;
use crate::probe::{self, Line, Said};
use crate::store::Held;
use sites::{Folders, Sites};

/// Flags of the description: exact lines, the types of objects, and the macro of the vendor's front
/// end, which runs the constructors, too. They come last, so they hold.
const FLAGS: [&str; 4] = ["-O0", "-g", "-w", "-D__ADF_FRONTEND__"];

/// The language of graphs for the vendor's front end (`g++ -std=c++17` in logs of aiecompiler). The
/// standard headers are a tenth shorter to compile than those of C++20.
const LANGUAGE: &str = "-std=c++17";

/// The macro under which some projects define their graph or its main program (UG1076).
const OTHER_SIMULATOR: &str = "-D__AIESIM__";

/// Leaves out a main program, which no description needs.
const NO_SIMULATOR: &str = "-U__X86SIM__";

/// The graph to describe, and how to compile it.
#[derive(Clone, Copy, Debug)]
pub struct DescribeRequest<'a> {
    /// The command of the C++ compiler.
    pub cxx: &'a str,
    /// The path of the graph's file.
    pub graph: &'a Path,
    /// Folders of headers, in the order of the search.
    pub include: &'a [PathBuf],
    /// Macros and other flags.
    pub flags: &'a [String],
    /// The folder in which the constructors run.
    pub directory: &'a Path,
    /// A folder for intermediate files, which the caller removes.
    pub scratch: &'a Path,
}

/// The description of a graph, and what making it took.
#[derive(Debug)]
pub struct Described {
    /// The graph as its constructors made it.
    pub description: Description,
    /// The file of the graph, and every file that it includes.
    pub files: BTreeSet<PathBuf>,
    /// Wall time until the program was there: compiler and linker, or the cache.
    pub compiled: Duration,
    /// Wall time of the constructors, and of the search for lines and names.
    pub described: Duration,
    /// The messages of the compiler about the graph, as one text. Empty without any.
    pub warnings: Vec<String>,
}

/// Describes the graph of a file. Files that spans point to are added to `sources`.
///
/// # Errors
/// `sim/compile` if the file does not compile, or constructs no graph; `sim/failed` if a
/// constructor fails; `sim/compiler` if the compiler cannot be run.
pub fn describe(request: &DescribeRequest<'_>, sources: &mut Sources) -> Result<Described, Vec<Diagnostic>> {
    described(request, sources).map_err(|diagnostic| vec![diagnostic])
}

fn described(request: &DescribeRequest<'_>, sources: &mut Sources) -> Result<Described, Diagnostic> {
    let begin = Instant::now();
    let cache = Cache::open(request.cxx, all_flags(request.graph, request.include, request.flags), None)?;
    let probed = attempted(request, &cache, sources)?;
    let compiled = probed.compiled;
    let program = std::fs::read(probed.program.path())
        .map_err(|error| crate::errors::cannot_run(&error.to_string()))?;
    let lines = probed.said.lines.as_deref().unwrap_or_default();
    let mut sites = Sites::of(&program, lines, folders(request, &cache), sources);
    let found = objects::find(&program, &probe::wanted(lines, &probed.said.memory));
    refusals::of_constructors(request.graph, &probed.said, &found, &mut sites)?;
    let description = convert::description(&program, lines, &found, &mut sites);
    let described = begin.elapsed().saturating_sub(compiled);
    let warnings = Some(probed.unit.said).filter(|said| !said.trim().is_empty()).into_iter().collect();
    Ok(Described { description, files: probed.unit.files, compiled, described, warnings })
}

/// The program of the first attempt that has a graph: in the vendor's language, in that of the
/// user's flags or of the kernels, with the macro of the other simulator, without any, and with
/// names of the standard library in namespace `adf`.
fn attempted(
    request: &DescribeRequest<'_>,
    cache: &Cache,
    sources: &mut Sources,
) -> Result<Probed, Diagnostic> {
    let states_language = request.flags.iter().any(|flag| flag.starts_with("-std="));
    let mut language: &[&str] = if states_language { &[] } else { &[LANGUAGE] };
    let mut first = probed(request, cache, language, sources);
    if first.is_err() && !states_language {
        language = &[];
        first = probed(request, cache, language, sources);
    }
    let mut with = |macros: &str| probed(request, cache, &[language, &[macros]].concat(), sources);
    // The reason that counts is that of the first attempt, but for names of the standard library.
    match first {
        Ok(first) if has_graphs(&first.said) => Ok(first),
        Ok(first) => Ok(with(OTHER_SIMULATOR).unwrap_or(first)),
        Err(refusal) => {
            let mut others = [OTHER_SIMULATOR, NO_SIMULATOR].into_iter();
            if let Some(other) = others.find_map(|other| with(other).ok()) {
                return Ok(other);
            }
            if !lacks_standard_names(&refusal.message) {
                return Err(refusal);
            }
            // With those names the compiler gets further, and names what the file lacks besides. A
            // name of the file may then mean two things, which is no fault of the file.
            let errors = |refusal: &Diagnostic| refusal.message.matches("error:").count();
            with(STANDARD_NAMES)
                .map_err(|further| if errors(&further) < errors(&refusal) { further } else { refusal })
        }
    }
}

fn has_graphs(said: &Said) -> bool {
    let lines = said.lines.as_deref();
    lines.is_none_or(|lines| lines.iter().any(|line| matches!(line, Line::Graph(_) | Line::Failure(_))))
}

/// A program that has described its graph.
struct Probed {
    program: Held,
    said: Said,
    unit: Unit,
    compiled: Duration,
}

fn probed(
    request: &DescribeRequest<'_>,
    cache: &Cache,
    more: &[&str],
    sources: &mut Sources,
) -> Result<Probed, Diagnostic> {
    let begin = Instant::now();
    let graph = crate::program::absolute(request.graph);
    let extra = [more, &FLAGS[..]].concat();
    let (unit, run) = std::thread::scope(|scope| {
        let run = scope.spawn(|| cache.runtime(DESCRIBE));
        let unit = graph_unit(&extra, |extra| cache.compile_as_written(&graph, extra));
        (unit, run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let unit = unit.map_err(|refusal| match refusal {
        Refusal::Said { words, .. } => refusals::of_compiler(&words, request, sources),
        Refusal::Other(diagnostic) => diagnostic,
    })?;
    let objects = [unit.object.clone(), run?];
    let program = cache.probe(&objects, &probe::form_of_stubs(), |program| {
        probe::link(cache, &objects, request.scratch, program, true)
    })?;
    let compiled = begin.elapsed();
    let said = probe::run(program.path(), request.directory, request.scratch)?;
    Ok(Probed { program, said, unit, compiled })
}

/// Names of folders between the top of a project and its graph.
const BELOW_THE_TOP: [&str; 4] = ["aie", "src", "graph", "graphs"];

/// The folder of the project of a graph.
fn project_of(graph: &Path) -> PathBuf {
    let path = aiec_system::files::real_path(graph).unwrap_or_else(|| crate::program::absolute(graph));
    let mut folder = aiec_system::files::folder_of(&path).to_path_buf();
    while folder.file_name().is_some_and(|name| BELOW_THE_TOP.iter().any(|known| name == *known))
        && folder.pop()
    {}
    folder
}

fn folders(request: &DescribeRequest<'_>, cache: &Cache) -> Folders {
    let project = project_of(request.graph);
    let real = |folder: &PathBuf| aiec_system::files::real_path(folder);
    let others = request.include.iter().filter_map(real);
    let libraries =
        others.filter(|folder| !folder.starts_with(&project) && !project.starts_with(folder)).collect();
    Folders { project, libraries, headers: real(&cache.headers()).unwrap_or_else(|| cache.headers()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_more_than_the_folder_of_its_graph() {
        for (graph, project) in
            [("/p/aie/src/graph.cpp", "/p"), ("/p/fir/graph.cpp", "/p/fir"), ("/src/g.cpp", "/")]
        {
            assert_eq!(project_of(Path::new(graph)), Path::new(project), "{graph}");
        }
    }
}
