//! `aiec sweep`: one design with many values of its constants.
//!
//! Each point of the product goes through all stages, several at a time, and its row is kept in a
//! file. A later sweep computes only rows whose inputs changed.

pub(crate) mod csv;
mod plots;
mod point;
mod store;
mod text;
pub(crate) mod values;
mod workflow;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use aiec_diag::{Diagnostic, SourceFile, catalogue};
use aiec_system::Threads;

use crate::args::{Input, Placing, Reading, Sweep};
use crate::invocation::{Invocation, open, placement_file};
use crate::origin::{input_hash, read};
use crate::output::Console;
use crate::pipeline::{self, Log, Options};
use crate::search::Steps;
use point::{Common, Row};
pub(crate) use point::{Refusal, constants, with};
use store::{Store, Texts};
use values::{Point, axes, points};
use workflow::Workflow;

/// Runs `aiec sweep`. Returns None when it logs an error.
pub(crate) fn run(args: &Sweep, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let axes = invocation.require(axes(&args.input.reading.define))?;
    let reading = Reading { define: Vec::new(), ..args.input.reading.clone() };
    let input = Input { design: args.input.design.clone(), reading };
    let (source, options) = open(&input, None, Some(&args.placing), invocation)?;
    pipeline::parse(&source, &mut invocation.log)?;
    placement_file(&args.placing, invocation).ok()?;
    let points = points(&axes);
    are_constants(&source, &options, points.first()?, invocation)?;
    if args.snakemake {
        return workflow(args, &points, invocation, console);
    }
    let store = Store::open(&args.output, originals(args, invocation), args.overwrite, &points);
    let store = invocation.require(store)?;
    let digests = Digests::of(invocation);
    let kept: Vec<Option<Row>> =
        points.iter().map(|point| store.kept(point, &digests.of_point(point))).collect();
    let number = kept.iter().flatten().count();
    // Points are computed at the same time. Only threads without a point help a search.
    let threads = Threads::new(args.placing.jobs.map(usize::from));
    let each = threads.number() / (points.len() - number).clamp(1, threads.number());
    let placing = Placing { jobs: u16::try_from(each).ok(), ..args.placing.clone() };
    let common = Common { source: &source, options: &options, placing: &placing };
    let computation = Computation { common, store: &store, digests };
    let rows = invocation.require(computation.rows(&points, kept, &threads, invocation.progress))?;
    let constants: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
    let texts = Texts {
        design: name_of(&source),
        note: options.profile.note(),
        constants: constants.clone(),
        rows: &rows,
        csv: csv::csv(&constants, &rows),
        plots: plots::plots(name_of(&source), &axes, &rows),
    };
    invocation.require(store.finish(&texts))?;
    let note = options.profile.note();
    console.text(&text::summary(&constants, &rows, &note, number, &store.csv()));
    Some(())
}

/// Writes the workflow of the points.
fn workflow(
    args: &Sweep,
    points: &[Point],
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<()> {
    let sources = invocation.sources.iter().map(|source| source.name.as_str());
    let workflow = Workflow::new(&args.output, invocation.asked.as_given(), sources, points);
    let written = workflow.write(&args.output, &originals(args, invocation), args.overwrite);
    let rules = invocation.require(written)?;
    let number = if points.len() == 1 { "1 point".to_owned() } else { format!("{} points", points.len()) };
    console.line(&format!("{number}: {}", rules.display()));
    Some(())
}

/// Fails for an axis that is no constant of the design, or a table. Values do not matter to that.
pub(crate) fn are_constants(
    source: &SourceFile,
    options: &Options,
    point: &Point,
    invocation: &mut Invocation,
) -> Option<()> {
    let mut log = Log::default();
    pipeline::design(source, &with(options, point), &mut log);
    let is_bad = |diagnostic: &Diagnostic| diagnostic.code.slug == catalogue::BAD_DEFINE.slug;
    let bad: Vec<Diagnostic> = log.diagnostics.into_iter().filter(is_bad).collect();
    let is_known = bad.is_empty();
    invocation.log.add(bad);
    is_known.then_some(())
}

/// The input files, which no result replaces.
fn originals(args: &Sweep, invocation: &Invocation) -> Vec<PathBuf> {
    let read = invocation.sources.iter().map(|source| PathBuf::from(&source.name));
    read.chain(args.placing.placement.clone()).collect()
}

/// The file name of a text.
fn name_of(source: &SourceFile) -> &str {
    source.name.rsplit('/').next().unwrap_or(&source.name)
}

/// The inputs of all points, for their digests.
struct Digests {
    /// The command without its constants.
    command: String,
    /// All texts that were read.
    inputs: Vec<crate::origin::Input>,
}

impl Digests {
    fn of(invocation: &Invocation) -> Self {
        Self { command: invocation.asked.without_constants(), inputs: read(&invocation.sources) }
    }

    fn of_point(&self, point: &Point) -> String {
        input_hash(&format!("{} {}", self.command, values::word(point)), &self.inputs)
    }
}

/// The computation of all rows.
struct Computation<'a> {
    common: Common<'a>,
    store: &'a Store<'a>,
    digests: Digests,
}

impl Computation<'_> {
    /// The rows in the order of the points: those of `kept`, and the others from the stages. Stops
    /// at the first file that cannot be written.
    fn rows(
        &self,
        points: &[Point],
        kept: Vec<Option<Row>>,
        threads: &Threads,
        visible: bool,
    ) -> Result<Vec<Row>, Diagnostic> {
        let bar = Steps::new(points.len(), kept.iter().flatten().count(), visible);
        let fault: Mutex<Option<Diagnostic>> = Mutex::new(None);
        let first = || fault.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = threads.map(points.len(), |at| {
            if kept[at].is_some() || first().is_some() {
                return kept[at].clone();
            }
            let row = self.common.row(&points[at]);
            let written = self.store.keep(&points[at], &self.digests.of_point(&points[at]), &row);
            bar.step(&values::word(&points[at]));
            if let Err(diagnostic) = written {
                first().get_or_insert(diagnostic);
            }
            Some(row)
        });
        match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(diagnostic) => Err(diagnostic),
            None => Ok(rows.into_iter().flatten().collect()),
        }
    }
}
