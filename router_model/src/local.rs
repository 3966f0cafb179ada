//! Local search on trees with many sinks: replaces pieces of the tree with few ends by exact
//! Steiner trees, until no piece gets shorter.
//!
//! Takes a tree, parents first, and prices. Returns a tree with the same ends that is no longer and
//! uses only edges with a price. A piece hangs under one switch of the tree and reaches down to at
//! most [`steiner::MAX_SINKS`] switches that must stay: sinks, and switches with further parts of
//! the tree below. Each round takes every source, sink and branching switch as the head of a piece.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::fabric::{Edge, Fabric, Node};
use crate::pathfinder::{Ends, FREE};
use crate::steiner::{self, Lengths, Limit};

/// Maximum number of rounds over all pieces of a tree. Two usually suffice.
const ROUNDS: u32 = 6;

/// The tree after all pieces are as short as possible. Each cost is one of [`FREE`].
pub(crate) fn shorten(
    fabric: &Fabric,
    ends: &Ends,
    mut tree: Vec<Edge>,
    lengths: &mut Lengths,
    cost: impl Fn(Edge) -> Option<u64>,
) -> Vec<Edge> {
    for _ in 0..ROUNDS {
        let before = tree.len();
        for head in heads(fabric, ends, &tree) {
            let piece = piece(fabric, ends, &branches(&tree), head);
            if piece.edges.len() as u64 > lengths.least(head, &piece.stay)
                && let Some(shorter) = replaced(fabric, ends, &tree, &piece, &cost)
            {
                tree = shorter;
            }
        }
        if tree.len() == before {
            break;
        }
    }
    tree
}

/// The edges of a tree by the switch they leave.
fn branches(tree: &[Edge]) -> BTreeMap<Node, Vec<Edge>> {
    let mut branches: BTreeMap<Node, Vec<Edge>> = BTreeMap::new();
    for &edge in tree {
        branches.entry(edge.from()).or_default().push(edge);
    }
    branches
}

/// Source, sinks and branching switches, starting at the source.
fn heads(fabric: &Fabric, ends: &Ends, tree: &[Edge]) -> Vec<Node> {
    let branches = branches(tree);
    let entered = tree.iter().filter_map(|&edge| fabric.target(edge));
    let nodes = std::iter::once(ends.source).chain(entered);
    nodes
        .filter(|node| {
            let branching = branches.get(node).is_some_and(|edges| edges.len() > 1);
            branching || *node == ends.source || ends.sinks.contains(node)
        })
        .collect()
}

/// A piece of a tree.
struct Piece {
    /// The switch under which it hangs.
    head: Node,
    /// The switches that must stay, without the head.
    stay: Vec<Node>,
    /// What connects them.
    edges: BTreeSet<Edge>,
}

/// The piece under `head`. Follows the tree downwards, nearest switches first, while the number of
/// switches that must stay is within the limit.
fn piece(fabric: &Fabric, ends: &Ends, branches: &BTreeMap<Node, Vec<Edge>>, head: Node) -> Piece {
    let (mut lowest, mut inner) = (BTreeSet::from([head]), BTreeSet::new());
    let mut edges = BTreeSet::new();
    let mut open = VecDeque::from([head]);
    while let Some(node) = open.pop_front() {
        let Some(below) = branches.get(&node) else { continue };
        let keep = usize::from(node != head && ends.sinks.contains(&node));
        if lowest.len() - 1 + inner.len() + below.len() + keep > steiner::MAX_SINKS {
            continue;
        }
        lowest.remove(&node);
        if keep > 0 {
            inner.insert(node);
        }
        for &edge in below {
            edges.insert(edge);
            if let Some(next) = fabric.target(edge) {
                lowest.insert(next);
                open.push_back(next);
            }
        }
    }
    lowest.remove(&head);
    Piece { head, stay: lowest.into_iter().chain(inner).collect(), edges }
}

