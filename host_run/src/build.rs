//! Builds a program from a graph. Takes the graph's file, flags and the folders of its sources.
//! Returns the program and a listing of the graph: kernels, inputs and outputs.
//!
//! aiec compiles the graph, asks the program for its kernel sources, compiles each source once,
//! makes the missing template instances, gives every kernel source a section for its static data,
//! and links. Designs that aiec wrote and foreign graphs take the same path.
#![allow(clippy::disallowed_methods, reason = "this module starts compilers and reads their results")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::absent;
use crate::cache::{Cache, Refusal, Unit};
use crate::events::KernelNumber;
use crate::instances::CompiledUnit;
use crate::linking::{Symbols, find_source, linker_names, separate_statics, statics_table, with_instances};
use crate::parts::RUN;
use crate::probe::{self, KernelLine, Line, Memory, does_not_link};
use crate::program::absolute;
use crate::stack::{self, Folders, Need};
use crate::{errors, instances, objects};
use aiec_diag::Diagnostic;
use aiec_system::Threads;
use aiec_system::files::{self, MAX_TEXT};

/// The kernels, inputs and outputs of a graph.
#[derive(Debug, Default)]
pub struct Listing {
    /// Kernel sources, each once, in order of the kernels.
    pub sources: Vec<String>,
    /// The kernels, in order of creation.
    kernels: Vec<KernelInfo>,
    /// The user's names of the kernels, by number.
    names: BTreeMap<KernelNumber, String>,
    /// File and logical name of every PLIO output.
    pub outputs: Vec<(String, String)>,
    /// File and logical name of every PLIO input.
    pub inputs: Vec<(String, String)>,
}

/// The graph's own description of one of its kernels.
#[derive(Debug)]
struct KernelInfo {
    number: KernelNumber,
    source: String,
    /// The function by its linker name, or `class ` and the class by its compiler name.
    function: String,
    /// Stack in bytes.
    stack: u64,
    /// True if the graph or the user declared the stack; false for the default.
    declared: bool,
}

// --- building ---

/// All inputs of a build.
pub struct Recipe<'a> {
    /// The command of the C++ compiler.
    pub cxx: &'a str,
    /// The path of the graph's file.
    pub graph: &'a Path,
    /// Folders of headers and kernel sources.
    pub include: &'a [PathBuf],
    /// Macros and other flags.
    pub flags: Vec<String>,
    /// The folder for the program and its intermediate files.
    pub root: &'a Path,
    /// True if aiec wrote the graph. It then lies below `root`, which differs from run to run.
    pub ours: bool,
    /// Stack in bytes of kernels for which the graph declares none.
    pub stack: Option<u64>,
    /// The folder in which the program runs to describe its graph.
    pub directory: &'a Path,
    /// Checks the listing before any kernel is compiled.
    pub known: &'a (dyn Fn(&Listing) -> Result<(), Diagnostic> + Sync),
}

/// A built program and the listing of its graph.
pub struct Built {
    /// The path of the executable.
    pub program: PathBuf,
    /// Kernels, inputs and outputs of the graph.
    pub listing: Listing,
    /// Kernels whose arrays do not fit the stack.
    pub overflows: Vec<Overflow>,
    /// The compiler's warnings about the graph and the kernels, one text per source.
    pub warnings: Vec<String>,
}

/// A kernel whose arrays are larger than its stack, or whose stack has no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// Kernel, sizes and the largest array, or the recursive functions, as text.
    pub text: String,
    /// True if the stack was declared and does not suffice.
    pub declared: bool,
}

/// Bytes of stack of a kernel for which the graph declares none (UG1079).
const DEFAULT_STACK: u64 = 1024;

/// Flags for every graph. No report needs the places of variables of optimised code from one
/// instruction to the next, which take a third of the compiler's time. Without any tracking of
/// variables the debug information lacks the calls.
const FLAGS: [&str; 8] = [
    "-std=c++20",
    "-O1",
    "-g1",
    "-fno-var-tracking-assignments",
    "-fno-strict-aliasing",
    "-D__X86SIM__",
    "-D__AIE_ARCH__=10",
    aiec_runtime::LINKED,
];

