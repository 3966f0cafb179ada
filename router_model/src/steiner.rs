//! The shortest tree for one net, exactly (Dreyfus and Wagner, Networks 1, 1971, for directed
//! graphs).
//!
//! Takes a source, a few sinks and a cost for each edge. Returns a tree of least cost. The work
//! grows with 3 to the number of sinks. Only nets with at most [`MAX_SINKS`] distinct sink switches
//! are solved, in a window of the array around them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::fabric::{Edge, Fabric, Node, ids};
use crate::switch::Switch;

/// Maximum number of sink switches of a net that is solved exactly.
pub(crate) const MAX_SINKS: usize = 6;

/// Switches around the rectangle of a net's ends that its tree may use. Without congestion a
/// shortest tree needs none of them.
const MARGIN: u16 = 2;

aiec_ir::ids! {
    /// A switch's number in its [`Window`].
    Inner;
}

/// A rectangle of the array with its own node numbers.
struct Window<'a> {
    fabric: &'a Fabric,
    low: Switch,
    columns: u16,
    rows: u16,
}

impl<'a> Window<'a> {
    fn around(fabric: &'a Fabric, nodes: impl Iterator<Item = Node> + Clone) -> Self {
        let switches = nodes.map(|node| fabric.switch(node));
        let columns = switches.clone().map(|s| s.column);
        let rows = switches.map(|s| s.row);
        let (west, east) = bounds(columns, fabric.columns());
        let (south, north) = bounds(rows, fabric.rows());
        let size = |low: u16, high: u16| high - low + 1;
        let low = Switch { column: west, row: south };
        Self { fabric, low, columns: size(west, east), rows: size(south, north) }
    }

    fn nodes(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// The number of a node in this window. None outside.
    fn inner(&self, node: Node) -> Option<Inner> {
        let switch = self.fabric.switch(node);
        let column = switch.column.checked_sub(self.low.column)?;
        let row = switch.row.checked_sub(self.low.row)?;
        let inside = column < self.columns && row < self.rows;
        inside.then(|| Inner(u32::from(column) * u32::from(self.rows) + u32::from(row)))
    }

    fn outer(&self, Inner(inner): Inner) -> Node {
        let rows = u32::from(self.rows);
        let column = u32::from(self.low.column) + inner / rows;
        Node(column * u32::from(self.fabric.rows()) + u32::from(self.low.row) + inner % rows)
    }
}

/// The minimum and maximum of some numbers, with the margin, below `end`.
fn bounds(numbers: impl Iterator<Item = u16> + Clone, end: u16) -> (u16, u16) {
    let low = numbers.clone().min().unwrap_or(0);
    let high = numbers.max().unwrap_or(0);
    (low.saturating_sub(MARGIN), high.saturating_add(MARGIN).min(end.saturating_sub(1)))
}

/// The step by which a state was reached.
#[derive(Clone, Copy)]
enum Step {
    None,
    /// Over an edge, to a node that reaches the same sinks.
    Along(Edge, Inner),
    /// Two trees with disjoint sinks meet. Holds one of the two sets.
    Meet(usize),
}

/// Least cost and step for each set of sinks and node: a tree from the node to the set.
struct Table {
    nodes: usize,
    cost: Vec<u64>,
    step: Vec<Step>,
}

/// The edges of a tree of least cost from `source` to all `sinks` (distinct nodes, at most
/// [`MAX_SINKS`]), parents first, with its cost.
///
/// `cost` gives a positive cost, or None for a forbidden edge. Returns None when no tree exists.
pub(crate) fn tree(
    fabric: &Fabric,
    source: Node,
    sinks: &[Node],
    cost: impl Fn(Edge) -> Option<u64>,
) -> Option<(u64, Vec<Edge>)> {
    debug_assert!(sinks.len() <= MAX_SINKS);
    let sinks: Vec<Node> = sinks.iter().copied().filter(|&sink| sink != source).collect();
    let all = (1_usize << sinks.len()) - 1;
    if all == 0 {
        return Some((0, Vec::new()));
    }
    let window = Window::around(fabric, sinks.iter().copied().chain([source]));
    let nodes = window.nodes();
    let source = window.inner(source)?;
    let mut table = Table { nodes, cost: vec![u64::MAX; nodes << sinks.len()], step: Vec::new() };
    table.step.resize(table.cost.len(), Step::None);
    for (bit, &sink) in sinks.iter().enumerate() {
        let at = table.at(1 << bit, window.inner(sink)?);
        table.cost[at] = 0;
    }
    for set in 1..=all {
        table.meet(set);
        table.spread(set, &window, &cost, (set == all).then_some(source));
    }
    let total = table.cost[table.at(all, source)];
    (total < u64::MAX).then(|| (total, table.edges(all, source)))
}

impl Table {
    /// The position of a state.
    const fn at(&self, set: usize, node: Inner) -> usize {
        set * self.nodes + node.index()
    }

    /// Joins trees of the parts of `set` at every node.
    fn meet(&mut self, set: usize) {
        // Each pair of parts once: the part with the lowest sink, which must not be the whole.
        let lowest = set & set.wrapping_neg();
        let mut part = (set - 1) & set;
        while part > 0 {
            if part & lowest != 0 {
                for node in 0..self.nodes {
                    let (one, two) =
                        (self.cost[part * self.nodes + node], self.cost[(set ^ part) * self.nodes + node]);
                    let sum = one.saturating_add(two);
                    if sum < self.cost[set * self.nodes + node] {
                        self.cost[set * self.nodes + node] = sum;
                        self.step[set * self.nodes + node] = Step::Meet(part);
                    }
                }
            }
            part = (part - 1) & set;
        }
    }

