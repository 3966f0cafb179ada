//! The design as a graph of kernels. Its edges are the connections that go through shared memory or
//! are cut.

use std::collections::BTreeMap;

use crate::Checked;
use aiec_ir::{IdVec, KernelId};

use crate::prove::contradiction::Freedom;

aiec_ir::ids! {
    /// An edge of a [`Graph`].
    pub(super) EdgeId;
}

/// An edge: connections between two kernels that could share memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) a: KernelId,
    pub(super) b: KernelId,
    /// Number of connections: the cost of cutting the edge.
    pub(super) connections: u64,
}

/// Kernels and the shareable connections between them, one edge per pair.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// Edges in ascending order of their ends, `a < b`.
    pub(super) edges: IdVec<EdgeId, Edge>,
    /// Edges at each kernel, with the kernel at the other end.
    pub(super) around: IdVec<KernelId, Vec<(EdgeId, KernelId)>>,
    /// Connections that go through DMA in every placement.
    pub(super) always: u64,
}

impl Graph {
    /// The graph of `checked`. Kernels that constraints keep too far apart to share have no edge.
    pub(super) fn new(checked: &Checked, freedom: &Freedom) -> Self {
        let (mut always, mut pairs) = (0, BTreeMap::new());
        let by_dma = checked.connections.enumerate().filter(|(id, _)| checked.may_use_dma(*id));
        for (_, connection) in by_dma {
            let ends = checked.kernel_of(connection.from).zip(checked.kernel_of(connection.to));
            match ends.filter(|_| checked.may_share(connection.from)) {
                Some((a, b)) if a == b => {}
                Some((a, b)) if !freedom.never_share(a, b) => {
                    *pairs.entry((a.min(b), a.max(b))).or_insert(0) += 1;
                }
                _ => always += 1,
            }
        }
        let edges = pairs.into_iter().map(|((a, b), connections)| Edge { a, b, connections });
        Self { always, ..Self::of(checked.kernels.len(), edges.collect()) }
    }

    /// Builds the graph of these edges.
    pub(super) fn of(kernels: usize, edges: IdVec<EdgeId, Edge>) -> Self {
        let mut around: IdVec<KernelId, Vec<_>> = (0..kernels).map(|_| Vec::new()).collect();
        for (number, edge) in edges.enumerate() {
            around[edge.a].push((number, edge.b));
            around[edge.b].push((number, edge.a));
        }
        Self { edges, around, always: 0 }
    }
}

/// A spanning forest by breadth-first search.
pub(super) struct Forest {
    /// Kernels, parents before children.
    pub(super) order: Vec<KernelId>,
    /// Parent of each kernel and the edge to it.
    pub(super) parent: IdVec<KernelId, Option<(KernelId, EdgeId)>>,
}

impl Forest {
    /// The forest over the edges that are `left`. Its first tree has the root `top`.
    pub(super) fn new(graph: &Graph, left: &IdVec<EdgeId, bool>, top: KernelId) -> Self {
        let kernels = graph.around.len();
        let mut forest = Self { order: Vec::new(), parent: IdVec::filled(None, kernels) };
        let mut seen = IdVec::filled(false, kernels);
        for start in std::iter::once(top).chain(graph.around.ids()) {
            if seen.get(start) != Some(&false) {
                continue;
            }
            seen[start] = true;
            forest.order.push(start);
            let mut next = forest.order.len() - 1;
            while let Some(&kernel) = forest.order.get(next) {
                next += 1;
                for &(edge, other) in graph.around[kernel].iter().filter(|(edge, _)| left[*edge]) {
                    if !std::mem::replace(&mut seen[other], true) {
                        forest.parent[other] = Some((kernel, edge));
                        forest.order.push(other);
                    }
                }
            }
        }
        forest
    }

    /// The edges of all trees.
    pub(super) fn edges(&self) -> impl Iterator<Item = EdgeId> {
        self.parent.iter().flatten().map(|&(_, edge)| edge)
    }
}
