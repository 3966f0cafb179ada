//! Connected components of a graph given by its neighbours.

use std::collections::BTreeMap;

use aiec_ir::Id;
use petgraph::unionfind::UnionFind;

/// The connected components of a graph of `count` nodes, in the order of their first nodes. Each is
/// in ascending order.
pub fn components<N: Id, I: Iterator<Item = N>>(count: usize, neighbours: impl Fn(N) -> I) -> Vec<Vec<N>> {
    let mut sets = UnionFind::new(count);
    for node in 0..count {
        neighbours(N::from_index(node)).for_each(|other| _ = sets.union(node, other.index()));
    }
    let (mut number, mut all) = (BTreeMap::new(), Vec::new());
    for (node, set) in sets.into_labeling().into_iter().enumerate() {
        let at = *number.entry(set).or_insert(all.len());
        all.resize(all.len().max(at + 1), Vec::new());
        all[at].push(N::from_index(node));
    }
    all
}
