//! The shortest tree for one net, exactly (Dreyfus and Wagner, Networks 1, 1971, for directed
//! graphs).
//!
//! Takes a source, a few sinks and a cost for each edge. Returns a tree of least cost. The work
//! grows with 3 to the number of sinks. Only nets with at most [`MAX_SINKS`] distinct sink switches
//! are solved, in a window of the array around them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::RangeInclusive;

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

    /// The number of a node in this window. Returns None when it is outside.
    fn inner(&self, node: Node) -> Option<Inner> {
        let switch = self.fabric.switch(node);
        let column = switch.column.checked_sub(self.low.column)?;
        let row = switch.row.checked_sub(self.low.row)?;
        let inside = column < self.columns && row < self.rows;
        inside.then(|| Inner(u32::from(column) * u32::from(self.rows) + u32::from(row)))
    }

    /// The edges that enter each node and may be used.
    fn arrivals(&self, cost: impl Fn(Edge) -> Option<u64>) -> Vec<Vec<Arrival>> {
        let arrival =
            |(edge, from): (Edge, Node)| Some(Arrival { edge, from: self.inner(from)?, price: cost(edge)? });
        let entering = |node: Inner| self.fabric.entering(self.outer(node)).filter_map(arrival).collect();
        ids(self.nodes()).map(entering).collect()
    }

    /// The most that a tree from each node may cost as a part of a tree from `source` within
    /// `limit`: the way from the source to the node costs something too.
    fn most(&self, limit: Limit, source: Inner) -> Vec<u64> {
        let place = |node: Inner| self.fabric.switch(self.outer(node));
        let source = place(source);
        let way = |switch: Switch| switch.column.abs_diff(source.column) + switch.row.abs_diff(source.row);
        let left = |node| limit.cost.saturating_sub(u64::from(way(place(node))) * limit.edge);
        ids(self.nodes()).map(left).collect()
    }

    fn outer(&self, Inner(inner): Inner) -> Node {
        let rows = u32::from(self.rows);
        let column = u32::from(self.low.column) + inner / rows;
        Node(column * u32::from(self.fabric.rows()) + u32::from(self.low.row) + inner % rows)
    }
}

/// The trees that a search looks for.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    /// The most that a tree may cost.
    pub(crate) cost: u64,
    /// What an edge costs at least.
    pub(crate) edge: u64,
}

impl Limit {
    /// No limit: all trees.
    pub(crate) const NONE: Self = Self { cost: u64::MAX - 1, edge: 0 };

    /// Trees of fewer than `edges` edges, each of which costs one of `costs`.
    pub(crate) const fn below(edges: usize, costs: &RangeInclusive<u64>) -> Self {
        Self { cost: (edges as u64).saturating_sub(1) * *costs.end(), edge: *costs.start() }
    }
}

/// An edge inside a window that may be used, with its price.
struct Arrival {
    edge: Edge,
    from: Inner,
    price: u64,
}

/// The minimum and maximum of some numbers, with the margin, below `end`.
fn bounds(numbers: impl Iterator<Item = u16> + Clone, end: u16) -> (u16, u16) {
    let low = numbers.clone().min().unwrap_or(0);
    let high = numbers.max().unwrap_or(0);
    (low.saturating_sub(MARGIN), high.saturating_add(MARGIN).min(end.saturating_sub(1)))
}

/// Lower bounds on the length of trees, each computed once for all sets of ends that differ only in
/// where they lie.
pub(crate) struct Lengths {
    /// Switches of which all neighbours have wires between them.
    open: Fabric,
    /// The length of a shortest tree by the columns and rows of its ends, counted from the lowest.
    known: BTreeMap<Vec<Switch>, u64>,
}

impl Lengths {
    /// Lengths on `fabric`, of which none is known yet.
    pub(crate) fn new(fabric: &Fabric) -> Self {
        Self { open: fabric.open(), known: BTreeMap::new() }
    }

