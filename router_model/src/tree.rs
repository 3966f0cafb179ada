//! Times of a collective's tree, from its shape alone.
//!
//! In come window size, children per node and which links go through DMA; out come the closed forms of the thesis (4.5.3), summed over the
//! slowest way from a leaf to the root, and the least time that memory ports and streams allow.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::profile::TimingProfile;

/// The shape of a collective's tree, in heap order.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// Number of nodes, at least 1.
    pub(crate) nodes: usize,
    /// Children per inner node, at least 1.
    pub(crate) arity: usize,
    /// Elements of a window.
    pub(crate) elements: u32,
    /// Bytes of a window.
    pub(crate) bytes: u64,
    /// For each node, true if its link to the parent is a net. The root's entry means nothing.
    pub(crate) routed: Vec<bool>,
    /// The core of each node, as a node that runs on it; empty if each has its own.
    pub(crate) cores: Vec<usize>,
}

/// What limits a collective on any program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// 32 bits a cycle on a stream.
    Stream,
    /// Two 256-bit loads and one 256-bit store a cycle at a core.
    Memory,
}

/// Cycles of one window through a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreeTimes {
    /// A leaf's time.
    pub(crate) leaf: i64,
    /// The time of the slowest node when its inputs are there: the interval between windows.
    pub(crate) level: i64,
    /// From the leaves' start to the result at the root.
    pub(crate) tree: i64,
    /// Least cycles from start to result.
    pub(crate) bound: u64,
    /// Least cycles between windows.
    pub(crate) bound_interval: u64,
    /// What sets `bound_interval`.
    pub(crate) limit: Limit,
}

