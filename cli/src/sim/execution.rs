//! Runs of a design on the host: compilation, the runs of all seeds, and the comparison of their
//! outputs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use aiec_check::Checked;
use aiec_codegen::{EmitOptions, OutputFile};
use aiec_diag::Diagnostic;
use aiec_host_run::windows::port;
use aiec_host_run::{compare, errors, events, numbers, warnings, windows};
use aiec_ir::Direction;
use aiec_ir::ExternalId;
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{External, Owner, PortRole};

use crate::args::{GraphRun, Sim};
use crate::invocation::Invocation;
use crate::output::Console;
use crate::pipeline::Front;
use aiec_host_run::build::Recipe;
use aiec_host_run::events::Event;
use aiec_host_run::numbers::{Allowed, Comparison};
use aiec_host_run::program::{self, Finished, Running, Workspace};
use aiec_system::files::{self, MAX_DATA};

/// The folder in which simulators write the data of PLIO outputs (UG1076, x86simulator).
const PLIO_OUTPUT: &str = "x86simulator_output";

/// Runs the seeds of `args` after the first. `one` gets a seed and its number, and fails unless that
/// run ends like the first. Returns a line about them, or None when there is one seed.
pub(super) fn other_seeds(
    args: &Sim,
    one: impl Fn(u64, usize) -> Result<(), Diagnostic> + Sync,
) -> Result<Option<String>, Diagnostic> {
    let more = usize::try_from(args.graph.seeds).unwrap_or(usize::MAX).saturating_sub(1);
    program::other_seeds(args.placing.seed, more, args.placing.jobs.map(usize::from), one)
}

/// Prints lines of progress to standard error if `wanted`.
pub(super) fn progress(wanted: bool, console: &mut Console<'_>) -> impl FnMut(&str) {
    move |line| {
        if wanted {
            console.error(&format!("{line}\n"));
        }
    }
}

/// Compiles the emitted project below the workspace like any graph. Warnings about generated files
/// are errors; warnings about the user's kernels are printed. Returns false when arrays do not fit
/// their stacks, which it logs. The run shows other faults.
pub(super) fn compile(
    machine: &Machine<'_>,
    workspace: &Workspace<'_>,
    files: &[OutputFile],
    user: &EmitOptions,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<bool> {
    let project = workspace.project(0);
    let strict = ["-Wall", "-Wextra"].map(str::to_owned);
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
    let built = invocation.require(recipe.build())?;
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
        console.error(&warning.replace(&format!("{}/", project.display()), ""));
    }
    let overflows = built.overflows.into_iter().map(|one| one.text).collect::<Vec<_>>();
    if !overflows.is_empty() {
        invocation.log.diagnostics.push(errors::stack(&overflows));
    }
    Some(overflows.is_empty())
}

/// Options for running designs on the host.
#[derive(Clone, Copy)]
pub(crate) struct Machine<'a> {
    /// The C++ compiler.
    pub(crate) cxx: &'a str,
    /// Options of the run.
    pub(crate) graph: &'a GraphRun,
    /// Limit on the seconds of the run.
    pub(crate) timeout: u64,
}

/// The common inputs of all runs of one design.
pub(super) struct Run<'a> {
    /// The design, checked.
    pub(super) front: &'a Front,
    /// Folder of the project and the reports.
    pub(super) workspace: &'a Workspace<'a>,
    /// Compiler, options and time limit.
    pub(super) machine: Machine<'a>,
    /// Outputs with their golden files.
    pub(super) goldens: &'a [(ExternalId, PathBuf)],
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
            timeout,
        };
        let (project, folder) = (self.workspace.project(number), self.workspace.folder(number));
        invocation.require(running.once(seed, &project, &folder, &[], progress))
    }

    pub(super) fn compare(
        &self,
        number: usize,
        finished: &Finished,
        invocation: &mut Invocation,
    ) -> Option<Vec<String>> {
        let project = self.workspace.project(number);
        compare(self.front, &project, self.machine.graph, finished, self.goldens, invocation)
    }

    /// Runs the other seeds, each in a copy of the project. All must end well and write the same
    /// output as the first.
    pub(super) fn other_seeds(&self, args: &Sim, files: &[OutputFile]) -> Result<Option<String>, Diagnostic> {
        let first = args.placing.seed;
        other_seeds(args, |seed, number| self.other(first, seed, number, files))
    }

    fn other(&self, first: u64, seed: u64, number: usize, files: &[OutputFile]) -> Result<(), Diagnostic> {
        files::write_all(&self.workspace.project(number), texts(files))?;
        let mut one = Invocation::default();
        let finished = self.started(number, seed, &mut |_| {}, &mut one);
        let right = finished.and_then(|finished| {
            judge(self.front, &finished, self.machine.timeout, &mut one)?;
            self.compare(number, &finished, &mut one)
        });
        if right.is_none() {
            return Err(errors::with_seed(one.log.diagnostics.remove(0), seed));
        }
        let checked = &self.front.checked;
        for (id, output) in checked.externals.enumerate().filter(|(_, e)| e.direction == Direction::In) {
            let read = |number| read_output(checked, id, &self.workspace.project(number)).unwrap_or_default();
            if let Comparison::Different(how) = numbers::compare(&read(number), &read(0), Allowed::NOTHING) {
                return Err(errors::seeds_differ(first, seed, &output.name, &how));
            }
        }
        Ok(())
    }
}

