//! The result of the event model: plain data in array cycles.

use serde::Serialize;

/// Times of a whole run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeline {
    /// False if the run was cut off because it had too many events. All times are then those up to
    /// the cut.
    pub complete: bool,
    /// Number of events that the engine handled.
    pub events: u64,
    /// Cycles until the last kernel was done and the last window had left the array.
    pub total_cycles: f64,
    /// Times of the collectives, in order of their ids.
    pub collectives: Vec<CollectiveTimes>,
    /// Times of the kernels, in order of their ids.
    pub kernels: Vec<KernelTimes>,
}

/// When the calls of a collective were done: returned from at the root that gets the result, or
/// otherwise at the latest rank.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CollectiveTimes {
    /// The name that the design declares.
    pub name: String,
    /// Calls that were done, of all runs of the kernels.
    pub calls: u64,
    /// The cycle at which all ranks began their first call. None when they began at different
    /// times.
    pub start: Option<f64>,
    /// The cycle at which the first call was done.
    pub first: Option<f64>,
    /// The cycle at which the last call was done.
    pub last: Option<f64>,
    /// Cycles between the ends of the last two calls: the pace of a long run. None when there is a
    /// single call.
    pub interval_cycles: Option<f64>,
    /// Cycles of the first call at the rank that counts them, from its begin to its return.
    pub first_duration: Option<f64>,
    /// Cycles of the other calls at that rank, least first, each with the number of calls. The
    /// first call of each firing is left out, since it does not follow another one.
    pub durations: Vec<(f64, u64)>,
    /// Of a barrier or clock: when all ranks enter and leave its calls.
    pub spread: Option<Spread>,
}

/// Times at which ranks enter and leave calls, least first, each with the number of ranks and
/// calls.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Cycles from entering until the last rank has entered.
    pub entered: Vec<(f64, u64)>,
    /// Cycles from then until leaving.
    pub left: Vec<(f64, u64)>,
}

/// What a kernel did with its cycles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelTimes {
    /// The instance, such as `pe[1][2]`.
    pub name: String,
    /// Cycles of work on windows and in collectives.
    pub busy_cycles: f64,
    /// Cycles of waiting for windows, and for banks if their conflicts count.
    pub waiting_cycles: f64,
    /// The cycle at which it finished. None when the run was cut off before.
    pub finished_at: Option<f64>,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Firings that have ended.
    pub fired: u64,
    /// Firings of all kernels in all iterations.
    pub firings: u64,
}

/// What a run reports its progress to.
pub type Watch<'a> = &'a dyn Fn(Progress);
