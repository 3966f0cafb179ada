//! Splits the kernels to embed into hosts and leaves.
//!
//! A leaf is a kernel that may take any tile and has one partner among the kernels to embed. That
//! partner is its host. All other kernels are hosts.

use aiec_ir::{IdVec, KernelId};

use super::super::problem::{CUT, TileProblem};
use super::Task;

aiec_ir::ids! {
    /// A kernel of an embedding that moves by itself.
    pub(super) HostId;
}

/// The graph to embed.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// The kernel of each host.
    pub(super) hosts: IdVec<HostId, KernelId>,
    /// For each host, its neighbours among the hosts with the weight of the edge.
    pub(super) edges: IdVec<HostId, Vec<(HostId, i64)>>,
    /// The leaves of each host.
    pub(super) leaves: IdVec<HostId, Vec<KernelId>>,
    /// Cost of a leaf of the host that shares no memory with it.
    pub(super) leaf_weight: IdVec<HostId, i64>,
}

impl Graph {
    /// The graph between the kernels of `task`.
    pub(super) fn new(problem: &TileProblem<'_>, task: &Task<'_>) -> Self {
        let kernels = task.kernels;
        let mut partners = vec![Vec::new(); problem.kernels()];
        for &kernel in kernels {
            let shares = problem.neighbours[kernel].iter().filter(|n| n.weight > 0);
            let inside = shares.filter(|n| kernels.contains(&n.kernel));
            partners[kernel.index()] = inside.map(|n| (n.kernel, n.weight)).collect();
        }
        let host_of = |k: KernelId| host_of(problem, &partners, k);
        let hosts: IdVec<HostId, KernelId> =
            kernels.iter().copied().filter(|&k| host_of(k).is_none()).collect();
        let mut ids = vec![None; problem.kernels()];
        hosts.enumerate().for_each(|(host, kernel)| ids[kernel.index()] = Some(host));
        let edges = |kernel: &KernelId| {
            let partners = &partners[kernel.index()];
            partners.iter().filter_map(|&(other, weight)| Some((ids[other.index()]?, weight))).collect()
        };
        let mut graph = Self {
            edges: hosts.iter().map(edges).collect(),
            leaves: IdVec::filled(Vec::new(), hosts.len()),
            leaf_weight: IdVec::filled(CUT, hosts.len()),
            hosts,
        };
        for &leaf in kernels {
            if let Some((host, weight)) = host_of(leaf)
                && let Some(host) = ids[host.index()]
            {
                graph.leaves[host].push(leaf);
                graph.leaf_weight[host] = weight;
            }
        }
        graph
    }
}

/// The host of `kernel` and the weight of the edge to it. Returns None when the kernel is no leaf.
/// Of two kernels that have only each other, the first is the host.
fn host_of(
    problem: &TileProblem<'_>,
    partners: &[Vec<(KernelId, i64)>],
    kernel: KernelId,
) -> Option<(KernelId, i64)> {
    let &[(host, weight)] = partners[kernel.index()].as_slice() else { return None };
    let lonely = partners[host.index()].len() == 1 && problem.is_unbound(host);
    let leaf = problem.is_unbound(kernel) && (!lonely || host < kernel);
    leaf.then_some((host, weight))
}
