//! The search: negotiated congestion (PathFinder) with multicast trees.
//!
//! In come nets and a device, out come routes that fill no edge beyond its wires, or a [`Refusal`] that says why there are none. All
//! costs are integers and all ties are broken by number, so the same nets always get the same routes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use aiec_device::Device;
use aiec_ir::PortId;

use crate::cuts::{self, Crossing};
use crate::fabric::{Edge, Fabric, Node, Side};
use crate::routes::{Hop, Net, Route, Routes, Switch};

/// How hard to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteOptions {
    /// Most rounds of tearing up and routing again before giving up.
    pub max_rounds: u32,
}

impl Default for RouteOptions {
    fn default() -> Self {
        Self { max_rounds: 2000 }
    }
}

/// Use of one edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeLoad {
    /// The switch the edge leaves.
    pub switch: Switch,
    /// The side it leaves on.
    pub side: Side,
    /// Nets on it.
    pub nets: u32,
    /// Wires it has.
    pub wires: u32,
}

/// Why there are no routes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Proof that none exist: more nets must cross a line than it has wires.
    Overfull(Crossing),
    /// No wires lead from the net's source to one of its sinks, or an end lies off the array.
    Unreachable(PortId),
    /// The search ended; nothing is proven.
    GaveUp {
        /// Rounds done.
        rounds: u32,
        /// The edges with too many nets in the last round, worst first.
        worst: Vec<EdgeLoad>,
        /// Nets on those edges, by their producing ports.
        nets: Vec<PortId>,
    },
}

/// Routes all nets.
///
/// # Errors
/// See [`Refusal`].
pub fn route_nets(nets: &[Net], device: &Device, options: &RouteOptions) -> Result<Routes, Refusal> {
    if let Some(cut) = cuts::overfull_line(nets, device) {
        return Err(Refusal::Overfull(cut));
    }
    let mut search = Search::new(nets, device);
    for round in 0..options.max_rounds {
        for (number, net) in nets.iter().enumerate() {
            if round == 0 || search.is_congested(number) {
                search.tear_up(number);
                search.route(number, round).map_err(|()| Refusal::Unreachable(net.from))?;
            }
        }
        if !search.remember_congestion() {
            return Ok(search.into_routes());
        }
        // Most nets are routed after a few rounds. Looking for a proof that these cannot be is dear, so it is done once, here.
        if round == DOUBT_AFTER.min(options.max_rounds - 1)
            && let Some(region) = cuts::overfull_region(nets, device)
        {
            return Err(Refusal::Overfull(region));
        }
    }
    Err(search.gave_up(options.max_rounds))
}

/// The round after which the search looks for a proof that it cannot succeed.
const DOUBT_AFTER: u32 = 40;
/// Cost of an edge with wires to spare that was never overfull.
const BASE: u64 = 32;
/// Added to an edge's cost for each round and each net that it was overfull by.
const HISTORY: u64 = 12;
/// The weight of present congestion doubles every round up to 2 to this power.
const PRESENT_LIMIT: u32 = 8;

struct Search<'a> {
    nets: &'a [Net],
    fabric: Fabric,
    /// Edges of each net's tree, parents first.
    trees: Vec<Vec<Edge>>,
    /// Nets on each edge.
    used: Vec<u32>,
    /// What past congestion added to each edge's cost.
    history: Vec<u64>,
    scratch: Scratch,
}

impl<'a> Search<'a> {
    fn new(nets: &'a [Net], device: &Device) -> Self {
        let fabric = Fabric::new(device);
        let (nodes, edges) = (fabric.nodes(), fabric.edges());
        let trees = vec![Vec::new(); nets.len()];
        Self {
            nets,
            fabric,
            trees,
            used: vec![0; edges],
            history: vec![0; edges],
            scratch: Scratch::new(nodes),
        }
    }

    fn overuse(&self, edge: Edge) -> u32 {
        self.used[edge].saturating_sub(self.fabric.capacity(edge))
    }

    fn is_congested(&self, net: usize) -> bool {
        self.trees[net].iter().any(|&edge| self.overuse(edge) > 0)
    }

    fn tear_up(&mut self, net: usize) {
        for edge in std::mem::take(&mut self.trees[net]) {
            self.used[edge] -= 1;
        }
    }

    /// Cost of one more net on `edge`: (base + history) x (1 + overuse x weight of the round).
    fn cost(&self, edge: Edge, round: u32) -> u64 {
        let over = (self.used[edge] + 1).saturating_sub(self.fabric.capacity(edge));
        let weight = 1_u64 << round.min(PRESENT_LIMIT);
        (BASE + self.history[edge]).saturating_mul(1 + u64::from(over) * weight)
    }

