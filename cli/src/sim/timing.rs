//! `aiec sim --timing`: cycles of kernels from what they executed, and of the graph by the event
//! model with these cycles. The same for a design and for any graph.

use std::collections::BTreeMap;

use aiec_diag::Spanned;
use aiec_host_run::events::Event;
use aiec_host_run::program::Finished;
use aiec_ir::{Design, KernelId};
use aiec_timing::{Confidence, CoreModel, KernelCounts, KernelEstimate, TimingProfile};
use serde::Serialize;

use crate::args::Sim;
use crate::graphs::Code;
use crate::invocation::{Invocation, finish, open};
use crate::output::Console;
use crate::pipeline::{self, Log};
use crate::search::Timing;
use crate::table::Table;

/// Everything that `--timing` tells.
#[derive(Debug, Serialize)]
struct Report<'a> {
    format: &'static str,
    version: u32,
    /// The model of the core.
    model: &'a str,
    /// The timing profile of windows and nets.
    profile: Option<String>,
    kernels: &'a [KernelEstimate],
    graph: Option<Graph>,
    /// Why there are no times of the graph.
    no_graph: Option<String>,
    /// What was counted.
    counts: &'a [KernelCounts],
}

/// Times of the placed graph, in array cycles.
#[derive(Clone, Copy, Debug, Serialize)]
struct Graph {
    /// From the start to the last word of a single iteration.
    latency: f64,
    /// Between two iterations of a long run.
    interval: f64,
}

/// The profile of windows unless the user names one: kernels are counted for the same simulator.
const PROFILE: &str = "aiesim";

/// Iterations of the two runs whose difference is the interval.
const RUNS: [u32; 2] = [8, 16];

/// Prints the cycles of a finished run: a table, or JSON alone.
pub(super) fn report(
    args: &Sim,
    finished: &Finished,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) {
    let counts: Vec<KernelCounts> = finished
        .events
        .iter()
        .filter_map(|event| if let Event::Counts(counts) = event { Some(counts.clone()) } else { None })
        .collect();
    let model = CoreModel::aie1();
    let kernels: Vec<KernelEstimate> = counts.iter().map(|counts| model.estimate(counts)).collect();
    let graph = graph(args, &kernels, invocation);
    if args.json {
        let (profile, no_graph) = match &graph {
            Ok((_, profile)) => (Some(profile.clone()), None),
            Err(reason) => (None, Some(reason.clone())),
        };
        let graph = graph.as_ref().ok().map(|(graph, _)| *graph);
        let report = Report {
            format: "aiec-timing",
            version: 1,
            model: &model.name,
            profile,
            kernels: &kernels,
            graph,
            no_graph,
            counts: &counts,
        };
        console.line(&serde_json::to_string_pretty(&report).unwrap_or_default());
        return;
    }
    console.text(&text(&kernels, &graph));
}

fn text(kernels: &[KernelEstimate], graph: &Result<(Graph, String), String>) -> String {
    let mut table =
        Table::new(&["kernel", "firings", "low", "estimate", "high", "between", "limit", "confidence"]);
    for kernel in kernels {
        table.row([
            kernel.name.clone(),
            kernel.firings.to_string(),
            format!("{:.0}", kernel.low.ceil()),
            format!("{:.0}", kernel.estimate),
            format!("{:.0}", kernel.high),
            format!("{:.0}", kernel.overhead),
            kernel.limit.word().to_owned(),
            kernel.confidence.word().to_owned(),
        ]);
    }
    let mut text = format!(
        "Cycles of each firing, counted on the host (between: from one firing to the next, beside it):\n{}",
        table.text()
    );
    let slowest =
        kernels.iter().max_by(|a, b| (a.estimate + a.overhead).total_cmp(&(b.estimate + b.overhead)));
    if let Some(kernel) = slowest {
        text += &format!(
            "The slowest kernel, {}, fires every {:.0} cycles; {} limits it.\n",
            kernel.name,
            kernel.estimate + kernel.overhead,
            kernel.limit.word()
        );
    }
    text += &match graph {
        Ok((Graph { latency, interval }, profile)) => format!(
            "The graph, by the event model with profile {profile} and these estimates: {latency:.0} cycles for \
             one iteration,\n{interval:.0} from one iteration to the next.\n"
        ),
        Err(reason) => format!("No times of the graph: {reason}.\n"),
    };
    if kernels.iter().any(|kernel| kernel.confidence == Confidence::Low) {
        text += "Low confidence: scalar work, which is counted by its loads and stores alone.\n";
    }
    text
}