/// Flags for the C++ of a project that aiec wrote, besides those of every graph.
pub const STRICT: [&str; 2] = ["-Wall", "-Wextra"];

/// Leaves out the class `aie::tile` of kernels, for a graph that means the function `adf::tile`.
const ONE_TILE: &str = "-DAIEC_ONE_TILE";

/// Makes the names of the standard library visible in namespace `adf`, as the vendor's headers do
/// for public graphs (rehohoho/onnx2versal: `adf::vector<adf::kernel>`; enyac-group/MaxEVA:
/// `vector<kernel>` behind `using namespace adf`; Xilinx/xup_aie_training: `endl` in `main`).
pub(crate) const STANDARD_NAMES: &str = "-DAIEC_STANDARD_NAMES";

/// True if the compiler misses a name that is one of the standard library: it proposes `std::`, or
/// finds no such member of namespace `adf`.
pub(crate) fn lacks_standard_names(words: &str) -> bool {
    ["std::", "\u{2018}adf\u{2019}", "'adf'"].iter().any(|sign| words.contains(sign))
}

/// Compiles the file of a graph with these flags, and once more without `aie::tile` if the compiler
/// says that `tile` could be either.
pub(crate) fn graph_unit(
    extra: &[&str],
    compile: impl Fn(&[&str]) -> Result<Unit, Refusal>,
) -> Result<Unit, Refusal> {
    let said = ["\u{2018}tile\u{2019} is ambiguous", "'tile' is ambiguous"];
    compile(extra).or_else(|refusal| match &refusal {
        Refusal::Said { words, .. } if said.iter().any(|said| words.contains(said)) => {
            compile(&[extra, &[ONE_TILE]].concat())
        }
        _ => Err(refusal),
    })
}

/// Debug information, which describes the arrays on the stack. All sources have it, so that all can
/// use the same precompiled headers.
pub(crate) const DEBUG: [&str; 1] = ["-g"];

/// The flag of a build that counts what kernels execute.
pub const COUNTING: &str = aiec_runtime::TIMING;

impl Listing {
    /// File and name of the output that `wanted` names: by its name, by its file, or by the last
    /// component of its file if no other output has the same. Returns None when there is no such
    /// output.
    pub fn output(&self, wanted: &str) -> Option<&(String, String)> {
        let exact = self.outputs.iter().find(|(file, name)| wanted == name || wanted == file);
        exact.or_else(|| {
            let mut ends = self
                .outputs
                .iter()
                .filter(|(file, _)| Path::new(file).file_name().is_some_and(|end| end == wanted));
            ends.next().filter(|_| ends.next().is_none())
        })
    }

    /// The names that [`Listing::output`] accepts.
    pub fn output_names(&self) -> Vec<&str> {
        let both = self.outputs.iter().flat_map(|(file, name)| [name.as_str(), file.as_str()]);
        let mut seen = BTreeSet::new();
        both.filter(|name| !name.is_empty() && seen.insert(*name)).collect()
    }

    /// The names of the kernels in the format of the runtime: one line per kernel, its number
    /// first.
    pub fn names(&self) -> String {
        self.names.iter().map(|(number, name)| format!("{number} {name}\n")).collect()
    }
}

/// The flags for a graph: those of every graph, the folders around it, and the user's.
pub(crate) fn all_flags(graph: &Path, include: &[PathBuf], more: &[String]) -> Vec<String> {
    let mut flags: Vec<String> = FLAGS.map(str::to_owned).to_vec();
    let beside = absolute(files::folder_of(graph));
    let folders = [beside.clone(), beside.join("include")];
    for folder in folders.iter().chain(include) {
        flags.push(format!("-I{}", absolute(folder).display()));
    }
    // Last, after the compiler's own: a file `list` there is not the standard header.
    flags.push(format!("-idirafter{}", absolute(&beside.join("..")).display()));
    flags.extend(more.iter().cloned());
    flags
}

