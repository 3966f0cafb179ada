//! The flat shape: all ranks directly below the root, combined in rank order.

use super::Tree;

pub(super) fn tree(size: u32, root: u32) -> Tree {
    let parent = (0..size).map(|rank| (rank != root).then_some(root)).collect();
    let order = std::iter::once(root).chain((0..size).filter(|&rank| rank != root)).collect();
    Tree::from_parents(order, parent).with_children_by_rank()
}
