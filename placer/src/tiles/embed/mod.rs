//! Embedding: places kernels so that as many connections as possible share memory, nothing else.
//!
//! Annealing moves only kernels with more than one partner, the [`hosts`]. The others, the leaves
//! of the [`graph`], get tiles beside their hosts by a [`matching`] that stays maximum after every
//! move. The search for a tree of 63 kernels thus moves only 31, each with the best tiles for the
//! leaves. The result is a start for the search that counts wires, memory and the shim.

mod graph;
mod hosts;
mod matching;

use aiec_device::TileId;
use aiec_ir::KernelId;

use super::anneal::{FROM_SCRATCH, Schedule, anneal};
use super::problem::TileProblem;
use crate::random::Random;
use crate::watch::Run;
use graph::Graph;
use hosts::Hosts;

/// The kernels and tiles of an embedding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    /// The kernels to place. Edges to other kernels do not count.
    pub(crate) kernels: &'a [KernelId],
    /// The tiles they may take, at least one for each kernel.
    pub(crate) area: &'a [TileId],
    /// Moves tried per host; leaves do not move.
    pub(crate) moves_per_host: u64,
    /// An edge that shares no memory costs its weight, plus 1/`parts` of it for every tile of
    /// distance.
    pub(crate) parts: i64,
}

/// Places the kernels of `task`. Returns the cost (connections through DMA, and a little for their
/// length) and a tile for each kernel, or None when the area is too small or the search stopped.
pub(crate) fn embed(
    problem: &TileProblem<'_>,
    task: &Task<'_>,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<(i64, Vec<TileId>)> {
    if task.area.len() < task.kernels.len() {
        return None;
    }
    let inside = |tile: &TileId| task.area.contains(tile);
    let partners = |tile: TileId| problem.grid.partners(tile).iter().copied().filter(inside).collect();
    let near = problem.grid.ids().map(partners).collect();
    let graph = Graph::new(problem, task);
    let moves = task.moves_per_host * graph.hosts.len() as u64;
    let hosts = Hosts::new(problem, &graph, task, &near, random);
    let hosts = anneal(hosts, Schedule { moves, heat: FROM_SCRATCH }, random, run);
    (hosts.cost == 0 || !run.stopped()).then(|| (hosts.cost, hosts.tiles()))
}
