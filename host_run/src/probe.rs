//! The program that describes a graph. Takes the objects of a graph, links them with stand-ins for
//! what is missing, runs the program, and returns the lines of its description and its memory.
//!
//! Kernels need not exist: each function that the linker misses gets an address of its own.
#![allow(clippy::disallowed_methods, reason = "this module runs a program that the compiler made")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use aiec_diag::Diagnostic;
use aiec_system::files::{self, MAX_DATA};
use serde::Deserialize;

use crate::cache::{Cache, Linker};
use crate::objects::Wanted;
use crate::program::execute;
use crate::{errors, functions};

/// Seconds that the constructors of a graph may take.
pub(crate) const SECONDS: u64 = 10;

/// Seconds after which a program ends that did not end itself at its limit.
const PATIENCE: u64 = SECONDS + 6;

/// Limit on the bytes of memory that are read: what a program may take, and its heads of pieces.
const MAX_MEMORY: u64 = 1 << 31;

/// One line of a description.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    /// What is subtracted from addresses of the program for those in its file.
    Base(u64),
    Graph(GraphLine),
    Kernel(KernelLine),
    Plio(PlioLine),
    Gmio(GmioLine),
    Split(SwitchLine),
    Merge(SwitchLine),
    Port(PortLine),
    Edge(EdgeLine),
    Location(LocationLine),
    NotEqual(NotEqualLine),
    Table(TableLine),
    Chain(ChainLine),
    Failure(FailureLine),
}

/// A table that a connect statement gives to a kernel.
#[derive(Debug, Deserialize)]
pub(crate) struct TableLine {
    /// Number of the node.
    pub(crate) of: Option<usize>,
    /// Address of the object.
    pub(crate) at: u64,
    pub(crate) bytes: u64,
    /// True for one in the memory of another kernel's table.
    pub(crate) shared: bool,
    /// False for the array of a constructor whose class has no `REGISTER_PARAMETER` for it.
    pub(crate) registered: bool,
    pub(crate) statement: Statement,
}

/// The number of a call chain. 0 if there was no such statement.
pub(crate) type Statement = u64;

#[derive(Debug, Deserialize)]
pub(crate) struct GraphLine {
    /// Address. 0 if the graph is gone.
    pub(crate) at: u64,
    /// The compiler's name of the class.
    pub(crate) class: String,
}

