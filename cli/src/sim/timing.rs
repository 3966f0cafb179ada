//! `aiec sim --timing`: cycles of kernels from what they executed, and of the graph by the event
//! model with these cycles. The same for a design and for any graph.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aiec_check::Checked;
use aiec_host_run::events::{Event, KernelNumber};
use aiec_host_run::program::Finished;
use aiec_ir::expanded::PortRole;
use aiec_ir::{KernelId, PortId};
use aiec_router_model::Implementation;
use aiec_timing::{Confidence, CoreModel, KernelCounts, KernelEstimate, TimingProfile};
use serde::Serialize;

use crate::args::Sim;
use crate::cycles::{whole, with_counted};
use crate::graphs::Code;
use crate::invocation::{Invocation, finish, open};
use crate::locate::graph_of;
use crate::output::Console;
use crate::pipeline::{self, Back, Front};
use crate::project;
use crate::search::Timing;
use crate::sim::amounts;
use crate::sim::profiled::Profiled;
use crate::table::Table;
use crate::unstated::{Unknown, assumed, unknown};

/// Everything that `--timing` tells.
#[derive(Debug, Serialize)]
struct Report<'a> {
    format: &'static str,
    version: u32,
    /// The model of the core.
    model: &'a str,
    /// The timing profile of windows and nets, and what it rests on.
    profile: &'a str,
    source: &'a str,
    /// What the cycles of kernels and of the graph rest on.
    notes: [String; 2],
    kernels: &'a [Timed],
    graph: Option<Graph>,
    /// Why there are no times of the graph.
    no_graph: Option<String>,
    /// What the times of the graph assume about amounts that nothing states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumed: Vec<String>,
    /// What was counted.
    counts: &'a [KernelCounts],
}

/// The cycles of a kernel.
#[derive(Debug, Serialize)]
struct Timed {
    /// The kernel of the design, if it was found there.
    #[serde(skip)]
    id: Option<KernelId>,
    /// Its name there, by which `--cycles` finds it.
    instance: Option<String>,
    #[serde(flatten)]
    estimate: KernelEstimate,
    /// Cycles of a firing in the kernel's function.
    cycles: f64,
    /// The part of them outside of collectives, which the times of the graph rest on: the event
    /// model has the times of collectives. None when the two cannot be told apart.
    own: Option<f64>,
    /// Where they come from.
    from: From,
    /// Cycles from one firing to the next, if it never waits.
    #[serde(skip)]
    period: f64,
    /// Elements of streams, and windows that it locks itself, of each firing at ports whose design
    /// states none, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    amounts: BTreeMap<String, u32>,
    /// Calls in a firing of what a core does in software. Their cycles are not counted, so those of
    /// `high` are no upper bound.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    uncounted: BTreeMap<String, f64>,
}

/// Where the cycles of a kernel come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum From {
    /// The design states them.
    Design,
    /// The vendor's simulator counted them.
    Profile,
    /// Its innermost loops take what the core's compiler scheduled, and the rest is counted.
    Schedule,
    /// They were counted on the host.
    Counted,
}

impl Timed {
    /// The cycles outside of collectives for the event model. None when they are not known.
    fn for_model(&self) -> Option<u32> {
        Some(whole(self.own?, self.call()))
    }

    /// Cycles of the call beside `cycles`. Stated cycles hold them already.
    fn call(&self) -> f64 {
        if self.from == From::Design { 0.0 } else { self.estimate.wrapper }
    }

    /// The kernel with its period: that of the event model if it works outside of collectives only.
    fn with_period(mut self, checked: Option<&Checked>, profile: &TimingProfile) -> Self {
        let own = self.for_model().filter(|_| self.own == Some(self.cycles));
        self.period = match own.zip(checked.zip(self.id)) {
            Some((own, (checked, id))) => f64::from(own) + locks(checked, id, profile),
            None => self.cycles + self.estimate.overhead,
        };
        self
    }
}

/// Cycles of a firing for the locks of the kernel's own windows, which it or its wrapper takes.
fn locks(checked: &Checked, kernel: KernelId, profile: &TimingProfile) -> f64 {
    let ports = checked.ports_of(kernel).filter(|&port| {
        let port = &checked.ports[port];
        matches!(port.role, PortRole::User(_)) && port.window().is_some() && !port.connections.is_empty()
    });
    let cycles = |port: PortId| {
        let locks = profile.window.locks_of(checked.ports[port].asynchronous);
        (locks.acquire + locks.release) as f64 * checked.windows_per_run(port).unwrap_or(1) as f64
    };
    ports.map(cycles).sum()
}

