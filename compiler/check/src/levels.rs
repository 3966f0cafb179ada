//! The depth of a tree that total memory allows (thesis 4.6.3, equations 4.7 to 4.9).
//!
//! Takes the bytes of a root, an interior node and a leaf, and returns the largest number of levels
//! whose perfect tree fits a number of bytes. The thesis solves the inequality for the depth of a
//! binary tree. This code evaluates it level by level, which is exact and holds for any arity.

/// Bytes that each kind of node of a perfect tree needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeMemory {
    /// Children of every node that is not a leaf, at least 1.
    pub arity: u32,
    /// Bytes of the root.
    pub root: u64,
    /// Bytes of a node between the root and the leaves.
    pub interior: u64,
    /// Bytes of a leaf.
    pub leaf: u64,
}

impl TreeMemory {
    /// The binary tree of equation 4.9 (thesis 4.6.3). Ping-pong windows of `window` bytes count at
    /// both ends. The root has two inputs and two outputs (result and cycle counts). Every node has
    /// `data` plus `rest` bytes of stack, heap and sync area.
    pub const fn thesis(window: u64, data: u64, rest: u64) -> Self {
        let system = data + rest;
        Self { arity: 2, root: 8 * window + system, interior: 6 * window + system, leaf: 2 * window + system }
    }

    /// Nodes and bytes of the perfect trees with 1, 2, 3, ... levels (equation 4.7). A tree of one
    /// level is a root alone.
    fn trees(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let arity = u64::from(self.arity.max(1));
        let deeper = move |&(width, nodes, above): &(u64, u64, u64)| {
            let width_below = width.saturating_mul(arity);
            let own = if nodes == 1 { self.root } else { width.saturating_mul(self.interior) };
            Some((width_below, nodes.saturating_add(width_below), above.saturating_add(own)))
        };
        let trees = std::iter::successors(Some((1_u64, 1_u64, 0_u64)), deeper);
        trees.map(|(width, nodes, above)| {
            let lowest = if nodes == 1 { self.root } else { width.saturating_mul(self.leaf) };
            (nodes, above.saturating_add(lowest))
        })
    }

    /// Bytes of a perfect tree of `levels` levels, at least 1 (equation 4.7).
    pub fn bytes(&self, levels: u32) -> u64 {
        self.trees().nth(levels.saturating_sub(1) as usize).map_or(0, |(_, bytes)| bytes)
    }

    /// The most levels whose perfect tree needs at most `cores` cores and `supply` bytes, and the
    /// nodes of that tree (equation 4.9). Returns zeros when not even a root fits.
    pub fn levels(&self, cores: u64, supply: u64) -> (u32, u64) {
        let trees = self.trees().take_while(|&(nodes, _)| nodes <= cores).zip(1..);
        let fitting = trees.filter(|&((_, bytes), _)| bytes <= supply);
        fitting.last().map_or((0, 0), |((nodes, _), levels)| (levels, nodes))
    }
}

#[cfg(test)]
mod tests {
    use super::TreeMemory;

    const KB: u64 = 1024;
    /// The array of the thesis: 400 tiles of 32 KB.
    const ARRAY: (u64, u64) = (400, 400 * 32 * KB);

    fn levels(window: u64, data: u64, rest: u64) -> u32 {
        TreeMemory::thesis(window * KB, data * KB, rest * KB).levels(ARRAY.0, ARRAY.1).0
    }

    #[test]
    fn equation_4_9_allows_seven_levels_for_8_24_1_and_eight_for_8_8_1() {
        assert_eq!(levels(8, 24, 1), 7);
        assert_eq!(levels(8, 8, 1), 8);
    }

    #[test]
    fn equation_4_7_sums_root_interior_nodes_and_leaves() {
        let tree = TreeMemory::thesis(8 * KB, 24 * KB, KB);
        assert_eq!(tree.bytes(1), 89 * KB);
        assert_eq!(tree.bytes(7), (89 + 62 * 73 + 64 * 41) * KB);
    }

    #[test]
    fn small_windows_are_limited_by_the_number_of_cores() {
        assert_eq!(TreeMemory::thesis(16, 16, KB).levels(ARRAY.0, ARRAY.1), (8, 255));
    }

    #[test]
    fn chains_and_wide_trees_have_bounds_too() {
        let node = |arity| TreeMemory { arity, root: 10, interior: 10, leaf: 10 };
        assert_eq!(node(1).levels(16_384, 95), (9, 9));
        assert_eq!(node(13).levels(400, 1 << 40), (3, 183));
        assert_eq!(node(2).levels(400, 9), (0, 0), "not even a root fits");
    }
}
