//! Diagnostics of simulations.

use std::path::Path;
use std::process::ExitStatus;

use aiec_adf::description::Site;
use aiec_diag::{Diagnostic, Span, catalogue};

use crate::debug::SETTLED;
pub use crate::missing::OF_FLOATS;
use crate::types::adf_types;
use crate::{complaints, missing};

mod amounts;
mod data;
mod results;
mod runs;

pub use amounts::{Departure, FlowPort, Stopped, WindowsPort, stream_amount, windows_per_run};
pub use data::{
    Unmarked, WrongPacket, WrongWord, bad_data, bad_golden, bad_packet_id, golden_amount, input_left,
    no_golden, no_input, no_input_file, no_input_files, no_input_folder, no_output, output_waits, starved,
    unmarked_packets,
};
pub use results::{
    differs_from_golden, graph_differs, missing_contribution, no_golden_in, no_such_output, seeds_differ,
    unexpected, unknown_output, wrong_at_rank, wrong_contribution, wrong_result,
};
pub use runs::{
    BlockedPort, Cure, Deadlock, Seen, Skipped, Turns, Waiting, deadlock, finding, is_acquisition,
    missing_release, misuse, misused_packets, misused_stream, other_order, overfull_rank, skipped_call,
    turns,
};

/// Limit on the lines of a compiler's or program's messages that a diagnostic quotes.
const QUOTED_LINES: usize = 30;

/// Limit on the lines of the runtime's report. Every finding and every step of a cycle is a line,
/// and the depths that unblock a cycle come last.
const REPORTED_LINES: usize = 2000;

/// `, in iteration 3`, or nothing when the iteration is not known.
pub(crate) fn in_iteration(iteration: Option<u64>) -> String {
    iteration.map_or_else(String::new, |number| format!(", in iteration {number}"))
}

/// The compiler `cxx` cannot be started.
pub fn compiler(cxx: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_COMPILER,
        format!("the C++ compiler `{cxx}` cannot be started: {reason}"),
        "install g++, or name another compiler with --cxx",
    )
}

/// The compiler `cxx` fails for `what`, and says nothing that tells why.
pub(crate) fn silent_compiler(cxx: &str, what: &str, status: ExitStatus) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_COMPILER,
        format!("the C++ compiler `{cxx}` fails for {what} without a reason: {status}"),
        "name g++ or clang++ with --cxx; a compiler that a signal ends may lack memory",
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
    let summary = "the C++ of the graph does not compile:\n";
    let with = |help: String| Diagnostic::new(&catalogue::SIM_COMPILE, summary, help);
    if let Some(missing::Macros { advice, said }) = missing::macros(output) {
        return with(advice).quoting(&quote(&said));
    }
    with(complaints::advice(output).or_else(|| missing::advice(output)).unwrap_or_else(|| {
        "correct what the first error names; give folders of headers with -I, and macros with -D".to_owned()
    }))
    .quoting(&quote(output))
}

/// A `static_assert` of aiec's headers refuses a statement of a graph.
pub(crate) fn refused_by_headers(sentence: &str) -> Diagnostic {
    let help = if sentence.contains("bfloat16") {
        OF_FLOATS
    } else if sentence.contains("AIE-ML") {
        "aiec models AI Engines of the first generation: use buffers and streams between kernels"
    } else {
        "correct the statement"
    };
    Diagnostic::new(
        &catalogue::SIM_COMPILE,
        format!("the C++ of the graph does not compile: {sentence}"),
        help,
    )
}

/// True for headers that aiec itself should have.
pub(crate) fn is_own_header(header: &str) -> bool {
    ["adf/", "aie_api/", "adf.h"].iter().any(|own| header.starts_with(own))
}

