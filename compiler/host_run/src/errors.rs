//! Diagnostics of simulations.

use std::path::{Path, PathBuf};

use aiec_adf::description::Site;
use aiec_collectives::ElementType;
use aiec_diag::{Diagnostic, Span, catalogue};
use aiec_ir::Flow;

use crate::cache::SETTLED;
use crate::missing;

mod runs;

pub use runs::{
    Deadlock, Seen, Waiting, deadlock, finding, is_acquisition, missing_release, misuse, skipped_call,
};

/// Limit on the lines of a compiler's or program's messages that a diagnostic quotes.
const QUOTED_LINES: usize = 30;

/// Limit on the lines of the runtime's report. Every finding and every step of a cycle is a line,
/// and the depths that unblock a cycle come last.
const REPORTED_LINES: usize = 2000;

/// The compiler `cxx` cannot be started.
pub fn compiler(cxx: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_COMPILER,
        format!("the C++ compiler `{cxx}` cannot be started: {reason}"),
        "install g++, or name another compiler with --cxx",
    )
}

/// The emitted project does not compile. `output` is the compiler's.
pub fn compile(output: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_COMPILE,
        "the emitted C++ does not compile:\n",
        "correct the kernel source that the first error names; if it names a generated file, the kernel's signature differs \
         from its declaration in the design",
    )
    .quoting(&quote(output))
}

/// A foreign graph or kernel source does not compile. `output` is the compiler's.
pub fn graph_does_not_compile(output: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_COMPILE,
        "the C++ of the graph does not compile:\n",
        missing::advice(output)
            .unwrap_or_else(|| "name folders of headers with -I and macros with -D".to_owned()),
    )
    .quoting(&quote(output))
}

/// True for headers that aiec itself should have.
pub(crate) fn is_own_header(header: &str) -> bool {
    ["adf/", "aie_api/", "adf.h"].iter().any(|own| header.starts_with(own))
}

/// A graph includes a header that does not exist. `looked` are the folders where the compiler
/// looked.
pub(crate) fn missing_header(
    header: &str,
    file: &str,
    line: u32,
    looked: &[PathBuf],
    span: Option<Span>,
) -> Diagnostic {
    let folders: Vec<String> = looked.iter().map(|folder| format!("`{}`", folder.display())).collect();
    let name = Path::new(file)
        .file_name()
        .map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned());
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_COMPILE,
        format!(
            "`{name}` includes `{header}` in line {line}, which is in none of the folders {}",
            folders.join(", ")
        ),
        format!(
            "give the folder that has `{header}` with -I FOLDER, or as include= of the project's aiecompiler.cfg"
        ),
    );
    match span {
        Some(span) => diagnostic.label(span, "this header is missing"),
        None => diagnostic,
    }
}

/// The constructors of a graph do not end well. `reason` completes "the constructor ...".
pub(crate) fn constructor(graph: &str, reason: &str, stderr: &str, site: Option<&Site>) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        &catalogue::SIM_FAILED,
        format!("the constructor of the graph in `{graph}` fails: {reason}"),
        "aiec runs the constructors of global graphs to learn what they create: correct the statement, or what it calls; a \
         constructor has 10 seconds and 1 GiB",
    );
    if let Some(site) = site {
        diagnostic = diagnostic.label(site.span, "it fails here");
        for call in &site.calls {
            let text = format!("`{}` is called here", call.function);
            diagnostic = call.span.map_or(diagnostic.clone(), |span| diagnostic.clone().label(span, text));
        }
    }
    let words = quote(stderr);
    if words.trim().is_empty() { diagnostic } else { diagnostic.quoting(&format!("\n{words}")) }
}

/// An option in a file of aiecompiler's is wrong.
pub(crate) fn bad_option(fault: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNREADABLE_FILE,
        fault,
        "write KEY=VALUE, a line for each option, as `aiecompiler --config` takes it; sizes are in bytes",
    )
    .label(span, "this option")
}