impl Recipe<'_> {
    pub(crate) fn all_flags(&self) -> Vec<String> {
        all_flags(self.graph, self.include, &self.flags)
    }

    /// Compiles and links the graph with its kernels.
    pub fn build(&self) -> Result<Built, Diagnostic> {
        self.build_telling(&|_| {})
    }

    /// As above. Gives `phase` the name of each phase as it begins, such as `linking`.
    pub fn build_telling(&self, phase: &dyn Fn(&str)) -> Result<Built, Diagnostic> {
        phase("compiling the graph");
        let broken = |error: std::io::Error| errors::cannot_run(&error.to_string());
        let cache = Cache::open(self.cxx, self.all_flags(), self.ours.then_some(self.root))?;
        let graph = absolute(self.graph);
        let compiled = |extra: &[&str]| {
            let unit = |extra: &[&str]| graph_unit(extra, |extra| cache.compile(&graph, extra));
            unit(extra).or_else(|refusal| match &refusal {
                Refusal::Said { words, .. } if lacks_standard_names(words) => {
                    unit(&[extra, &[STANDARD_NAMES]].concat()).map_err(|_| refusal)
                }
                _ => Err(refusal),
            })
        };
        let (main, run) = std::thread::scope(|scope| {
            let run = scope.spawn(|| cache.runtime(RUN));
            let main = compiled(&DEBUG);
            (main, run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let (mut main, run) = (main.map_err(|refusal| self.refused(refusal))?, run?);
        if !Symbols::of(&main.object).map_err(broken)?.defined.contains("main") {
            // Some projects have a main program for the other simulator only.
            let other = compiled(&[&DEBUG[..], &["-D__AIESIM__"]].concat());
            main = other.map_err(|refusal| self.refused(refusal))?;
        }
        let objects = [main.object.clone(), run];
        let mut listing = list(&cache, &objects, &main.files, self.root, self.directory)?;
        (self.known)(&listing)?;
        if let Some(stack) = self.stack {
            for kernel in listing.kernels.iter_mut().filter(|kernel| !kernel.declared) {
                (kernel.stack, kernel.declared) = (stack, true);
            }
        }
        let sources = self.sources(&listing, &main.files)?;
        let paths = sources.iter().enumerate().map(|(number, (_, path))| {
            if is_plain(path) {
                return Ok(path.clone());
            }
            self.write(&cache, "named", number, &with_instances(path, &BTreeSet::new()))
        });
        phase(&match sources.len() {
            1 => "compiling the kernels' source".to_owned(),
            count => format!("compiling the kernels' {count} sources"),
        });
        let units = compile_all(&cache, &paths.collect::<Result<Vec<_>, Diagnostic>>()?);
        let mut units = units.map_err(|refusal| self.refused(refusal))?;
        self.instantiate(&cache, &main.object, &sources, &mut units)?;
        phase("linking");
        let mut linked = objects.to_vec();
        for (number, unit) in units.iter().enumerate() {
            let own = self.root.join(format!("kernel{number}.o"));
            separate_statics(&unit.object, &own, number, &unit.aliases).map_err(broken)?;
            linked.push(own);
        }
        let names: Vec<String> = sources.iter().map(|(name, _)| name.clone()).collect();
        let table = cache.written("statics.cc", &statics_table(&names))?;
        linked.push(cache.compile(&table, &DEBUG)?.object);
        let program = self.root.join("program");
        link(&cache, &linked, &program)?;
        let overflows = overflows(&cache, &program, &listing, &names, &units);
        let warnings = std::iter::once(main.said).chain(units.into_iter().map(|unit| unit.said)).collect();
        Ok(Built { program, listing, overflows, warnings })
    }

    /// The diagnostic for a source that does not compile.
    fn refused(&self, refusal: Refusal) -> Diagnostic {
        let missing = match &refusal {
            Refusal::Said { words, ours: false } => absent::missing_header(words, self.graph, self.include),
            Refusal::Said { .. } | Refusal::Other(_) => None,
        };
        missing.map(|(_, diagnostic)| diagnostic).unwrap_or_else(|| refusal.into())
    }

    /// Writes a source of aiec's own for the kernel source `number`. A source that includes a
    /// source of aiec's design moves with the design. Others are kept beside their objects,
    /// whatever the number.
    fn write(&self, cache: &Cache, name: &str, number: usize, text: &str) -> Result<PathBuf, Diagnostic> {
        if !self.ours {
            return cache.written(&format!("{name}.cc"), text);
        }
        let name = format!("{name}{number}.cc");
        files::write_all(self.root, [(name.as_str(), text)]).map(|()| self.root.join(name))
    }

    /// Name and path of every kernel source that is a translation unit of its own.
    fn sources(
        &self,
        listing: &Listing,
        included: &BTreeSet<PathBuf>,
    ) -> Result<Vec<(String, PathBuf)>, Diagnostic> {
        let mut sources = Vec::new();
        for source in &listing.sources {
            let path =
                find_source(source, self.graph, self.include).ok_or_else(|| errors::no_source(source))?;
            let included = std::fs::canonicalize(&path).is_ok_and(|path| included.contains(&path));
            // A foreign graph may leave out a header because the source of another kernel includes
            // it.
            if !included && (self.ours || !is_header(&path)) {
                sources.push((source.clone(), absolute(&path)));
            }
        }
        Ok(sources)
    }

    /// Compiles those sources again whose templates the graph or another source needs instances of.
    fn instantiate(
        &self,
        cache: &Cache,
        main: &Path,
        sources: &[(String, PathBuf)],
        units: &mut [CompiledUnit],
    ) -> Result<(), Diagnostic> {
        let wanted = instances::wanted(main, sources, units);
        for (at, of_source) in wanted.map_err(|error| errors::cannot_run(&error.to_string()))? {
            let objects = std::iter::once(main).chain(units.iter().map(|unit| unit.object.as_path()));
            let names = |missing: &BTreeSet<String>| -> BTreeSet<String> {
                objects.clone().filter_map(|object| linker_names(object, missing).ok()).flatten().collect()
            };
            let compiled = |text: &str| -> Result<CompiledUnit, Refusal> {
                compile_kernel(cache, self.write(cache, "instances", at, text)?)
            };
            let unit = of_source.compile(&sources[at].1, compiled, names);
            units[at] = unit.map_err(|refusal| self.refused(refusal))?;
        }
        Ok(())
    }
}

/// The stack need of a kernel's function; for a kernel class, of the member that needs most.
fn need_of<'a>(functions: &'a BTreeMap<String, Need>, kernel: &str) -> Option<&'a Need> {
    let Some(class) = kernel.strip_prefix("class ") else { return functions.get(kernel) };
    let inner = class.strip_prefix('N').and_then(|name| name.strip_suffix('E')).unwrap_or(class);
    let members = format!("_ZN{inner}");
    let of_class = functions.iter().filter(|(name, _)| name.starts_with(&members));
    of_class.map(|(_, need)| need).max_by_key(|need| need.bytes)
}

