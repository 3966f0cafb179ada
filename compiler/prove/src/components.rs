//! Connected components of a graph given by its neighbours.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

/// The connected components of a graph of `count` nodes, in the order of their first nodes. Each is
/// in ascending order.
pub fn components<I: Iterator<Item = usize>>(
    count: usize,
    neighbours: impl Fn(usize) -> I,
) -> Vec<Vec<usize>> {
    let mut sets = UnionFind::new(count);
    for node in 0..count {
        neighbours(node).for_each(|other| _ = sets.union(node, other));
    }
    let (mut number, mut all) = (BTreeMap::new(), Vec::new());
    for (node, set) in sets.into_labeling().into_iter().enumerate() {
        let at = *number.entry(set).or_insert(all.len());
        all.resize(all.len().max(at + 1), Vec::new());
        all[at].push(node);
    }
    all
}
