//! `aiec sim graph.cpp`: any ADF graph, its kernels found through the graph itself, compiled unchanged against the host
//! headers, run with one seed or many, its outputs compared with golden files.
#![allow(clippy::disallowed_methods, reason = "this module looks for the files of a project")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aiec_diag::Diagnostic;
use serde::Deserialize;

use crate::args::Sim;
use crate::commands::Invocation;
use crate::files::{self, MAX_DATA, MAX_TEXT};
use crate::output::Console;
use crate::sim::cache::{Cache, tool};
use crate::sim::events::Event;
use crate::sim::linking::{
    Symbols, find_source, instantiation, mentions, separate_statics, statics_table, with_instances,
};
use crate::sim::numbers::{self, Comparison};
use crate::sim::program::{Finished, absolute, execute};
use crate::sim::{errors, runs};

/// Where a project keeps its graph.
const GRAPHS: [&str; 4] = ["aie/graph.cpp", "graph.cpp", "src/graph.cpp", "aie/src/graph.cpp"];

/// The graph file that `path` names: itself, or the graph of a project's folder. None for designs.
pub(crate) fn graph_of(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return GRAPHS.iter().map(|graph| path.join(graph)).find(|graph| graph.is_file());
    }
    let extension = path.extension()?.to_str()?;
    ["cpp", "cc", "cxx", "C"].contains(&extension).then(|| path.to_path_buf())
}

/// One line of what the program says about its graph.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Listed {
    Kernel { source: String },
    Output { output: String, name: String },
    Input { input: String },
}

/// What the graph names.
#[derive(Debug, Default)]
struct Listing {
    /// Kernel sources, each once, in order of the kernels.
    sources: Vec<String>,
    /// File and logical name of every PLIO output.
    outputs: Vec<(String, String)>,
    inputs: Vec<String>,
}

