//! `aiec sim graph.cpp` for any ADF graph. It finds the kernels through the graph itself, compiles
//! everything unchanged against the host headers, runs it with one seed or many, and compares its
//! outputs with golden files.
#![allow(clippy::disallowed_methods, reason = "this module looks for the files of a project")]

use std::path::{Path, PathBuf};

use aiec_diag::Diagnostic;

use crate::args::Sim;
use crate::graphs::{constraints, options_of, telling_unresolved};
use crate::invocation::Invocation;
use crate::output::Console;
use crate::search::Wait;
use crate::sim::drive::{Compared, Ready, Subject};
use crate::sim::execution::{NOT_COMPARED, with_seed};
use crate::sim::golden::{is_folder, not_taken};
use crate::sim::inputs::{self, Inputs};
use crate::sim::outputs::{Outputs, originals};
use crate::sim::profiled::Profiled;
use aiec_host_run::build::{Built, Listing, Recipe};
use aiec_host_run::errors;
use aiec_host_run::events::Event;
use aiec_host_run::numbers::{self, Allowed, Comparison};
use aiec_host_run::program::{Finished, Running, absolute};
use aiec_system::files::{self, MAX_DATA, MAX_TEXT};

/// The file that tells the runtime the paths of the inputs.
const INPUTS: &str = "inputs.txt";

/// The file with the user's names of the kernels, for the messages of the runtime.
const NAMES: &str = "names.txt";

/// Runs `aiec sim` for a graph.
pub(crate) fn run(
    args: &Sim,
    graph: &Path,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<()> {
    invocation.require(files::read_source(graph, MAX_TEXT, None))?;
    if let Some(missing) = args.graph.input.as_ref().filter(|folder| !folder.is_dir()) {
        return invocation.fail(errors::no_input_folder(&missing.display().to_string()));
    }
    // Places do not change results.
    constraints(args.code.constraints.iter().map(|file| (file, None)), invocation)?;
    invocation.require(golden_files_are_there(args))?;
    let options = options_of(&args.input, &args.code, graph, invocation)?;
    let flags = flags(args, &options.flags);
    let profiled = Profiled::read(&args.profiled, invocation)?;
    let folder = invocation.require(files::Folder::new(args.keep.as_deref()))?;
    let root = absolute(folder.path());
    let inputs = inputs::folders(args, graph);
    let recipe = Recipe {
        cxx: &args.cxx,
        graph,
        include: &options.include,
        flags,
        root: &root,
        ours: false,
        stack: args.code.stacksize.or_else(|| options.config.stack.as_ref().map(|stack| stack.value)),
        directory: directory(args),
        known: &|listing| {
            goldens(args, listing)?;
            known_outputs(args, listing)?;
            inputs.files(listing).map(drop)
        },
    };
    let wait = Wait::new("compiling the graph", invocation.progress);
    let built = recipe.build_telling(&|phase| wait.say(phase));
    let built = built.map_err(|fault| telling_unresolved(fault, &options.config));
    drop(wait);
    let Built { program, listing, overflows, .. } = invocation.require(built)?;
    // The vendor's compiler takes stack sizes from its command line, too. So an undeclared stack
    // may be declared there.
    let (bad, suspicious): (Vec<_>, Vec<_>) =
        overflows.into_iter().partition(|one| !args.graph.lenient && (one.declared || args.graph.strict));
    // The run shows other faults: the host's stacks are larger.
    let fits = bad.is_empty();
    if !fits {
        invocation
            .log
            .diagnostics
            .push(errors::stack(&bad.into_iter().map(|one| one.text).collect::<Vec<_>>()));
    }
    for overflow in &suspicious {
        console.error(&format!("warning: {}\n", overflow.text));
    }
    invocation.require(files::write_all(&root, [(NAMES, listing.names().as_str())]))?;
    let goldens = invocation.require(goldens(args, &listing))?;
    let files = invocation.require(inputs.files(&listing))?;
    invocation.require(files::write_all(&root, [(INPUTS, inputs::lines(&files).as_str())]))?;
    let setting = Setting {
        args,
        graph,
        program: &program,
        inputs: &inputs,
        root: &root,
        listing: &listing,
        goldens: &goldens,
    };
    let outputs = invocation.require(Outputs::new(
        &args.graph,
        written_files(&listing),
        &originals(args, graph, &files, &listing),
    ))?;
    invocation.require(outputs.begin())?;
    Ready { subject: &setting, outputs, profiled: &profiled, fits }.run(args, invocation, console)
}

/// The `macros` and the flags of the user. Warnings about foreign code are off, since they do not
/// help the user of `aiec sim`.
fn flags(args: &Sim, macros: &[String]) -> Vec<String> {
    let counting = args.timing.then(|| aiec_host_run::build::COUNTING.to_owned());
    std::iter::once("-w".to_owned())
        .chain(counting)
        .chain(macros.iter().cloned())
        .chain(args.graph.cxxflag.iter().cloned())
        .collect()
}

// --- running ---

/// The common inputs of all runs of one graph.
struct Setting<'a> {
    args: &'a Sim,
    graph: &'a Path,
    program: &'a Path,
    inputs: &'a Inputs,
    root: &'a Path,
    listing: &'a Listing,
    /// Outputs with their golden files.
    goldens: &'a [(String, PathBuf)],
}