impl Tree {
    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = node.saturating_mul(self.arity).saturating_add(1).min(self.nodes);
        first..first.saturating_add(self.arity).min(self.nodes)
    }

    /// The times under `profile`.
    pub(crate) fn times(&self, profile: &TimingProfile) -> TreeTimes {
        let leaf = profile.leaf(self.elements);
        let stream = profile.stream(self.bytes);
        let mut times =
            TreeTimes { leaf, level: leaf, tree: 0, bound: 0, bound_interval: 0, limit: Limit::Memory };
        let (mut done, mut least) = (vec![0_i64; self.nodes], vec![0_u64; self.nodes]);
        // Kernels on one core run one after the other.
        let mut free: BTreeMap<usize, i64> = BTreeMap::new();
        // Heap order puts children after their parents, so all of a node's children are done before it.
        for node in (0..self.nodes).rev() {
            // At most as many children as there are nodes, which fit 32 bits.
            let children = self.children(node);
            let count = u32::try_from(children.len()).unwrap_or(u32::MAX);
            let inputs = children.clone().map(|child| done[child]).max();
            let core = free.entry(self.cores.get(node).copied().unwrap_or(node)).or_insert(0);
            let work = if count == 0 { leaf } else { profile.tree_step(self.elements, count) };
            done[node] = inputs.unwrap_or(0).max(*core).saturating_add(work);
            *core = done[node];
            if count > 0 {
                times.level = times.level.max(profile.level(self.elements, count));
            }
            let memory = profile.memory(self.bytes, count);
            let arrived = children
                .map(|child| least[child].saturating_add(if self.routed[child] { stream } else { 0 }));
            least[node] = arrived.max().unwrap_or(0).saturating_add(memory);
            times.bound_interval = times.bound_interval.max(memory);
        }
        if self.routed.iter().skip(1).any(|&routed| routed) && stream >= times.bound_interval {
            (times.bound_interval, times.limit) = (stream, Limit::Stream);
        }
        (times.tree, times.bound) = (done[0], least[0]);
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_on_one_core_run_one_after_the_other() {
        let profile = TimingProfile::thesis();
        let alone = perfect(2, 16);
        let together = Tree { cores: vec![0, 1, 1], ..perfect(2, 16) };
        let (alone, together) = (alone.times(&profile), together.times(&profile));
        assert_eq!(together.tree, alone.tree + alone.leaf, "the second leaf waits for the first");
    }

    fn perfect(levels: u32, bytes: u64) -> Tree {
        let nodes = (1 << levels) - 1;
        Tree {
            nodes,
            arity: 2,
            elements: (bytes / 4) as u32,
            bytes,
            routed: vec![false; nodes],
            cores: Vec::new(),
        }
    }

    /// Thesis Table 4.2: levels, window bytes, tree time predicted and measured, level time predicted and measured, leaf time.
    const TABLE_4_2: [(u32, u64, i64, f64, i64, f64, i64); 17] = [
        (3, 16, 1203, 1246.5, 731, 729.0, 161),
        (4, 16, 1724, 1783.5, 731, 729.0, 161),
        (5, 16, 2245, 2247.5, 731, 729.0, 161),
        (6, 16, 2766, 2780.0, 731, 729.0, 161),
        (3, 8192, 379_343, 379_373.0, 170_383, 170_384.0, 34_909),
        (4, 8192, 551_560, 551_618.5, 170_383, 170_384.0, 34_909),
        (3, 4096, 189_903, 189_946.5, 85_391, 85_391.0, 17_501),
        (4, 4096, 276_104, 276_165.5, 85_391, 85_404.0, 17_501),
        (5, 4096, 362_305, 362_667.5, 85_391, 85_392.0, 17_501),
        (6, 4096, 448_506, 449_123.0, 85_391, 85_391.0, 17_501),
        (3, 2048, 95_183, 94_189.0, 42_895, 42_895.0, 8797),
        (3, 1024, 47_823, 47_343.0, 21_647, 21_647.0, 4445),
        (3, 512, 24_143, 23_907.0, 11_023, 11_023.0, 2269),
        (3, 256, 12_303, 12_208.0, 5711, 5709.0, 1181),
        (3, 128, 6383, 6344.0, 3055, 3053.0, 637),
        (3, 64, 3423, 3408.0, 1727, 1725.0, 365),
        (3, 32, 1943, 1949.0, 1063, 1061.0, 229),
    ];

    #[test]
    fn predictions_are_exactly_those_of_table_4_2() {
        for (levels, bytes, tree, _, level, _, leaf) in TABLE_4_2 {
            let times = perfect(levels, bytes).times(&TimingProfile::thesis());
            assert_eq!(
                (times.tree, times.level, times.leaf),
                (tree, level, leaf),
                "{levels} levels, {bytes} bytes"
            );
        }
    }

    #[test]
    fn measurements_of_table_4_2_are_met_within_4_per_cent() {
        for (levels, bytes, _, tree, _, level, _) in TABLE_4_2 {
            let times = perfect(levels, bytes).times(&TimingProfile::thesis());
            let error = |estimate: i64, measured: f64| (measured - estimate as f64).abs() / measured;
            assert!(
                error(times.tree, tree) < 0.04,
                "{levels} levels, {bytes} bytes: {}",
                error(times.tree, tree)
            );
            assert!(error(times.level, level) < 0.003, "{levels} levels, {bytes} bytes: level");
        }
    }

    #[test]
    fn an_incomplete_tree_takes_the_time_of_its_slowest_branch() {
        // Four nodes, arity 2: the root has two children, the first of which has one.
        let tree =
            Tree { nodes: 4, arity: 2, elements: 4, bytes: 16, routed: vec![false; 4], cores: Vec::new() };
        let profile = TimingProfile::thesis();
        let times = tree.times(&profile);
        assert_eq!(times.tree, profile.leaf(4) + profile.tree_step(4, 1) + profile.tree_step(4, 2));
        assert_eq!(times.level, profile.level(4, 2), "the root is the slowest");
    }

    #[test]
    fn streams_limit_routed_trees_and_memory_ports_shared_ones() {
        let profile = TimingProfile::thesis();
        let mut tree = perfect(3, 4096);
        let shared = tree.times(&profile);
        // 3 windows loaded at 64 bytes a cycle at each of two levels, 1 stored at 32 bytes a cycle at the leaf.
        assert_eq!((shared.bound, shared.bound_interval, shared.limit), (2 * 192 + 128, 192, Limit::Memory));
        tree.routed.fill(true);
        let routed = tree.times(&profile);
        assert_eq!(routed.bound, shared.bound + 2 * 1024, "two links of 4 bytes a cycle");
        assert_eq!((routed.bound_interval, routed.limit), (1024, Limit::Stream));
    }
}
