//! Searches for a proof that a congested set of nets has no routing: a set of switches that more
//! nets must leave (or enter) than it has wires.
//!
//! Takes a search that has failed for a while, returns an overfull [`Crossing`] or None. The learnt
//! prices show where wires are scarce: the switches within any price of a switch form a region
//! whose border consists of expensive edges. It counts every such region around every switch, in
//! both directions, and improves the most promising ones switch by switch (hill climbing). The
//! result does not depend on the search; [`check_crossing`](crate::check_crossing) counts it again.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use aiec_ir::IdVec;

use crate::cuts::{Boundary, Crossing};
use crate::fabric::{Edge, Fabric, Node, Side};
use crate::pathfinder::Search;
use crate::request::{NetId, OwnerId, numbered};
use crate::switch::Switch;

/// Maximum number of switches around which regions are grown. On a larger array, those at the most
/// expensive edges.
const MAX_CENTRES: usize = 512;
/// Number of regions to improve.
const IMPROVED: usize = 6;
/// Maximum number of switches that the improvement adds to a region or removes from it.
const STEPS: usize = 64;

/// The most overfull region found; of equals the smallest.
pub(crate) fn overfull(search: &Search<'_>) -> Option<Crossing> {
    let best = tightest(search, 1).into_iter().next()?;
    best.is_overfull().then_some(best)
}

/// The `count` tightest regions found, the largest excess of demand over wires first.
pub(crate) fn tightest(search: &Search<'_>, count: usize) -> Vec<Crossing> {
    let mut counter = Counter::new(search);
    let mut found = BTreeSet::new();
    for centre in centres(search) {
        for backwards in [false, true] {
            let order = by_price(search, centre, backwards);
            counter.clear();
            for (position, &node) in order.iter().enumerate() {
                counter.toggle(node);
                for outwards in [true, false] {
                    found.insert((Reverse(counter.excess(outwards)), position, centre, backwards, outwards));
                }
                while found.len() > IMPROVED.max(count) {
                    found.pop_last();
                }
            }
        }
    }
    let mut regions: Vec<(i64, usize, Vec<Node>, bool)> = Vec::new();
    for (_, position, centre, backwards, outwards) in found {
        let order = by_price(search, centre, backwards);
        counter.clear();
        order[..=position].iter().for_each(|&node| counter.toggle(node));
        counter.improve(outwards);
        let inside = counter.inside();
        regions.push((-counter.excess(outwards), inside.len(), inside, outwards));
    }
    regions.sort();
    regions.dedup();
    regions.truncate(count);
    regions.into_iter().map(|(_, _, inside, outwards)| counter.crossing(&inside, outwards)).collect()
}

/// The switches to grow regions around: all, or those at the most expensive edges.
fn centres(search: &Search<'_>) -> Vec<Node> {
    let fabric = &search.fabric;
    if fabric.nodes().len() <= MAX_CENTRES {
        return fabric.nodes().collect();
    }
    let mut contested: Vec<Edge> = fabric.edges().filter(|&edge| search.history[edge] > 0).collect();
    contested.sort_by_key(|&edge| (Reverse(search.history[edge]), edge));
    let ends = contested.iter().flat_map(|&edge| [Some(edge.from()), fabric.target(edge)]).flatten();
    let mut seen = BTreeSet::new();
    ends.filter(|&node| seen.insert(node)).take(MAX_CENTRES).collect()
}

/// All switches reachable from `centre` (or that reach it), in order of the path cost by past
/// congestion (Dijkstra).
fn by_price(search: &Search<'_>, centre: Node, backwards: bool) -> Vec<Node> {
    let fabric = &search.fabric;
    let mut distance = IdVec::filled(u64::MAX, fabric.nodes().len());
    let mut order = Vec::with_capacity(fabric.nodes().len());
    let mut queue = BinaryHeap::from([Reverse((0_u64, centre))]);
    distance[centre] = 0;
    while let Some(Reverse((price, node))) = queue.pop() {
        if price > distance[node] {
            continue;
        }
        order.push(node);
        let mut reach = |edge: Edge, next: Node| {
            // The hop itself costs little, so that regions stay compact where all edges are cheap.
            let further = price.saturating_add(search.history[edge]).saturating_add(1);
            if further < distance[next] {
                distance[next] = further;
                queue.push(Reverse((further, next)));
            }
        };
        if backwards {
            fabric.entering(node).for_each(|(edge, next)| reach(edge, next));
        } else {
            fabric.leaving(node).for_each(|(edge, next)| reach(edge, next));
        }
    }
    order
}

