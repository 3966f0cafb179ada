//! Trees: cut into pieces whose edges can all be shared.
//!
//! With every edge shared, the kernels of a piece down to depth `d` lie on the tiles within `d`
//! sharing steps of its top: 1, 9, 24, 40, 56, 72, ... inside the array. Going up from the leaves,
//! the algorithm cuts the edge to a node's largest child when the node's piece would exceed that
//! number at some depth. For perfect binary trees these cuts are the minimum: none for 63 kernels,
//! 1 for 127, 3 for 255.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use aiec_check::prove::cells_within;
use aiec_device::Grid;
use aiec_ir::IdVec;

use super::components::{Component, MemberId};

/// The pieces of a tree, each with its top first and equal ones in equal order. Connected pieces
/// are close to each other. Returns None when the component has a cycle.
pub(super) fn pieces(grid: &Grid, tree: &Component) -> Option<Vec<Vec<MemberId>>> {
    let edges: usize = tree.neighbours.iter().map(Vec::len).sum::<usize>() / 2;
    (edges + 1 == tree.kernels.len()).then(|| cut(tree, &cells_within(grid), middle(tree)))
}

/// The centre of the tree: the last kernel left when the leaves are removed layer by layer.
fn middle(tree: &Component) -> MemberId {
    let mut degree: IdVec<MemberId, usize> = tree.neighbours.iter().map(Vec::len).collect();
    let mut queue: VecDeque<MemberId> = degree.ids().filter(|&k| degree[k] <= 1).collect();
    let mut last = MemberId(0);
    while let Some(kernel) = queue.pop_front() {
        last = kernel;
        for &other in &tree.neighbours[kernel] {
            degree[other] = degree[other].saturating_sub(1);
            if degree[other] == 1 {
                queue.push_back(other);
            }
        }
    }
    last
}

/// Cuts the tree at `root`. Each piece has its top first and its kernels in depth-first order,
/// equal pieces in equal order. Connected pieces follow each other.
fn cut(tree: &Component, capacity: &[usize], root: MemberId) -> Vec<Vec<MemberId>> {
    let distance = tree.distances(root);
    let mut order: Vec<MemberId> = tree.kernels.ids().collect();
    order.sort_by_key(|&kernel| Reverse(distance[kernel]));
    let mut depths: BTreeMap<MemberId, Vec<usize>> = BTreeMap::new();
    let mut kept: BTreeMap<MemberId, Vec<MemberId>> = BTreeMap::new();
    let mut tops: BTreeMap<MemberId, Vec<MemberId>> = BTreeMap::new();
    for kernel in order {
        let near = tree.neighbours[kernel].iter().copied();
        let mut children: Vec<MemberId> = near.filter(|&k| distance[k] > distance[kernel]).collect();
        // The smallest pieces first; equal ones in the order of the design.
        children.sort_by_key(|child| (depths[child].iter().sum::<usize>(), *child));
        let mut counts = together(&depths, &children);
        while !fits(capacity, &counts) {
            let Some(largest) = children.pop() else { break };
            tops.entry(kernel).or_default().push(largest);
            counts = together(&depths, &children);
        }
        depths.insert(kernel, counts);
        kept.insert(kernel, children);
    }
    let mut pieces = Vec::new();
    collect(root, &kept, &tops, &mut pieces);
    pieces
}

/// Number of kernels of a piece at each depth, from those below its top.
fn together(depths: &BTreeMap<MemberId, Vec<usize>>, children: &[MemberId]) -> Vec<usize> {
    let mut counts = vec![1];
    for below in children.iter().map(|child| &depths[child]) {
        counts.resize(counts.len().max(below.len() + 1), 0);
        counts[1..].iter_mut().zip(below).for_each(|(sum, count)| *sum += count);
    }
    counts
}

fn fits(capacity: &[usize], counts: &[usize]) -> bool {
    let most = capacity.last().copied().unwrap_or(0);
    let mut within = 0;
    counts.iter().enumerate().all(|(depth, count)| {
        within += count;
        within <= capacity.get(depth).copied().unwrap_or(most)
    })
}

/// Half of the pieces below, the piece of `top`, then the others: connected pieces lie close.
fn collect(
    top: MemberId,
    kept: &BTreeMap<MemberId, Vec<MemberId>>,
    tops: &BTreeMap<MemberId, Vec<MemberId>>,
    pieces: &mut Vec<Vec<MemberId>>,
) {
    let mut piece = Vec::new();
    let mut stack = vec![top];
    while let Some(kernel) = stack.pop() {
        piece.push(kernel);
        stack.extend(&kept[&kernel]);
    }
    let below: Vec<MemberId> = piece.iter().filter_map(|k| tops.get(k)).flatten().copied().collect();
    let (before, after) = below.split_at(below.len() / 2);
    before.iter().for_each(|&top| collect(top, kept, tops, pieces));
    pieces.push(piece);
    after.iter().for_each(|&top| collect(top, kept, tops, pieces));
}
