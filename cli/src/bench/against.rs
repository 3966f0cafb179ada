//! `aiec bench --table`: a table of measurements beside the predictions of the models.

use std::path::{Path, PathBuf};

use aiec_diag::SourceFile;
use aiec_ir::expanded::Expanded;
use aiec_router_model::CollectiveEstimate;
use aiec_system::Threads;
use aiec_timing::Basis;
use serde::Serialize;

use super::table::{self, Kind, Measure, Measurement, Table};
use super::{Calls, counters, pages};
use crate::args::{Bench, Placing};
use crate::errors;
use crate::folder::{Folder, Names};
use crate::invocation::{Invocation, finish, open};
use crate::output::Console;
use crate::pipeline::{self, Back, Front, Log, Options};
use crate::report::json;
use crate::sample::Sample;
use crate::search::Steps;
use crate::sweep::values::word;
use crate::sweep::{Refusal, are_constants, with};
use crate::unstated::silence;
use crate::{choose, disk, sweep};
use aiec_system::files::{MAX_TEXT, hash};

/// All rows with what they rest on, as `--json` writes them.
#[derive(Debug, Serialize)]
pub(super) struct Whole<'a> {
    format: &'static str,
    version: u32,
    pub(super) design: &'a str,
    pub(super) device: String,
    /// The timing profile of all predictions, and what it rests on.
    pub(super) profile: &'a str,
    pub(super) source: &'a str,
    pub(super) constants: &'a [String],
    pub(super) measures: Vec<String>,
    /// SHA-256 of the CSV file.
    csv: String,
    pub(super) rows: Vec<Row>,
}

/// A row of the table.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// Values of the constants of the table.
    pub(super) constants: serde_json::Map<String, serde_json::Value>,
    /// Why there are no predictions.
    pub(super) refused: Option<Refusal>,
    /// One entry for each measure.
    pub(super) figures: Vec<Compared>,
}

/// A measurement and what the models predict, in array cycles.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Compared {
    pub(super) measured: Option<f64>,
    /// By the event model; of a latency by the profile.
    pub(super) predicted: Option<f64>,
    /// (measured - predicted) / measured, as in the thesis.
    pub(super) error: Option<f64>,
    /// The same by the closed form of the thesis.
    pub(super) closed_form: Option<f64>,
    pub(super) closed_form_error: Option<f64>,
    /// What the predictions rest on.
    pub(super) basis: Option<Basis>,
}

impl Compared {
    fn of(measured: Option<f64>, predicted: Predictions) -> Self {
        let error = |predicted: Option<f64>| Some(1.0 - predicted? / measured?);
        Self {
            measured,
            predicted: predicted.event,
            error: error(predicted.event),
            closed_form: predicted.closed,
            closed_form_error: error(predicted.closed),
            basis: predicted.basis,
        }
    }
}

/// The predictions for a measure.
#[derive(Default)]
struct Predictions {
    event: Option<f64>,
    closed: Option<f64>,
    basis: Option<Basis>,
}

/// Runs `aiec bench --table`.
pub(super) fn run(
    args: &Bench,
    file: &Path,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<()> {
    let (source, options) = open(&args.input, None, Some(&args.placing), invocation)?;
    pipeline::parse(&source, &mut invocation.log)?;
    let text = invocation.read(file, MAX_TEXT)?;
    let table = invocation.require(table::parse(&text))?;
    let bad = |reason: &str| errors::bad_table(&text, table.header.clone(), reason);
    if let Some((name, _)) = options.lower.overrides.iter().find(|(name, _)| table.constants.contains(name)) {
        return invocation.fail(bad(&format!("`-D {name}` gives a value to a constant of the table")));
    }
    are_constants(&source, &options, &table.rows.first()?.point, invocation)?;
    let folder = folder(args, &table, invocation);
    if let Some(folder) = &folder {
        invocation.require(disk::make_folder(folder.path))?;
        invocation.require(folder.check(&[]))?;
    }
    let points = Points { source: &source, options: &options, args, measures: &table.measures };
    let rows: Result<Vec<_>, String> = points.rows(&table, invocation.progress).into_iter().collect();
    let (rows, devices) = invocation.require(rows.map_err(|reason| bad(&reason)))?.into_iter().unzip();
    let mut whole = Whole::of(&source, &options, &table, rows);
    let devices: Vec<String> = devices;
    whole.device = devices.into_iter().find(|device| !device.is_empty()).unwrap_or_default();
    let csv = pages::csv(&whole);
    whole.csv = hash(csv.as_bytes());
    if let Some(folder) = &folder {
        let texts = [pages::markdown(&whole)]
            .into_iter()
            .chain(pages::plots(&whole, &table.rows))
            .collect::<Vec<_>>();
        invocation.require(folder.write(&json(&whole), &csv, &texts))?;
    }
    match args.json {
        true => console.text(&json(&whole)),
        false => console.text(&pages::markdown(&whole)),
    }
    if let Some(folder) = folder.filter(|_| !args.json) {
        console.line(&folder.csv().display().to_string());
    }
    Some(())
}

impl<'a> Whole<'a> {
    fn of(source: &'a SourceFile, options: &'a Options, table: &'a Table, rows: Vec<Row>) -> Self {
        Self {
            format: "aiec-bench-table",
            version: 1,
            design: source.name.rsplit('/').next().unwrap_or(&source.name),
            device: String::new(),
            profile: &options.profile.name,
            source: options.profile.origin(),
            constants: &table.constants,
            measures: table.measures.iter().map(Measure::to_string).collect(),
            csv: String::new(),
            rows,
        }
    }
}

/// The folder of the results, if the user wants one. Its pictures follow from the table alone.
fn folder<'a>(args: &'a Bench, table: &Table, invocation: &Invocation) -> Option<Folder<'a>> {
    let path = args.output.as_deref()?;
    let originals = invocation.sources.iter().map(|source| PathBuf::from(&source.name));
    let originals = originals.chain(args.placing.placement.clone()).collect();
    let plots = pages::names(&table.constants, &table.measures, &table.rows);
    let pages = ["table.md".to_owned()].into_iter().chain(plots).collect();
    let names = Names { json: "table.json", csv: "table.csv", pages };
    Some(Folder { path, originals, overwrite: args.overwrite, names })
}

