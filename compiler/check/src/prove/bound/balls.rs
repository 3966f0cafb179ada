//! Linear-programming bound: the surroundings of every kernel must fit around its core, for all
//! kernels together.
//!
//! Take a kernel `u`, a depth `d`, and the kernels at most `d` edges from `u`, by a breadth-first
//! tree. Kernels whose path no cut interrupts have their cores within `d` steps of the core of `u`.
//! With `z[e] = 1` if edge `e` is cut:
//!
//! ```text
//! sum over e of below[e] z[e]  >=  need of the kernels - room[d]
//! minimise  sum of connections[e] z[e]
//! ```
//!
//! where `below` is the need of the kernels whose path uses `e`, at most the right side. Any
//! solution of the dual program proves a bound. Multiplicative weights in floating point find one,
//! and the claimed bound is computed in integers.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Watch;
use aiec_ir::{IdVec, KernelId};

use super::graph::{EdgeId, Forest, Graph};
use super::room::Room;
use crate::prove::work::Work;

/// Factor by which one step raises the price of an edge. A smaller one finds a better solution in
/// more steps.
const STEP: f64 = 0.2;
/// Edges that a solution of the program visits: half a second.
const VISITS: u64 = 1 << 25;

/// Minimum number of cuts, by the linear program.
pub(super) fn fewest_cuts(graph: &Graph, room: &Room, watch: &dyn Watch) -> u64 {
    let work = Work::new(VISITS, watch);
    if work.left() == 0 {
        return 0;
    }
    let mut all: Vec<Row> = graph.around.ids().flat_map(|kernel| rows(graph, room, kernel)).collect();
    all.sort_unstable();
    all.dedup();
    certified(graph, &all, &prices(graph, &all, &work))
}

/// An inequality: the cut edges of `below` together cut off at least `excess`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    /// The right side: the need that must be cut off.
    pub(super) excess: u64,
    /// Edges, each with the need it cuts off.
    pub(super) below: Vec<(EdgeId, u64)>,
}

/// The inequalities of `kernel`: one for each depth at which its surroundings do not fit.
pub(super) fn rows(graph: &Graph, room: &Room, kernel: KernelId) -> Vec<Row> {
    let forest = Forest::new(graph, &IdVec::filled(true, graph.edges.len()), kernel);
    let mut depth = IdVec::filled(None, graph.around.len());
    depth[kernel] = Some(0);
    for &end in &forest.order {
        depth[end] = forest.parent[end].map_or(depth[end], |(up, _)| depth[up].map(|steps| steps + 1));
    }
    let row = |steps: usize| {
        let inside = |end: &&KernelId| depth[**end].is_some_and(|away| away <= steps);
        let inside: Vec<KernelId> = forest.order.iter().filter(inside).copied().collect();
        let need: u64 = inside.iter().map(|&end| room.need[end]).sum();
        let excess = need.checked_sub(room.within(steps)).filter(|&excess| excess > 0)?;
        let (mut all, mut below) = (room.need.clone(), Vec::new());
        for &end in inside.iter().rev() {
            if let Some((up, edge)) = forest.parent[end].filter(|_| all[end] > 0) {
                all[up] += all[end];
                below.push((edge, all[end].min(excess)));
            }
        }
        // A kernel alone always fits; the checks before placement ensure it.
        Some(Row { excess, below }).filter(|row| !row.below.is_empty())
    };
    (1..=room.depth()).filter_map(row).collect()
}

/// The prices of the inequalities, a solution of the dual program up to a factor. Each step raises
/// the row with the lowest price per proved cut, until one of its edges has grown by one step; its
/// edges become more expensive in proportion to their share of it. A row's price only rises, so an
/// old price in the heap is a lower bound of the true one.
fn prices(graph: &Graph, rows: &[Row], work: &Work<'_>) -> Vec<f64> {
    let capacity: IdVec<EdgeId, f64> = graph.edges.iter().map(|edge| edge.connections as f64).collect();
    let mut costs: IdVec<EdgeId, f64> = capacity.iter().map(|capacity| 1.0 / capacity).collect();
    let ratio = |row: &Row, costs: &IdVec<EdgeId, f64>| -> f64 {
        row.below.iter().map(|&(edge, part)| part as f64 * costs[edge]).sum::<f64>() / row.excess as f64
    };
    // Positive floats have the order of their bits.
    let entry =
        |row: usize, costs: &IdVec<EdgeId, f64>| (Reverse(ratio(&rows[row], costs).to_bits()), Reverse(row));
    let mut heap: BinaryHeap<_> = (0..rows.len()).map(|row| entry(row, &costs)).collect();
    let mut prices = vec![0.0; rows.len()];
    while let Some((_, Reverse(row))) = heap.pop() {
        work.spend(rows[row].below.len() as u64);
        let current = entry(row, &costs);
        if heap.peek().is_some_and(|next| *next > current) {
            heap.push(current);
            continue;
        }
        let below = &rows[row].below;
        let raise = below.iter().map(|&(e, part)| capacity[e] / part as f64).fold(f64::INFINITY, f64::min);
        prices[row] += raise;
        for &(edge, part) in below {
            costs[edge] *= 1.0 + STEP * part as f64 * raise / capacity[edge];
        }
        let highest = below.iter().map(|&(edge, _)| costs[edge]).fold(0.0, f64::max);
        if work.left() == 0 || highest > f64::MAX.sqrt() {
            break;
        }
        heap.push(entry(row, &costs));
    }
    prices
}

/// The bound that the prices prove: their value divided by the load of the most loaded edge.
fn certified(graph: &Graph, rows: &[Row], prices: &[f64]) -> u64 {
    let highest = prices.iter().copied().fold(0.0, f64::max);
    if highest <= 0.0 {
        return 0;
    }
    let units = prices.iter().map(|price| (price / highest * f64::from(u32::MAX)) as u128);
    let mut loads: IdVec<EdgeId, u128> = IdVec::filled(0, graph.edges.len());
    let mut worth = 0_u128;
    for (row, units) in rows.iter().zip(units) {
        worth += u128::from(row.excess) * units;
        row.below.iter().for_each(|&(edge, part)| loads[edge] += u128::from(part) * units);
    }
    let proofs = loads.iter().zip(graph.edges.iter()).filter(|(load, _)| **load > 0);
    let proof = proofs.map(|(&load, edge)| (worth * u128::from(edge.connections)).div_ceil(load)).min();
    proof.and_then(|cuts| u64::try_from(cuts).ok()).unwrap_or(0)
}