/// The file constructs no graph.
pub(crate) fn no_graph(graph: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_COMPILE,
        format!("`{graph}` constructs no graph"),
        "name the file that defines the global object of a class derived from adf::graph; if a macro selects it, give the macro with -D",
    )
}

/// How the complaint about an undefined function ends.
const NOWHERE: &str = "is defined nowhere";

/// What a linker says of undefined and repeated functions and variables of the user, one line each.
/// Places are relative to an emitted project.
fn complaints(output: &str) -> Vec<String> {
    let symbol = |rest: &str| rest.split('\'').next().unwrap_or(rest).to_owned();
    let mut found: Vec<String> = Vec::new();
    for line in output.lines() {
        let complaint = if let Some((before, rest)) = line.split_once(": undefined reference to `") {
            let place = before.rsplit(' ').next().unwrap_or(before);
            let is_line = place.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok());
            let place =
                place.strip_prefix(SETTLED).and_then(|rest| rest.strip_prefix("/project/")).unwrap_or(place);
            match symbol(rest) {
                main if main == "main" => continue,
                symbol if is_line => format!("`{symbol}`, called at `{place}`, {NOWHERE}"),
                symbol => format!("`{symbol}` {NOWHERE}"),
            }
        } else if let Some((_, rest)) = line.split_once(": multiple definition of `") {
            format!("`{}` is defined in several sources", symbol(rest))
        } else {
            continue;
        };
        if !found.contains(&complaint) {
            found.push(complaint);
        }
    }
    found
}

/// The objects of a graph do not link. `output` is the linker's.
pub fn graph_does_not_link(output: &str) -> Diagnostic {
    let complaints = complaints(output);
    if !complaints.is_empty() {
        let help = if complaints.iter().any(|line| line.ends_with(NOWHERE)) {
            "define the function in the kernel's source, or include the file that does: a kernel has one source"
        } else {
            "rename one of them, or write `static` or `inline` in front of what only its own file uses"
        };
        return Diagnostic::new(&catalogue::SIM_COMPILE, "the kernels do not link:\n", help)
            .quoting(&lines(&complaints.join("\n"), REPORTED_LINES));
    }
    Diagnostic::new(
        &catalogue::SIM_COMPILE,
        "the objects of the graph do not make a program:\n",
        "every kernel needs source(k) = \"file\", and graph.cpp a main() under `#if defined(__X86SIM__)` or `__AIESIM__`",
    )
    .quoting(&quote(output))
}

/// No folder has the source of a kernel.
pub fn no_source(source: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_COMPILE,
        format!("the graph names the kernel source `{source}`, which does not exist"),
        "kernel sources are looked up next to the graph and in the -I folders",
    )
}

/// Kernels of a graph misused ports. `words` is the runtime's report.
pub fn graph_misuse(words: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_MISUSE,
        "kernel code fails on hardware:\n",
        "each line names kernel, port and source line; if a read past a window or a window that is not filled is meant, \
         --lenient makes it a warning",
    )
    .quoting(&lines(words, REPORTED_LINES))
}

/// Kernels have larger arrays than their stacks, or are recursive. One line for each.
pub fn stack(kernels: &[String]) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_STACK,
        "stacks are too small, or have no bound:\n",
        "declare a larger stack (stack_size(k) in a graph, `stack` in a design), make arrays static, and loops of recursions",
    )
    .quoting(&lines(&kernels.join("\n"), REPORTED_LINES))
}

/// A graph deadlocked. `words` is the runtime's report.
pub fn graph_deadlock(words: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_DEADLOCK,
        "the graph is deadlocked:\n",
        match (words.contains("the cycle:"), words.contains("a fifo_depth of")) {
            (true, true) => {
                "follow the cycle: give a FIFO the depth that the message states, or change the order of accesses; --unbounded \
                 shows what the graph computes without limits"
            }
            (true, false) => {
                "no depth of any FIFO unblocks this cycle: look at the order in which its kernels take and release windows and \
                 read and write streams, at single_buffer, and at the start of a loop of kernels (a first value must come from somewhere)"
            }
            (false, _) => {
                "there is no cycle of waits: a kernel needs more data than another kernel, the host program or an input gives"
            }
        },
    )
    .quoting(&lines(words, REPORTED_LINES))
}