    /// Extends trees of `set` backwards along edges (Dijkstra), as far as `until` if one is given.
    fn spread(
        &mut self,
        set: usize,
        window: &Window<'_>,
        cost: &impl Fn(Edge) -> Option<u64>,
        until: Option<Inner>,
    ) {
        let known = ids(self.nodes).filter(|&node| self.cost[self.at(set, node)] < u64::MAX);
        let mut queue: BinaryHeap<Reverse<(u64, Inner)>> =
            known.map(|node| Reverse((self.cost[self.at(set, node)], node))).collect();
        while let Some(Reverse((distance, node))) = queue.pop() {
            if until == Some(node) {
                return;
            }
            if distance > self.cost[self.at(set, node)] {
                continue;
            }
            for (edge, from) in window.fabric.entering(window.outer(node)) {
                let Some(from) = window.inner(from) else { continue };
                let Some(price) = cost(edge) else { continue };
                let longer = distance.saturating_add(price);
                let at = self.at(set, from);
                if longer < self.cost[at] {
                    self.cost[at] = longer;
                    self.step[at] = Step::Along(edge, node);
                    queue.push(Reverse((longer, from)));
                }
            }
        }
    }

    /// The tree of `set` from `source`, parents first.
    fn edges(&self, set: usize, source: Inner) -> Vec<Edge> {
        let mut tree = Vec::new();
        let mut open = vec![(set, source)];
        while let Some((set, node)) = open.pop() {
            match self.step[self.at(set, node)] {
                Step::None => {}
                Step::Along(edge, next) => {
                    tree.push(edge);
                    open.push((set, next));
                }
                Step::Meet(part) => open.extend([(part, node), (set ^ part, node)]),
            }
        }
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toy() -> Fabric {
        Fabric::new(&aiec_device::builtin("toy").and_then(|o| o.into_parts().0).expect("built in"))
    }

    fn at(fabric: &Fabric, column: u16, row: u16) -> Node {
        fabric.node(Switch { column, row }).expect("on the array")
    }

    #[test]
    fn a_cross_of_four_sinks_meets_in_the_middle() {
        let fabric = toy();
        let sinks = [at(&fabric, 1, 2), at(&fabric, 3, 2), at(&fabric, 2, 3), at(&fabric, 2, 4)];
        let (cost, edges) =
            tree(&fabric, at(&fabric, 2, 0), &sinks, |_| Some(1)).expect("the toy array is connected");
        assert_eq!((cost, edges.len()), (6, 6), "four hops up the column, one to each side");
    }

    #[test]
    fn the_exact_tree_is_no_longer_than_any_found_by_trying_all_sets_of_middle_switches() {
        // On a small array: spanning trees over the ends and any two further switches, by brute
        // force.
        let fabric = toy();
        let mut state = 9_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            Node((state >> 33) as u32 % fabric.nodes().len() as u32)
        };
        for _ in 0..30 {
            let ends: Vec<Node> = (0..4).map(|_| next()).collect();
            let mut sinks: Vec<Node> = ends[1..].to_vec();
            sinks.sort_unstable();
            sinks.dedup();
            let (cost, _) = tree(&fabric, ends[0], &sinks, |_| Some(1)).expect("connected");
            let best = fabric.nodes().flat_map(|a| fabric.nodes().map(move |b| (a, b)));
            let best = best.map(|(a, b)| spanning(&fabric, &ends, a, b)).min();
            assert_eq!(Some(cost), best, "four ends need at most two branching switches: {ends:?}");
        }
    }

    /// Length of a minimum spanning tree of `ends`, `a` and `b` by Manhattan distance.
    fn spanning(fabric: &Fabric, ends: &[Node], a: Node, b: Node) -> u64 {
        let mut rest: Vec<Node> = ends.iter().copied().chain([a, b]).collect();
        let distance = |x: Node, y: Node| {
            let (x, y) = (fabric.switch(x), fabric.switch(y));
            u64::from(x.column.abs_diff(y.column) + x.row.abs_diff(y.row))
        };
        let mut inside = vec![rest.remove(0)];
        let mut total = 0;
        while !rest.is_empty() {
            let nearest = |&i: &usize| inside.iter().map(|&x| distance(x, rest[i])).min();
            let best = (0..rest.len()).min_by_key(nearest).expect("not empty");
            total += nearest(&best).expect("not empty");
            inside.push(rest.remove(best));
        }
        total
    }

    #[test]
    fn forbidden_edges_are_gone_round_and_a_walled_in_sink_has_no_tree() {
        let fabric = toy();
        let (from, to) = (at(&fabric, 2, 2), at(&fabric, 3, 2));
        let direct = fabric.leaving(from).find(|(_, next)| *next == to).expect("neighbours").0;
        let (cost, _) = tree(&fabric, from, &[to], |edge| (edge != direct).then_some(1)).expect("a detour");
        assert_eq!(cost, 3);
        let walled = tree(&fabric, from, &[to], |edge| (fabric.target(edge) != Some(to)).then_some(1));
        assert_eq!(walled, None);
    }
}
