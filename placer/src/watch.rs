//! The search's interface to its environment. The placement stage has no clock, no signals and no
//! threads: the caller passes them in as a [`Watch`] and [`Workers`]. [`Alone`] provides none of
//! them. A search that is not stopped gives the same result with any of them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use aiec_ilp::{Microlp, Solver};
use aiec_prove::Bound;

/// Observes the search and may stop it.
pub trait Watch: Sync {
    /// Returns true when the search should end with its best result so far. The search calls it
    /// from any thread, between steps of bounded work.
    fn stopped(&self) -> bool {
        false
    }

    /// Receives the progress of the search from time to time, from any thread.
    fn progress(&self, _progress: &Progress) {}
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Work done in this annealing or these integer programs, in 1/1000.
    pub done: u32,
    /// Connections through DMA of the best tiles so far, including inputs and outputs.
    pub connections: u64,
    /// Lower bound on `connections` for every placement.
    pub bound: u64,
}

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

/// No watch; tasks run one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Watch for Alone {}

impl Workers for Alone {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(task);
    }
}

/// A watch that does not stop a search before it has asked a number of times. A search asks between
/// steps of bounded work, so this work is done in any case.
pub(crate) struct Grace<'a> {
    watch: &'a dyn Watch,
    /// Questions that are not answered by the watch.
    left: AtomicU64,
    /// True if the watch receives no progress.
    is_quiet: bool,
}

impl<'a> Grace<'a> {
    /// A watch that answers `questions` questions with no.
    pub(crate) const fn new(watch: &'a dyn Watch, questions: u64, is_quiet: bool) -> Self {
        Self { watch, left: AtomicU64::new(questions), is_quiet }
    }
}

impl Watch for Grace<'_> {
    fn stopped(&self) -> bool {
        // The watch is asked in any case: it may count the questions.
        let stopped = self.watch.stopped();
        let less = |left: u64| left.checked_sub(1);
        self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_err() && stopped
    }

    fn progress(&self, progress: &Progress) {
        if !self.is_quiet {
            self.watch.progress(progress);
        }
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
    /// No watch, no parallel workers, and the built-in solver.
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

impl<'a> Run<'a> {
    /// The same with another watch.
    pub(crate) fn watched(self, watch: &'a dyn Watch) -> Self {
        Self { tools: Tools { watch, ..self.tools }, ..self }
    }

    /// True when the search should end with its best result so far.
    pub(crate) fn stopped(&self) -> bool {
        self.tools.watch.stopped()
    }

    /// True if `connections` through DMA are proved to be the minimum.
    pub(crate) const fn is_least(&self, connections: u64) -> bool {
        connections <= self.bound.connections
    }

    /// Reports progress: `done` of `all`, with the cut connections of its best
    /// tiles.
    pub(crate) fn tell(&self, done: u64, all: u64, connections: u64) {
        let done = u32::try_from(done.min(all) * 1000 / all.max(1)).unwrap_or(1000);
        self.tools.watch.progress(&Progress { done, connections, bound: self.bound.connections });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A run without a watch.
    pub(crate) const ALONE: Run<'static> = Run { tools: Tools::ALONE, bound: Bound::NONE, quick: false };
}