/// A graph needs more input. `words` is the runtime's report.
pub fn graph_starved(words: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_INPUT,
        "the input ends too early:\n",
        "give the file as many values as all iterations read, or run fewer",
    )
    .quoting(&lines(words, REPORTED_LINES))
}

/// The folder of the inputs does not exist.
pub fn no_input_folder(folder: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_INPUT,
        format!("the input folder `{folder}` is not a folder"),
        "name the folder with --input; the file names of the graph's inputs are relative to it",
    )
}

/// A folder of headers does not exist.
pub fn no_include_folder(folder: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_COMPILE,
        format!("the source folder `{folder}` is not a folder"),
        "name folders with -I relative to the working folder, or leave the option out",
    )
}

/// Input files of a graph are in none of `folders`. `missing` pairs each file with the name of its
/// input.
pub fn no_input_files(missing: &[(String, String)], folders: &[String]) -> Diagnostic {
    let one = |(file, name): &(String, String)| match name.as_str() {
        "" => format!("`{file}`"),
        _ => format!("`{file}` of input `{name}`"),
    };
    let is = if missing.len() == 1 { "an input file is" } else { "input files are" };
    Diagnostic::new(
        &catalogue::SIM_INPUT,
        format!(
            "{} missing: {} (looked for in {})",
            is,
            missing.iter().map(one).collect::<Vec<_>>().join(", "),
            folders.iter().map(|folder| format!("`{folder}`")).collect::<Vec<_>>().join(", ")
        ),
        "name with --input DIR the folder in which the graph's data lies",
    )
}

/// A graph's input file cannot be opened. `words` is the runtime's report; `folder` is where aiec
/// looked for it.
pub fn no_input_file(words: &str, folder: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_INPUT,
        "an input file is missing:\n",
        format!(
            "file names of inputs are relative to `{folder}`; name with --input DIR the folder in which the graph's data lies"
        ),
    )
    .quoting(&lines(words, REPORTED_LINES))
}

/// An output of a graph differs from a golden file.
pub fn graph_differs(output: &str, golden: &str, difference: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_WRONG_DATA,
        format!("output `{output}` differs from `{golden}`: {difference}"),
        "if the new values are right, replace the golden file; --tolerance allows values to differ more, --skip N leaves out \
         the first N values",
    )
}

/// The outputs of a graph depend on the order in which kernels take turns.
pub fn seeds_differ(first: u64, other: u64, output: &str, difference: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_WRONG_DATA,
        format!("output `{output}` with seed {other} differs from seed {first}: {difference}"),
        "something in the graph depends on time: a packet merge (--any-order OUTPUT compares its packets in any order), an \
         asynchronous parameter, or data that kernels share",
    )
}

/// Adds the seed to `fault`.
pub fn with_seed(fault: &mut Diagnostic, seed: u64) {
    fault.message = format!("with seed {seed}: {}", fault.message);
}

/// Faults of instances of one declaration as one fault, which counts the others. `faults` have the
/// declaration as their first place.
pub fn by_declaration(faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut groups: Vec<(Diagnostic, usize)> = Vec::new();
    for fault in faults {
        let same = |(first, _): &&mut (Diagnostic, usize)| {
            first.code == fault.code && fault.span().is_some() && first.span() == fault.span()
        };
        match groups.iter_mut().find(same) {
            Some((_, more)) => *more += 1,
            None => groups.push((fault, 0)),
        }
    }
    let counted = |(fault, more): (Diagnostic, usize)| match more {
        0 => fault,
        more => fault.quoting(&format!("; the same fault at {more} more of this declaration")),
    };
    groups.into_iter().map(counted).collect()
}

/// The compiled program cannot be started or waited for.
pub fn cannot_run(reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_FAILED,
        format!("the simulated program cannot be run: {reason}"),
        "check that programs may be run from the temporary directory, or choose another with --keep DIR",
    )
}

