//! The search's interface to its environment. The placement stage has no clock, no signals and no
//! threads: the caller passes them in as a [`Watch`] and [`Workers`]. [`Alone`] provides none of
//! them. A search that is not stopped gives the same result with any of them.

use std::sync::OnceLock;

use aiec_check::prove::Bound;
pub use aiec_check::{Alone, Progress, Watch};
use aiec_ilp::{Microlp, Solver};

/// Runs tasks in parallel.
pub trait Workers: Sync {
    /// Calls `task` once with each number below `tasks`, in any order. Returns when all calls are
    /// done.
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync));
}

impl dyn Workers + '_ {
    /// The results of `task` for each number below `tasks`, in order.
    pub fn map<T: Send + Sync>(&self, tasks: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let results: Vec<OnceLock<T>> = (0..tasks).map(|_| OnceLock::new()).collect();
        self.run(tasks, &|number| _ = results[number].set(task(number)));
        results.into_iter().filter_map(OnceLock::into_inner).collect()
    }
}

impl Workers for Alone {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(task);
    }
}

/// A watch that receives no progress.
pub(crate) struct Quiet<'a>(pub(crate) &'a dyn Watch);

impl Watch for Quiet<'_> {
    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}

/// The services that the caller passes to a search.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    /// Receives progress and may stop the search.
    pub watch: &'a dyn Watch,
    /// Runs tasks in parallel.
    pub workers: &'a dyn Workers,
    /// Solves the integer programs over tiles.
    pub solver: &'a dyn Solver,
}

impl Tools<'static> {
    /// No watch, one task after the other, and the built-in solver.
    pub const ALONE: Self = Self { watch: &Alone, workers: &Alone, solver: &Microlp };
}

/// The services for a search.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) tools: Tools<'a>,
    /// Lower bound of the design.
    pub(crate) bound: Bound,
    /// True if the search is one short annealing.
    pub(crate) quick: bool,
}

impl Run<'_> {
    /// True when the search should end with its best result so far.
    pub(crate) fn stopped(&self) -> bool {
        self.tools.watch.stopped()
    }

    /// True if `connections` through DMA are proved to be the minimum.
    pub(crate) const fn is_least(&self, connections: u64) -> bool {
        connections <= self.bound.connections
    }

    /// Reports progress: `done` of `all`, with the cut connections of its best tiles.
    pub(crate) fn tell(&self, done: u64, all: u64, connections: u64) {
        let done = u32::try_from(done.min(all) * 1000 / all.max(1)).unwrap_or(1000);
        self.tools.watch.progress(&Progress { done, connections, bound: self.bound.connections });
    }
}