/// Checks that every input of the design has its data.
pub(super) fn inputs_are_there(
    checked: &Checked,
    user: &EmitOptions,
    invocation: &mut Invocation,
) -> Option<()> {
    let mut complete = true;
    for (id, input) in
        checked.externals.enumerate().filter(|(_, external)| external.direction == Direction::Out)
    {
        let file = aiec_codegen::data_file(checked, id);
        let connected = !checked.ports[input.port].connections.is_empty();
        if connected && user.data.iter().all(|data| data.path != file) {
            complete = false;
            invocation.log.diagnostics.push(errors::no_input(&input.name, &file, input.span));
        }
    }
    complete.then_some(())
}

/// Path and text of every file of a project.
pub(super) fn texts(files: &[OutputFile]) -> impl Iterator<Item = (&str, &str)> {
    files.iter().map(|file| (file.path.as_str(), file.text.as_str()))
}

/// Turns the faults of the run into diagnostics.
pub(super) fn judge(
    front: &Front,
    finished: &Finished,
    timeout: u64,
    invocation: &mut Invocation,
) -> Option<()> {
    let events = &finished.events;
    let rates = windows::faults(&front.checked, events);
    // A deadlock with wrong window counts has these counts as its cause.
    let cause = |event: &&Event| rates.is_empty() || !matches!(event, Event::Deadlock { .. });
    let mut faults: Vec<Diagnostic> =
        events.iter().filter(cause).flat_map(|event| faults_of(front, event)).collect();
    let explained = !rates.is_empty();
    faults.extend(rates);
    if !explained
        && events.iter().any(|event| matches!(event, Event::Deadlock { blocked, .. } if blocked.is_empty()))
    {
        faults.extend(compare::calls(&front.checked, events));
    }
    let failed = finished.status.is_none_or(|status| !status.success());
    if !failed && faults.is_empty() {
        return Some(());
    }
    if faults.is_empty() {
        let fault = match finished.status {
            Some(status) if !finished.timed_out() => {
                errors::failed(&status.to_string(), &finished.stderr, finished.crashed())
            }
            _ => errors::timeout(timeout, &finished.stderr),
        };
        return invocation.fail(fault);
    }
    invocation.log.diagnostics.extend(faults);
    None
}

fn faults_of(front: &Front, event: &Event) -> Vec<Diagnostic> {
    let checked = &front.checked;
    match event {
        Event::MissingRelease(at) => port(checked, at)
            .map(|port| {
                let kernel = checked.owner_name(checked.ports[port].owner);
                errors::missing_release(&checked.port_name(port), kernel, checked.ports[port].span)
            })
            .into_iter()
            .collect(),
        Event::Misuse { severity, .. } if severity == "note" => Vec::new(),
        Event::Misuse { port: at, what, .. } => port(checked, at)
            .map(|port| errors::misuse(&checked.port_name(port), what, checked.ports[port].span))
            .into_iter()
            .collect(),
        Event::Deadlock { input, .. } if !input.is_empty() => input
            .iter()
            .map(|starved| too_little(checked, &starved.file, starved.needed, starved.found))
            .collect(),
        Event::Deadlock { blocked, gmio, .. } if blocked.is_empty() => {
            let find = |name: &str| checked.externals.iter().find(|e| e.identifier == name);
            let left = |port: &events::Pending| {
                let external = find(&port.name);
                let say = match external.map(|external| external.direction) {
                    Some(Direction::Out) => errors::input_left,
                    _ => errors::output_waits,
                };
                say(&port.name, port.bytes, external.map(|external| external.span))
            };
            gmio.iter().map(left).collect()
        }
        Event::Deadlock { blocked, .. } => {
            let waits = |b: &events::Blocked| -> Option<_> {
                let port = port(checked, &b.port)?;
                Some((checked.port_name(port), b.waits.clone(), checked.ports[port].span))
            };
            let waiting: Vec<_> = blocked.iter().filter_map(waits).collect();
            let waiting: Vec<_> =
                waiting.iter().map(|(name, waits, span)| (name.clone(), waits.as_str(), *span)).collect();
            vec![errors::deadlock(&waiting)]
        }
        Event::Finding { what, .. } => vec![errors::finding(what)],
        Event::Contribution(_)
        | Event::Result(_)
        | Event::Windows(_)
        | Event::NoInput {}
        | Event::Timeout {}
        | Event::Crash {}
        | Event::End { .. }
        | Event::Unknown => Vec::new(),
    }
}