/// The program took longer than `seconds`. `words` is its last output.
pub fn timeout(seconds: u64, words: &str) -> Diagnostic {
    let words = if words.trim().is_empty() { String::new() } else { format!(":\n{}", quote(words)) };
    Diagnostic::new(
        &catalogue::SIM_FAILED,
        format!("the simulated program was stopped after {seconds} seconds"),
        "look for a loop without end in a kernel, or allow more time with --timeout SECONDS",
    )
    .quoting(&words)
}

/// The program ended with `ending`, a signal or exit status, and no event explains it. `crashed`
/// tells that the operating system stopped it.
pub fn failed(ending: &str, stderr: &str, crashed: bool) -> Diagnostic {
    let words = if stderr.trim().is_empty() { "it printed nothing".to_owned() } else { quote(stderr) };
    Diagnostic::new(
        &catalogue::SIM_FAILED,
        format!("the simulated program ended with {ending}: "),
        if crashed {
            "a crash is usually an access outside an array in a kernel: run again with --keep DIR and debug DIR/program"
        } else {
            "the last output of the program names the reason: a file, the graph, or a call in main() such as run, read or update"
        },
    )
    .quoting(&words)
}

/// The data `file` of `input` ends while kernels wait for more.
pub fn starved(input: &str, file: &str, needed: u64, found: u64, span: Option<Span>) -> Diagnostic {
    let wants = if needed > 0 { format!("{needed} values are needed") } else { "more are needed".to_owned() };
    let diagnostic = if needed > 0 && found >= needed {
        Diagnostic::new(
            &catalogue::SIM_INPUT,
            format!(
                "input `{input}` ends inside a packet: `{file}` holds all {found} values, but marks no end"
            ),
            "write a line `TLAST` in front of the last line of each packet",
        )
    } else {
        Diagnostic::new(
            &catalogue::SIM_INPUT,
            format!("input `{input}` ends too early: `{file}` holds {found} values, {wants}"),
            "give the file as many values as all iterations read, or lower `iterations`",
        )
    };
    match span {
        Some(span) => diagnostic.label(span, format!("`{file}` is named here")),
        None => diagnostic,
    }
}

/// A word of a data file that is no number of the input's type.
#[derive(Clone, Copy, Debug)]
pub struct WrongWord<'a> {
    /// The input, or the output with this golden file.
    pub input: &'a str,
    /// The file, as the design names it.
    pub file: &'a str,
    /// The line of the word, from 1.
    pub line: usize,
    /// The word.
    pub word: &'a str,
    /// The type of the input's elements.
    pub element: ElementType,
    /// True for a number that does not fit the type.
    pub is_number: bool,
}

/// A data file has a word that is no number of its input's type, at `place` if the file is shown.
pub fn bad_data(wrong: &WrongWord<'_>, place: Option<Span>, input: Span) -> Diagnostic {
    let WrongWord { input: name, file, line, word, element, is_number } = *wrong;
    let element = element.name();
    let why = if is_number { format!("is no {element}") } else { "is no number".to_owned() };
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_INPUT,
        format!("`{word}` in line {line} of `{file}`, the data of input `{name}`, {why}"),
        format!("write values of type {element} with blanks between them; a complex value is two numbers"),
    );
    let diagnostic = match place {
        Some(span) => diagnostic.label(span, format!("`{word}` {why}")),
        None => diagnostic,
    };
    diagnostic.label(input, format!("`{name}` reads elements of type {element}"))
}

/// The header of a packet in line `line` of the data file `file` has packet id `id`, but the split
/// behind `input` has `branches` branches.
pub fn bad_packet_id(
    (input, span): (&str, Span),
    (file, line): (&str, usize),
    (id, branches): (i64, usize),
    place: Option<Span>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_INPUT,
        format!(
            "the packet at line {line} of `{file}`, the data of input `{input}`, has id {id}, which no branch has"
        ),
        format!(
            "write a header whose lowest five bits are from 0 to {}, or add a TLAST line before the last line of the \
             packet above",
            branches.saturating_sub(1)
        ),
    );
    let diagnostic = match place {
        Some(place) => diagnostic.label(place, format!("packet id {id}")),
        None => diagnostic,
    };
    diagnostic.label(span, format!("`{input}` is split into {branches} branches"))
}