/// Kernels whose local arrays exceed their declared stacks, and kernels with recursion, whose stack
/// has no bound.
fn overflows(
    cache: &Cache,
    program: &Path,
    listing: &Listing,
    names: &[String],
    units: &[CompiledUnit],
) -> Vec<Overflow> {
    let Ok(bytes) = std::fs::read(program) else { return Vec::new() };
    let unit_names: Vec<String> = units.iter().map(|unit| cache.name_in_program(&unit.source)).collect();
    let headers = headers_of(cache);
    let others = Folders {
        ours: headers.as_str(),
        systems: &SYSTEMS,
        shown: false,
        removed: None,
        moved: cache.moving(),
    };
    let needs = stack::needs(&bytes, &unit_names.iter().cloned().collect(), others);
    let of_source: BTreeMap<&str, &BTreeMap<String, Need>> = names
        .iter()
        .zip(&unit_names)
        .filter_map(|(name, unit)| Some((name.as_str(), needs.get(unit)?)))
        .collect();
    let one = |kernel: &KernelInfo| -> Vec<Overflow> {
        let need = of_source.get(kernel.source.as_str()).and_then(|all| need_of(all, &kernel.function));
        need.map(|need| overflows_of(kernel, need)).unwrap_or_default()
    };
    let all: Vec<(String, Overflow)> = listing
        .kernels
        .iter()
        .flat_map(|kernel| one(kernel).into_iter().map(|fault| (name_of(listing, kernel), fault)))
        .collect();
    named(&all)
}

