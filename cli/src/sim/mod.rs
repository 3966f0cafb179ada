//! `aiec sim`: compiles the emitted C++, or any ADF graph (`foreign`), unchanged against the host
//! headers, runs it, and compares its outputs with a reference.

mod execution;
mod foreign;
mod golden;
mod inputs;
mod outputs;

use std::path::PathBuf;

use aiec_check::Checked;
use aiec_codegen::{EmitOptions, OutputFile};
use aiec_diag::Diagnostic;
use aiec_host_run::errors;
use aiec_ir::Direction;
use aiec_ir::expanded::DataEnd;

use crate::args::Sim;
use crate::invocation::{Invocation, emit, emit_options, finish, open};
use crate::output::Console;
use crate::pipeline::{self, Back, Front, Log};
pub(crate) use crate::sim::execution::Machine;
use crate::sim::execution::{Run, compile, inputs_are_there, judge, memory, progress, runs, texts};
pub(crate) use crate::sim::golden::golden;
use crate::summary;
use aiec_host_run::program::{Workspace, absolute};
use aiec_system::files;

/// Runs `aiec sim`.
pub(crate) fn run(args: &Sim, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    if let Some(graph) = foreign::graph_of(&args.input.design) {
        return foreign::run(args, &graph, invocation, console);
    }
    let (source, options) = open(&args.input, Some(&args.placing), invocation)?;
    let front = pipeline::front(&source, &options, &mut invocation.log)?;
    let goldens = invocation.require(goldens(&front.checked, &args.golden))?;
    let user = emit_options(&front, &args.input, &options, invocation)?;
    inputs_are_there(&front.checked, &user, invocation)?;
    let back = match args.unplaced {
        true => None,
        false => Some(finish(&front, &args.placing, &options, invocation)?),
    };
    let files = emitted(&front, back.as_ref(), user.clone(), invocation)?;
    let folder = invocation.require(files::Folder::new(args.keep.as_deref()))?;
    let root = absolute(folder.path());
    let workspace = Workspace { root: &root };
    invocation.require(files::write_all(&workspace.project(0), texts(&files)))?;
    let machine = Machine { cxx: &args.cxx, graph: &args.graph, timeout: args.timeout };
    let fits = compile(&machine, &workspace, &files, &user, invocation, console)?;
    let run = Run { front: &front, workspace: &workspace, machine, goldens: &goldens };
    let mut progress = progress(invocation.progress, console);
    let finished = run.started(0, args.placing.seed, &mut progress, invocation)?;
    drop(progress);
    console.text(&finished.stdout);
    let right = judge(&front, &finished, args.timeout, invocation);
    // The results may be right even after a fault.
    let compared =
        if right.is_some() || finished.ended() { run.compare(0, &finished, invocation) } else { None };
    if right.is_none() {
        compared.iter().flatten().for_each(|note| console.line(note));
    }
    let (Some(()), Some(mut notes)) = (right, compared) else { return None };
    notes.extend(invocation.require(run.other_seeds(args, &files))?);
    notes.extend(memory(&finished));
    if !fits {
        return None;
    }
    // The timing model has to guess how kernels use async windows. So a model that gets stuck tells
    // nothing about the design.
    notes.extend(back.iter().flat_map(|back| {
        let timing = pipeline::timeline(&front, back, &mut Log::default());
        summary::timing(&front, back, timing.as_ref())
    }));
    console.line(&format!("{}: {}", front.checked.name.value, runs(&finished)));
    notes.iter().for_each(|note| console.line(&format!("  {note}")));
    Some(())
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

/// The outputs and files of the `--golden OUTPUT=FILE` arguments.
fn goldens(checked: &Checked, arguments: &[String]) -> Result<Vec<(DataEnd, PathBuf)>, Diagnostic> {
    let outputs = || checked.data_ends(Direction::In);
    let find = |argument: &String| {
        let (name, file) = argument.split_once('=')?;
        let end = outputs().find(|&end| checked.data_name(end) == name)?;
        Some((end, PathBuf::from(file)))
    };
    let known: Vec<&str> = outputs().map(|end| checked.data_name(end)).collect();
    arguments.iter().map(|a| find(a).ok_or_else(|| errors::unknown_output(a, &known))).collect()
}