/// A set of switches with the nets that must leave and enter it, updated switch by switch.
struct Counter<'a> {
    fabric: &'a Fabric,
    /// The ends at each node: the request, and true for a source.
    ends: IdVec<Node, Vec<(NetId, bool)>>,
    /// The owner of each request. None when the request is optional.
    owner: IdVec<NetId, Option<OwnerId>>,
    sinks: IdVec<NetId, u32>,
    inside: IdVec<Node, bool>,
    source_inside: IdVec<NetId, bool>,
    sinks_inside: IdVec<NetId, u32>,
    /// For each owner, the number of members that must leave and enter.
    crossing: IdVec<OwnerId, [u32; 2]>,
    demand: [i64; 2],
    wires: [i64; 2],
}

impl<'a> Counter<'a> {
    fn new(search: &'a Search<'_>) -> Self {
        let (fabric, requests) = (&search.fabric, search.requests);
        let mut ends = IdVec::filled(Vec::new(), fabric.nodes().len());
        let mut sinks = IdVec::filled(0, requests.len());
        for (net, request) in numbered(requests) {
            let Some(places) = search.ends(net).filter(|_| !request.optional) else { continue };
            ends[places.source].push((net, true));
            places.sinks.iter().for_each(|&sink| ends[sink].push((net, false)));
            sinks[net] = u32::try_from(places.sinks.len()).unwrap_or(u32::MAX);
        }
        let mut owner = IdVec::filled(None, requests.len());
        for (id, members) in search.owners.enumerate() {
            members.iter().for_each(|&member| owner[member] = Some(id));
        }
        Self {
            fabric,
            ends,
            owner,
            sinks,
            inside: IdVec::filled(false, fabric.nodes().len()),
            source_inside: IdVec::filled(false, requests.len()),
            sinks_inside: IdVec::filled(0, requests.len()),
            crossing: IdVec::filled([0; 2], search.owners.len()),
            demand: [0; 2],
            wires: [0; 2],
        }
    }

    fn clear(&mut self) {
        for node in self.inside() {
            self.toggle(node);
        }
    }

    fn inside(&self) -> Vec<Node> {
        self.inside.ids().filter(|&node| self.inside[node]).collect()
    }

    /// Demand minus wires, for nets that leave or enter.
    fn excess(&self, outwards: bool) -> i64 {
        self.demand[usize::from(!outwards)] - self.wires[usize::from(!outwards)]
    }

    /// Whether a request must leave, and whether it must enter.
    fn crosses(&self, net: NetId) -> [bool; 2] {
        let (source, sinks) = (self.source_inside[net], self.sinks_inside[net]);
        [source && sinks < self.sinks[net], !source && sinks > 0]
    }

    /// Adds a switch to the set or removes it.
    fn toggle(&mut self, node: Node) {
        let now = !self.inside[node];
        for end in 0..self.ends[node].len() {
            let (net, is_source) = self.ends[node][end];
            let before = self.crosses(net);
            if is_source {
                self.source_inside[net] = now;
            } else if now {
                self.sinks_inside[net] += 1;
            } else {
                self.sinks_inside[net] -= 1;
            }
            self.recount(net, before);
        }
        let change = |now: bool, wires: u32| if now { i64::from(wires) } else { -i64::from(wires) };
        // A wire to a switch outside starts to leave. One to a switch inside stops to enter.
        for (edge, next) in self.fabric.leaving(node) {
            let way = usize::from(self.inside[next]);
            self.wires[way] += change(now == (way == 0), self.fabric.capacity(edge));
        }
        for (edge, from) in self.fabric.entering(node) {
            let way = usize::from(!self.inside[from]);
            self.wires[way] += change(now == (way == 1), self.fabric.capacity(edge));
        }
        self.inside[node] = now;
    }

