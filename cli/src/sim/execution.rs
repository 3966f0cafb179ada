//! Runs of a design on the host: compilation, the runs of all seeds, and the comparison of their
//! outputs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use aiec_check::Checked;
use aiec_codegen::{EmitOptions, OutputFile};
use aiec_diag::{Diagnostic, count};
use aiec_host_run::{compare, errors, goldens, numbers, warnings};
use aiec_ir::ExternalId;
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{DataEnd, PortRole};
use aiec_ir::{Direction, KernelId};

use crate::args::{GraphRun, Sim};
use crate::invocation::Invocation;
use crate::output::Console;
use crate::pipeline::Front;
use crate::search::Wait;
use crate::sim::findings::judge;
use aiec_host_run::build::{COUNTING, Recipe, STRICT};
use aiec_host_run::events::Event;
use aiec_host_run::numbers::{Allowed, Comparison};
use aiec_host_run::program::{self, Finished, Running, Workspace};
use aiec_system::files::{self, MAX_DATA};

/// The folder in which simulators write the data of PLIO outputs (UG1076, x86simulator).
const PLIO_OUTPUT: &str = "x86simulator_output";

/// Runs the seeds of `args` after the first. `one` gets a seed and its number, and returns None
/// after it logged why that run does not end like the first. Adds a line about them to `notes`, if
/// there are any. Returns None when one failed, and logs the first fault of the first such seed.
pub(super) fn other_seeds(
    args: &Sim,
    invocation: &mut Invocation,
    notes: &mut Vec<String>,
    one: impl Fn(u64, usize, &mut Invocation) -> Option<()> + Sync,
) -> Option<()> {
    let more = usize::try_from(args.graph.seeds).unwrap_or(usize::MAX).saturating_sub(1);
    let sources = &invocation.sources;
    let run = |seed, number| {
        let mut own = Invocation { sources: sources.clone(), ..Invocation::default() };
        one(seed, number, &mut own).ok_or_else(|| Box::new(own))
    };
    match program::other_seeds(args.placing.seed, more, args.placing.jobs.map(usize::from), run) {
        Ok(note) => {
            notes.extend(note);
            Some(())
        }
        Err(failed) => {
            // Its labels may lie in texts that only this run has read.
            invocation.sources = failed.sources;
            invocation.log.diagnostics.extend(failed.log.diagnostics.into_iter().next());
            None
        }
    }
}

/// The result of a run with `seed`. Its faults name the seed.
pub(super) fn with_seed<T>(seed: u64, result: Option<T>, run: &mut Invocation) -> Option<T> {
    if result.is_none() {
        run.log.diagnostics.iter_mut().for_each(|fault| errors::with_seed(fault, seed));
    }
    result
}

/// The wait for a run of the program, which `Wait::say` gets the runtime's lines of progress.
pub(super) fn running(invocation: &Invocation) -> Wait {
    Wait::new("running the graph", invocation.progress)
}

/// The files of an emitted project.
#[derive(Clone, Copy)]
pub(crate) struct Emitted<'a> {
    /// What aiec wrote and what it copied, by path below the project.
    pub(crate) files: &'a [OutputFile],
    /// The user's sources and data among them.
    pub(crate) user: &'a EmitOptions,
}

/// Compiles the emitted project below the workspace like any graph. Warnings about generated files
/// are errors; warnings about the user's kernels are printed. Returns false when arrays do not fit
/// their stacks, which it logs. The run shows other faults.
pub(super) fn compile(
    machine: &Machine<'_>,
    workspace: &Workspace<'_>,
    emitted: Emitted<'_>,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<bool> {
    let Emitted { files, user } = emitted;
    let project = workspace.project(0);
    // Where kernels are counted, their text is changed, and warnings may be about the change.
    let strict = match machine.counts {
        true => vec!["-w".to_owned(), COUNTING.to_owned()],
        false => STRICT.map(str::to_owned).to_vec(),
    };
    let recipe = Recipe {
        cxx: machine.cxx,
        graph: &project.join("aie/graph.cpp"),
        include: &[project.join("aie"), project.join("aie/include")],
        flags: strict.into_iter().chain(machine.graph.cxxflag.clone()).collect(),
        root: workspace.root,
        ours: true,
        stack: None,
        directory: Path::new("."),
        known: &|_| Ok(()),
    };
    let wait = Wait::new("compiling the graph", invocation.progress);
    let built = recipe.build_telling(&|phase| wait.say(phase));
    drop(wait);
    let built = invocation.require(built.map_err(|fault| with_originals(fault, files)))?;
    let texts: BTreeSet<&str> = user.sources.iter().map(|source| source.text.as_str()).collect();
    let is_ours = |file: &OutputFile| !texts.contains(file.text.as_str());
    let own: Vec<String> = files
        .iter()
        .filter(|file| is_ours(file))
        .map(|file| project.join(&file.path).display().to_string())
        .collect();
    let (ours, theirs) = warnings::sorted(&built.warnings, &own);
    if !ours.is_empty() {
        return invocation.fail(errors::compile(&ours.concat()));
    }
    for warning in theirs {
        console.error(&with_users_paths(&warning, files, &project));
    }
    let overflows = built.overflows.into_iter().map(|one| one.text).collect::<Vec<_>>();
    if !overflows.is_empty() {
        invocation.log.diagnostics.push(errors::stack(&overflows));
    }
    Some(overflows.is_empty())
}

