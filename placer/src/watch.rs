//! What a search has to do with the world while it runs: it is watched, may be stopped, and may use several processors.
//!
//! The stage itself has no clock, no signals and no threads. Whoever calls it passes them in as a [`Watch`] and [`Workers`]; [`Alone`] is
//! the one for whom a result is enough. A search that is not stopped gives the same result whatever these are.

use std::sync::{Mutex, PoisonError};

use aiec_device::TileId;

use crate::bound::Bound;
use crate::tiles::{Seen, TileProblem};
use aiec_ilp::{Microlp, Solver};

/// Who looks on while the search runs, and may stop it.
pub trait Watch: Sync {
    /// True when the search should end with the best it has. Asked between steps of bounded work, from any thread.
    fn stopped(&self) -> bool {
        false
    }

    /// Told from time to time how far the search is, from any thread.
    fn progress(&self, _progress: &Progress) {}
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Attempt, from 0: each leaves more room between kernels than the one before.
    pub attempt: u32,
    /// Work done in this attempt, in 1/1000.
    pub done: u32,
    /// Connections through DMA of the best assignment of tiles so far, inputs and outputs included.
    pub connections: u64,
    /// What no placement goes below.
    pub bound: u64,
}

/// Who does several things at once.
pub trait Workers: Sync {
    /// Calls `task` once with each number below `tasks`, in any order, and returns when all are done.
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync));
}

impl dyn Workers + '_ {
    /// `task` of each number below `tasks`, in their order.
    pub fn map<T: Send>(&self, tasks: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let results: Vec<Mutex<Option<T>>> = (0..tasks).map(|_| Mutex::new(None)).collect();
        self.run(tasks, &|number| {
            let result = task(number);
            *results[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        });
        let take = |slot: Mutex<Option<T>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.into_iter().filter_map(take).collect()
    }
}

/// Nobody looks on, and one thing is done after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Watch for Alone {}

impl Workers for Alone {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(task);
    }
}

/// A watch that may stop a search but is not told how far it is.
#[derive(Clone, Copy)]
pub(crate) struct Unseen<'a>(pub(crate) &'a dyn Watch);

impl Watch for Unseen<'_> {
    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}

/// What a search is given besides the design.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    /// Who looks on.
    pub watch: &'a dyn Watch,
    /// Who helps.
    pub workers: &'a dyn Workers,
    /// Who solves integer programs over tiles.
    pub solver: &'a dyn Solver,
}

impl Tools<'static> {
    /// Nobody looks on or helps, and the built-in solver solves.
    pub const ALONE: Self = Self { watch: &Alone, workers: &Alone, solver: &Microlp };
}

/// What one attempt of the search is told of the world.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) watch: &'a dyn Watch,
    pub(crate) workers: &'a dyn Workers,
    pub(crate) solver: &'a dyn Solver,
    /// The bound of the design.
    pub(crate) bound: Bound,
    /// The attempt, from 0.
    pub(crate) attempt: u32,
    /// True if it is enough to know whether something is found quickly.
    pub(crate) quick: bool,
    /// Where the best tiles met are kept for when the search is stopped; none if they are not.
    pub(crate) seen: Option<&'a Seen>,
}

impl Run<'_> {
    /// True when the attempt should end with the best it has.
    pub(crate) fn stopped(&self) -> bool {
        self.watch.stopped()
    }

    /// True if so many connections through DMA are proved to be the fewest.
    pub(crate) const fn is_least(&self, connections: u64) -> bool {
        connections <= self.bound.connections
    }

    /// Notes tiles in case the search is stopped.
    pub(crate) fn note(&self, problem: &TileProblem<'_>, tiles: &[TileId]) {
        if let Some(seen) = self.seen {
            seen.note(problem, tiles);
        }
    }

    /// Tells how far the attempt is: `done` of `all`, with the cut connections of its best tiles.
    pub(crate) fn tell(&self, done: u64, all: u64, connections: u64) {
        let done = u32::try_from(done.min(all) * 1000 / all.max(1)).unwrap_or(1000);
        let (attempt, bound) = (self.attempt, self.bound.connections);
        self.watch.progress(&Progress { attempt, done, connections, bound });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::bound::{Argument, Counted};

    /// A run that nobody looks at.
    pub(crate) const ALONE: Run<'static> = Run {
        watch: &Alone,
        workers: &Alone,
        solver: &Microlp,
        bound: Bound { connections: 0, argument: Argument::Always, counted: Counted::Cells },
        attempt: 0,
        quick: false,
        seen: None,
    };

    #[test]
    fn results_come_in_the_order_of_the_tasks() {
        struct Backwards;
        impl Workers for Backwards {
            fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
                (0..tasks).rev().for_each(task);
            }
        }
        let backwards: &dyn Workers = &Backwards;
        assert_eq!(backwards.map(4, |number| number * number), [0, 1, 4, 9]);
    }
}
