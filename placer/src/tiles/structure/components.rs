//! Connected components of the graph of shareable connections.

use std::collections::VecDeque;

use aiec_ir::{Id, IdVec, KernelId};

use super::super::problem::TileProblem;
use super::blocks::Block;

aiec_ir::ids! {
    /// A kernel of a component.
    pub(crate) MemberId;
}

/// A component. Its kernels are numbered in the order of the design.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    /// The kernels of the design.
    pub(crate) kernels: IdVec<MemberId, KernelId>,
    /// Neighbours of each kernel, in ascending order.
    pub(crate) neighbours: IdVec<MemberId, Vec<MemberId>>,
}

impl Component {
    /// All edges, each once. Isomorphic components in the same order have equal edges.
    pub(crate) fn edges(&self) -> Vec<(MemberId, MemberId)> {
        let edges = self.neighbours.enumerate();
        edges.flat_map(|(a, all)| all.iter().filter(move |&&b| a < b).map(move |&b| (a, b))).collect()
    }

    /// A copy of `block`, laid for an equal component, with this component's kernels.
    pub(super) fn own(&self, block: &Block<MemberId>) -> Block {
        Block {
            kernels: block.kernels.iter().map(|&k| self.kernels[k]).collect(),
            tiles: block.tiles.clone(),
        }
    }

    /// Steps from `from` to each kernel (breadth-first search).
    pub(crate) fn distances(&self, from: MemberId) -> IdVec<MemberId, usize> {
        let mut distance = IdVec::filled(usize::MAX, self.kernels.len());
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
    // A pair that must share memory without a connection is no edge.
    let partners = |kernel: KernelId| {
        let near = problem.neighbours[kernel].iter().filter(|n| n.windows != [0; 2]);
        near.map(|n| n.kernel)
    };
    let component = |kernels: Vec<KernelId>| {
        let near = |&kernel: &KernelId| {
            let near = partners(kernel).filter_map(|other| kernels.binary_search(&other).ok());
            let mut near: Vec<MemberId> = near.map(MemberId::from_index).collect();
            near.sort_unstable();
            near
        };
        Component { neighbours: kernels.iter().map(near).collect(), kernels: kernels.into_iter().collect() }
    };
    let all = aiec_check::prove::components(problem.kernels(), partners).into_iter();
    all.filter(|kernels| kernels.len() > 1).map(component).collect()
}
