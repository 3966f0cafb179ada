//! Splits the kernels to embed into hosts and leaves.
//!
//! A leaf is a kernel that may take any tile and has one partner among the kernels to embed. That
//! partner is its host. All other kernels are hosts.

use aiec_ir::KernelId;

use super::super::problem::{CUT, TileProblem};
use super::Task;

/// A host, by its number in the [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HostId(u16);

impl HostId {
    /// Its position in tables of hosts.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `count` hosts.
    pub(super) fn first(count: usize) -> impl Iterator<Item = Self> {
        (0..u16::try_from(count).unwrap_or(u16::MAX)).map(Self)
    }
}

/// The graph to embed.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// The kernel of each host.
    pub(super) hosts: Vec<KernelId>,
    /// For each host, its neighbours among the hosts with the weight of the edge.
    pub(super) edges: Vec<Vec<(HostId, i64)>>,
    /// The leaves of each host.
    pub(super) leaves: Vec<Vec<KernelId>>,
    /// Cost of a leaf of the host that shares no memory with it.
    pub(super) leaf_weight: Vec<i64>,
    /// Tiles that each host wants beside it: one for each leaf, and some to keep free.
    pub(super) wanted: Vec<usize>,
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
        let hosts: Vec<KernelId> = kernels.iter().copied().filter(|&k| host_of(k).is_none()).collect();
        let mut ids = vec![None; problem.kernels()];
        HostId::first(hosts.len()).zip(&hosts).for_each(|(host, kernel)| ids[kernel.index()] = Some(host));
        let edges = |kernel: &KernelId| {
            let partners = &partners[kernel.index()];
            partners.iter().filter_map(|&(other, weight)| Some((ids[other.index()]?, weight))).collect()
        };
        let mut graph = Self {
            edges: hosts.iter().map(edges).collect(),
            leaves: vec![Vec::new(); hosts.len()],
            leaf_weight: vec![CUT; hosts.len()],
            wanted: Vec::new(),
            hosts,
        };
        for &leaf in kernels {
            if let Some((host, weight)) = host_of(leaf)
                && let Some(host) = ids[host.index()]
            {
                graph.leaves[host.index()].push(leaf);
                graph.leaf_weight[host.index()] = weight;
            }
        }
        let room = task.area.len().saturating_sub(graph.hosts.len());
        graph.wanted = graph.wishes(problem, task.spare);
        graph.moderate(room);
        graph
    }

    /// All hosts.
    pub(super) fn ids(&self) -> impl Iterator<Item = HostId> + use<> {
        HostId::first(self.hosts.len())
    }

    /// The kernel of a host.
    pub(super) fn kernel(&self, host: HostId) -> KernelId {
        self.hosts[host.index()]
    }

    /// Lowers the greatest wishes until `room` tiles grant them all, down to a tile for each leaf.
    /// Wishes that no area grants would be searched in vain after each move.
    fn moderate(&mut self, room: usize) {
        let mut total: usize = self.wanted.iter().sum();
        while total > room {
            let extra = self.wanted.iter().zip(&self.leaves).map(|(wanted, leaves)| wanted - leaves.len());
            let Some((most, at)) = extra.zip(0..).max_by_key(|&(extra, at)| (extra, std::cmp::Reverse(at)))
            else {
                return;
            };
            if most == 0 {
                return;
            }
            self.wanted[at] -= 1;
            total -= 1;
        }
    }

    /// One tile for each leaf. If memory is scarce, more tiles for hosts that with their leaves
    /// need more memory than their own modules have; three quarters of a module count.
    fn wishes(&self, problem: &TileProblem<'_>, spare: i64) -> Vec<usize> {
        let module = i64::from(problem.needs.capacity()[0]).max(1) * 3 / 4;
        let wish = |(&host, leaves): (&KernelId, &Vec<KernelId>)| {
            let bytes: i64 = leaves.iter().chain([&host]).map(|&k| problem.needs.least_bytes(k)).sum();
            let tiles = if spare > 0 { usize::try_from(bytes / module).unwrap_or(0) } else { 0 };
            leaves.len().max(tiles)
        };
        self.hosts.iter().zip(&self.leaves).map(wish).collect()
    }
}

/// The host of `kernel` and the weight of the edge to it. None when the kernel is no leaf. Of two
/// kernels that have only each other, the first is the host.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_lowered_to_what_the_area_grants_but_not_below_the_leaves() {
        let graph = |wanted: &[usize]| Graph {
            hosts: (0..3).map(KernelId).collect(),
            edges: vec![Vec::new(); 3],
            leaves: vec![vec![KernelId(3), KernelId(4)], Vec::new(), Vec::new()],
            leaf_weight: vec![CUT; 3],
            wanted: wanted.to_vec(),
        };
        let moderated = |wanted: &[usize], room: usize| {
            let mut graph = graph(wanted);
            graph.moderate(room);
            graph.wanted
        };
        assert_eq!(moderated(&[4, 3, 1], 8), [4, 3, 1]);
        assert_eq!(moderated(&[4, 3, 1], 5), [3, 1, 1]);
        assert_eq!(moderated(&[4, 3, 1], 0), [2, 0, 0]);
    }
}