impl From {
    const fn word(self) -> &'static str {
        match self {
            Self::Design => "design",
            Self::Profile => "profile",
            Self::Schedule => "schedule",
            Self::Counted => "counted",
        }
    }
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

/// What was run, and what is known of it.
#[derive(Clone, Copy)]
pub(super) struct Ran<'a> {
    /// The design, and its placement if it has one. None when the run is of a graph, which is not
    /// placed yet.
    pub(super) design: Option<(&'a Front, Option<&'a Back>)>,
    /// What the vendor's tools tell about its kernels.
    pub(super) profiled: &'a Profiled,
}

/// Prints the cycles of a finished run: a table, or JSON alone.
pub(super) fn report(
    args: &Sim,
    ran: Ran<'_>,
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
    let opened;
    let found = match ran.design {
        Some(design) => Ok(design),
        None => {
            opened = placed(args, invocation);
            opened.as_ref().map(|(front, back)| (front, back.as_ref())).map_err(Clone::clone)
        }
    };
    let front = found.as_ref().ok().map(|(front, _)| *front);
    ran.profiled.warn_if_old(&sources(args, ran, &counts), invocation);
    let profile = profile(args, front);
    let kernels: Vec<Timed> = counts.iter().map(|counts| timed(model, counts, front, ran)).collect();
    let amounts = kernels.iter().flat_map(|kernel| kernel.amounts.clone()).collect();
    let counted = front.and_then(|front| with_counted(&front.checked, &amounts));
    let checked = front.map(|front| counted.as_deref().unwrap_or(&front.checked));
    let kernels = kernels.into_iter().map(|kernel| kernel.with_period(checked, &profile));
    let kernels: Vec<Timed> = kernels.collect();
    let assumed = checked.map_or_else(Vec::new, assumed);
    let graph = found.and_then(|(front, back)| {
        let back = back.ok_or("it has no placement")?;
        let checked = checked.unwrap_or(&front.checked);
        graph(&Implementation { checked, ..back.whole(front) }, &profile, &kernels)
    });
    if !args.json {
        console.text(&(text(&kernels, &graph, &profile, &assumed) + &format!("{}\n", model_note(model))));
        return;
    }
    let report = Report {
        format: "aiec-timing",
        version: 2,
        model: &model.name,
        profile: &profile.name,
        source: profile.origin(),
        notes: [model_note(model), profile.note()],
        kernels: &kernels,
        graph: graph.as_ref().ok().copied(),
        assumed: if graph.is_ok() { assumed } else { Vec::new() },
        no_graph: graph.err(),
        counts: &counts,
    };
    console.text(&crate::report::json(&report));
}

/// The sources of the kernels. Of a graph those that it names, in all folders where they may be.
fn sources(args: &Sim, ran: Ran<'_>, counts: &[KernelCounts]) -> Vec<PathBuf> {
    if let Some((front, _)) = ran.design {
        return project::source_paths(&front.checked, &args.input.design);
    }
    let graph = graph_of(&args.input.design);
    let folders = graph.iter().filter_map(|graph| graph.parent());
    let folders: Vec<&Path> = folders.chain(args.code.include.iter().map(PathBuf::as_path)).collect();
    let named = counts.iter().map(|counts| &counts.source);
    named.flat_map(|source| folders.iter().map(move |folder| folder.join(source))).collect()
}

/// The profile of the user, or that of the simulator.
fn profile(args: &Sim, front: Option<&Front>) -> TimingProfile {
    let own = front.filter(|_| args.input.reading.profile.is_some()).map(|front| front.profile.clone());
    let usual = || TimingProfile::text(PROFILE).and_then(|text| TimingProfile::parse(text).ok());
    let profile = own.or_else(usual).unwrap_or_default();
    let bank_conflicts = args.input.reading.bank_conflicts || profile.bank_conflicts;
    TimingProfile { bank_conflicts, ..profile }
}

