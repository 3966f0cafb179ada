//! One point of a sweep: its constants go through all stages, and a row comes out.

use aiec_codegen::EmitOptions;
use aiec_codegen::report::Report;
use aiec_diag::{Diagnostic, SourceFile};
use aiec_lower::Scalar;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::values::Point;
use crate::args::Placing;
use crate::choose;
use crate::invocation::{Invocation, finish};
use crate::pipeline::{self, Log, Options};
use crate::unstated::silence;

/// The result of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The constants in the order of the command line.
    pub(crate) constants: Map<String, Value>,
    /// What became of the design.
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

/// What became of a design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// It is placed and routed.
    Placed(Box<Figures>),
    /// A stage refused it.
    Refused(Refusal),
}

/// Why a design was refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusal {
    /// The first error, such as `check/kernel-memory`.
    pub(crate) code: String,
    /// What the error says, without its place in the design.
    pub(crate) message: String,
}

/// The figures of a placed design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// The name of the device that the design was compiled for.
    pub(crate) device: String,
    /// The name of the timing profile of all cycles.
    pub(crate) profile: String,
    /// Connections by DMA, including those to inputs and outputs.
    pub(crate) dma_connections: u64,
    /// Lower bound on them for every placement.
    pub(crate) dma_bound: u64,
    /// True if a time limit stopped the search for a placement.
    pub(crate) cut_short: bool,
    /// Cores that run a kernel.
    pub(crate) cores: u64,
    /// Bytes of data memory.
    pub(crate) bytes: u64,
    /// Nets on the stream switches.
    pub(crate) nets: u64,
    /// Array cycles of all runs by the event model. None when it makes no statement.
    pub(crate) total_cycles: Option<f64>,
    /// Why it makes none.
    pub(crate) no_statement: Option<String>,
    /// Times of the collectives by the closed form.
    pub(crate) collectives: Vec<Times>,
}

/// Times of a collective by the closed form, in array cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Times {
    /// The name that the design declares for the collective.
    pub(crate) name: String,
    /// Its shape, chosen or given.
    pub(crate) shape: String,
    /// The data of one transfer, as designs write it.
    pub(crate) window: String,
    /// Cycles of the first call.
    pub(crate) call_cycles: i64,
    /// Cycles of all calls of one run.
    pub(crate) total_cycles: i64,
    /// Least cycles of the first call in this shape on any placement.
    pub(crate) bound_cycles: u64,
}

/// The inputs that all points have in common.
pub(crate) struct Common<'a> {
    /// The text of the design.
    pub(crate) source: &'a SourceFile,
    /// The options without the constants.
    pub(crate) options: &'a Options,
    /// Options of the placement of each point.
    pub(crate) placing: &'a Placing,
}

/// The options with the constants of a point.
pub(crate) fn with(options: &Options, point: &Point) -> Options {
    let mut options = options.clone();
    options.lower.overrides.clone_from(point);
    options
}

impl Common<'_> {
    /// Takes a point through all stages.
    pub(crate) fn row(&self, point: &Point) -> Row {
        let mut invocation = Invocation { is_one_of_many: true, ..Invocation::default() };
        let figures = self.figures(&with(self.options, point), &mut invocation);
        let refusal = invocation.log.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        let outcome = match (figures, refusal) {
            (Some(figures), None) => Outcome::Placed(Box::new(figures)),
            (_, refusal) => Outcome::Refused(refusal.map(Refusal::from).unwrap_or_default()),
        };
        Row { constants: constants(point), outcome }
    }

    fn figures(&self, options: &Options, invocation: &mut Invocation) -> Option<Figures> {
        let front = choose::front(self.source, options, self.placing, invocation)?;
        let back = finish(&front, self.placing, options, invocation)?;
        // The figures depend on no source and no data.
        let user = EmitOptions { seed: options.place.seed, cut_short: back.cut_short, ..Default::default() };
        let report = aiec_codegen::report::report(&back.whole(&front), &back.estimate, &user);
        // A run that stops in the order of the model is no fault of the design.
        let timeline = pipeline::timeline(&front, &back, &|_| (), &mut Log::default());
        let figures = Figures::of(&report);
        Some(match (silence(&front, timeline.as_ref()), timeline) {
            (None, Some(timeline)) => Figures { total_cycles: Some(timeline.total_cycles), ..figures },
            (reason, _) => Figures { no_statement: reason, ..figures },
        })
    }
}

impl From<&Diagnostic> for Refusal {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self { code: diagnostic.code.slug.to_owned(), message: diagnostic.message.clone() }
    }
}

impl Figures {
    fn of(report: &Report) -> Self {
        let collectives = report.collectives.iter().zip(&report.estimate.collectives);
        let times = collectives.map(|(collective, times)| Times {
            name: collective.name.clone(),
            shape: collective.shape.clone(),
            window: collective.window.to_string(),
            call_cycles: times.call_cycles,
            total_cycles: times.total_cycles,
            bound_cycles: times.bound_cycles,
        });
        Self {
            device: report.device.name.clone(),
            profile: report.estimate.profile.clone(),
            dma_connections: report.placement.connections,
            dma_bound: report.placement.bound,
            cut_short: report.placement.cut_short,
            cores: report.totals.cores.used,
            bytes: report.totals.bytes.used,
            nets: report.totals.nets,
            total_cycles: None,
            no_statement: None,
            collectives: times.collect(),
        }
    }
}

/// The constants as JSON.
pub(crate) fn constants(point: &Point) -> Map<String, Value> {
    let value = |scalar: Scalar| match scalar {
        Scalar::Whole(number) => Value::from(number),
        Scalar::Decimal(decimal) => Value::from(decimal.nearest()),
    };
    point.iter().map(|(name, scalar)| (name.clone(), value(*scalar))).collect()
}
