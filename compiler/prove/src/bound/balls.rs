//! Linear-programming bound: the surroundings of every kernel must fit around its core, for all
//! kernels together.
//!
//! Take a kernel `u`, a depth `d`, and some kernels with a path of at most `d` edges from `u`.
//! Kernels whose path no cut interrupts have their cores within `d` steps of the core of `u`. With
//! `z[e] = 1` if edge `e` is cut:
//!
//! ```text
//! sum over e of below[e] z[e]  >=  need of the kernels - room[u,d]
//! minimise  sum of connections[e] z[e]
//! ```
//!
//! where `below` is the need of the kernels whose path uses `e`, at most the right side. Any
//! solution of the dual program proves a bound. Multiplicative weights in floating point find one.
//! Its prices then choose new inequalities (column generation): for each `u` the depth, paths and
//! kernels with the lowest price per proved cut. The claimed bound is computed in integers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use aiec_ir::{IdVec, KernelId};

use super::graph::{EdgeId, Graph};
use super::room::Room;

/// Factor by which one step raises the price of an edge. A smaller one finds a better solution in
/// more steps.
const STEP: f64 = 0.2;
/// Rounds of choosing inequalities and solving the program.
const ROUNDS: usize = 8;
/// Edges that one solution of the program visits.
const ROUND_WORK: u64 = 1 << 23;

/// Minimum number of cuts, by the linear program.
pub(super) fn fewest_cuts(graph: &Graph, room: &Room) -> u64 {
    let mut costs = graph.edges.iter().map(|edge| 1.0 / edge.connections as f64).collect();
    let (mut rows, mut most): (Vec<Row>, u64) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        rows.extend(graph.kernels().filter_map(|kernel| cheapest(graph, room, kernel, &costs)));
        if rows.is_empty() {
            break;
        }
        rows.sort_unstable();
        rows.dedup();
        let dual = Dual::new(graph, &rows);
        most = most.max(dual.certified(graph, &rows));
        let mut prices = dual.prices.iter();
        rows.retain(|_| prices.next().is_some_and(|price| *price > 0.0));
        costs = dual.costs;
        // The pieces of a tree prove more than further rounds.
        if graph.edges.len() < graph.around.len() {
            break;
        }
    }
    most
}

/// The price of each edge.
pub(super) type Costs = IdVec<EdgeId, f64>;

/// An inequality: the cut edges of `below` together cut off at least `excess`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    /// The right side: the need that must be cut off.
    pub(super) excess: u64,
    /// Edges, each with the need it cuts off.
    pub(super) below: Vec<(EdgeId, u64)>,
}

/// A shortest path from one kernel.
#[derive(Clone, Copy)]
struct Path {
    /// Sum of the prices of its edges.
    length: f64,
    /// The last edge, and the kernel before it.
    last: Option<(EdgeId, KernelId)>,
}

/// For each kernel in reach, the shortest path with at most some number of edges.
type Paths = IdVec<KernelId, Option<Path>>;

/// The inequality of `kernel` with the lowest price per proved cut, over all depths and parts of
/// its surroundings. `costs` has the cost of each edge. Returns None when everything fits.
pub(super) fn cheapest(graph: &Graph, room: &Room, kernel: KernelId, costs: &Costs) -> Option<Row> {
    let mut paths = vec![graph.each(&None)];
    paths[0][kernel] = Some(Path { length: 0.0, last: None });
    let mut best: Option<(f64, usize, Vec<KernelId>)> = None;
    for depth in 1..=room.depth() {
        paths.push(longer(graph, costs, &paths[depth - 1]));
        let found = nearest(&paths[depth], room, room.within(depth));
        if let Some((price, kernels)) = found
            && best.as_ref().is_none_or(|(least, ..)| price < *least)
        {
            best = Some((price, depth, kernels));
        }
    }
    let (_, depth, kernels) = best?;
    // A kernel alone always fits; the checks before placement ensure it.
    Some(row(room, &paths[..=depth], &kernels, room.within(depth))).filter(|row| !row.below.is_empty())
}

/// The shortest paths with at most one edge more than `paths`.
fn longer(graph: &Graph, costs: &Costs, paths: &Paths) -> Paths {
    let mut longer = paths.clone();
    for (number, edge) in graph.edges.enumerate() {
        for (before, end) in [(edge.a, edge.b), (edge.b, edge.a)] {
            let Some(path) = paths[before] else { continue };
            let length = path.length + costs[number];
            if longer[end].is_none_or(|known| length < known.length) {
                longer[end] = Some(Path { length, last: Some((number, before)) });
            }
        }
    }
    longer
}