/// Runs `aiec sim` for a graph.
pub(crate) fn run(
    args: &Sim,
    graph: &Path,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<()> {
    let first = args.placing.seed;
    let seeds: Vec<u64> = (first..first.saturating_add(args.graph.seeds.into())).collect();
    let seeds = if seeds.is_empty() { vec![first] } else { seeds };
    let folder = invocation.require(files::Folder::new(args.keep.as_deref()))?;
    let root = absolute(folder.path());
    let (program, listing) = invocation.require(build(args, graph, &root))?;
    let goldens = invocation.require(goldens(args, &listing))?;
    let input = input_folder(args, graph, &listing);
    let setting = Setting { args, program: &program, input: &input, root: &root };
    let mut show = |line: &str| console.error(&format!("{line}\n"));
    let finished = if seeds.len() == 1 && invocation.progress {
        invocation.require(setting.run(seeds[0], 0, &mut show))?
    } else {
        invocation.require(setting.run(seeds[0], 0, &mut |_| {}))?
    };
    console.text(&finished.stdout);
    judge(&finished, args.timeout, invocation)?;
    for line in finished.stderr.lines().filter(|line| !line.trim().is_empty()) {
        console.error(&format!("{line}\n"));
    }
    let mut notes = Vec::new();
    compare_goldens(args, &goldens, &mut notes, invocation)?;
    notes.extend(written(args, &listing));
    invocation.require(other_seeds(&setting, &listing, &seeds, &mut notes))?;
    console.line(&format!("{}: {}", graph.display(), runs(&finished)));
    for note in notes {
        console.line(&format!("  {note}"));
    }
    Some(())
}

// --- building --------------------------------------------------------------------------------------------------------

fn flags(args: &Sim, graph: &Path) -> Vec<String> {
    let mut flags: Vec<String> =
        ["-std=c++20", "-O1", "-g1", "-w", "-fno-strict-aliasing", "-D__X86SIM__", "-D__AIE_ARCH__=10"]
            .map(str::to_owned)
            .to_vec();
    let beside = absolute(graph.parent().unwrap_or(Path::new(".")));
    let folders = [beside.clone(), beside.join("include"), beside.join("..")];
    for folder in folders.iter().chain(&args.graph.include) {
        flags.push(format!("-I{}", absolute(folder).display()));
    }
    flags.extend(args.input.define.iter().map(|define| format!("-D{define}")));
    flags.extend(args.graph.cxxflag.iter().cloned());
    flags
}

/// Compiles and links the graph with its kernels; the program, and what the graph names.
fn build(args: &Sim, graph: &Path, root: &Path) -> Result<(PathBuf, Listing), Diagnostic> {
    let broken = |error: std::io::Error| errors::cannot_run(&error.to_string());
    let cache = Cache::open(&args.cxx, flags(args, graph))?;
    let graph_path = absolute(graph);
    let mut main = cache.compile(&graph_path, &[])?;
    if !Symbols::of(&main.object).map_err(broken)?.defined.contains("main") {
        // Some projects have a main program for the other simulator only.
        main = cache.compile(&graph_path, &["-D__AIESIM__".into()])?;
    }
    let listing = list(&cache, &main.object, &main.files, root)?;
    let mut sources = Vec::new();
    for source in &listing.sources {
        let path =
            find_source(source, graph, &args.graph.include).ok_or_else(|| errors::no_source(source))?;
        let included = std::fs::canonicalize(&path).is_ok_and(|path| main.files.contains(&path));
        if !included && !is_header(&path) {
            sources.push((source.clone(), absolute(&path)));
        }
    }
    let mut objects: Vec<PathBuf> =
        compile_all(&cache, &sources.iter().map(|s| s.1.clone()).collect::<Vec<_>>())?;
    instantiate(&cache, &main.object, &sources, &mut objects)?;
    let mut linked = vec![main.object];
    for (number, object) in objects.iter().enumerate() {
        let own = root.join(format!("kernel{number}.o"));
        separate_statics(object, &own, number).map_err(broken)?;
        linked.push(own);
    }
    let names: Vec<String> = sources.iter().map(|(name, _)| name.clone()).collect();
    let table = cache.written("statics.cc", &statics_table(&names))?;
    linked.push(cache.compile(&table, &[])?.object);
    let program = root.join("program");
    link(&cache, &linked, &program)?;
    Ok((program, listing))
}

fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["h", "hpp", "hh"].iter().any(|known| extension == *known))
}

/// Compiles sources, as many at a time as there are processors.
fn compile_all(cache: &Cache, sources: &[PathBuf]) -> Result<Vec<PathBuf>, Diagnostic> {
    let results =
        in_parallel(None, sources.len(), |at| cache.compile(&sources[at], &[]).map(|unit| unit.object));
    results.into_iter().collect()
}

/// Calls `task` for every number below `count` on several threads; results in order.
fn in_parallel<T: Send>(jobs: Option<usize>, count: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads =
        jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).clamp(1, 64);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        break;
                    }
                    let result = task(at);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(at, result);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_values().collect()
}

/// What the graph names. The program that says it has no kernels yet; if it cannot run without them, the text of the
/// graph's sources is searched.
fn list(cache: &Cache, main: &Path, sources: &BTreeSet<PathBuf>, root: &Path) -> Result<Listing, Diagnostic> {
    let probe = root.join("probe");
    if let Err(missing) = try_link(cache, &[main.to_path_buf()], &probe) {
        let stubs = root.join("stubs.s");
        files::write_all(root, [("stubs.s", stubs_for(&missing.to_string()).as_str())])?;
        link(cache, &[main.to_path_buf(), stubs], &probe)?;
    }
    let output = Command::new(&probe).env("AIEC_SIM_LIST", "1").stdin(Stdio::null()).output();
    let output = output.map_err(|error| errors::cannot_run(&error.to_string()))?;
    let mut listing = Listing::default();
    if output.status.success() {
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            match serde_json::from_str(line) {
                Ok(Listed::Kernel { source }) if !source.is_empty() => listing.sources.push(source),
                Ok(Listed::Output { output, name }) => listing.outputs.push((output, name)),
                Ok(Listed::Input { input }) => listing.inputs.push(input),
                _ => {}
            }
        }
    } else {
        for text in sources.iter().filter_map(|path| files::read_text(path, MAX_TEXT, None).ok()) {
            listing.sources.extend(sources_named_in(&text));
        }
    }
    let mut seen = BTreeSet::new();
    listing.sources.retain(|source| seen.insert(source.clone()));
    Ok(listing)
}