fn too_little(checked: &Checked, file: &str, needed: u64, found: u64) -> Diagnostic {
    let reads = |endpoint: &Endpoint| match endpoint {
        Endpoint::Plio { file: name, .. } => name == file,
        Endpoint::Gmio { file: name, .. } => name.as_deref() == Some(file),
    };
    let input = checked.externals.iter().find(|external| reads(&external.endpoint));
    let needed = match input {
        Some(input) if needed == 0 => values_through(checked, input),
        _ => needed,
    };
    errors::starved(input.map_or("", |input| &input.name), file, needed, found, input.map(|input| input.span))
}

/// Elements that go through an input in all iterations.
fn values_through(checked: &Checked, input: &External) -> u64 {
    let port = &checked.ports[input.port];
    let id = match port.owner {
        Owner::External(id) => id,
        Owner::Kernel(_) => return 0,
    };
    let windows = checked.windows_through(id).unwrap_or(0).saturating_mul(checked.iterations.into());
    port.carries
        .and_then(aiec_ir::Carries::per_run)
        .map_or(0, |window| windows.saturating_mul(window.elements.into()))
}

/// Compares outputs with references and golden files. Returns the lines to print when all agree.
fn compare(
    front: &Front,
    project: &Path,
    graph: &GraphRun,
    finished: &Finished,
    goldens: &[(ExternalId, PathBuf)],
    invocation: &mut Invocation,
) -> Option<Vec<String>> {
    let checked = &front.checked;
    let events = &finished.events;
    let output = |external: ExternalId| read_output(checked, external, project);
    let mut findings = compare::collectives(checked, events, &output);
    for (external, file) in goldens {
        let text = invocation.require(files::read_text(file, MAX_DATA, None))?;
        let allowed =
            Allowed::of(&graph.tolerance, &graph.skip, |name| name == checked.externals[*external].name);
        match compare::golden(checked, *external, compare::Golden { file, text: &text }, allowed, &output) {
            Ok(note) => findings.notes.push(note),
            Err(fault) => findings.faults.push(*fault),
        }
    }
    if findings.faults.is_empty() {
        findings.notes.extend(not_compared(checked, goldens));
        return Some(findings.notes);
    }
    invocation.log.diagnostics.extend(findings.faults);
    None
}

/// The outputs without any comparison: neither with golden files nor with the definition of a
/// collective.
fn not_compared(checked: &Checked, goldens: &[(ExternalId, PathBuf)]) -> Option<String> {
    let of_collective = |external: &External| {
        let writers = checked.ports[external.port].connections.iter().map(|&c| checked.connections[c].from);
        writers.into_iter().any(|port| matches!(checked.ports[port].role, PortRole::Result(_)))
    };
    let outputs = checked.externals.enumerate().filter(|(_, external)| external.direction == Direction::In);
    let open = outputs.filter(|(id, e)| !of_collective(e) && goldens.iter().all(|(golden, _)| golden != id));
    let names: Vec<String> = open.map(|(_, external)| format!("`{}`", external.name)).collect();
    (!names.is_empty())
        .then(|| format!("not compared: {}; --golden OUTPUT=FILE compares an output", names.join(", ")))
}

/// The text that output `external` received.
pub(super) fn read_output(checked: &Checked, external: ExternalId, project: &Path) -> Result<String, String> {
    let file = aiec_codegen::data_file(checked, external);
    let path = match checked.externals[external].endpoint {
        Endpoint::Plio { .. } => project.join(PLIO_OUTPUT).join(file),
        Endpoint::Gmio { .. } => project.join(file),
    };
    files::read_text(&path, MAX_DATA, None).map_err(|diagnostic| diagnostic.message)
}

pub(super) fn runs(finished: &Finished) -> String {
    let firings = finished.events.iter().rev().find_map(|event| match event {
        Event::End { firings, .. } => Some(*firings),
        _ => None,
    });
    format!("ran to its end, {} kernel runs", firings.unwrap_or(0))
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
