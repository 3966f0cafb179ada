//! The binomial tree: the rank at distance `d` from the root hangs below the one at `d` without its lowest set bit.

use super::Tree;

/// Distances are counted upwards from the root and wrap around. With rank 0 as root every subtree is a range of ranks.
pub(super) fn tree(size: u32, root: u32) -> Tree {
    let rank_at = |distance: u32| (root + distance) % size;
    let mut parent = vec![None; size as usize];
    for distance in 1..size {
        parent[rank_at(distance) as usize] = Some(rank_at(distance & (distance - 1)));
    }
    Tree::from_parents((0..size).map(rank_at).collect(), parent)
}