impl Setting<'_> {
    /// The folder for the outputs of run `number`. Paths of outputs may climb out of it.
    fn folder(&self, number: usize) -> PathBuf {
        self.root.join(format!("seed{number}/wrote/as/far/below/as/any/output/climbs"))
    }

    fn run(&self, seed: u64, number: usize, progress: &mut dyn FnMut(&str)) -> Result<Finished, Diagnostic> {
        let running = Running {
            program: self.program,
            unbounded: self.args.graph.unbounded,
            lenient: self.args.graph.lenient,
            strict: self.args.graph.strict,
            kernels: &[],
            cores: None,
            timeout: self.args.timeout,
        };
        let mut folders = vec![
            ("AIEC_SIM_INPUT", absolute(self.inputs.first()).display().to_string()),
            ("AIEC_SIM_INPUTS", self.root.join(INPUTS).display().to_string()),
            ("AIEC_SIM_OUTPUT", self.folder(number).display().to_string()),
            ("AIEC_SIM_NAMES", self.root.join(NAMES).display().to_string()),
        ];
        if number == 0 {
            // Host programs compare the outputs that they find where the vendor's simulator writes.
            folders.push(("AIEC_SIM_SHOWN", absolute(&self.args.graph.output).display().to_string()));
        }
        let folder = self.root.join(format!("seed{number}"));
        running.once(seed, directory(self.args), &folder, &folders, progress)
    }

    fn same_outputs(&self, seed: u64, number: usize) -> Result<(), Diagnostic> {
        for (file, _) in &self.listing.outputs {
            let read = |number: usize| {
                let text = files::read_text(&self.folder(number).join(file), MAX_DATA, None)?;
                Ok::<_, Diagnostic>(comparable(self.args, self.listing, file, text))
            };
            if let Comparison::Different(how) = numbers::compare(&read(number)?, &read(0)?, Allowed::NOTHING)
            {
                return Err(errors::seeds_differ(self.args.placing.seed, seed, file, &how));
            }
        }
        Ok(())
    }
}

