//! `aiec bench`: durations of collective calls as the thesis measures them, beside the event model.
//!
//! The emitted host program logs what the cores counted on the board; this reads the log. Without a
//! log, the event model stands in for the board. `--table` compares a whole table of measurements.

mod against;
mod log;
mod pages;
mod table;
mod text;

use std::path::PathBuf;

use aiec_check::Checked;
use aiec_event_model::{CollectiveTimes, Timeline};
use aiec_ir::expanded::PortRole;
use aiec_ir::{CollectiveId, Direction};
use aiec_timing::Basis;
use serde::Serialize;

use crate::args::Bench;
use crate::choose;
use crate::invocation::{Invocation, finish, open};
use crate::output::Console;
use crate::pipeline::{self, Front, Log};
use crate::report::json;
use crate::sample::Sample;
use crate::search::Timing;
use crate::unstated::silence;
use log::{Counted, Expected, Measured};

/// All figures of a design.
#[derive(Debug, Serialize)]
struct Report {
    format: &'static str,
    version: u32,
    design: String,
    device: String,
    /// The timing profile of the predictions, and what it rests on.
    profile: String,
    source: String,
    /// Clock of the array, which turns seconds of the host into cycles.
    array_mhz: u32,
    /// Runs of the host program in the logs. None when there is no log.
    runs: Option<u64>,
    /// Runs that are left out, since an output was wrong.
    wrong_runs: u64,
    /// Logs whose last line is cut off, and left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cut_off: Vec<String>,
    /// Why the event model makes no predictions.
    no_statement: Option<String>,
    figures: Vec<Figure>,
}

/// A figure in array cycles.
#[derive(Debug, Serialize)]
struct Figure {
    /// What counts: the output, or the run as a whole.
    of: String,
    what: What,
    measured: Option<Sample>,
    predicted: Option<Sample>,
    /// The difference of the medians by that of the measurement (thesis 4.5.3).
    error: Option<f64>,
    /// What the prediction rests on.
    basis: Option<Basis>,
}

/// What a figure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    /// The first call after a start of the host program.
    FirstCall,
    /// All calls that follow another one.
    FurtherCalls,
    /// Of each rank and call of a barrier or clock: from entering until the last rank has entered.
    Entered,
    /// From then until leaving.
    Left,
    /// All iterations and transfers, by the clock of the host.
    WholeRun,
}

/// An output whose numbers are durations of the calls of a collective.
struct Counter {
    output: String,
    collective: CollectiveId,
}

/// Runs `aiec bench`. Returns None when it logs an error.
pub(crate) fn run(args: &Bench, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    if let Some(table) = &args.table {
        return against::run(args, table, invocation, console);
    }
    let (source, options) = open(&args.input, None, Some(&args.placing), invocation)?;
    let front = choose::front(&source, &options, &args.placing, invocation)?;
    let measured = if args.read.is_empty() { None } else { Some(read(&args.read, &front, invocation)?) };
    let back = finish(&front, &args.placing, &options, invocation)?;
    let bar = Timing::new(invocation.progress);
    let timeline = pipeline::timeline(&front, &back, &bar.watch(), &mut Log::default());
    let report = report(&front, measured.as_ref(), timeline.as_ref());
    match args.json {
        true => console.text(&json(&report)),
        false => console.text(&text::text(&report)),
    }
    Some(())
}

/// What the host program counts at an output.
fn counted<'a>(checked: &Checked, counter: &'a Counter) -> Counted<'a> {
    let collective = &checked.collectives[counter.collective];
    let firings = collective.ranks.iter().map(|&rank| checked.firings(rank)).min().unwrap_or(0);
    Counted { output: &counter.output, firings, calls: collective.calls }
}

/// The runs of all logs.
fn read(logs: &[PathBuf], front: &Front, invocation: &mut Invocation) -> Option<Measured> {
    let mut measured = Measured::default();
    let checked = &front.checked;
    let counters = counters(checked);
    let outputs = checked.externals.iter().filter(|external| external.direction == Direction::In);
    let expected = Expected {
        design: &checked.name.value,
        iterations: checked.iterations,
        outputs: outputs.map(|external| external.name.as_str()).collect(),
        counters: counters.iter().map(|counter| counted(checked, counter)).collect(),
    };
    for path in logs {
        let log = invocation.read(path, aiec_system::files::MAX_DATA)?;
        let read = measured.add(&log, &expected);
        invocation.require(read)?;
    }
    Some(measured)
}

