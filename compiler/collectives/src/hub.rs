//! The hub: the ranks besides the root fall into clusters of neighbours; the first of each is its head and hangs below the root, the others
//! below their head.

use super::Tree;

/// Up to `heads` clusters whose sizes differ by one at most.
pub(super) fn tree(size: u32, root: u32, heads: u32) -> Tree {
    let others: Vec<u32> = (0..size).filter(|&rank| rank != root).collect();
    let heads = (heads.max(1) as usize).min(others.len());
    let mut parent = vec![None; size as usize];
    let (mut order, mut members, mut rest) = (vec![root], Vec::new(), others.as_slice());
    for left in (1..=heads).rev() {
        let (cluster, after) = rest.split_at(rest.len().div_ceil(left));
        rest = after;
        let Some((&head, below)) = cluster.split_first() else { continue };
        parent[head as usize] = Some(root);
        below.iter().for_each(|&rank| parent[rank as usize] = Some(head));
        order.push(head);
        members.extend_from_slice(below);
    }
    order.extend(members);
    Tree::from_parents(order, parent).with_children_by_rank()
}