/// A golden file has a word that is no number, at `place` if the file is shown.
pub fn bad_golden(wrong: &WrongWord<'_>, place: Option<Span>, output: Span) -> Diagnostic {
    let WrongWord { input: name, file, line, word, element, .. } = *wrong;
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_GOLDEN,
        format!("`{word}` in line {line} of `{file}`, the expected data of output `{name}`, is no number"),
        format!("write values of type {} with blanks between them", element.name()),
    );
    let diagnostic = match place {
        Some(span) => diagnostic.label(span, format!("`{word}` is no number")),
        None => diagnostic,
    };
    diagnostic.label(output, format!("`{name}` is compared with this file"))
}

/// The data file of `input` does not exist.
pub fn no_input(input: &str, file: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_INPUT,
        format!("input `{input}` has no data: `{file}` cannot be read"),
        "put the input's values there, relative to the design file, as text with blanks between them",
    )
    .label(span, format!("`{input}` reads this file"))
}

/// A golden file that the design names does not exist.
pub fn no_golden(output: &str, file: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_GOLDEN,
        format!("output `{output}` has no expected data: `{file}` does not exist"),
        "put the expected values there, relative to the design file, or remove `golden`",
    )
    .label(span, format!("`{output}` is compared with this file"))
}

/// All kernels are done, but `bytes` of `input` are not taken.
pub fn input_left(input: &str, bytes: u64, span: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_DEADLOCK,
        format!("all kernels have returned, but no kernel has taken {bytes} bytes of `{input}`"),
        "the kernel that reads it must acquire as many windows in one run as the design says",
    );
    match span {
        Some(span) => diagnostic.label(span, format!("`{input}` has more than is taken")),
        None => diagnostic,
    }
}

/// All kernels are done, but `output` still waits for `bytes`.
pub fn output_waits(output: &str, bytes: u64, span: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_DEADLOCK,
        format!("all kernels have returned, but `{output}` still waits for {bytes} bytes"),
        "the kernel that writes it must fill and release as many windows as the design says: look at loops around \
         window_release and around collective calls",
    );
    match span {
        Some(span) => diagnostic.label(span, format!("`{output}` got too little")),
        None => diagnostic,
    }
}

/// How the number of windows differs from the design's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// The same other number in every run.
    Always(u64),
    /// A range of numbers: fewest and most.
    Varying(u64, u64),
    /// More in a run that did not end. The kernel has this number, or waits for the last of them.
    TooMany(u64),
}

/// An asynchronous port and its number of windows in the design.
#[derive(Clone, Copy, Debug)]
pub struct WindowsPort<'a> {
    /// Name of the port.
    pub name: &'a str,
    /// True if the design states the number of windows.
    pub stated: bool,
    /// Source location of that number, or of the place for it.
    pub span: Span,
}

/// A kernel acquired another number of windows of `port` in a run than the design states. `edge` is
/// the input or output at the other end.
pub fn windows_per_run(
    port: WindowsPort<'_>,
    edge: Option<&str>,
    wanted: u64,
    departure: Departure,
) -> Diagnostic {
    let WindowsPort { name: port, stated, span } = port;
    let did = departure.said(("acquired", "waits for another"), "window", port);
    let says = if stated { "the design says" } else { "the design states none, which means" };
    let moves =
        edge.map_or_else(String::new, |edge| format!(": host program and data of `{edge}` move no others"));
    let help = match departure {
        Departure::Always(0) => "acquire a window in every run, or connect the port without `async`".to_owned(),
        Departure::Always(found) => format!("write `async {port} windows {found}` in the connection, or correct the kernel's loop"),
        Departure::TooMany(_) => format!(
            "write `async {port} windows N` in the connection, where N is the number of windows that the kernel acquires in one run"
        ),
        _ if edge.is_some() => "acquire the same number in every run: host program and data files need to know the amount of data at an input or \
             output; if the number must vary, put a kernel between that takes a fixed number"
            .to_owned(),
        _ => "acquire the same number in every run, or leave `windows` out between two kernels".to_owned(),
    };
    Diagnostic::new(
        &catalogue::SIM_WINDOWS_PER_RUN,
        format!("the kernel {did}, {says} {wanted}{moves}"),
        help,
    )
    .label(span, format!("{} in one run", counted(wanted, "window")))
}

