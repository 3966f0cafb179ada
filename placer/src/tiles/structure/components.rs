//! Connected components of the graph of shareable connections.

use std::collections::VecDeque;

use aiec_ir::{IdVec, KernelId};

use super::super::problem::{TileProblem, table};
use super::blocks::Block;

/// A component. Its kernels are numbered from 0, in the order of the design.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// The kernels of the design, by number in the component.
    pub(super) kernels: Vec<KernelId>,
    /// Neighbours of each kernel, in ascending order.
    pub(super) neighbours: Vec<Vec<usize>>,
}

impl Component {
    /// All edges, each once. Isomorphic components in the same order have equal edges.
    pub(super) fn edges(&self) -> Vec<(usize, usize)> {
        let edges = self.neighbours.iter().enumerate();
        edges.flat_map(|(a, all)| all.iter().filter(move |&&b| a < b).map(move |&b| (a, b))).collect()
    }

    /// A copy of `block`, laid for an equal component, with this component's kernels.
    pub(super) fn own(&self, block: &Block<usize>) -> Block {
        Block {
            kernels: block.kernels.iter().map(|&k| self.kernels[k]).collect(),
            tiles: block.tiles.clone(),
        }
    }

    /// Steps from `from` to each kernel (breadth-first search).
    pub(super) fn distances(&self, from: usize) -> Vec<usize> {
        let mut distance = vec![usize::MAX; self.kernels.len()];
        distance[from] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(kernel) = queue.pop_front() {
            for &other in &self.neighbours[kernel] {
                if distance[other] == usize::MAX {
                    distance[other] = distance[kernel] + 1;
                    queue.push_back(other);
                }
            }
        }
        distance
    }
}

/// All components with at least two kernels, in the order of their first kernels.
pub(super) fn components(problem: &TileProblem<'_>) -> Vec<Component> {
    let mut position: IdVec<KernelId, Option<usize>> = table(problem.kernels(), None);
    let mut components = Vec::new();
    for first in problem.ids() {
        if position[first].is_some() || partners(problem, first).is_empty() {
            continue;
        }
        let kernels = reachable(problem, first);
        kernels.iter().enumerate().for_each(|(at, &kernel)| position[kernel] = Some(at));
        let near = |&k: &KernelId| -> Vec<usize> {
            let mut near: Vec<usize> = partners(problem, k).into_iter().filter_map(|n| position[n]).collect();
            near.sort_unstable();
            near
        };
        let neighbours = kernels.iter().map(near).collect();
        components.push(Component { kernels, neighbours });
    }
    components
}

fn partners(problem: &TileProblem<'_>, kernel: KernelId) -> Vec<KernelId> {
    // A pair that must share memory without a connection is no edge.
    problem.neighbours[kernel].iter().filter(|n| n.windows != [0; 2]).map(|n| n.kernel).collect()
}

/// The component of `first`, sorted.
fn reachable(problem: &TileProblem<'_>, first: KernelId) -> Vec<KernelId> {
    let mut seen = table(problem.kernels(), false);
    let mut found = vec![first];
    seen[first] = true;
    let mut next = 0;
    while let Some(&kernel) = found.get(next) {
        next += 1;
        for other in partners(problem, kernel) {
            if !std::mem::replace(&mut seen[other], true) {
                found.push(other);
            }
        }
    }
    found.sort_unstable();
    found
}