/// The literals of `source(...) = "file"`.
fn sources_named_in(text: &str) -> Vec<String> {
    let after = text.match_indices("source(").filter_map(|(at, _)| text.get(at..));
    let literal = after.filter_map(|rest| {
        let statement = rest.split_once(';').map_or(rest, |(statement, _)| statement);
        let (_, value) = statement.split_once('=')?;
        let value = value.trim().strip_prefix('"')?;
        value.strip_suffix('"').map(str::to_owned)
    });
    literal.collect()
}

/// Compiles the sources again whose templates the graph or another source needs instances of.
fn instantiate(
    cache: &Cache,
    main: &Path,
    sources: &[(String, PathBuf)],
    objects: &mut [PathBuf],
) -> Result<(), Diagnostic> {
    let mut all = Symbols::default();
    for object in std::iter::once(main).chain(objects.iter().map(PathBuf::as_path)) {
        let symbols = Symbols::of(object).map_err(|error| errors::cannot_run(&error.to_string()))?;
        all.defined.extend(symbols.defined);
        all.needed.extend(symbols.needed);
    }
    let mut wanted: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for symbol in all.needed.difference(&all.defined) {
        let Some((name, statement)) = instantiation(symbol) else { continue };
        let holds =
            |path: &PathBuf| files::read_text(path, MAX_TEXT, None).is_ok_and(|text| mentions(&text, &name));
        if let Some(at) = sources.iter().position(|(_, path)| holds(path)) {
            wanted.entry(at).or_default().insert(statement);
        }
    }
    for (at, statements) in wanted {
        let wrapper = cache.written("instances.cc", &with_instances(&sources[at].1, &statements))?;
        objects[at] = cache.compile(&wrapper, &[])?.object;
    }
    Ok(())
}

fn try_link(cache: &Cache, objects: &[PathBuf], program: &Path) -> std::io::Result<()> {
    let mut arguments: Vec<String> = objects.iter().map(|object| object.display().to_string()).collect();
    arguments.extend([
        "-rdynamic".into(),
        "-Wl,--no-demangle".into(),
        "-o".into(),
        program.display().to_string(),
    ]);
    arguments.push("-ldl".into());
    tool(cache.cxx(), &arguments).map(|_| ())
}

fn link(cache: &Cache, objects: &[PathBuf], program: &Path) -> Result<(), Diagnostic> {
    try_link(cache, objects, program).map_err(|error| {
        let words = error.to_string();
        // The linker was asked for the names as they are; readers want them as they wrote them.
        errors::graph_does_not_link(&demangled(&words).unwrap_or(words))
    })
}

fn demangled(text: &str) -> std::io::Result<String> {
    let words: Vec<&str> = text.split(['`', '\'']).filter(|word| word.starts_with("_Z")).collect();
    let mut shown = text.to_owned();
    for word in words {
        shown = shown.replace(word, tool("c++filt", &[word.to_owned()])?.trim());
    }
    Ok(shown)
}

/// Assembly that gives every name the linker misses an address, of zeros.
fn stubs_for(complaint: &str) -> String {
    let missing =
        complaint.split("undefined reference to `").skip(1).filter_map(|rest| rest.split('\'').next());
    let names: BTreeSet<&str> = missing.collect();
    let mut text = "    .bss\n    .balign 64\n".to_owned();
    for name in names {
        text += &format!("    .globl {name}\n{name}:\n");
    }
    text + "    .zero 65536\n"
}