/// The times of the graph with the estimated cycles of its kernels, and the name of the profile.
/// The reason in words if there are none.
fn graph(args: &Sim, kernels: &[KernelEstimate], invocation: &Invocation) -> Result<(Graph, String), String> {
    let mut own = Invocation { sources: invocation.sources.clone(), ..Invocation::default() };
    let reason = |own: &Invocation| {
        let fault = own.log.diagnostics.iter().find(|fault| fault.is_error());
        fault.map_or_else(|| "the graph has no placement".to_owned(), |fault| fault.message.clone())
    };
    let code = Code { graph: &args.code, cxx: &args.cxx };
    let (source, mut options) =
        open(&args.input, Some(code), Some(&args.placing), &mut own).ok_or_else(|| reason(&own))?;
    if let Some(profile) = TimingProfile::text(PROFILE).filter(|_| args.input.reading.profile.is_none()) {
        options.profile = TimingProfile::parse(profile).map_err(|bad| bad.message)?;
    }
    let mut design = pipeline::design(&source, &options, &mut own.log).ok_or_else(|| reason(&own))?;
    let front = pipeline::front_of(&design, &options, &mut own.log).ok_or_else(|| reason(&own))?;
    let cycles: BTreeMap<KernelId, u32> = front
        .checked
        .kernels
        .enumerate()
        .filter(|(_, kernel)| kernel.memberships.is_empty())
        .filter_map(|(id, kernel)| Some((id, of_kernel(kernels, id, &kernel.name)?)))
        .collect();
    let bodies: Vec<_> = cycles
        .iter()
        .map(|(&id, &cycles)| (front.checked.kernels[id].family, front.checked.kernels[id].index, cycles))
        .collect();
    for (family, index, cycles) in bodies {
        set(&mut design, family, index, cycles);
    }
    let front = pipeline::front_of(&design, &options, &mut own.log).ok_or_else(|| reason(&own))?;
    let back = finish(&front, &args.placing, &options, &mut own).ok_or_else(|| reason(&own))?;
    let mut total = |iterations| {
        design.iterations = iterations;
        let front = pipeline::front_of(&design, &options, &mut Log::default())?;
        let bar = Timing::new(false);
        let timeline = pipeline::timeline(&front, &back, &bar.watch(), &mut Log::default())?;
        timeline.complete.then_some(timeline.total_cycles)
    };
    let [first, second] = RUNS;
    let times = total(1).zip(total(first)).zip(total(second));
    let ((latency, short), long) = times.ok_or("the event model does not run it to its end")?;
    let interval = (long - short) / f64::from(second - first);
    Ok((Graph { latency, interval }, front.profile.name.clone()))
}

/// The estimate for a kernel of the design: that of its name, or else of its number.
fn of_kernel(kernels: &[KernelEstimate], id: KernelId, name: &str) -> Option<u32> {
    let plain = |kernel: &KernelEstimate| kernel.name.split(" (").next().unwrap_or_default().to_owned();
    let named = |kernel: &&KernelEstimate| {
        let called = plain(kernel);
        called == name || called.split_once('.').is_some_and(|(_, inner)| inner == name)
    };
    let found = kernels.iter().find(named).or_else(|| kernels.iter().find(|kernel| kernel.kernel == id.0))?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bounded above, and positive"
    )]
    let cycles = (found.estimate + found.wrapper).min(f64::from(u32::MAX)).round() as u32;
    Some(cycles)
}

/// States the cycles of a kernel in the design. Instances that share a body get the largest.
fn set(design: &mut Design, family: aiec_ir::FamilyId, index: u32, cycles: u32) {
    let bodies = &mut design.families[family].bodies;
    let at = if bodies.len() == 1 { 0 } else { index as usize };
    let Some(body) = bodies.get_mut(at) else { return };
    let span = body.source.span;
    let stated = body.cycles.as_ref().map_or(0, |cycles| cycles.value);
    body.cycles = Some(Spanned { value: stated.max(cycles), span });
}