impl Subject for Setting<'_> {
    fn name(&self) -> String {
        self.graph.display().to_string()
    }

    fn started(
        &self,
        seed: u64,
        number: usize,
        progress: &mut dyn FnMut(&str),
        invocation: &mut Invocation,
    ) -> Option<Finished> {
        invocation.require(self.run(seed, number, progress))
    }

    fn output(&self, file: &str) -> PathBuf {
        self.folder(0).join(file)
    }

    fn judge(&self, finished: &Finished, invocation: &mut Invocation) -> Option<()> {
        let words = finished.stderr.replace("aiec-runtime: ", "");
        let status = match finished.status {
            Some(status) if !finished.timed_out() => status,
            _ => return invocation.fail(errors::timeout(self.args.timeout, &words)),
        };
        if status.success() {
            return Some(());
        }
        let deadlock = finished.events.iter().find_map(|event| match event {
            Event::Deadlock { input, .. } => Some(!input.is_empty()),
            _ => None,
        });
        let misused = finished.events.iter().any(|event| match event {
            Event::Misuse { severity, .. }
            | Event::Finding { severity, .. }
            | Event::MissingRelease { severity, .. } => severity != "warning" && severity != "note",
            _ => false,
        });
        let in_turn = finished
            .events
            .iter()
            .any(|event| matches!(event, Event::Turns(turns) if turns.severity == "error"));
        let no_input = finished.events.iter().any(|event| matches!(event, Event::NoInput {}));
        invocation.fail(match deadlock {
            _ if no_input => errors::no_input_file(&words, &self.inputs.first().display().to_string()),
            Some(true) => errors::graph_starved(&words),
            Some(false) => errors::graph_deadlock(&words),
            None if misused => errors::graph_misuse(&words),
            None if in_turn => errors::graph_turns(&words),
            None => {
                let output = errors::Output { stderr: &words, stdout: &finished.stdout };
                errors::failed(&status.to_string(), output, finished.crashed())
            }
        })
    }

    fn compare(&self, _finished: &Finished, invocation: &mut Invocation) -> Compared {
        let mut notes = Vec::new();
        let same = compare_goldens(self.args, self.listing, self.goldens, &mut notes, invocation);
        Compared { notes, same: same.is_some() }
    }

    fn files(&self) -> Vec<String> {
        let goldens = self.goldens.iter().map(|(_, golden)| golden.as_path());
        let left_out = left_out(self.args, self.listing, self.goldens);
        let not_taken = not_taken(&self.args.golden, goldens);
        left_out.into_iter().chain(not_taken).chain(written(self.args, self.listing)).collect()
    }

    fn other(&self, seed: u64, number: usize, invocation: &mut Invocation) -> Option<()> {
        let finished = invocation.require(self.run(seed, number, &mut |_| {}))?;
        let right = self.judge(&finished, invocation);
        with_seed(seed, right, invocation)?;
        invocation.require(self.same_outputs(seed, number))
    }

    fn aside<'f>(&self, finished: &'f Finished) -> &'f str {
        &finished.stderr
    }
}

/// The working folder of the program: the project's folder if the user named one, since its files
/// are relative to it.
fn directory(args: &Sim) -> &Path {
    if args.input.design.is_dir() { &args.input.design } else { Path::new(".") }
}

// --- comparing ---

/// The text of an output file for comparison: its packets sorted, if they may come in any order.
fn comparable(args: &Sim, listing: &Listing, file: &str, text: String) -> String {
    let is_this = |wanted: &String| listing.output(wanted).is_some_and(|(output, _)| output == file);
    if args.graph.any_order.iter().any(is_this) { sorted(&text) } else { text }
}

/// The packets of a file, sorted by text; lines, if it has no packets. A TLAST line stands before
/// the last line of a packet (UG1076).
fn sorted(text: &str) -> String {
    let packets = text.lines().any(|line| line.trim() == "TLAST");
    let mut all = vec![String::new()];
    let mut last = !packets;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line == "TLAST" {
            last = true;
        } else if let Some(packet) = all.last_mut() {
            *packet += line;
            packet.push('\n');
            if last {
                all.push(String::new());
                last = !packets;
            }
        }
    }
    all.sort();
    all.concat()
}

/// The output files and golden files of every `--golden`.
fn goldens(args: &Sim, listing: &Listing) -> Result<Vec<(String, PathBuf)>, Diagnostic> {
    let one = |argument: &String| {
        let (output, golden) = match argument.split_once('=') {
            Some((wanted, golden)) => (listing.output(wanted), golden),
            None => {
                let name = Path::new(argument).file_name().and_then(|name| name.to_str());
                let only = (listing.outputs.len() == 1).then(|| &listing.outputs[0]);
                (name.and_then(|name| listing.output(name)).or(only), argument.as_str())
            }
        };
        Some((output?.0.clone(), PathBuf::from(golden)))
    };
    let find = |argument: &String| match is_folder(argument) {
        true => {
            let found = goldens_in(Path::new(argument), listing);
            let names: Vec<&str> = written_files(listing).collect();
            if found.is_empty() { Err(errors::no_golden_in(argument, &names)) } else { Ok(found) }
        }
        false => {
            let unknown = || errors::unknown_output(argument, &listing.output_names());
            one(argument).map(|found| vec![found]).ok_or_else(unknown)
        }
    };
    Ok(args.golden.iter().map(find).collect::<Result<Vec<_>, _>>()?.concat())
}