/// The words of a compiler with the paths of the design instead of those of copies in `project`.
fn with_users_paths(words: &str, files: &[OutputFile], project: &Path) -> String {
    let mut words = words.replace(&format!("{}/", project.display()), "");
    for (file, original) in files.iter().filter_map(|file| Some((file, file.copy_of.as_ref()?))) {
        words = words.replace(&format!("{}:", file.path), &format!("{original}:"));
    }
    words
}

/// A fault that names the user's files as the design does, instead of their copies in the project.
fn with_originals(mut fault: Diagnostic, files: &[OutputFile]) -> Diagnostic {
    for (file, original) in files.iter().filter_map(|file| Some((file, file.copy_of.as_ref()?))) {
        fault.message = fault.message.replace(&format!("`{}:", file.path), &format!("`{original}:"));
    }
    fault
}

/// Options for running designs on the host.
#[derive(Clone, Copy)]
pub(crate) struct Machine<'a> {
    /// The command of the C++ compiler (`--cxx`).
    pub(crate) cxx: &'a str,
    /// Options of the run.
    pub(crate) graph: &'a GraphRun,
    /// Limit on the seconds of the run.
    pub(crate) timeout: u64,
    /// True to count what kernels execute.
    pub(crate) counts: bool,
}

/// The common inputs of all runs of one design.
pub(super) struct Run<'a> {
    /// The device, the profile and the checked design.
    pub(super) front: &'a Front,
    /// Folder of the project and the reports.
    pub(super) workspace: &'a Workspace<'a>,
    /// Compiler, options and time limit.
    pub(super) machine: Machine<'a>,
    /// Outputs with their golden files.
    pub(super) goldens: &'a [(DataEnd, PathBuf)],
    /// The files of the project.
    pub(super) files: &'a [OutputFile],
    /// The kernels in the order in which the graph creates them.
    pub(super) kernels: &'a [KernelId],
    /// The kernels of each core on which constraints put several.
    pub(super) cores: &'a [Vec<KernelId>],
    /// The folder of the design.
    pub(super) folder: &'a Path,
}

impl Run<'_> {
    /// Runs the program once. Does not check how the run ended.
    pub(super) fn started(
        &self,
        number: usize,
        seed: u64,
        progress: &mut dyn FnMut(&str),
        invocation: &mut Invocation,
    ) -> Option<Finished> {
        let program = self.workspace.root.join("program");
        let (graph, timeout) = (self.machine.graph, self.machine.timeout);
        let running = Running {
            program: &program,
            unbounded: graph.unbounded,
            lenient: graph.lenient,
            strict: true,
            kernels: self.kernels,
            cores: Some(self.cores),
            timeout,
        };
        let (project, folder) = (self.workspace.project(number), self.workspace.folder(number));
        invocation.require(running.once(seed, &project, &folder, &[], progress))
    }

    /// Compares outputs with references and golden files. Returns the lines to print when all
    /// agree.
    pub(super) fn compare(
        &self,
        number: usize,
        finished: &Finished,
        invocation: &mut Invocation,
    ) -> Option<Vec<String>> {
        let (checked, graph) = (&self.front.checked, self.machine.graph);
        let project = self.workspace.project(number);
        let output = |end: DataEnd| read_output(checked, end, &project);
        let mut findings = compare::collectives(checked, &finished.events, &output);
        for (end, file) in self.goldens {
            let text = invocation.require(files::read_text(file, MAX_DATA, None))?;
            let allowed = Allowed::of(&graph.tolerance, &graph.skip, |name| name == checked.data_name(*end));
            match goldens::compare(checked, *end, goldens::Golden { file, text: &text }, allowed, &output) {
                Ok(note) => findings.notes.push(note),
                Err(fault) => findings.faults.push(*fault),
            }
        }
        if findings.faults.is_empty() {
            findings.notes.extend(not_compared(checked, self.goldens));
            return Some(findings.notes);
        }
        invocation.log.diagnostics.extend(errors::by_declaration(findings.faults));
        None
    }

    /// Runs another seed in a copy of the project. It must end well and write the same output as
    /// the first. Returns None when it does not, and logs why.
    pub(super) fn other(&self, first: u64, seed: u64, number: usize, one: &mut Invocation) -> Option<()> {
        one.require(files::write_all(&self.workspace.project(number), texts(self.files)))?;
        let finished = self.started(number, seed, &mut |_| {}, one);
        let right = finished.and_then(|finished| {
            judge(self, &finished, one)?;
            self.compare(number, &finished, one)
        });
        with_seed(seed, right, one)?;
        let checked = &self.front.checked;
        for end in checked.data_ends(Direction::In) {
            let read =
                |number| read_output(checked, end, &self.workspace.project(number)).unwrap_or_default();
            if let Comparison::Different(how) = numbers::compare(&read(number), &read(0), Allowed::NOTHING) {
                return one.fail(errors::seeds_differ(first, seed, checked.data_name(end), &how));
            }
        }
        Some(())
    }
}

