//! `aiec sim`: compiles the emitted C++, or any ADF graph (`foreign`), unchanged against the host
//! headers, runs it, and compares its outputs with a reference.

mod amounts;
mod drive;
mod execution;
mod findings;
mod foreign;
mod golden;
mod inputs;
mod outputs;
mod profiled;
mod timing;

use std::path::PathBuf;

use aiec_check::Checked;
use aiec_codegen::{EmitOptions, OutputFile};
use aiec_diag::{Diagnostic, catalogue};
use aiec_ir::Direction;
use aiec_ir::expanded::DataEnd;

use crate::args::Sim;
use crate::invocation::{Invocation, emit, emit_options, finish, is_ours, open};
use crate::kernels::{self, Compiling};
use crate::locate::graph_of;
use crate::output::Console;
use crate::pipeline::{self, Back, Front, Log};
use crate::search::Timing;
use crate::sim::drive::{Compared, Ready, Subject};
pub(crate) use crate::sim::execution::{Emitted, Machine, NOT_COMPARED};
use crate::sim::execution::{Run, compile, inputs_are_there, output_path, texts};
use crate::sim::findings::judge;
pub(crate) use crate::sim::golden::golden;
use crate::sim::outputs::Outputs;
use crate::sim::profiled::Profiled;
use crate::summary;
use crate::{choose, data, errors, project};
use aiec_host_run::program::{Finished, Workspace, absolute};
use aiec_host_run::windows;
use aiec_system::files;

/// Runs `aiec sim`. Returns None when it logs an error.
pub(crate) fn run(args: &Sim, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    if let Some(graph) = graph_of(&args.input.design) {
        return foreign::run(args, &graph, invocation, console);
    }
    if !args.code.constraints.is_empty() {
        let shown = args.input.design.display().to_string();
        return invocation.fail(errors::constraints_of_design(&shown));
    }
    let profiled = Profiled::read(&args.profiled, invocation)?;
    let (source, options) = open(&args.input, None, Some(&args.placing), invocation)?;
    let front = match args.unplaced {
        true => choose::unplaced(&source, &options, &mut invocation.log)?,
        false => choose::front(&source, &options, &args.placing, invocation)?,
    };
    is_ours(&front, &args.input, invocation)?;
    let goldens = invocation.require(golden::files(&front.checked, args))?;
    let mut user = emit_options(&front, &args.input, &options, invocation)?;
    if let Some(folder) = &args.graph.input {
        user.data = invocation.require(inputs::data_in(folder, &front.checked))?;
    }
    inputs_are_there(&front.checked, &user, invocation)?;
    data::check(&front.checked, &user, invocation)?;
    data::check_goldens(&front.checked, &goldens, invocation)?;
    let written: Vec<(DataEnd, String)> = outputs_of(&front.checked).collect();
    let outputs = Outputs::new(
        &args.graph,
        written.iter().map(|(_, file)| file.as_str()),
        &originals(args, &front.checked, &goldens),
    );
    let outputs = invocation.require(outputs)?;
    sources_fit(args, &front, &user, invocation)?;
    let back = match args.unplaced {
        true => None,
        false => Some(finish(&front, &args.placing, &options, invocation)?),
    };
    let files = emitted(&front, back.as_ref(), user.clone(), invocation)?;
    let folder = invocation.require(files::Folder::new(args.keep.as_deref()))?;
    let root = absolute(folder.path());
    let workspace = Workspace { root: &root };
    invocation.require(files::write_all(&workspace.project(0), texts(&files)))?;
    let machine = Machine { cxx: &args.cxx, graph: &args.graph, timeout: args.timeout, counts: args.timing };
    let fits = compile(&machine, &workspace, Emitted { files: &files, user: &user }, invocation, console)?;
    let kernels = aiec_codegen::creation_order(&front.checked, &front.device);
    let cores = aiec_check::shared_cores(&front.checked, &front.device);
    let run = Run {
        front: &front,
        workspace: &workspace,
        machine,
        goldens: &goldens,
        files: &files,
        kernels: &kernels,
        cores: &cores,
        folder: files::folder_of(&args.input.design),
    };
    let subject = Designed { run, args, written: &written, back: back.as_ref() };
    Ready { subject: &subject, outputs, profiled: &profiled, fits }.run(args, invocation, console)
}

/// The program of a design.
struct Designed<'a> {
    run: Run<'a>,
    args: &'a Sim,
    /// The connected outputs, each with its file.
    written: &'a [(DataEnd, String)],
    /// None for a design without placement.
    back: Option<&'a Back>,
}

