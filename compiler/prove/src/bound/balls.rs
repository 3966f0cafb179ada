//! Linear-programming bound: the surroundings of every kernel must fit around its core, for all
//! kernels together.
//!
//! Take the breadth-first tree of a kernel `u` down to depth `d`. Kernels that no cut separates
//! from `u` in this tree have their cores within `d` steps of the core of `u`. With `z[e] = 1` if
//! edge `e` is cut:
//!
//! ```text
//! sum over e of below[u,d,e] z[e]  >=  need[u,d] - room[u,d]        for every u and d
//! minimise  sum of connections[e] z[e]
//! ```
//!
//! where `below` is the need of the part of the tree below `e`, at most the right side. Any
//! solution of the dual program proves a bound. Multiplicative weights in floating point find one;
//! the claimed bound is then computed in integers.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use aiec_ir::KernelId;

use super::graph::{Forest, Graph};
use super::room::Room;
use crate::WORK;

/// Number of depths per kernel, from the first one at which not everything fits.
const DEPTHS: usize = 5;
/// Factor by which one step raises the price of an edge.
const STEP: f64 = 0.1;
/// Minimum number of cuts, by the linear program.
pub(super) fn fewest_cuts(graph: &Graph, room: &Room) -> u64 {
    let rows = inequalities(graph, room);
    let prices = prices(graph, &rows);
    certified(graph, &rows, &prices)
}

/// Minimum number of cuts because kernels have more neighbours than fit within one step. An edge
/// has two ends, so half of what all kernels must cut remains.
pub(super) fn degree(graph: &Graph, room: &Room) -> u64 {
    graph.kernels().map(|kernel| cut_at(graph, room, kernel)).sum::<u64>().div_ceil(2)
}

/// The fewest connections to cut at `kernel`: the edges with the lowest cost per saving first.
fn cut_at(graph: &Graph, room: &Room, kernel: KernelId) -> u64 {
    let mut edges: Vec<(u64, u64)> = graph.around[kernel]
        .iter()
        .map(|&(edge, other)| (graph.edges[edge].connections, room.need[other]))
        .filter(|&(_, saved)| saved > 0)
        .collect();
    let need = room.need[kernel] + edges.iter().map(|(_, saved)| saved).sum::<u64>();
    let mut excess = need.saturating_sub(room.within(kernel, 1));
    edges.sort_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
    let mut cuts = 0;
    for (connections, saved) in edges {
        if excess <= saved {
            // Part of an edge saves part of the excess. The rest is rounded up.
            return cuts + (connections * excess).div_ceil(saved);
        }
        (cuts, excess) = (cuts + connections, excess - saved);
    }
    cuts
}

/// One inequality.
struct Row {
    /// The right side: the need that must be cut off.
    excess: u64,
    /// Edges, each with the need it cuts off.
    below: Vec<(usize, u64)>,
}

fn inequalities(graph: &Graph, room: &Room) -> Vec<Row> {
    let depth = room.depth();
    let (mut rows, mut entries) = (Vec::new(), 0);
    let all = vec![true; graph.edges.len()];
    for kernel in graph.kernels() {
        let forest = Forest::new(graph, &all, kernel);
        let violated = (1..=depth).filter_map(|d| row(&forest, room, kernel, d)).take(DEPTHS);
        for row in violated {
            entries += row.below.len() as u64;
            if entries > WORK / 2 {
                return rows;
            }
            rows.push(row);
        }
    }
    rows
}

/// The inequality of `kernel`, the root of the first tree of `forest`, down to `depth`. None when
/// everything fits.
fn row(forest: &Forest, room: &Room, kernel: KernelId, depth: usize) -> Option<Row> {
    let nodes = &forest.tree[..forest.tree.partition_point(|&node| forest.depth[node] <= depth)];
    let mut below = room.need.clone();
    let need: u64 = nodes.iter().map(|&node| below[node]).sum();
    let excess = need.checked_sub(room.within(kernel, depth)).filter(|&excess| excess > 0)?;
    let mut edges = Vec::with_capacity(nodes.len());
    for &node in nodes.iter().rev() {
        if let Some((parent, edge)) = forest.parent[node] {
            let part = below[node];
            below[parent] += part;
            edges.push((edge, part.min(excess)));
        }
    }
    edges.retain(|&(_, cut_off)| cut_off > 0);
    Some(Row { excess, below: edges })
}

/// Prices of the inequalities: a solution of the dual up to a factor. Each step raises the row with
/// the lowest price per proved cut, until one of its edges has grown by one step; its edges become
/// more expensive in proportion to their share of it. A row's price only rises, so an old price in
/// the heap is a lower bound of the true one.
fn prices(graph: &Graph, rows: &[Row]) -> Vec<f64> {
    let capacity: Vec<f64> = graph.edges.iter().map(|edge| edge.connections as f64).collect();
    let mut dear: Vec<f64> = capacity.iter().map(|capacity| 1.0 / capacity).collect();
    let ratio = |row: &Row, dear: &[f64]| -> f64 {
        row.below.iter().map(|&(edge, part)| part as f64 * dear[edge]).sum::<f64>() / row.excess as f64
    };
    // Positive floats have the order of their bits.
    let entry = |row: usize, dear: &[f64]| (Reverse(ratio(&rows[row], dear).to_bits()), Reverse(row));
    let mut heap: BinaryHeap<_> = (0..rows.len()).map(|row| entry(row, &dear)).collect();
    let (mut prices, mut work) = (vec![0.0; rows.len()], 0);
    while let Some((_, Reverse(row))) = heap.pop() {
        work += rows[row].below.len() as u64;
        let current = entry(row, &dear);
        if heap.peek().is_some_and(|next| *next > current) {
            heap.push(current);
            continue;
        }
        let below = &rows[row].below;
        let raise = below.iter().map(|&(e, part)| capacity[e] / part as f64).fold(f64::INFINITY, f64::min);
        prices[row] += raise;
        for &(edge, part) in below {
            dear[edge] *= 1.0 + STEP * part as f64 * raise / capacity[edge];
        }
        let highest = below.iter().map(|&(edge, _)| dear[edge]).fold(0.0, f64::max);
        if work > 8 * WORK || highest > 1e200 {
            break;
        }
        heap.push(entry(row, &dear));
    }
    prices
}

/// The bound that the prices prove: their value divided by the load of the most loaded edge.
fn certified(graph: &Graph, rows: &[Row], prices: &[f64]) -> u64 {
    let highest = prices.iter().copied().fold(0.0, f64::max);
    if highest <= 0.0 {
        return 0;
    }
    let units: Vec<u128> =
        prices.iter().map(|price| (price / highest * f64::from(1 << 20)) as u128).collect();
    let mut loads = vec![0_u128; graph.edges.len()];
    let mut worth = 0_u128;
    for (row, units) in rows.iter().zip(units) {
        worth += u128::from(row.excess) * units;
        row.below.iter().for_each(|&(edge, part)| loads[edge] += u128::from(part) * units);
    }
    let proofs = loads.iter().zip(&graph.edges).filter(|(load, _)| **load > 0);
    let proof = proofs.map(|(&load, edge)| (worth * u128::from(edge.connections)).div_ceil(load)).min();
    proof.and_then(|cuts| u64::try_from(cuts).ok()).unwrap_or(0)
}