/// The faults with the kernels that have them: equal ones once.
fn named(all: &[(String, Overflow)]) -> Vec<Overflow> {
    let mut groups: Vec<(&String, &Overflow, usize)> = Vec::new();
    for (kernel, fault) in all {
        match groups.iter_mut().find(|(_, first, _)| *first == fault) {
            Some((.., more)) => *more += 1,
            None => groups.push((kernel, fault, 0)),
        }
    }
    let text = |(kernel, fault, more): (&String, &Overflow, usize)| {
        let others = if more > 0 { format!(" and {more} more kernels") } else { String::new() };
        Overflow { text: format!("{kernel}{others}: {}", fault.text), declared: fault.declared }
    };
    groups.into_iter().map(text).collect()
}

/// The name of a kernel, with its source.
fn name_of(listing: &Listing, kernel: &KernelInfo) -> String {
    let number = format!("kernel {}", kernel.number);
    format!("{} ({})", listing.names.get(&kernel.number).unwrap_or(&number), kernel.source)
}

/// Path fragments of the system's headers.
pub(crate) const SYSTEMS: [&str; 2] = ["usr/include/", "usr/lib/"];

/// The name of the folder of the runtime's headers.
pub(crate) fn headers_of(cache: &Cache) -> String {
    let headers = cache.headers();
    headers.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn overflows_of(kernel: &KernelInfo, need: &Need) -> Vec<Overflow> {
    let array = need.largest.as_ref().filter(|_| need.bytes > kernel.stack).map(|array| Overflow {
        text: format!(
            "arrays of {} bytes lie on a stack of {} bytes; the largest is `{}` with {} bytes, at {}",
            need.bytes, kernel.stack, array.name, array.bytes, array.place
        ),
        declared: kernel.declared,
    });
    let cycle = (!need.cycle.is_empty()).then(|| Overflow {
        text: format!(
            "{} {}, so that its stack of {} bytes has no bound",
            need.cycle.join(" and "),
            if need.cycle.len() == 1 { "calls itself" } else { "call each other in a cycle" },
            kernel.stack
        ),
        declared: false,
    });
    array.into_iter().chain(cycle).collect()
}

/// True if every compiler takes the name as one word: gcc splits its internal commands at `|`.
pub(crate) fn is_plain(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '+'))
}

fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["h", "hpp", "hh"].iter().any(|known| extension == *known))
}

/// Compiles sources on as many threads as there are processors.
fn compile_all(cache: &Cache, sources: &[PathBuf]) -> Result<Vec<CompiledUnit>, Refusal> {
    Threads::new(None)
        .map(sources.len(), |at| compile_kernel(cache, sources[at].clone()))
        .into_iter()
        .collect()
}

fn compile_kernel(cache: &Cache, source: PathBuf) -> Result<CompiledUnit, Refusal> {
    let extra = [&DEBUG[..], &cache.counting_flags()].concat();
    let Unit { object, said, .. } = cache.compile(&source, &extra)?;
    Ok(CompiledUnit { source, object, said, aliases: BTreeSet::new() })
}