/// The inequality for `kernels`, which need more than `within`. `paths` has the shortest paths to
/// them with at most 0, 1, 2, ... edges.
fn row(room: &Room, paths: &[Paths], kernels: &[KernelId], within: u64) -> Row {
    let excess = kernels.iter().map(|&kernel| room.need[kernel]).sum::<u64>() - within;
    let mut below: BTreeMap<EdgeId, u64> = BTreeMap::new();
    for &end in kernels.iter().filter(|&&end| room.need[end] > 0) {
        let mut at = end;
        for paths in paths.iter().rev() {
            let Some((edge, before)) = paths[at].and_then(|path| path.last) else { break };
            *below.entry(edge).or_default() += room.need[end];
            at = before;
        }
    }
    Row { excess, below: below.into_iter().map(|(edge, part)| (edge, part.min(excess))).collect() }
}

/// The nearest kernels that need more than `within`, with the lowest price for each unit of the
/// excess. Returns None when all fit.
fn nearest(paths: &Paths, room: &Room, within: u64) -> Option<(f64, Vec<KernelId>)> {
    let reached = paths.enumerate().filter_map(|(kernel, path)| path.map(|path| (path.length, kernel)));
    let mut reached: Vec<(f64, KernelId)> = reached.collect();
    if reached.iter().map(|&(_, kernel)| room.need[kernel]).sum::<u64>() <= within {
        return None;
    }
    reached.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut need, mut price, mut best) = (0, 0.0, (f64::INFINITY, 0));
    for (number, &(length, kernel)) in reached.iter().enumerate() {
        need += room.need[kernel];
        price += length * room.need[kernel] as f64;
        if need > within && price / ((need - within) as f64) < best.0 {
            best = (price / (need - within) as f64, number + 1);
        }
    }
    Some((best.0, reached[..best.1].iter().map(|&(_, kernel)| kernel).collect()))
}

/// A solution of the dual program, up to a factor.
struct Dual {
    /// Prices of the inequalities.
    prices: Vec<f64>,
    /// Prices of the edges.
    costs: Costs,
}

impl Dual {
    /// Each step raises the row with the lowest price per proved cut, until one of its edges has
    /// grown by one step; its edges become more expensive in proportion to their share of it. A
    /// row's price only rises, so an old price in the heap is a lower bound of the true one.
    fn new(graph: &Graph, rows: &[Row]) -> Self {
        let capacity: IdVec<EdgeId, f64> = graph.edges.iter().map(|edge| edge.connections as f64).collect();
        let mut costs: Costs = capacity.iter().map(|capacity| 1.0 / capacity).collect();
        let ratio = |row: &Row, costs: &Costs| -> f64 {
            row.below.iter().map(|&(edge, part)| part as f64 * costs[edge]).sum::<f64>() / row.excess as f64
        };
        // Positive floats have the order of their bits.
        let entry = |row: usize, costs: &Costs| (Reverse(ratio(&rows[row], costs).to_bits()), Reverse(row));
        let mut heap: BinaryHeap<_> = (0..rows.len()).map(|row| entry(row, &costs)).collect();
        let (mut prices, mut work) = (vec![0.0; rows.len()], ROUND_WORK);
        while let Some((_, Reverse(row))) = heap.pop() {
            work = work.saturating_sub(rows[row].below.len() as u64);
            let current = entry(row, &costs);
            if heap.peek().is_some_and(|next| *next > current) {
                heap.push(current);
                continue;
            }
            let below = &rows[row].below;
            let raise =
                below.iter().map(|&(e, part)| capacity[e] / part as f64).fold(f64::INFINITY, f64::min);
            prices[row] += raise;
            for &(edge, part) in below {
                costs[edge] *= 1.0 + STEP * part as f64 * raise / capacity[edge];
            }
            let highest = below.iter().map(|&(edge, _)| costs[edge]).fold(0.0, f64::max);
            if work == 0 || highest > f64::MAX.sqrt() {
                break;
            }
            heap.push(entry(row, &costs));
        }
        Self { prices, costs }
    }

    /// The bound that the prices prove: their value divided by the load of the most loaded edge.
    fn certified(&self, graph: &Graph, rows: &[Row]) -> u64 {
        let highest = self.prices.iter().copied().fold(0.0, f64::max);
        if highest <= 0.0 {
            return 0;
        }
        let units = self.prices.iter().map(|price| (price / highest * f64::from(u32::MAX)) as u128);
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
}