/// The golden files of the outputs in `folder`: by the path of the output's file, else by its name,
/// unless the file of another output has that name, too.
fn goldens_in(folder: &Path, listing: &Listing) -> Vec<(String, PathBuf)> {
    let name = |file: &str| Path::new(file).file_name().map(PathBuf::from);
    let one = |file: &str| {
        let is_only = written_files(listing).filter(|other| name(other) == name(file)).count() == 1;
        let by_name = name(file).filter(|_| is_only);
        let paths = std::iter::once(PathBuf::from(file)).chain(by_name).map(|path| folder.join(path));
        let mut there = paths.filter(|path| matches!(files::kind(path), Ok(files::Kind::Other)));
        Some((file.to_owned(), there.next()?))
    };
    written_files(listing).filter_map(one).collect()
}

/// Checks that every file of `--golden` can be read, so that a wrong name fails before anything is
/// compiled.
fn golden_files_are_there(args: &Sim) -> Result<(), Diagnostic> {
    let file = |argument: &String| match argument.split_once('=') {
        Some((_, golden)) => PathBuf::from(golden),
        None => PathBuf::from(argument),
    };
    let mut files_alone = args.golden.iter().filter(|argument| !is_folder(argument));
    files_alone.try_for_each(|argument| files::read_text(&file(argument), MAX_DATA, None).map(drop))
}

/// Checks that every `--any-order` and `--skip` names an output.
fn known_outputs(args: &Sim, listing: &Listing) -> Result<(), Diagnostic> {
    let skips = args.graph.skip.iter().filter_map(|skip| Some(("--skip", skip.output.as_ref()?)));
    let mut named = args.graph.any_order.iter().map(|wanted| ("--any-order", wanted)).chain(skips);
    let unknown = named.find(|(_, wanted)| listing.output(wanted).is_none());
    unknown.map_or(Ok(()), |(option, wanted)| {
        Err(errors::no_such_output(option, wanted, &listing.output_names()))
    })
}

fn compare_goldens(
    args: &Sim,
    listing: &Listing,
    goldens: &[(String, PathBuf)],
    notes: &mut Vec<String>,
    invocation: &mut Invocation,
) -> Option<()> {
    let mut same = true;
    for (file, golden) in goldens {
        let read = |path: &Path| {
            Ok::<_, Diagnostic>(comparable(args, listing, file, files::read_text(path, MAX_DATA, None)?))
        };
        let expected = invocation.require(read(golden))?;
        let output = args.graph.output.join(file);
        let found = invocation.require(read(&output))?;
        let is_it = |wanted: &str| listing.output(wanted).is_some_and(|(output, _)| output == file);
        let allowed = Allowed::of(&args.graph.tolerance, &args.graph.skip, is_it);
        match numbers::compare(&found, &expected, allowed) {
            Comparison::Equal(count) => notes.push(allowed.equal(file, count, golden)),
            Comparison::Different(how) => {
                same = false;
                let (output, golden) = (output.display().to_string(), golden.display().to_string());
                invocation.log.diagnostics.push(errors::graph_differs(&output, &golden, &how));
            }
        }
    }
    same.then_some(())
}

/// A line about the outputs for which a folder of goldens has no file.
fn left_out(args: &Sim, listing: &Listing, goldens: &[(String, PathBuf)]) -> Option<String> {
    args.golden.iter().find(|argument| is_folder(argument))?;
    let is_compared = |file: &str| goldens.iter().any(|(compared, _)| compared == file);
    let others: Vec<&str> = written_files(listing).filter(|&file| !is_compared(file)).collect();
    (!others.is_empty())
        .then(|| format!("{NOT_COMPARED}{}; no file of the folder has the name", others.join(", ")))
}

/// The files of the outputs.
fn written_files(listing: &Listing) -> impl Iterator<Item = &str> {
    listing.outputs.iter().map(|(file, _)| file.as_str())
}

/// Lines that tell the user the files that were written.
fn written(args: &Sim, listing: &Listing) -> Vec<String> {
    let path = |file: &String| args.graph.output.join(file).display().to_string();
    listing.outputs.iter().map(|(file, name)| format!("{name} wrote {}", path(file))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_sorted_whole_and_lines_where_there_are_none() {
        assert_eq!(sorted("3\n4\nTLAST\n1\n2\nTLAST\n9\n"), sorted("2\nTLAST\n9\n3\n4\nTLAST\n1\n"));
        assert_ne!(sorted("3\nTLAST\n1\n2\nTLAST\n9\n"), sorted("2\nTLAST\n1\n3\nTLAST\n9\n"));
        assert_eq!(sorted("2 1\n1 2\n"), "1 2\n2 1\n");
    }
}