/// A graph or kernel source includes a header that does not exist. `looked` are the folders where
/// the compiler looked, in words.
pub(crate) fn missing_header(header: &str, file: &str, line: u32, looked: &[String]) -> Diagnostic {
    let name = Path::new(file)
        .file_name()
        .map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned());
    Diagnostic::new(
        &catalogue::SIM_COMPILE,
        format!(
            "`{name}` includes `{header}` in line {line}, which is in none of the folders {}",
            looked.join(", ")
        ),
        format!(
            "give the folder that has `{header}` with -I FOLDER, or as include= of the project's aiecompiler.cfg"
        ),
    )
}

/// The constructors of a graph do not end well. `reason` completes "the constructor ...", and
/// `stderr` is what the program said besides.
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
    let symbol = |rest: &str| adf_types(rest.split('\'').next().unwrap_or(rest));
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
        "the linker makes no program of the objects of the graph:\n",
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
        "kernels use their ports in ways that give wrong data or fail on hardware:\n",
        "each line names kernel, port and source line. Where nothing uses what a read past the end gives, or what a window \
         holds that is not filled, `--lenient` makes warnings of these; the vendor's simulators tell of such reads only with \
         `x86simulator --valgrind` or `aiesimulator --enable-memory-check` (UG1076)",
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

/// Kernels of one core of a graph wait for each other. `words` is the runtime's report.
pub fn graph_turns(words: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_CORE_WAIT,
        "the graph hangs on hardware, where kernels with one location<kernel> run in turn:\n",
        "give one of these kernels a tile of its own, let a kernel lock no more windows in a run than there are buffers, or \
         give the streams on the way a fifo_depth that holds the words of a run",
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

/// A record of the description of a graph is of another form: a number in it is out of range, or
/// aiec itself writes it wrong.
pub(crate) fn undescribed(record: &str, reason: &str) -> Diagnostic {
    let shown: String = record.chars().take(120).collect();
    Diagnostic::new(
        &catalogue::SIM_FAILED,
        format!("the graph has a part that aiec cannot read: {reason}, in `{shown}`"),
        "look for a number that is out of range at that part of the graph; if there is none, please report the record",
    )
}

/// No folder for the cache can be written.
pub fn no_cache(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_FAILED,
        format!("compiled C++ cannot be kept: `{path}` cannot be written: {reason}"),
        "name a folder that can be written with the variable AIEC_CACHE",
    )
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

/// What a program wrote before it ended.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// To standard error, in the user's names.
    pub stderr: &'a str,
    /// To standard output, which the user has seen already.
    pub stdout: &'a str,
}

impl Output<'_> {
    /// Standard error, or else the last line of standard output.
    fn words(self) -> String {
        let last = self.stdout.lines().rfind(|line| !line.trim().is_empty());
        match (self.stderr.trim().is_empty(), last) {
            (false, _) => quote(self.stderr),
            (true, Some(line)) => format!("its last line is\n{}", quote(line)),
            (true, None) => "it printed nothing".to_owned(),
        }
    }
}

/// The program ended with `ending`, a signal or exit status, and no event explains it. `crashed`
/// tells that the operating system stopped it.
pub fn failed(ending: &str, output: Output<'_>, crashed: bool) -> Diagnostic {
    let words = output.words();
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

/// The first lines of another program's messages, with types as ADF spells them.
fn quote(text: &str) -> String {
    lines(&adf_types(text), QUOTED_LINES)
}

/// The first `most` lines of a text, and the number of further lines.
fn lines(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let shown = lines.iter().take(most).copied().collect::<Vec<_>>().join("\n");
    let more = lines.len().saturating_sub(most);
    if more > 0 { format!("{shown}\n({more} more lines)") } else { shown }
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
    fn a_program_that_fails_is_quoted_from_either_stream() {
        let words = |stderr, stdout| failed("exit status: 1", Output { stderr, stdout }, false).message;
        assert!(words("", "\n").ends_with("it printed nothing"));
        let said = words(" ", "1 of 2\nmismatch at 3: got 4, want 5\n\n");
        assert!(said.ends_with("its last line is\nmismatch at 3: got 4, want 5"), "{said}");
        assert!(words("no file", "mismatch").ends_with("no file"), "standard error tells the reason");
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
