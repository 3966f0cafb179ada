//! The design as a graph of kernels. Its edges are the connections that go through shared memory or
//! are cut.

use std::collections::BTreeMap;

use aiec_check::Checked;

use crate::contradiction::Freedom;
use crate::demand;

/// An edge: connections between two kernels that could share memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) a: usize,
    pub(super) b: usize,
    /// Number of connections: the cost of cutting the edge.
    pub(super) connections: u64,
}

/// Kernels and the shareable connections between them, one edge per pair.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// Number of kernels.
    pub(super) kernels: usize,
    /// Edges in ascending order of their ends, `a < b`.
    pub(super) edges: Vec<Edge>,
    /// Edges at each kernel, with the kernel at the other end.
    pub(super) around: Vec<Vec<(usize, usize)>>,
    /// Connections that go through DMA in every placement.
    pub(super) always: u64,
}

impl Graph {
    /// The graph of `checked`. Kernels that constraints keep too far apart to share have no edge.
    pub(super) fn new(checked: &Checked, freedom: &Freedom) -> Self {
        let (mut always, mut pairs) = (0, BTreeMap::new());
        for connection in checked.connections.iter() {
            let ends = checked.kernel_of(connection.from).zip(checked.kernel_of(connection.to));
            match ends.filter(|_| demand::may_share(checked, connection.from)) {
                Some((a, b)) if a == b => {}
                Some((a, b)) if !freedom.never_share(a, b) => {
                    *pairs.entry((a.min(b).index(), a.max(b).index())).or_insert(0) += 1;
                }
                _ => always += 1,
            }
        }
        let edges = pairs.into_iter().map(|((a, b), connections)| Edge { a, b, connections });
        Self { always, ..Self::of(checked.kernels.len(), edges.collect()) }
    }

    /// Builds the graph of these edges.
    pub(super) fn of(kernels: usize, edges: Vec<Edge>) -> Self {
        let mut around = vec![Vec::new(); kernels];
        for (number, edge) in edges.iter().enumerate() {
            around[edge.a].push((number, edge.b));
            around[edge.b].push((number, edge.a));
        }
        Self { kernels, edges, around, always: 0 }
    }
}