/// The listing of the graph. The program that prints it has no kernels yet. If it cannot run
/// without them, the function searches the text of the graph's sources.
fn list(
    cache: &Cache,
    objects: &[PathBuf],
    sources: &BTreeSet<PathBuf>,
    root: &Path,
    directory: &Path,
) -> Result<Listing, Diagnostic> {
    let program = root.join("probe");
    probe::link(cache, objects, root, &program, false)?;
    let said = probe::run(&program, directory, root)?;
    let mut listing = Listing::default();
    let is_whole = |lines: &&Vec<Line>| !lines.iter().any(|line| matches!(line, Line::Failure(_)));
    if let Some(lines) = said.lines.as_ref().filter(is_whole) {
        read(lines, &mut listing);
        let program = std::fs::read(&program).unwrap_or_default();
        listing.names = names_of_kernels(&program, lines, &said.memory);
    } else {
        for text in sources.iter().filter_map(|path| files::read_source(path, MAX_TEXT, None).ok()) {
            listing.sources.extend(sources_named_in(&text));
        }
    }
    let mut seen = BTreeSet::new();
    listing.sources.retain(|source| seen.insert(source.clone()));
    Ok(listing)
}

/// Takes kernels, inputs and outputs from a description.
fn read(lines: &[Line], listing: &mut Listing) {
    for (number, kernel) in (0..).map(KernelNumber).zip(kernels_of(lines)) {
        let KernelLine { source, function, .. } = kernel;
        if !source.is_empty() {
            let (source, function) = (source.clone(), function.clone());
            let (stack, declared) =
                if kernel.stack == 0 { (DEFAULT_STACK, false) } else { (kernel.stack, true) };
            listing.sources.push(source.clone());
            listing.kernels.push(KernelInfo { number, source, function, stack, declared });
        }
    }
    for line in lines {
        if let Line::Plio(plio) = line {
            let list = if plio.node.input { &mut listing.inputs } else { &mut listing.outputs };
            list.push((plio.file.clone(), plio.logical.clone()));
        }
    }
}

fn kernels_of(lines: &[Line]) -> impl Iterator<Item = &KernelLine> {
    lines.iter().filter_map(|line| if let Line::Kernel(kernel) = line { Some(kernel) } else { None })
}

/// The users' names of the kernels that are members of global objects.
fn names_of_kernels(program: &[u8], lines: &[Line], memory: &Memory) -> BTreeMap<KernelNumber, String> {
    let mut found = objects::find(program, &probe::wanted(lines, memory)).objects;
    let numbered = (0..).map(KernelNumber).zip(kernels_of(lines));
    numbered.filter_map(|(number, kernel)| Some((number, found.remove(&kernel.node.at)?.path))).collect()
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

fn link(cache: &Cache, objects: &[PathBuf], program: &Path) -> Result<(), Diagnostic> {
    probe::try_link(cache, objects, program, &[]).map_err(|error| does_not_link(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_named_by_name_file_or_what_only_one_file_ends_with() {
        let outputs = [("data/a/out.txt", "left"), ("data/b/out.txt", "right"), ("data/sum.txt", "sum")];
        let outputs = outputs.map(|(file, name)| (file.to_owned(), name.to_owned())).to_vec();
        let listing = Listing { outputs, ..Listing::default() };
        let name = |wanted| listing.output(wanted).map(|(_, name)| name.as_str());
        let names = ["right", "data/a/out.txt", "sum.txt", "out.txt", "um.txt"].map(name);
        assert_eq!(names, [Some("right"), Some("left"), Some("sum"), None, None]);
        assert_eq!(listing.output_names()[..3], ["left", "data/a/out.txt", "right"]);
    }

    #[test]
    fn literal_sources_are_found_in_text() {
        let text = "adf::source(k) = \"kernels/a.cc\"; source(b[i]) = name; source ( c) = \"x\";";
        assert_eq!(sources_named_in(text), ["kernels/a.cc"]);
    }
}