    /// A lower bound on the edges of a tree from `source` to `sinks`. It is exact for at most
    /// [`MAX_SINKS`] sinks if all wires are there, and half the perimeter around all ends for more.
    pub(crate) fn least(&mut self, source: Node, sinks: &[Node]) -> u64 {
        let open = &self.open;
        let ends = || sinks.iter().copied().chain([source]).map(|node| open.switch(node));
        let span = |place: fn(Switch) -> u16| {
            let (low, high) = (ends().map(place).min().unwrap_or(0), ends().map(place).max().unwrap_or(0));
            (low, u64::from(high - low))
        };
        let ((west, width), (south, height)) = (span(|s| s.column), span(|s| s.row));
        // A tree with at most three ends is as long as half the perimeter.
        if sinks.len() < 3 || sinks.len() > MAX_SINKS {
            return width + height;
        }
        let moved = |s: Switch| Switch { column: s.column - west, row: s.row - south };
        let shape: Vec<Switch> = ends().map(moved).collect();
        *self.known.entry(shape).or_insert_with_key(|shape| {
            let nodes: Vec<Node> = shape.iter().filter_map(|&end| open.node(end)).collect();
            let lone = nodes
                .split_last()
                .and_then(|(&source, sinks)| tree(open, source, sinks, Limit::NONE, |_| Some(1)));
            lone.map_or(width + height, |(length, _)| length)
        })
    }
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
/// `cost` gives a positive cost, or None when the edge is forbidden. Returns None when no tree
/// exists within `limit`.
pub(crate) fn tree(
    fabric: &Fabric,
    source: Node,
    sinks: &[Node],
    limit: Limit,
    cost: impl Fn(Edge) -> Option<u64>,
) -> Option<(u64, Vec<Edge>)> {
    assert!(sinks.len() <= MAX_SINKS, "the caller looks up trees of few sinks only");
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
    let arrivals = window.arrivals(cost);
    let most = window.most(limit, source);
    for set in 1..=all {
        table.meet(set);
        table.spread(set, &arrivals, &most, (set == all).then_some(source));
    }
    let total = table.cost[table.at(all, source)];
    (total <= most[source.index()]).then(|| (total, table.edges(all, source)))
}

/// The edges that [`tree`] may use for these ends.
pub(crate) fn edges_around<'a>(
    fabric: &'a Fabric,
    source: Node,
    sinks: &[Node],
) -> impl Iterator<Item = Edge> + use<'a> {
    let window = Window::around(fabric, sinks.iter().copied().chain([source]));
    let nodes = ids(window.nodes());
    nodes.flat_map(move |node| fabric.leaving(window.outer(node))).map(|(edge, _)| edge)
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
    /// Leaves out trees that cost more than `most` of their node.
    fn spread(&mut self, set: usize, arrivals: &[Vec<Arrival>], most: &[u64], until: Option<Inner>) {
        let within = |node: Inner| self.cost[self.at(set, node)] <= most[node.index()];
        let known = ids(self.nodes).filter(|&node| within(node));
        let mut queue: BinaryHeap<Reverse<(u64, Inner)>> =
            known.map(|node| Reverse((self.cost[self.at(set, node)], node))).collect();
        while let Some(Reverse((distance, node))) = queue.pop() {
            if until == Some(node) {
                return;
            }
            if distance > self.cost[self.at(set, node)] {
                continue;
            }
            for &Arrival { edge, from, price } in &arrivals[node.index()] {
                let longer = distance.saturating_add(price);
                let at = self.at(set, from);
                if longer < self.cost[at] && longer <= most[from.index()] {
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
        let (cost, edges) = tree(&fabric, at(&fabric, 2, 0), &sinks, Limit::NONE, |_| Some(1))
            .expect("the toy array is connected");
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
            let (cost, edges) = tree(&fabric, ends[0], &sinks, Limit::NONE, |_| Some(1)).expect("connected");
            let best = fabric.nodes().flat_map(|a| fabric.nodes().map(move |b| (a, b)));
            let best = best.map(|(a, b)| spanning(&fabric, &ends, a, b)).min();
            let limited =
                |length| tree(&fabric, ends[0], &sinks, Limit::below(length, &(1..=1)), |_| Some(1));
            assert_eq!(limited(edges.len() + 1), Some((cost, edges.clone())), "the same within a limit");
            assert_eq!(limited(edges.len()), None, "nothing shorter");
            assert_eq!(Lengths::new(&fabric).least(ends[0], &sinks), cost, "all wires are there");
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
        let (cost, _) =
            tree(&fabric, from, &[to], Limit::NONE, |edge| (edge != direct).then_some(1)).expect("a detour");
        assert_eq!(cost, 3);
        let walled =
            tree(&fabric, from, &[to], Limit::NONE, |edge| (fabric.target(edge) != Some(to)).then_some(1));
        assert_eq!(walled, None);
    }
}