/// The cycles of a kernel from the best source that there is.
fn timed(model: &CoreModel, counts: &KernelCounts, front: Option<&Front>, ran: Ran<'_>) -> Timed {
    let mut estimate = model.estimate(counts);
    let checked = front.map(|front| &front.checked);
    let id = checked.and_then(|checked| kernel_of(checked, ran, &estimate));
    if let Some((checked, id)) = checked.zip(id) {
        if ran.design.is_some() || estimate.name.is_empty() {
            estimate.name.clone_from(&checked.kernels[id].name);
        }
    } else if estimate.name.is_empty() {
        estimate.name = format!("kernel {}", estimate.kernel);
    }
    let stated = checked.zip(id).and_then(|(checked, id)| checked.body(id).cycles.as_ref());
    let function = checked.zip(id).map(|(checked, id)| checked.body(id).function.as_str());
    let stated = stated.map(|stated| (f64::from(stated.value), From::Design));
    let profile = || Some((ran.profiled.of_function(function?)?, From::Profile));
    let schedule = || {
        let cycles = model.scheduled(counts, &|file, line| ran.profiled.of_loop(file, line))?;
        Some((cycles, From::Schedule))
    };
    let best = stated.or_else(profile).or_else(schedule);
    let (cycles, from) = best.unwrap_or((estimate.estimate, From::Counted));
    let moves_blocks = checked.zip(id).is_some_and(|(checked, id)| moves_blocks(checked, id));
    let outside = || counts.outside_of_collectives();
    let own = match from {
        From::Design => Some(cycles),
        _ if !moves_blocks => Some(cycles),
        From::Profile => None,
        From::Schedule => model.scheduled(&outside(), &|file, line| ran.profiled.of_loop(file, line)),
        From::Counted => Some(model.estimate(&outside()).estimate),
    };
    let calls = |(name, calls): (&String, &u64)| (name.clone(), *calls as f64 / counts.firings.max(1) as f64);
    let uncounted = counts.uncounted.iter().map(calls).collect();
    let instance = checked.zip(id).map(|(checked, id)| checked.kernels[id].name.clone());
    let passed = |(checked, id)| amounts::of_firing(checked, id, counts);
    let amounts = checked.zip(id).map(passed).unwrap_or_default();
    Timed { id, instance, estimate, cycles, own, from, period: 0.0, amounts, uncounted }
}

/// True if the kernel calls collectives that move blocks. It moves the elements of channels and of
/// collectives over streams itself.
fn moves_blocks(checked: &Checked, kernel: KernelId) -> bool {
    let mut members = checked.kernels[kernel].memberships.iter();
    members.any(|member| !checked.collectives[member.collective].plan.is_opened())
}

/// The kernel of the design: that of the number in a program of aiec, else that of the name, or of
/// the number.
fn kernel_of(checked: &Checked, ran: Ran<'_>, estimate: &KernelEstimate) -> Option<KernelId> {
    let number = KernelNumber(estimate.kernel).id();
    let numbered = (number.index() < checked.kernels.len()).then_some(number);
    if ran.design.is_some() {
        return numbered;
    }
    let inner = estimate.name.split_once('.').map(|(_, inner)| inner);
    let is_it = |name: &str| name == estimate.name || Some(name) == inner;
    let named = checked.kernels.enumerate().find(|(_, kernel)| is_it(&kernel.name)).map(|(id, _)| id);
    named.or(numbered)
}

/// What counted cycles rest on.
fn model_note(model: &CoreModel) -> String {
    format!(
        "Counted cycles are estimates with the model {}, compared with AMD's simulator and never measured on hardware.",
        model.name
    )
}

fn text(
    kernels: &[Timed],
    graph: &Result<Graph, String>,
    profile: &TimingProfile,
    assumed: &[String],
) -> String {
    let columns = [
        "kernel",
        "firings",
        "low",
        "estimate",
        "high",
        "between",
        "limit",
        "confidence",
        "cycles",
        "from",
        "program",
    ];
    let mut table = Table::new(&columns);
    for timed @ Timed { estimate: kernel, cycles, from, .. } in kernels {
        table.row([
            kernel.name.clone(),
            kernel.firings.to_string(),
            format!("{:.0}", kernel.low.ceil()),
            format!("{:.0}", kernel.estimate),
            format!("{:.0}", kernel.high),
            format!("{:.0}", kernel.overhead),
            kernel.limit.word().to_owned(),
            kernel.confidence.word().to_owned(),
            whole(*cycles, timed.call()).to_string(),
            from.word().to_owned(),
            kernel.program.estimate.to_string(),
        ]);
    }
    let mut text = format!(
        "Cycles of each firing, counted on the host (between: from one firing to the next, beside it;\n\
         cycles: with the call, what the times of the graph rest on; program: bytes, two thirds to 1.7 times):\n{}",
        table.text()
    );
    let slowest = kernels.iter().max_by(|a, b| a.period.total_cmp(&b.period));
    if let Some(kernel) = slowest {
        let limit = match kernel.from {
            From::Counted => format!("; {} limits it", kernel.estimate.limit.word()),
            From::Design | From::Profile | From::Schedule => String::new(),
        };
        text += &format!(
            "The slowest kernel, {}, can fire every {:.0} cycles{limit}.\n",
            kernel.estimate.name, kernel.period
        );
    }
    text += &uncounted(kernels);
    text += &match graph {
        Ok(Graph { latency, interval }) => format!(
            "The graph, by the event model with profile {} and these cycles: {latency:.0} cycles for one \
             iteration,\n{interval:.0} from one iteration to the next. No run on hardware was compared with it.\n",
            profile.name
        ),
        Err(reason) => format!("No times of the graph: {reason}.\n"),
    };
    if graph.is_ok() {
        text += &assumed.iter().map(|line| format!("assumed: {line}\n")).collect::<String>();
    }
    if kernels.iter().any(|kernel| kernel.own != Some(kernel.cycles)) {
        text += "Of kernels in collectives the graph takes the cycles outside of them; the event model has the \
                 others.\n";
    }
    let is_low =
        |kernel: &Timed| kernel.from == From::Counted && kernel.estimate.confidence == Confidence::Low;
    if kernels.iter().any(is_low) {
        text += "Low confidence: scalar work, counted by the instructions of the host.\n";
    }
    text
}