// --- running ---------------------------------------------------------------------------------------------------------

/// What the runs of one graph have in common.
struct Setting<'a> {
    args: &'a Sim,
    program: &'a Path,
    input: &'a Path,
    root: &'a Path,
}

impl Setting<'_> {
    /// Where the outputs of the run with this number go: the first one's are the user's.
    fn output(&self, number: usize) -> PathBuf {
        if number == 0 {
            absolute(&self.args.graph.output)
        } else {
            self.root.join(format!("seed{number}/output"))
        }
    }

    fn run(&self, seed: u64, number: usize, progress: &mut dyn FnMut(&str)) -> Result<Finished, Diagnostic> {
        let folder = self.root.join(format!("seed{number}"));
        files::write_all(&folder, [("seed", seed.to_string().as_str())])?;
        let flag = |on: bool| if on { "1".to_owned() } else { "0".to_owned() };
        let environment = [
            ("AIEC_SIM_SEED", seed.saturating_sub(1).to_string()),
            ("AIEC_SIM_INPUT", absolute(self.input).display().to_string()),
            ("AIEC_SIM_OUTPUT", self.output(number).display().to_string()),
            ("AIEC_SIM_UNBOUNDED", flag(self.args.graph.unbounded)),
            ("AIEC_SIM_STRICT", flag(self.args.graph.strict)),
            ("AIEC_SIM_PROGRESS", "2".to_owned()),
        ];
        let timeout = Duration::from_secs(self.args.timeout);
        execute(self.program, Path::new("."), &folder, &environment, timeout, progress)
            .map_err(|error| errors::cannot_run(&error.to_string()))
    }
}

/// The folder that holds the input files: the one asked for, or the first likely one that has them all.
fn input_folder(args: &Sim, graph: &Path, listing: &Listing) -> PathBuf {
    if let Some(folder) = &args.graph.input {
        return folder.clone();
    }
    let beside = absolute(graph.parent().unwrap_or(Path::new(".")));
    let candidates = [PathBuf::from("."), beside.clone(), beside.join("..")];
    let has_all = |folder: &&PathBuf| listing.inputs.iter().all(|file| folder.join(file).is_file());
    candidates.iter().find(has_all).cloned().unwrap_or(beside)
}

/// Turns a run that failed into a diagnostic.
fn judge(finished: &Finished, timeout: u64, invocation: &mut Invocation) -> Option<()> {
    let Some(status) = finished.status else { return invocation.fail(errors::timeout(timeout)) };
    if status.success() {
        return Some(());
    }
    let words = finished.stderr.replace("aiec-runtime: ", "");
    let deadlock = finished.events.iter().find_map(|event| match event {
        Event::Deadlock { input, .. } => Some(!input.is_empty()),
        _ => None,
    });
    let misused = finished.events.iter().any(|event| match event {
        Event::Misuse { severity, .. } | Event::Finding { severity, .. } => {
            severity != "warning" && severity != "note"
        }
        Event::MissingRelease(_) => true,
        _ => false,
    });
    invocation.fail(match deadlock {
        Some(true) => errors::graph_starved(&words),
        Some(false) => errors::graph_deadlock(&words),
        None if misused => errors::graph_misuse(&words),
        None => errors::failed(&status.to_string(), &words),
    })
}

