//! Splits the kernels to embed into hosts and leaves.
//!
//! A leaf is a kernel that may take any tile and has one partner among the kernels to embed. That
//! partner is its host. All other kernels are hosts.

use super::super::problem::{CUT, TileProblem};

/// The graph to embed; hosts are numbered from 0.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// The kernel of each host.
    pub(super) hosts: Vec<usize>,
    /// For each host, its neighbours among the hosts with the weight of the edge.
    pub(super) edges: Vec<Vec<(usize, i64)>>,
    /// The leaves of each host.
    pub(super) leaves: Vec<Vec<usize>>,
    /// Cost of a leaf of the host that shares no memory with it.
    pub(super) leaf_weight: Vec<i64>,
    /// Tiles that each host wants beside it: one for each leaf, and some to keep free.
    pub(super) wanted: Vec<usize>,
}

impl Graph {
    /// The graph between `kernels`; `spare` as in [`super::Task`].
    pub(super) fn new(problem: &TileProblem<'_>, kernels: &[usize], spare: i64) -> Self {
        let mut inside = vec![false; problem.kernels()];
        kernels.iter().for_each(|&k| inside[k] = true);
        let partners: Vec<Vec<(usize, i64)>> = (0..problem.kernels())
            .map(|k| if inside[k] { partners(problem, &inside, k) } else { Vec::new() })
            .collect();
        let host_of = |k: usize| host_of(problem, &partners, k);
        let hosts: Vec<usize> = kernels.iter().copied().filter(|&k| host_of(k).is_none()).collect();
        let mut index = vec![None; problem.kernels()];
        hosts.iter().enumerate().for_each(|(h, &k)| index[k] = Some(h));
        let edges = |&k: &usize| {
            partners[k].iter().filter_map(|&(other, weight)| Some((index[other]?, weight))).collect()
        };
        let mut graph = Self {
            edges: hosts.iter().map(edges).collect(),
            leaves: vec![Vec::new(); hosts.len()],
            leaf_weight: vec![CUT; hosts.len()],
            wanted: Vec::new(),
            hosts,
        };
        for &k in kernels {
            if let Some((host, weight)) = host_of(k).and_then(|(host, weight)| Some((index[host]?, weight))) {
                graph.leaves[host].push(k);
                graph.leaf_weight[host] = weight;
            }
        }
        graph.wanted = graph.wishes(problem, spare);
        graph
    }

    /// One tile for each leaf. If memory is scarce, more tiles for hosts that with their leaves need
    /// more memory than their own modules have; three quarters of a module count.
    fn wishes(&self, problem: &TileProblem<'_>, spare: i64) -> Vec<usize> {
        let module = i64::from(problem.needs.capacity()[0]).max(1) * 3 / 4;
        let wish = |(&host, leaves): (&usize, &Vec<usize>)| {
            let bytes: i64 = leaves.iter().chain([&host]).map(|&k| problem.needs.least_bytes(k)).sum();
            let tiles = if spare > 0 { usize::try_from(bytes / module).unwrap_or(0) } else { 0 };
            leaves.len().max(tiles)
        };
        self.hosts.iter().zip(&self.leaves).map(wish).collect()
    }
}

/// The neighbours of `kernel` among those `inside` that could share memory with it.
fn partners(problem: &TileProblem<'_>, inside: &[bool], kernel: usize) -> Vec<(usize, i64)> {
    let shares = problem.neighbours[kernel].iter().filter(|n| n.weight > 0 && inside[n.kernel]);
    shares.map(|n| (n.kernel, n.weight)).collect()
}

/// The host of `kernel` and the weight of the edge to it. None when the kernel is no leaf. Of two
/// kernels that have only each other, the first is the host.
fn host_of(problem: &TileProblem<'_>, partners: &[Vec<(usize, i64)>], kernel: usize) -> Option<(usize, i64)> {
    let &[(host, weight)] = partners[kernel].as_slice() else { return None };
    let lonely = partners[host].len() == 1 && problem.is_unbound(host);
    let leaf = problem.is_unbound(kernel) && (!lonely || host < kernel);
    leaf.then_some((host, weight))
}