/// What the counts leave out.
fn uncounted(kernels: &[Timed]) -> String {
    let of_kernel = |kernel: &Timed| {
        let calls = kernel.uncounted.iter().map(|(name, calls)| match *calls {
            1.0 => format!("{name} (1 call)"),
            many => format!("{name} ({many:.0} calls)"),
        });
        let calls: Vec<String> = calls.collect();
        let all =
            || format!("not counted: {} in each firing of {}\n", calls.join(", "), kernel.estimate.name);
        (!calls.is_empty()).then(all)
    };
    let lines: String = kernels.iter().filter_map(of_kernel).collect();
    match lines.is_empty() {
        true => lines,
        false => {
            lines
                + "A core does these in software; their cycles come on top, so `high` is no upper bound there.\n"
        }
    }
}

/// A graph and its placement. The reason in words if it cannot be read.
fn placed(args: &Sim, invocation: &Invocation) -> Result<(Front, Option<Back>), String> {
    let mut own = Invocation { sources: invocation.sources.clone(), ..Invocation::default() };
    let mut front = || {
        let code = Code { graph: &args.code, cxx: &args.cxx, as_text: false, headers: false };
        let (source, options) = open(&args.input, Some(code), Some(&args.placing), &mut own)?;
        let front = pipeline::front(&source, &options, &mut own.log)?;
        let back = finish(&front, &args.placing, &options, &mut own);
        Some((front, back))
    };
    let found = front();
    let fault = own.log.diagnostics.iter().find(|fault| fault.is_error());
    found.ok_or_else(|| {
        fault.map_or_else(|| "the graph has no placement".to_owned(), |fault| fault.message.clone())
    })
}

/// Why the event model does not run a graph to its end.
fn stops(checked: &Checked) -> String {
    match unknown(checked) {
        Some(Unknown { what, state: Some(state), .. }) => format!("{what}: {state}"),
        Some(Unknown { what, .. }) => what,
        None => "the event model does not run it to its end".to_owned(),
    }
}

/// The times of a placed graph with these cycles of its kernels. The reason in words if there are
/// none.
fn graph(whole: &Implementation<'_>, profile: &TimingProfile, kernels: &[Timed]) -> Result<Graph, String> {
    let checked = whole.checked;
    let own = kernels.iter().filter_map(|kernel| Some((kernel.id?, kernel.for_model()?)));
    let cycles: BTreeMap<KernelId, u32> = own.collect();
    let total = |iterations: u32| {
        let whole = Implementation { checked: &checked.timed(&cycles, iterations), ..*whole };
        let bar = Timing::new(false);
        let timeline = aiec_event_model::run(&whole, profile, &bar.watch()).into_parts().0?;
        timeline.complete.then_some(timeline.total_cycles)
    };
    let [first, second] = RUNS;
    let times = total(1).zip(total(first)).zip(total(second));
    let ((latency, short), long) = times.ok_or_else(|| stops(checked))?;
    let interval = (long - short) / f64::from(second - first);
    // In a few iterations a slow kernel may still be ahead of what the graph waits for.
    let of_kernel = |kernel: &Timed| {
        let id = kernel.id.filter(|_| kernel.own == Some(kernel.cycles))?;
        Some(kernel.period * checked.firings(id) as f64 / f64::from(checked.iterations))
    };
    Ok(Graph { latency, interval: kernels.iter().filter_map(of_kernel).fold(interval, f64::max) })
}