/// Runs the other seeds; all must end as well as the first and write the same.
fn other_seeds(
    setting: &Setting<'_>,
    listing: &Listing,
    seeds: &[u64],
    notes: &mut Vec<String>,
) -> Result<(), Diagnostic> {
    let rest = seeds.get(1..).unwrap_or_default();
    if rest.is_empty() {
        return Ok(());
    }
    let results = in_parallel(setting.args.placing.jobs.map(usize::from), rest.len(), |at| {
        let finished = setting.run(rest[at], at + 1, &mut |_| {})?;
        let mut one = Invocation::default();
        if judge(&finished, setting.args.timeout, &mut one).is_none() {
            let fault = one.log.diagnostics.remove(0);
            return Err(errors::with_seed(fault, rest[at]));
        }
        same_outputs(setting, listing, seeds[0], rest[at], at + 1)
    });
    results.into_iter().collect::<Result<Vec<()>, Diagnostic>>()?;
    notes.push(format!("{} more seeds end the same", rest.len()));
    Ok(())
}

fn same_outputs(
    setting: &Setting<'_>,
    listing: &Listing,
    first: u64,
    seed: u64,
    number: usize,
) -> Result<(), Diagnostic> {
    for (file, _) in &listing.outputs {
        let read = |number: usize| files::read_text(&setting.output(number).join(file), MAX_DATA, None);
        if let Comparison::Different(how) = numbers::compare(&read(number)?, &read(0)?, 0.0) {
            return Err(errors::seeds_differ(first, seed, file, &how));
        }
    }
    Ok(())
}

// --- comparing -------------------------------------------------------------------------------------------------------

/// The output file and golden file of every `--golden`.
fn goldens(args: &Sim, listing: &Listing) -> Result<Vec<(String, PathBuf)>, Diagnostic> {
    let known: Vec<&str> = listing.outputs.iter().map(|(_, name)| name.as_str()).collect();
    let find = |argument: &String| {
        let (wanted, golden) = match argument.split_once('=') {
            Some((name, golden)) => (Some(name), PathBuf::from(golden)),
            None => (None, PathBuf::from(argument)),
        };
        let same_name = |file: &str| Path::new(file).file_name() == golden.file_name();
        let fits =
            |(file, name): &&(String, String)| wanted.map_or(same_name(file), |w| w == name || w == file);
        let only = (listing.outputs.len() == 1 && wanted.is_none()).then(|| &listing.outputs[0]);
        let found = listing.outputs.iter().find(fits).or(only)?;
        Some((found.0.clone(), golden))
    };
    args.golden.iter().map(|a| find(a).ok_or_else(|| errors::unknown_output(a, &known))).collect()
}

fn compare_goldens(
    args: &Sim,
    goldens: &[(String, PathBuf)],
    notes: &mut Vec<String>,
    invocation: &mut Invocation,
) -> Option<()> {
    let mut same = true;
    for (file, golden) in goldens {
        let expected = invocation.require(files::read_text(golden, MAX_DATA, None))?;
        let found = invocation.require(files::read_text(&args.graph.output.join(file), MAX_DATA, None))?;
        let shown = golden.display().to_string();
        match numbers::compare(&found, &expected, args.graph.tolerance) {
            Comparison::Equal(count) => notes.push(format!("{file}: {count} values equal {shown}")),
            Comparison::Different(how) => {
                same = false;
                invocation.log.diagnostics.push(errors::graph_differs(file, &shown, &how));
            }
        }
    }
    same.then_some(())
}

/// What was written where.
fn written(args: &Sim, listing: &Listing) -> Vec<String> {
    let path = |file: &String| args.graph.output.join(file).display().to_string();
    listing.outputs.iter().map(|(file, name)| format!("{name} wrote {}", path(file))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_linker_misses_gets_an_address() {
        let complaint =
            "g.o: undefined reference to `_Z1fv'\ng.o: undefined reference to `_Z1fv'\ncollect2: error";
        assert_eq!(stubs_for(complaint).matches("_Z1fv:").count(), 1);
    }

    #[test]
    fn literal_sources_are_found_in_text() {
        let text = "adf::source(k) = \"kernels/a.cc\"; source(b[i]) = name; source ( c) = \"x\";";
        assert_eq!(sources_named_in(text), ["kernels/a.cc"]);
    }
}
