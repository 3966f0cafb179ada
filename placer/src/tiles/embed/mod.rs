//! Embedding: kernels on tiles so that as much as possible is shared, and nothing else.
//!
//! In come some kernels of a [`TileProblem`] and the tiles they may take; out go tiles, none twice. Only kernels with more than
//! one partner ([`graph`]) are moved by annealing ([`anneal`]); the others, the leaves, are given tiles beside their hosts by a
//! [`matching`] that is kept maximal after every move. A tree of 63 kernels is thus a search over 31, and every position
//! of these is judged by the best that its leaves can do. What wires, memory or the shim cost is not looked at: the answer is a
//! start for the search that does.

mod anneal;
mod graph;
mod matching;

use aiec_device::TileId;

use super::problem::TileProblem;
use crate::random::Random;
use crate::watch::Run;
use anneal::Annealing;
use graph::Graph;

/// How long and how hot to anneal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    /// Moves tried for each host.
    pub(crate) moves_per_host: u64,
    /// Temperature at the start, in cost units.
    pub(crate) hot: i64,
    /// Temperature at the end.
    pub(crate) cold: i64,
    /// An edge that is not shared costs its weight, and one part in so many of it more for every tile of distance.
    pub(crate) parts: i64,
}

/// The kernels and tiles of an embedding.
#[derive(Clone, Debug)]
pub(crate) struct Task<'a> {
    /// The kernels to place; edges to others do not count.
    pub(crate) kernels: &'a [usize],
    /// The tiles they may take, at least as many.
    pub(crate) area: &'a [TileId],
    /// Tiles to begin with, one for each kernel, none twice, all of the area; none: random ones.
    pub(crate) start: Option<&'a [TileId]>,
    /// Tiles to keep free beside the leaves of a kernel, in 1/1024 of a tile for each kernel placed; 0 where memory does not matter.
    pub(crate) spare: i64,
}

/// An answer: a tile for each kernel in the order of the task, and what it costs (connections through DMA, and a little for their
/// length).
#[derive(Clone, Debug)]
pub(crate) struct Embedding {
    pub(crate) tiles: Vec<TileId>,
    pub(crate) cost: i64,
}

/// Places the kernels of `task`; none if the area is too small, or if the search is stopped meanwhile. The task takes moves for each host, since leaves are not moved.
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