/// A kernel moved another number of elements of `port` in a run than the design states. `kind` is
/// the word of its type, `stream` or `packets`. `takes` tells that the port is an input.
pub fn stream_amount(
    (port, kind): (&str, &str),
    takes: bool,
    flow: Flow,
    departure: Departure,
    span: Span,
) -> Diagnostic {
    let (element, wanted) = (flow.element.name(), flow.per_run.unwrap_or(0));
    let did = if takes { ("takes", "waits for more") } else { ("gives", "has more to give") };
    let found = departure.said(did, "element", port);
    let help = match departure {
        Departure::Always(found) if found > 0 => {
            format!("write `{kind} {element}[{found}]`, or correct the kernel")
        }
        _ => format!("correct the kernel, or write `{kind} {element}`, which leaves the amount open"),
    };
    Diagnostic::new(
        &catalogue::SIM_STREAM_AMOUNT,
        format!("the kernel {found}, the design says {wanted}"),
        help,
    )
    .label(span, format!("{} in one run", counted(wanted.into(), "element")))
}

impl Departure {
    /// What the kernel did with a number of `thing` of `port`. `did` is the verb, and what happens
    /// when the number is too large.
    fn said(self, did: (&str, &str), thing: &str, port: &str) -> String {
        let (did, more) = did;
        match self {
            Self::Always(found) => format!("{did} {} of `{port}` in every run", counted(found, thing)),
            Self::Varying(fewest, most) => {
                format!("{did} between {fewest} and {most} {thing}s of `{port}` in one run")
            }
            Self::TooMany(found) => {
                let before = counted(found.saturating_sub(1), thing);
                format!("{did} {before} of `{port}` in one run and {more}")
            }
        }
    }
}

/// `1 thing`, or `N things`.
fn counted(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// The result that left through `port` differs from the reference of `collective`.
pub fn wrong_result(collective: &str, port: &str, output: &str, difference: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_WRONG_DATA,
        format!("the result of `{collective}` at `{port}` (output `{output}`) differs from the reference: {difference}"),
        "the reference combines what every rank passed to the collective: look for a kernel that changes its data during \
         the call, or for a changed collective library",
    )
    .label(span, format!("the values of `{port}` differ from the definition of this collective"))
}

/// An output differs from its golden file.
pub fn differs_from_golden(output: &str, port: &str, file: &str, difference: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_WRONG_DATA,
        format!("output `{output}`, written by `{port}`, differs from `{file}`: {difference}"),
        "if the new values are right, replace the golden file",
    )
    .label(span, format!("`{output}` is written by `{port}`"))
}

/// A rank's contribution differs from the design's `reference`.
pub fn wrong_contribution(collective: &str, kernel: &str, difference: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_CONTRIBUTION,
        format!("the contribution of kernel `{kernel}` to `{collective}` differs from its `reference`: {difference}"),
        "correct the kernel's source, or the `reference` of the collective",
    )
    .label(span, "the reference is declared here")
}

/// A rank's data after a call differs from the definition of the operation.
pub fn wrong_at_rank(collective: &str, kernel: &str, difference: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_WRONG_DATA,
        format!(
            "after `{collective}` the data of kernel `{kernel}` differs from the definition: {difference}"
        ),
        "if the kernel sources are right, this is a bug of aiec: please report the design with its sources",
    )
    .label(span, "the collective is declared here")
}