fn report(front: &Front, measured: Option<&Measured>, timeline: Option<&Timeline>) -> Report {
    let checked = &front.checked;
    let no_statement = silence(front, timeline);
    let timeline = timeline.filter(|_| no_statement.is_none());
    let mut figures = Vec::new();
    let counters = counters(checked);
    for counter in &counters {
        let times = timeline.map(|timeline| &timeline.collectives[counter.collective.index()]);
        let basis = Basis::of_collective(&front.profile, &checked.collectives[counter.collective]);
        let measured = measured.map(|measured| measured.calls(&counter.output));
        let (measured, predicted) = (measured.unwrap_or_default(), times.map(Calls::of).unwrap_or_default());
        figures.extend(Figure::of_calls(&counter.output, measured, predicted, Some(basis)));
    }
    if let Some(measured) = measured {
        figures.extend(measured.families().into_iter().flat_map(|family| {
            Figure::of_calls(&format!("{family}, all"), measured.calls_of_all(family), Calls::default(), None)
        }));
        let is_known = |output: &&String| counters.iter().any(|counter| counter.output == **output);
        for output in measured.outputs().into_iter().filter(|output| !is_known(output)) {
            figures.extend(Figure::of_calls(output, measured.calls(output), Calls::default(), None));
        }
    }
    for (collective, times) in
        checked.collectives.iter().zip(timeline.iter().flat_map(|timeline| &timeline.collectives))
    {
        let Some(spread) = &times.spread else { continue };
        let basis = Some(Basis::of_collective(&front.profile, collective));
        for (what, times) in [(What::Entered, &spread.entered), (What::Left, &spread.left)] {
            figures.push(Figure::new(&collective.name, what, None, Sample::of(times.iter().copied()), basis));
        }
    }
    let array_mhz = front.device.clock.array_mhz;
    let seconds = measured.and_then(|measured| measured.seconds(f64::from(array_mhz) * 1e6));
    let total = timeline.and_then(|timeline| Sample::of([(timeline.total_cycles, 1)]));
    let whole = Figure::new(&checked.name.value, What::WholeRun, seconds, total, None);
    // The host's clock holds the start of the graph, which the model has no part in.
    figures.push(Figure { error: None, basis: Some(Basis::Unmeasured), ..whole });
    figures.retain(|figure| figure.measured.is_some() || figure.predicted.is_some());
    Report {
        format: "aiec-bench-report",
        version: 1,
        design: checked.name.value.clone(),
        device: front.device.name.clone(),
        profile: front.profile.name.clone(),
        source: front.profile.origin().to_owned(),
        array_mhz,
        runs: measured.map(Measured::runs),
        wrong_runs: measured.map_or(0, |measured| measured.wrong),
        cut_off: measured.map_or_else(Vec::new, |measured| measured.cut_off.clone()),
        no_statement,
        figures,
    }
}

impl Figure {
    /// The figures of the calls that an output counts.
    fn of_calls(of: &str, measured: Calls, predicted: Calls, basis: Option<Basis>) -> [Self; 2] {
        [
            Self::new(of, What::FirstCall, measured.first, predicted.first, basis),
            Self::new(of, What::FurtherCalls, measured.further, predicted.further, basis),
        ]
    }

    fn new(
        of: &str,
        what: What,
        measured: Option<Sample>,
        predicted: Option<Sample>,
        basis: Option<Basis>,
    ) -> Self {
        let both = measured.as_ref().zip(predicted.as_ref()).filter(|(measured, _)| measured.median != 0.0);
        let error = both.map(|(measured, predicted)| 1.0 - predicted.median / measured.median);
        let basis = basis.filter(|_| predicted.is_some());
        Self { of: of.to_owned(), what, measured, predicted, error, basis }
    }
}

/// The outputs that receive the durations of a collective's calls.
fn counters(checked: &Checked) -> Vec<Counter> {
    let outputs = checked.externals.iter().filter_map(|external| {
        let port = &checked.ports[external.port];
        let connection = (port.direction == Direction::In).then(|| port.connections.first()).flatten()?;
        match checked.ports[checked.connections[*connection].from].role {
            PortRole::Cycles(collective) => Some(Counter { output: external.name.clone(), collective }),
            _ => None,
        }
    });
    outputs.collect()
}

/// The durations of calls, on the board or in the event model.
#[derive(Default)]
struct Calls {
    first: Option<Sample>,
    further: Option<Sample>,
}

impl Calls {
    /// In the event model.
    fn of(times: &CollectiveTimes) -> Self {
        let first = times.first_duration.and_then(|cycles| Sample::of([(cycles, 1)]));
        Self { first, further: Sample::of(times.durations.iter().copied()) }
    }
}
