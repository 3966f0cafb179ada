//! Connected components of the graph of shareable connections.

use std::collections::VecDeque;

use aiec_ir::KernelId;

use super::super::problem::TileProblem;
use super::blocks::Block;

/// A component. Its kernels are numbered from 0, in the order of the design.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    /// The kernels of the design, by number in the component.
    pub(crate) kernels: Vec<KernelId>,
    /// Neighbours of each kernel, in ascending order.
    pub(crate) neighbours: Vec<Vec<usize>>,
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
    pub(crate) fn distances(&self, from: usize) -> Vec<usize> {
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
pub(crate) fn components(problem: &TileProblem<'_>) -> Vec<Component> {
    let ids: Vec<KernelId> = problem.ids().collect();
    // A pair that must share memory without a connection is no edge.
    let partners = |kernel: usize| {
        let near = problem.neighbours[ids[kernel]].iter().filter(|n| n.windows != [0; 2]);
        near.map(|n| n.kernel.index())
    };
    let component = |kernels: Vec<usize>| {
        let near = |&kernel: &usize| {
            let near = partners(kernel).filter_map(|other| kernels.binary_search(&other).ok());
            let mut near: Vec<usize> = near.collect();
            near.sort_unstable();
            near
        };
        let neighbours = kernels.iter().map(near).collect();
        Component { kernels: kernels.iter().map(|&kernel| ids[kernel]).collect(), neighbours }
    };
    let all = aiec_prove::components(ids.len(), partners).into_iter();
    all.filter(|kernels| kernels.len() > 1).map(component).collect()
}