    fn recount(&mut self, net: NetId, before: [bool; 2]) {
        let (after, Some(owner)) = (self.crosses(net), self.owner[net]) else { return };
        for way in 0..2 {
            let count = &mut self.crossing[owner][way];
            match (before[way], after[way]) {
                (false, true) => {
                    *count += 1;
                    self.demand[way] += i64::from(*count == 1);
                }
                (true, false) => {
                    *count -= 1;
                    self.demand[way] -= i64::from(*count == 0);
                }
                _ => {}
            }
        }
    }

    /// Hill climbing: adds or removes switches as long as that raises the excess.
    fn improve(&mut self, outwards: bool) {
        for _ in 0..STEPS {
            let now = self.excess(outwards);
            let border = self.border();
            let mut best = None;
            for node in border {
                self.toggle(node);
                let gain = self.excess(outwards) - now;
                self.toggle(node);
                if gain > best.map_or(0, |(gain, _)| gain) {
                    best = Some((gain, node));
                }
            }
            match best {
                Some((_, node)) => self.toggle(node),
                None => return,
            }
        }
    }

    /// The switches with a neighbour on the other side.
    fn border(&self) -> Vec<Node> {
        let other = |node: Node| {
            let mut neighbours = self.fabric.leaving(node).chain(self.fabric.entering(node));
            neighbours.any(|(_, next)| self.inside[next] != self.inside[node])
        };
        self.inside.ids().filter(|&node| other(node)).collect()
    }

    /// The crossing of a set of switches, under the simplest name.
    fn crossing(&mut self, inside: &[Node], outwards: bool) -> Crossing {
        self.clear();
        inside.iter().for_each(|&node| self.toggle(node));
        let way = usize::from(!outwards);
        let mut owners = BTreeSet::new();
        let crossing = |&net: &NetId| {
            self.crosses(net)[way] && self.owner[net].is_some_and(|owner| owners.insert(owner))
        };
        let nets = self.owner.ids().filter(crossing).collect();
        let boundary = named(self.fabric, inside, outwards);
        Crossing { boundary, nets, capacity: u32::try_from(self.wires[way]).unwrap_or(0) }
    }
}

/// A line or rectangle if the set is one, else its switches.
fn named(fabric: &Fabric, inside: &[Node], outwards: bool) -> Boundary {
    let switches: Vec<Switch> = inside.iter().map(|&node| fabric.switch(node)).collect();
    let columns = || switches.iter().map(|s| s.column);
    let rows = || switches.iter().map(|s| s.row);
    let low = Switch { column: columns().min().unwrap_or(0), row: rows().min().unwrap_or(0) };
    let high = Switch { column: columns().max().unwrap_or(0), row: rows().max().unwrap_or(0) };
    let area = (usize::from(high.column - low.column) + 1) * (usize::from(high.row - low.row) + 1);
    if area != switches.len() {
        // A net that leaves a set enters the others. The smaller set is named.
        let others: Vec<Node> = fabric.nodes().filter(|node| !inside.contains(node)).collect();
        if others.len() < inside.len() {
            return named(fabric, &others, !outwards);
        }
        return Boundary::Area { switches, outwards };
    }
    let last = Switch { column: fabric.columns() - 1, row: fabric.rows() - 1 };
    let (whole_height, whole_width) =
        ((low.row, high.row) == (0, last.row), (low.column, high.column) == (0, last.column));
    match (low, high) {
        _ if whole_height && low.column == 0 && high.column < last.column => {
            let (column, towards) =
                if outwards { (high.column, Side::East) } else { (high.column + 1, Side::West) };
            Boundary::Column { column, towards }
        }
        _ if whole_height && high.column == last.column && low.column > 0 => {
            let (column, towards) =
                if outwards { (low.column, Side::West) } else { (low.column - 1, Side::East) };
            Boundary::Column { column, towards }
        }
        _ if whole_width && low.row == 0 && high.row < last.row => {
            let (row, towards) = if outwards { (high.row, Side::North) } else { (high.row + 1, Side::South) };
            Boundary::Row { row, towards }
        }
        _ if whole_width && high.row == last.row && low.row > 0 => {
            let (row, towards) = if outwards { (low.row, Side::South) } else { (low.row - 1, Side::North) };
            Boundary::Row { row, towards }
        }
        _ => Boundary::Region { low, high, outwards },
    }
}