/// Checks that every input of the design has its data.
pub(super) fn inputs_are_there(
    checked: &Checked,
    user: &EmitOptions,
    invocation: &mut Invocation,
) -> Option<()> {
    let mut missing = Vec::new();
    for end in aiec_codegen::file_inputs(checked) {
        let file = aiec_codegen::data_file(checked, end);
        let connected = checked.data_carries(end).is_some();
        if connected && user.data.iter().all(|data| data.path != file) {
            let (name, span) = (checked.data_name(end), checked.data_span(end));
            missing.push((name, file, span));
        }
    }
    if missing.is_empty() { Some(()) } else { invocation.fail(errors::no_input(&missing)) }
}

/// Path and text of every file of a project.
pub(super) fn texts(files: &[OutputFile]) -> impl Iterator<Item = (&str, &str)> {
    files.iter().map(|file| (file.path.as_str(), file.text.as_str()))
}

/// The outputs without any comparison: neither with golden files nor with the definition of a
/// collective.
fn not_compared(checked: &Checked, goldens: &[(DataEnd, PathBuf)]) -> Option<String> {
    let of_collective = |end: DataEnd| {
        let mut writers = checked.data_peers(end).into_iter();
        writers.any(|port| matches!(checked.ports[port].role, PortRole::Result(_)))
    };
    let outputs = checked.data_ends(Direction::In);
    let open = outputs.filter(|&end| !of_collective(end) && goldens.iter().all(|(golden, _)| *golden != end));
    let names: Vec<String> = open.map(|end| format!("`{}`", checked.data_name(end))).collect();
    (!names.is_empty())
        .then(|| format!("{NOT_COMPARED}{}; --golden OUTPUT=FILE compares an output", names.join(", ")))
}

/// What begins the list of outputs that no golden was compared with.
pub(crate) const NOT_COMPARED: &str = "not compared: ";

/// The text that an output or parameter received.
pub(super) fn read_output(checked: &Checked, end: DataEnd, project: &Path) -> Result<String, String> {
    files::read_text(&output_path(checked, end, project), MAX_DATA, None)
        .map_err(|diagnostic| diagnostic.message)
}

/// The file to which a run in `project` writes an output or parameter.
pub(super) fn output_path(checked: &Checked, end: DataEnd, project: &Path) -> PathBuf {
    let file = aiec_codegen::data_file(checked, end);
    let is_plio = |id: ExternalId| matches!(checked.externals[id].endpoint, Endpoint::Plio { .. });
    match end {
        DataEnd::External(id) if is_plio(id) => project.join(PLIO_OUTPUT).join(file),
        DataEnd::External(_) | DataEnd::Parameter(_) => project.join(file),
    }
}

pub(super) fn runs(finished: &Finished) -> String {
    let firings = finished.events.iter().rev().find_map(|event| match event {
        Event::End { firings, .. } => Some(*firings),
        _ => None,
    });
    format!("ran to its end, {}", count(firings.unwrap_or(0), "kernel run"))
}

/// The host memory that the run took.
pub(super) fn memory(finished: &Finished) -> Option<String> {
    let kib = |bytes: u64| bytes.div_ceil(1024);
    finished.events.iter().rev().find_map(|event| match event {
        Event::End { largest, memory, .. } if *memory > 0 => {
            Some(format!("memory: at most {} KiB for a kernel, {} KiB for all", kib(*largest), kib(*memory)))
        }
        _ => None,
    })
}
