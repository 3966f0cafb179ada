//! Embedding: places kernels so that as many connections as possible share memory, and considers
//! nothing else.
//!
//! Takes some kernels of a [`TileProblem`] and the tiles they may take. Returns tiles, none twice.
//! Annealing ([`anneal`]) moves only kernels with more than one partner ([`graph`]). The others,
//! the leaves, get tiles beside their hosts by a [`matching`] that stays maximum after every move.
//! The search for a tree of 63 kernels thus moves only 31, and prices each of their positions with
//! the best tiles for the leaves. It ignores the cost of wires, memory and the shim: the result is
//! a start for the search that counts these.

mod anneal;
mod graph;
mod matching;

use aiec_device::TileId;

use super::problem::TileProblem;
use crate::random::Random;
use crate::watch::Run;
use anneal::Annealing;
use graph::Graph;

/// Length and temperatures of the annealing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    /// Moves tried per host.
    pub(crate) moves_per_host: u64,
    /// Temperature at the start, in cost units.
    pub(crate) hot: i64,
    /// Temperature at the end, in cost units.
    pub(crate) cold: i64,
    /// An edge that shares no memory costs its weight, plus 1/`parts` of it for every tile of
    /// distance.
    pub(crate) parts: i64,
}

/// The kernels and tiles of an embedding.
#[derive(Clone, Debug)]
pub(crate) struct Task<'a> {
    /// The kernels to place. Edges to other kernels do not count.
    pub(crate) kernels: &'a [usize],
    /// The tiles they may take, at least one for each kernel.
    pub(crate) area: &'a [TileId],
    /// Start tiles inside the area, one for each kernel, none twice. None for random tiles.
    pub(crate) start: Option<&'a [TileId]>,
    /// Tiles to keep free beside the leaves of a kernel, in 1/1024 of a tile per placed kernel. 0
    /// if memory is not scarce.
    pub(crate) spare: i64,
}

/// A result: a tile for each kernel in the order of the task, and its cost (connections through
/// DMA, and a little for their length).
#[derive(Clone, Debug)]
pub(crate) struct Embedding {
    pub(crate) tiles: Vec<TileId>,
    pub(crate) cost: i64,
}

/// Places the kernels of `task`. Returns None when the area is too small or the search is stopped.
/// The number of moves is per host, since leaves do not move.
pub(crate) fn embed(
    problem: &TileProblem<'_>,
    task: &Task<'_>,
    schedule: &Schedule,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Embedding> {
    if task.area.len() < task.kernels.len() {
        return None;
    }
    let graph = Graph::new(problem, task.kernels, task.spare);
    let mut annealing = Annealing::new(problem, &graph, task, random);
    let cost = annealing.run(schedule, random, run);
    if cost > 0 && run.stopped() {
        return None;
    }
    Some(Embedding { tiles: annealing.tiles(task), cost })
}

#[cfg(test)]
mod tests;