impl Subject for Designed<'_> {
    fn name(&self) -> String {
        self.run.front.checked.name.value.clone()
    }

    fn started(
        &self,
        seed: u64,
        number: usize,
        progress: &mut dyn FnMut(&str),
        invocation: &mut Invocation,
    ) -> Option<Finished> {
        self.run.started(number, seed, progress, invocation)
    }

    fn output(&self, file: &str) -> PathBuf {
        let id = self.written.iter().find(|(_, of)| of == file).map(|(id, _)| *id);
        let project = self.run.workspace.project(0);
        id.map_or_else(PathBuf::new, |id| output_path(&self.run.front.checked, id, &project))
    }

    fn judge(&self, finished: &Finished, invocation: &mut Invocation) -> Option<()> {
        judge(&self.run, finished, invocation)
    }

    fn compare(&self, finished: &Finished, invocation: &mut Invocation) -> Compared {
        let notes = self.run.compare(0, finished, invocation);
        Compared { same: notes.is_some(), notes: notes.unwrap_or_default() }
    }

    fn kept(&self) -> Option<String> {
        let folder = self.args.graph.output.display();
        (!self.written.is_empty()).then(|| format!("outputs are in {folder}"))
    }

    fn other(&self, seed: u64, number: usize, invocation: &mut Invocation) -> Option<()> {
        self.run.other(self.args.placing.seed, seed, number, invocation)
    }

    fn details(&self, finished: &Finished) -> Vec<String> {
        let goldens = self.run.goldens.iter().map(|(_, file)| file.as_path());
        let mut notes: Vec<String> = golden::not_taken(&self.args.golden, goldens).into_iter().collect();
        notes.extend(self.kept());
        notes.extend(windows::amounts(&self.run.front.checked, &finished.events));
        notes.extend(windows::behind(&self.run.front.checked, &finished.events));
        notes
    }

    /// The timing model has to guess how kernels use async windows. So a model that gets stuck
    /// tells nothing about the design. `--timing` has the times with what the run counted.
    fn foretold(&self, progress: bool) -> Vec<String> {
        let Some(back) = self.back.filter(|_| !self.args.timing) else { return Vec::new() };
        let bar = Timing::new(progress);
        let timing = pipeline::timeline(self.run.front, back, &bar.watch(), &mut Log::default());
        summary::timing(self.run.front, back, timing.as_ref()).into_iter().collect()
    }

    fn design(&self) -> Option<(&Front, Option<&Back>)> {
        Some((self.run.front, self.back))
    }
}

/// The files of a placed design, or of a design without placement.
fn emitted(
    front: &Front,
    back: Option<&Back>,
    user: EmitOptions,
    invocation: &mut Invocation,
) -> Option<Vec<OutputFile>> {
    match back {
        Some(back) => emit(front, back, &EmitOptions { cut_short: back.cut_short, ..user }, invocation),
        None => invocation.log.take(aiec_codegen::emit_unplaced(&front.checked, &front.device, &user)),
    }
}

/// Compares the kernels' sources with the design, so that a wrong one is named before anything is
/// placed. Flags of the user may change what a source is, so with some the run alone decides.
fn sources_fit(args: &Sim, front: &Front, user: &EmitOptions, invocation: &mut Invocation) -> Option<()> {
    if !args.graph.cxxflag.is_empty() {
        return Some(());
    }
    let before = invocation.log.diagnostics.len();
    let device = args.input.reading.device.as_deref();
    let compiling = Compiling { design: &args.input.design, device, cxx: &args.cxx, jobs: args.placing.jobs };
    let fit = kernels::check(compiling, front, user, invocation).map(drop);
    // The run reports stacks itself, from the linked program.
    let of_run = |diagnostic: &Diagnostic| diagnostic.code == &catalogue::KERNEL_STACK;
    let new = invocation.log.diagnostics.split_off(before);
    invocation.log.diagnostics.extend(new.into_iter().filter(|diagnostic| !of_run(diagnostic)));
    fit
}

/// The connected outputs, each with its file.
fn outputs_of(checked: &Checked) -> impl Iterator<Item = (DataEnd, String)> {
    let connected = checked.data_ends(Direction::In).filter(|&end| !checked.data_peers(end).is_empty());
    connected.map(|end| (end, aiec_codegen::data_file(checked, end)))
}

/// The user's files that no output may replace.
fn originals(args: &Sim, checked: &Checked, goldens: &[(DataEnd, PathBuf)]) -> Vec<PathBuf> {
    let user = project::user_paths(checked, &args.input.design);
    let goldens = goldens.iter().map(|(_, file)| file.clone());
    user.into_iter().chain(goldens).chain([args.input.design.clone()]).collect()
}