/// The tree with a shorter piece instead of `piece`. Returns None when there is none.
fn replaced(
    fabric: &Fabric,
    ends: &Ends,
    tree: &[Edge],
    piece: &Piece,
    cost: &impl Fn(Edge) -> Option<u64>,
) -> Option<Vec<Edge>> {
    let rest: Vec<Edge> = tree.iter().copied().filter(|edge| !piece.edges.contains(edge)).collect();
    let mut barred: BTreeSet<Node> = rest.iter().filter_map(|&edge| fabric.target(edge)).collect();
    barred.extend([ends.source, piece.head]);
    let price = |edge: Edge| {
        let free = fabric.target(edge).is_some_and(|to| !barred.contains(&to)) && ends.may_leave_by(edge);
        if free { cost(edge) } else { None }
    };
    let limit = Limit::below(piece.edges.len(), &FREE);
    let (_, new) = steiner::tree(fabric, piece.head, &piece.stay, limit, price)?;
    (new.len() < piece.edges.len()).then(|| in_order(fabric, ends.source, rest.into_iter().chain(new)))
}

/// The edges of a tree, parents first.
fn in_order(fabric: &Fabric, source: Node, edges: impl Iterator<Item = Edge>) -> Vec<Edge> {
    let branches = branches(&edges.collect::<Vec<_>>());
    let (mut order, mut open) = (Vec::new(), VecDeque::from([source]));
    while let Some(node) = open.pop_front() {
        for &edge in branches.get(&node).into_iter().flatten() {
            order.push(edge);
            open.extend(fabric.target(edge));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use crate::pathfinder::{RouteOptions, route_requests};
    use crate::{EndPort, NetEnd, Request, Switch};

    fn distance(a: Switch, b: Switch) -> u64 {
        u64::from(a.column.abs_diff(b.column) + a.row.abs_diff(b.row))
    }

    /// Length of a minimum spanning tree by Manhattan distance.
    fn spanning(ends: &[Switch]) -> u64 {
        let mut near: Vec<(u64, Switch)> =
            ends[1..].iter().map(|&end| (distance(ends[0], end), end)).collect();
        let mut total = 0;
        while let Some(at) = (0..near.len()).min_by_key(|&at| near[at].0) {
            let (length, new) = near.swap_remove(at);
            total += length;
            near.iter_mut().for_each(|(best, end)| *best = (*best).min(distance(new, *end)));
        }
        total
    }

    /// Iterated 1-Steiner (Kahng and Robins): adds the meeting point that shortens the spanning
    /// tree most, until none does. An independent tree, slightly longer than the shortest.
    fn one_steiner(ends: &[Switch]) -> u64 {
        let mut points = ends.to_vec();
        let columns: Vec<u16> = ends.iter().map(|end| end.column).collect();
        let rows: Vec<u16> = ends.iter().map(|end| end.row).collect();
        let mut best = spanning(&points);
        loop {
            let meeting =
                columns.iter().flat_map(|&column| rows.iter().map(move |&row| Switch { column, row }));
            let with = |point: Switch| (spanning(&[points.as_slice(), &[point]].concat()), point);
            match meeting.map(with).min() {
                Some((length, point)) if length < best => {
                    best = length;
                    points.push(point);
                }
                _ => return best,
            }
        }
    }

    #[test]
    #[ignore = "long: compares with a slow heuristic"]
    fn lone_nets_with_many_sinks_are_as_short_as_another_good_heuristic_makes_them() {
        let device =
            aiec_device::builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in");
        let mut state = 11_u64;
        let mut next = |limit: u16| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(limit)) as u16
        };
        for sinks in [8, 14, 30] {
            let (mut ours, mut theirs) = (0, 0);
            for _ in 0..6 {
                let ends: Vec<Switch> =
                    (0..=sinks).map(|_| Switch { column: next(50), row: 1 + next(8) }).collect();
                let end = |switch| NetEnd { switch, port: EndPort::Dma(0) };
                let request = Request::circuit(end(ends[0]), ends[1..].iter().copied().map(end).collect());
                let routing = route_requests(&[request], &device, &RouteOptions::default());
                let hops = routing.map(|routing| routing.trees[0].len());
                ours += hops.unwrap_or(usize::MAX) as u64;
                theirs += one_steiner(&ends);
            }
            assert!(ours * 100 <= theirs * 102, "{sinks} sinks: {ours} hops, the other heuristic {theirs}");
        }
    }
}