/// A rank called the collective more or less often than declared.
pub fn missing_contribution(
    collective: &str,
    kernel: &str,
    called: usize,
    wanted: u64,
    span: Span,
) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_CONTRIBUTION,
        format!("kernel `{kernel}` called `{collective}` {called} times, not {wanted} (`calls` times `iterations`)"),
        "make the number of calls in the kernel's source and `calls` in the design agree",
    )
    .label(span, "the number of calls is declared here")
}

/// A file that the program should have written cannot be read.
pub fn no_output(output: &str, reason: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_FAILED,
        format!("the simulation wrote no readable data for output `{output}`: {reason}"),
        "run again with --keep DIR and look at the files in DIR/project",
    )
    .label(span, format!("`{output}` was to be written"))
}

/// A `--golden` argument is not OUTPUT=FILE or names no output.
pub fn unknown_output(argument: &str, known: &[&str]) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_OUTPUT,
        format!("`--golden {argument}` does not name an output of the design and a file"),
        format!("write OUTPUT=FILE, where OUTPUT is one of: {}", known.join(", ")),
    )
}

/// `--any-order` names no output of the graph.
pub fn no_such_output(option: &str, argument: &str, known: &[&str]) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_OUTPUT,
        format!("`{option} {argument}` does not name an output of the graph"),
        format!("write one of: {}", known.join(", ")),
    )
}

/// The first lines of another program's messages.
fn quote(text: &str) -> String {
    lines(text, QUOTED_LINES)
}

/// The first `most` lines of a text, and the number of further lines.
fn lines(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let shown = lines.iter().take(most).copied().collect::<Vec<_>>().join("\n");
    let more = lines.len().saturating_sub(most);
    if more > 0 { format!("{shown}\n({more} more lines)") } else { shown }
}

/// The recorded contributions cannot be combined, for `reason`.
pub fn unexpected(collective: &str, reason: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_CONTRIBUTION,
        format!("the data that the ranks passed to `{collective}` cannot be combined: {reason}"),
        "every rank must pass as many elements as `data` of the collective says",
    )
    .label(span, "the data of a rank is declared here")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_many_findings_are_whole() {
        let finding = |number: u32| {
            format!(
                "g.k[{number}] (kernels/filter.cc), port in[0]: read past the end of the window, at filter.cc:{number}"
            )
        };
        let all: Vec<String> = (0..100).map(finding).collect();
        for diagnostic in [graph_misuse(&all.join("\n")), graph_deadlock(&all.join("\n")), stack(&all)] {
            assert!(
                all.iter().all(|line| diagnostic.message.contains(line.as_str())),
                "{}",
                diagnostic.message
            );
        }
    }

    #[test]
    fn help_with_a_deadlock_speaks_of_depths_only_where_one_helps() {
        let help = |words: &str| graph_deadlock(words).help;
        assert!(
            help("the cycle:\n a\n a fifo_depth of 24 words on")
                .contains("the depth that the message states")
        );
        assert!(help("the cycle:\n a\n a again").contains("no depth of any FIFO"));
        assert!(help("a waits for b").contains("there is no cycle of waits"));
    }

    #[test]
    fn a_linker_complains_about_functions_that_are_missing_or_repeated() {
        let words = "g++: /usr/bin/ld: /tmp/x/kernel0.o: in function `st(int)':\n\
            /aiec/project/aie/kernels/st.cc:4: undefined reference to `twice(int)'\n\
            /home/me/k.cc:4: multiple definition of `half(int)'; /tmp/x/kernel0.o:b.h:9: first defined here\n\
            /usr/lib/crt1.o:(.text+0x17): undefined reference to `main'\n\
            /tmp/x/kernel0.o:(.text+0x17): undefined reference to `third(int)'\n\
            collect2: error: ld returned 1 exit status\n";
        let wanted = [
            "`twice(int)`, called at `aie/kernels/st.cc:4`, is defined nowhere",
            "`half(int)` is defined in several sources",
            "`third(int)` is defined nowhere",
        ];
        assert_eq!(complaints(words), wanted);
    }
}