/// The common part of nodes.
#[derive(Debug, Deserialize)]
pub(crate) struct Node {
    pub(crate) at: u64,
    /// Graphs begun before it.
    pub(crate) graphs: usize,
    pub(crate) statement: Statement,
    /// True for an input or output of the array that is its input, and for nodes with outputs.
    pub(crate) input: bool,
    pub(crate) ports: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct KernelLine {
    #[serde(flatten)]
    pub(crate) node: Node,
    /// Address of the function.
    pub(crate) code: u64,
    /// The function by its linker name, or `class ` and the class by its compiler name.
    pub(crate) function: String,
    pub(crate) source: String,
    pub(crate) headers: Vec<String>,
    pub(crate) init: String,
    /// True for a kernel in programmable logic.
    pub(crate) in_logic: bool,
    pub(crate) has_arguments: bool,
    pub(crate) arguments: Vec<String>,
    pub(crate) runtime: String,
    pub(crate) runtime_by: Statement,
    /// 0 if not stated.
    pub(crate) stack: u64,
    pub(crate) stack_by: Statement,
    pub(crate) heap: u64,
    pub(crate) heap_by: Statement,
    pub(crate) repetitions: u64,
    pub(crate) repetitions_by: Statement,
    pub(crate) source_by: Statement,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PlioLine {
    #[serde(flatten)]
    pub(crate) node: Node,
    pub(crate) logical: String,
    pub(crate) file: String,
    pub(crate) bits: u32,
    pub(crate) megahertz: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct GmioLine {
    #[serde(flatten)]
    pub(crate) node: Node,
    pub(crate) logical: String,
    pub(crate) burst: u32,
    pub(crate) bandwidth: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SwitchLine {
    #[serde(flatten)]
    pub(crate) node: Node,
    #[serde(default)]
    pub(crate) ordered: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PortLine {
    pub(crate) at: u64,
    /// Number among all nodes. None when the port is of a graph.
    pub(crate) owner: Option<usize>,
    pub(crate) way: String,
    pub(crate) index: u32,
    pub(crate) carries: String,
    pub(crate) element: String,
    pub(crate) bytes: u64,
    pub(crate) margin: u64,
    pub(crate) buffer: bool,
    #[serde(rename = "async")]
    pub(crate) is_async: bool,
    pub(crate) sync: bool,
    pub(crate) single: bool,
    pub(crate) control: bool,
    pub(crate) patterned: bool,
    pub(crate) repetitions: u32,
    pub(crate) lanes: Option<String>,
    pub(crate) values: Option<u32>,
    pub(crate) initial: Option<Vec<u8>>,
    pub(crate) statements: Vec<Statement>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct EndLine {
    pub(crate) kind: String,
    pub(crate) bytes: u64,
    pub(crate) margin: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct EdgeLine {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) left: EndLine,
    pub(crate) right: EndLine,
    pub(crate) fifo: u32,
    pub(crate) statement: Statement,
    pub(crate) fifo_by: Statement,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SubjectLine {
    pub(crate) kind: String,
    /// Number of the node, port, edge or graph. None when the description lacks the object.
    #[serde(default)]
    pub(crate) number: Option<usize>,
    /// Number of a table of that node. Less than 0 stands for all of them.
    #[serde(default)]
    pub(crate) table: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PlaceLine {
    pub(crate) kind: String,
    pub(crate) column: i64,
    pub(crate) row: i64,
    pub(crate) value: u32,
    pub(crate) address: u32,
    pub(crate) last_column: i64,
    pub(crate) last_row: i64,
    pub(crate) cores: bool,
    pub(crate) contains_nets: bool,
    pub(crate) excludes_nets: bool,
    pub(crate) excludes_nodes: bool,
    pub(crate) anywhere: bool,
    pub(crate) to: SubjectLine,
    pub(crate) columns: Option<i64>,
    pub(crate) rows: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LocationLine {
    pub(crate) of: SubjectLine,
    pub(crate) places: Vec<PlaceLine>,
    pub(crate) statement: Statement,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NotEqualLine {
    pub(crate) a: SubjectLine,
    pub(crate) b: SubjectLine,
    pub(crate) statement: Statement,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ChainLine {
    pub(crate) number: Statement,
    /// Return addresses, the innermost first.
    pub(crate) frames: Vec<u64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FailureLine {
    pub(crate) text: String,
    pub(crate) statement: Statement,
    /// The address of the handle to nothing whose use is the error. 0 for other errors.
    pub(crate) handle: u64,
}

/// The description that a program gave of its graph.
pub(crate) struct Said {
    /// Its lines. None when the program ended before it could describe its graph.
    pub(crate) lines: Option<Vec<Line>>,
    /// Its variables and its heap.
    pub(crate) memory: Memory,
    /// What it wrote to standard error.
    pub(crate) stderr: String,
    /// True if it did not end in time.
    pub(crate) is_late: bool,
}

/// The memory of a program: its variables and its heap, without empty pages.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Pieces by their first address.
    pieces: BTreeMap<u64, Vec<u8>>,
}

impl Memory {
    /// Reads pieces of an address, a number of bytes, and the bytes. An incomplete piece ends the
    /// list.
    fn of(mut bytes: &[u8]) -> Self {
        let mut pieces = BTreeMap::new();
        while let Some((head, rest)) = bytes.split_at_checked(16) {
            let word = |at: usize| {
                head.get(at..at + 8).and_then(|word| Some(u64::from_le_bytes(word.try_into().ok()?)))
            };
            let (Some(address), Some(length)) = (word(0), word(8)) else { break };
            let Some((piece, rest)) =
                usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length))
            else {
                break;
            };
            pieces.insert(address, piece.to_vec());
            bytes = rest;
        }
        Self { pieces }
    }

    /// The word of eight bytes at an address. Returns None when the memory is empty or does not
    /// exist.
    pub(crate) fn word(&self, address: u64) -> Option<u64> {
        let (first, piece) = self.pieces.range(..=address).next_back()?;
        let at = usize::try_from(address - first).ok()?;
        let word = piece.get(at..at.checked_add(8)?)?;
        Some(u64::from_le_bytes(word.try_into().ok()?))
    }
}

/// Links the program `probe` of these objects. With `whatever_main`, the program describes its
/// graph before its main begins, and need not have one; else as soon as its main initialises a
/// graph.
pub(crate) fn link(
    cache: &Cache,
    objects: &[PathBuf],
    folder: &Path,
    probe: &Path,
    whatever_main: bool,
) -> Result<(), Diagnostic> {
    let wrapped = whatever_main.then(|| "-Wl,--wrap=main".to_owned());
    let link = |linker| link_with(cache, objects, probe, wrapped.as_slice(), linker);
    // gold names what it misses, too. Without gold, or for any other complaint, the default linker
    // decides.
    let linked = link(Linker::Gold).or_else(|error| {
        let words = error.to_string();
        if missing_in(&words).is_empty() {
            link(Linker::Default).map_err(|error| error.to_string())
        } else {
            Err(words)
        }
    });
    if let Err(complaint) = linked {
        let stubs = folder.join("stubs.s");
        files::write_all(folder, [("stubs.s", stubs_for(&complaint).as_str())])?;
        let with_stubs: Vec<PathBuf> = objects.iter().cloned().chain([stubs]).collect();
        try_link(cache, &with_stubs, probe, wrapped.as_slice())
            .map_err(|error| does_not_link(&error.to_string()))?;
    }
    Ok(())
}

/// Runs the program in `directory`. Its files go to `folder`.
pub(crate) fn run(probe: &Path, directory: &Path, folder: &Path) -> Result<Said, Diagnostic> {
    let path = folder.join("described.jsonl");
    let memory = folder.join("described.jsonl.memory");
    let environment =
        [("AIEC_SIM_DESCRIBE", path.display().to_string()), ("AIEC_SIM_TIMEOUT", SECONDS.to_string())];
    files::write_all(folder, [("events.jsonl", "")])?;
    let patience = Duration::from_secs(PATIENCE);
    let finished = execute(probe, directory, folder, &environment, patience, &mut |_| {});
    let finished = finished.map_err(|error| errors::cannot_run(&error.to_string()))?;
    let lines = files::read_text(&path, MAX_DATA, None).ok().map(|text| parse(&text)).transpose()?;
    let bytes = std::fs::metadata(&memory).ok().filter(|file| file.len() <= MAX_MEMORY);
    let bytes = bytes.and_then(|_| std::fs::read(&memory).ok()).unwrap_or_default();
    // The memory may be large, and is of no use to anyone.
    let _ = std::fs::remove_file(&memory);
    Ok(Said {
        lines,
        memory: Memory::of(&bytes),
        stderr: finished.stderr,
        is_late: finished.status.is_none(),
    })
}

/// The lines of a description. Without one of them the graph would be another, so a line of
/// another format is a fault of aiec. A program that was ended may leave its last line incomplete.
fn parse(text: &str) -> Result<Vec<Line>, Diagnostic> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let line = |line: &str| {
        serde_json::from_str(line).map_err(|error| errors::undescribed(line, &error.to_string()))
    };
    whole.lines().map(line).collect()
}

/// Links with gold, or with the default linker where gold is missing or refuses. A failure carries
/// the messages of the default linker.
pub(crate) fn try_link(
    cache: &Cache,
    objects: &[PathBuf],
    program: &Path,
    more: &[String],
) -> std::io::Result<()> {
    let link = |linker| link_with(cache, objects, program, more, linker);
    link(Linker::Gold).or_else(|_| link(Linker::Default))
}

/// Links with the flags of a program that looks up its own symbols.
fn link_with(
    cache: &Cache,
    objects: &[PathBuf],
    program: &Path,
    more: &[String],
    linker: Linker,
) -> std::io::Result<()> {
    let mut arguments: Vec<String> = objects.iter().map(|object| object.display().to_string()).collect();
    arguments.extend(cache.link_flags());
    arguments.extend(["-rdynamic".into(), "-Wl,--no-demangle".into()]);
    arguments.extend(more.iter().cloned());
    arguments.extend(["-o".into(), program.display().to_string(), "-ldl".into()]);
    cache.link(&arguments, linker)
}

/// The linker's complaint, with names as in the source.
pub(crate) fn does_not_link(words: &str) -> Diagnostic {
    let names = words.split(['`', '\'']).filter(|word| word.starts_with("_Z"));
    let mut shown = words.to_owned();
    for name in names {
        shown = shown.replace(name, &functions::demangled(name).unwrap_or_else(|| name.to_owned()));
    }
    errors::graph_does_not_link(&shown)
}

/// What to look for in the memory of a program with this description.
pub(crate) fn wanted<'a>(lines: &[Line], memory: &'a Memory) -> Wanted<'a> {
    let mut wanted = Wanted { memory, base: 0, objects: BTreeSet::new(), graphs: BTreeSet::new(), handle: 0 };
    for line in lines {
        match line {
            Line::Base(base) => wanted.base = *base,
            Line::Graph(graph) => drop(wanted.graphs.insert(graph.at)),
            Line::Kernel(KernelLine { node, .. })
            | Line::Plio(PlioLine { node, .. })
            | Line::Gmio(GmioLine { node, .. }) => {
                wanted.objects.insert(node.at);
            }
            Line::Port(port) => drop(wanted.objects.insert(port.at)),
            Line::Table(table) => drop(wanted.objects.insert(table.at)),
            Line::Failure(failure) if wanted.handle == 0 => wanted.handle = failure.handle,
            _ => {}
        }
    }
    wanted
}

/// The symbols that a linker misses, by its complaint. The default linker and gold quote a name
/// differently.
fn missing_in(complaint: &str) -> BTreeSet<&str> {
    let quoted = complaint.split("undefined reference to ").skip(1).filter_map(|rest| rest.get(1..));
    quoted.filter_map(|rest| rest.split('\'').next()).collect()
}

/// Assembly text that defines every symbol that the linker misses, each with its own address:
/// functions that end the program, and data filled with zeros. An assembler takes a tenth of the
/// time of a compiler. The directives `.cfi` let a backtrace find who called such a function.
fn stubs_for(complaint: &str) -> String {
    let (functions, data): (Vec<&str>, Vec<&str>) =
        missing_in(complaint).into_iter().partition(|name| is_function(name));
    // The section begins with bytes of no function: the linker's name for its start would else be
    // a second name of the first one.
    let mut text = ".section aiec_missing,\"ax\",@progbits\n.zero 16\n".to_owned();
    for name in functions {
        text += &format!(
            ".globl {name}\n.type {name}, @function\n{name}:\n.cfi_startproc\n{ILLEGAL}\n.cfi_endproc\n"
        );
    }
    text += ".bss\n.balign 64\n";
    for name in data {
        text += &format!(".globl {name}\n.type {name}, @object\n.size {name}, 64\n{name}:\n.zero 64\n");
    }
    text + ".zero 65536\n.section .note.GNU-stack,\"\",@progbits\n"
}

/// An instruction that no processor of the host's kind executes: UD2 on x86, zeros elsewhere.
const ILLEGAL: &str = if cfg!(any(target_arch = "x86", target_arch = "x86_64")) { "ud2" } else { ".long 0" };

/// The text of stubs for one function and one variable. It changes with the form of all stubs, and
/// so do the keys of kept programs.
pub(crate) fn form_of_stubs() -> String {
    stubs_for("undefined reference to `_Z1fv'undefined reference to `data'")
}

/// True for functions of C++. The linker does not tell what it misses; a name of C may be either,
/// and counts as data.
fn is_function(name: &str) -> bool {
    functions::demangled(name).is_some_and(|name| name.ends_with(')') || name.ends_with(") const"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_linker_misses_gets_an_address() {
        let complaint =
            "g.o: undefined reference to `_Z1fv'\ng.o: undefined reference to `_Z1fv'\ncollect2: error";
        assert_eq!(stubs_for(complaint).matches("\n_Z1fv:").count(), 1);
        let of_gold = "g.o:graph.cc:f: error: undefined reference to '_Z1fv'\ncollect2: error";
        assert_eq!(stubs_for(of_gold), stubs_for(complaint));
        assert!(stubs_for("x: undefined reference to `_ZN1A5tableE'").contains("_ZN1A5tableE:"), "data");
        assert!(form_of_stubs().contains("_Z1fv, @function") && form_of_stubs().contains("data, @object"));
    }

    #[test]
    fn a_record_that_cannot_be_read_is_a_fault_but_for_one_that_was_cut_off() {
        let lines = |text: &str| parse(text).map(|lines| lines.len()).map_err(|fault| fault.message);
        let graph = "{\"graph\":{\"at\":1,\"class\":\"Top\"}}\n";
        assert_eq!(lines(&format!("{graph}{{\"base\":3}}\n{{\"gra")), Ok(2));
        let fault = lines(&format!("{graph}{{\"base\":-3}}\n")).expect_err("no address");
        assert!(fault.contains("in `{\"base\":-3}`"), "{fault}");
        assert!(lines("{\"other\":{}}\n").is_err() && lines("") == Ok(0));
    }

    #[test]
    fn words_of_memory_are_read_from_their_pieces_and_nowhere_else() {
        let mut bytes = Vec::new();
        for (address, word) in [(0x1000_u64, 7_u64), (0x3000, 9)] {
            bytes.extend([address, 8, word].iter().flat_map(|word| word.to_le_bytes()));
        }
        bytes.extend([1, 2, 3]);
        let memory = Memory::of(&bytes);
        let words = [0x1000, 0x3000, 0x2000, 0x1001, 0x3008, 0].map(|at| memory.word(at));
        assert_eq!(words, [Some(7), Some(9), None, None, None, None]);
    }
}