    /// Grows a tree from the source: always the cheapest way from the tree to the sink that is cheapest to reach.
    fn route(&mut self, net: usize, round: u32) -> Result<(), ()> {
        let net_data = &self.nets[net];
        let source = self.fabric.node(net_data.source.switch).ok_or(())?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let found = self.grow(source, net_data, round, &mut scratch);
        self.scratch = scratch;
        let tree = found?;
        for &edge in &tree {
            self.used[edge] += 1;
        }
        self.trees[net] = tree;
        Ok(())
    }

    fn grow(&self, source: Node, net: &Net, round: u32, scratch: &mut Scratch) -> Result<Vec<Edge>, ()> {
        scratch.clear();
        for (_, end) in &net.sinks {
            scratch.wanted[self.fabric.node(end.switch).ok_or(())?] = true;
        }
        let mut missing = scratch.wanted.iter().filter(|&&wanted| wanted).count();
        let mut tree = Vec::new();
        scratch.reach(source, 0, None);
        while missing > 0 {
            let Reverse((distance, node)) = scratch.queue.pop().ok_or(())?;
            if distance > scratch.distance[node] {
                continue;
            }
            if std::mem::take(&mut scratch.wanted[node]) {
                missing -= 1;
                // The way becomes part of the tree: from now on it costs nothing.
                self.join(node, scratch, &mut tree);
                continue;
            }
            for (edge, next) in self.fabric.leaving(node) {
                scratch.reach(next, distance.saturating_add(self.cost(edge, round)), Some(edge));
            }
        }
        Ok(tree)
    }

    fn join(&self, sink: Node, scratch: &mut Scratch, tree: &mut Vec<Edge>) {
        let first = tree.len();
        let mut node = sink;
        while scratch.distance[node] > 0 {
            // Nodes with a positive distance were reached over an edge.
            let Some(edge) = scratch.arrival[node] else { break };
            scratch.settle(node);
            tree.push(edge);
            node = edge / Side::ALL.len();
        }
        scratch.queue.push(Reverse((0, sink)));
        tree[first..].reverse();
    }

    /// Makes overfull edges dearer for all rounds to come; false if there are none.
    fn remember_congestion(&mut self) -> bool {
        let mut congested = false;
        for edge in 0..self.used.len() {
            let over = u64::from(self.overuse(edge));
            congested |= over > 0;
            self.history[edge] = self.history[edge].saturating_add(HISTORY * over);
        }
        congested
    }

    fn into_routes(self) -> Routes {
        let hop = |&edge: &Edge| {
            let from = self.fabric.source(edge).0;
            let to = self.fabric.target(edge).map_or(from, |node| self.fabric.switch(node));
            Hop { from, to }
        };
        let trees = self.nets.iter().zip(&self.trees);
        let routes =
            trees.map(|(net, tree)| Route { net: net.clone(), hops: tree.iter().map(hop).collect() });
        Routes { routes: routes.collect() }
    }

    fn gave_up(&self, rounds: u32) -> Refusal {
        let mut worst: Vec<EdgeLoad> =
            (0..self.used.len()).filter(|&edge| self.overuse(edge) > 0).map(|edge| self.load(edge)).collect();
        worst.sort_by_key(|load| (Reverse(load.nets - load.wires), load.switch, load.side));
        let congested = (0..self.nets.len()).filter(|&net| self.is_congested(net));
        Refusal::GaveUp { rounds, worst, nets: congested.map(|net| self.nets[net].from).collect() }
    }

    fn load(&self, edge: Edge) -> EdgeLoad {
        let (switch, side) = self.fabric.source(edge);
        EdgeLoad { switch, side, nets: self.used[edge], wires: self.fabric.capacity(edge) }
    }
}

/// State of one shortest-path search, kept to save allocations.
#[derive(Default)]
struct Scratch {
    distance: Vec<u64>,
    arrival: Vec<Option<Edge>>,
    wanted: Vec<bool>,
    queue: BinaryHeap<Reverse<(u64, Node)>>,
}

impl Scratch {
    fn new(nodes: usize) -> Self {
        let (distance, arrival) = (vec![u64::MAX; nodes], vec![None; nodes]);
        Self { distance, arrival, wanted: vec![false; nodes], queue: BinaryHeap::new() }
    }

    fn clear(&mut self) {
        self.distance.fill(u64::MAX);
        self.arrival.fill(None);
        self.wanted.fill(false);
        self.queue.clear();
    }

    fn reach(&mut self, node: Node, distance: u64, over: Option<Edge>) {
        if distance < self.distance[node] {
            self.distance[node] = distance;
            self.arrival[node] = over;
            self.queue.push(Reverse((distance, node)));
        }
    }

    fn settle(&mut self, node: Node) {
        self.distance[node] = 0;
        self.queue.push(Reverse((0, node)));
    }
}

#[cfg(test)]
#[path = "pathfinder_tests.rs"]
mod tests;