/// The computation of all rows.
struct Points<'a> {
    source: &'a SourceFile,
    options: &'a Options,
    args: &'a Bench,
    measures: &'a [Measure],
}

impl Points<'_> {
    /// The rows in the order of the table, each with the device of its design. Fails with a reason
    /// for a measure that the design does not have.
    fn rows(&self, table: &Table, visible: bool) -> Vec<Result<(Row, String), String>> {
        let threads = Threads::new(self.args.placing.jobs.map(usize::from));
        let bar = Steps::new(table.rows.len(), 0, visible);
        threads.map(table.rows.len(), |at| {
            let row = self.row(&table.rows[at]);
            bar.step(&word(&table.rows[at].point));
            row
        })
    }

    fn row(&self, row: &Measurement) -> Result<(Row, String), String> {
        let mut own = Invocation { is_one_of_many: true, ..Invocation::default() };
        let mut options = with(self.options, &row.point);
        options.lower.overrides.extend(self.options.lower.overrides.iter().cloned());
        let placing = Placing { jobs: Some(1), ..self.args.placing.clone() };
        let front = choose::front(self.source, &options, &placing, &mut own);
        let back = front.as_ref().and_then(|front| finish(front, &placing, &options, &mut own));
        let constants = sweep::constants(&row.point);
        let Some((front, back)) = front.as_ref().zip(back.as_ref()) else {
            let refusal = own.log.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            let refused = Some(refusal.map(Refusal::from).unwrap_or_default());
            let figures = row.values.iter().map(|&value| Compared::of(value, Predictions::default()));
            return Ok((Row { constants, refused, figures: figures.collect() }, String::new()));
        };
        let models = Models::of(front, back);
        let figures = self.measures.iter().zip(&row.values).map(|(measure, &value)| {
            let predictions = models.predictions(measure);
            let reason = || format!("the design has no {}", missing(measure));
            Ok(Compared::of(value, predictions.ok_or_else(reason)?))
        });
        let figures = figures.collect::<Result<_, String>>()?;
        Ok((Row { constants, refused: None, figures }, front.device.name.clone()))
    }
}

/// What a measure asks for.
fn missing(measure: &Measure) -> String {
    match measure.kind {
        Kind::First | Kind::Further => format!("output `{}` of the cycles of a collective", measure.of),
        Kind::Latency => format!("window from the port `{}` to a kernel", measure.of),
    }
}

/// The models of a placed design.
struct Models<'a> {
    front: &'a Front,
    back: &'a Back,
    /// Times of the collectives, if the event model makes a statement.
    timeline: Option<aiec_event_model::Timeline>,
}

impl<'a> Models<'a> {
    fn of(front: &'a Front, back: &'a Back) -> Self {
        let timeline = pipeline::timeline(front, back, &|_| (), &mut Log::default());
        let timeline = timeline.filter(|timeline| silence(front, Some(timeline)).is_none());
        Self { front, back, timeline }
    }

    fn predictions(&self, measure: &Measure) -> Option<Predictions> {
        if measure.kind == Kind::Latency {
            return self.latency(&measure.of);
        }
        let counters = counters(&self.front.checked);
        let id = counters.iter().find(|counter| counter.output == measure.of)?.collective;
        let times = self.timeline.as_ref().map(|timeline| Calls::of(&timeline.collectives[id.index()]));
        let times = times.unwrap_or_default();
        let closed: &CollectiveEstimate = &self.back.estimate.collectives[id.index()];
        let median = |sample: Option<Sample>| sample.map(|sample| sample.median);
        let basis = Some(closed.basis);
        let (event, closed) = match measure.kind {
            Kind::First => (median(times.first), closed.call_cycles),
            _ => (median(times.further), closed.level_cycles.saturating_mul(closed.chunks.into())),
        };
        Some(Predictions { event, closed: Some(closed as f64), basis })
    }

    /// The latency of the profile between the kernels where they lie.
    fn latency(&self, port: &str) -> Option<Predictions> {
        let checked: &Expanded = &self.front.checked;
        let mut all = checked.connections.enumerate();
        let (id, _) =
            all.find(|(_, one)| checked.port_name(one.from) == port && checked.kernel_of(one.to).is_some())?;
        let times = self.back.estimate.connections.get(id.index())?;
        let profile = &self.front.profile;
        let basis = Some(Basis::of_window(profile, profile.window.measured_bytes));
        Some(Predictions { event: Some(times.latency_cycles), closed: None, basis })
    }
}
