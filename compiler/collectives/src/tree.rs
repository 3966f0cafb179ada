//! The complete tree in heap order.

use super::Tree;

/// The root, then the other ranks in rank order; the parent of position `i` is at `(i - 1) / arity` (thesis 4.4.3 for two children).
pub(super) fn heap(size: u32, root: u32, arity: u32) -> Tree {
    let order: Vec<u32> = std::iter::once(root).chain((0..size).filter(|&rank| rank != root)).collect();
    let arity = arity.max(1) as usize;
    let mut parent = vec![None; size as usize];
    for (position, &rank) in order.iter().enumerate().skip(1) {
        parent[rank as usize] = Some(order[(position - 1) / arity]);
    }
    Tree::from_parents(order, parent)
}
