//! The router: negotiated congestion (PathFinder) with multicast trees.
//!
//! Takes requests and a device. Returns trees that use no edge beyond its wires, or a [`Refusal`]
//! with the reason why there are none. All costs are integers and all ties are broken by number, so
//! the same requests always get the same trees. A circuit counts once on every edge of its tree. A
//! lane of packet streams counts once on the edges of all its trees.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;

use aiec_device::Device;
use aiec_ilp::{Microlp, Solver};
use aiec_ir::IdVec;

use crate::certificate;
use crate::cuts::{self, Crossing};
use crate::exact;
use crate::fabric::{Edge, Fabric, Node, Side};
use crate::grow::Scratch;
use crate::net::Hop;
use crate::request::{NetId, NetKind, OwnerId, Owners, Request, numbered, owners};
use crate::switch::Switch;
use crate::wiring::{self, Shortage, Wiring};
use crate::{crossbar, lanes, polish};

/// Work limits of the router. The unit is a count, never seconds, so that the same options give the
/// same routes on every machine.
#[derive(Clone, Copy)]
pub struct RouteOptions<'a> {
    /// Maximum number of rip-up and reroute rounds.
    pub max_rounds: u32,
    /// Maximum number of integer programs over congested regions, each time the rounds have not
    /// succeeded.
    pub programs: u32,
    /// Maximum number of passes that shorten the trees of a legal routing.
    pub polish: u32,
    /// The solver of these integer programs.
    pub solver: &'a dyn Solver,
}

impl Default for RouteOptions<'_> {
    fn default() -> Self {
        Self { max_rounds: 2000, programs: 4, polish: 3, solver: &Microlp }
    }
}

impl fmt::Debug for RouteOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { max_rounds, programs, polish, solver: _ } = self;
        write!(f, "RouteOptions {{ max_rounds: {max_rounds}, programs: {programs}, polish: {polish} }}")
    }
}

/// An edge between switches, with its nets and wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeLoad {
    /// The switch the edge leaves.
    pub switch: Switch,
    /// The side it leaves on.
    pub side: Side,
    /// Number of nets on it.
    pub nets: u32,
    /// Number of its wires.
    pub wires: u32,
}

/// Why there are no routes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Proof that none exist: more nets must cross a line than it has wires.
    Overfull(Crossing),
    /// The wires suffice, but not the FIFOs, arbiters or rules of some switch, and no detour was
    /// found. Nothing is proved.
    NoSettings(Shortage),
    /// No wires lead from the net's source to one of its sinks, or an end lies off the array.
    Unreachable(NetId),
    /// The search ended. Nothing is proved.
    GaveUp {
        /// Number of rounds made.
        rounds: u32,
        /// The edges with too many nets in the last round, worst first.
        worst: Vec<EdgeLoad>,
        /// Nets on those edges.
        nets: Vec<NetId>,
    },
}

/// The trees of all requests, and the switch settings that implement them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routing {
    /// One tree of hops per request, parents first. Empty if all sinks are at the source's switch
    /// or the request was left out.
    pub trees: Vec<Vec<Hop>>,
    /// Optional requests that found no wires.
    pub left_out: Vec<NetId>,
    /// How each request uses its wires: as asked, but the streams of a large split may be on other
    /// lanes.
    pub kinds: IdVec<NetId, NetKind>,
    /// The settings of every switch.
    pub wiring: Wiring,
}

/// Routes all requests. Optional ones use only wires that the others leave. If switches lack
/// settings, large splits become chains (`lanes.rs`).
///
/// # Errors
/// See [`Refusal`].
pub fn route_requests(
    requests: &[Request],
    device: &Device,
    options: &RouteOptions<'_>,
) -> Result<Routing, Refusal> {
    let answer = route_all(requests, false, device, options);
    if !matches!(answer, Err(Refusal::NoSettings(_))) {
        return answer;
    }
    let mut spread = requests.to_vec();
    if !lanes::spread(&mut spread, device) {
        return answer;
    }
    // What fails with chains proves nothing about the requests.
    route_all(&spread, true, device, options).or(answer)
}

/// Routes all requests, with large splits as chains or as trees.
fn route_all(
    requests: &[Request],
    chained: bool,
    device: &Device,
    options: &RouteOptions<'_>,
) -> Result<Routing, Refusal> {
    let needed: Vec<Request> = requests.iter().filter(|request| !request.optional).cloned().collect();
    if let Some(cut) = cuts::overfull_line(&needed, device) {
        return Err(Refusal::Overfull(renumbered(cut, requests)));
    }
    let mut search = Search::new(requests, device);
    if chained {
        search.chains = lanes::sorted(&mut search.owners, requests, device);
    }
    search.negotiate(options)?;
    polish::shorten(&mut search, options.polish);
    let mut left_out = search.add_optional();
    let wiring = search.wire(&mut left_out)?;
    let kinds = requests.iter().map(|request| request.kind).collect();
    Ok(Routing { trees: search.hops(), left_out, kinds, wiring })
}

/// Renumbers a crossing from the mandatory requests to all requests.
fn renumbered(mut cut: Crossing, requests: &[Request]) -> Crossing {
    let needed = numbered(requests).filter(|(_, request)| !request.optional);
    let needed: IdVec<NetId, NetId> = needed.map(|(net, _)| net).collect();
    let number = |net: &NetId| needed.get(*net).copied().unwrap_or(*net);
    cut.nets = cut.nets.iter().map(number).collect();
    cut
}

/// First round at which the search looks for a proof that it cannot succeed.
const DOUBT_AFTER: u32 = 30;
/// Factor from the round of one such attempt to the round of the next.
const DOUBT_FACTOR: u32 = 4;
/// Maximum number of detours around switches that lack settings.
const DETOURS: u32 = 16;
/// Cost of entering such a switch, in hops.
const DETOUR: u64 = 4;
/// Cost of an edge that has free wires and was never overfull.
pub(crate) const BASE: u64 = 32;
/// Costs of an edge with a free wire, where only these may be used. They grow so little with the
/// load that a tree of fewer edges costs less.
pub(crate) const FREE: RangeInclusive<u64> = BASE * 64..=BASE * 64 + 16;
/// Added to an edge's cost for each round and each excess net.
const HISTORY: u64 = 12;
/// The weight of present congestion doubles every round up to 2 to this power.
const PRESENT_LIMIT: u32 = 8;

/// The state of a search.
pub(crate) struct Search<'a> {
    pub(crate) requests: &'a [Request],
    pub(crate) device: &'a Device,
    pub(crate) fabric: Fabric,
    /// Requests that share wires: a circuit, or the streams of a lane of a packet group.
    pub(crate) owners: Owners,
    /// Owners whose wire leads from sink to sink, in the order of their requests.
    chains: BTreeSet<OwnerId>,
    /// Edges of each request's tree, parents first.
    pub(crate) trees: IdVec<NetId, Vec<Edge>>,
    /// Number of owners on each edge.
    pub(crate) used: IdVec<Edge, u32>,
    /// Cost that past congestion added to each edge.
    pub(crate) history: IdVec<Edge, u64>,
    scratch: Scratch,
}

impl<'a> Search<'a> {
    pub(crate) fn new(requests: &'a [Request], device: &'a Device) -> Self {
        let fabric = Fabric::new(device);
        let (nodes, edges) = (fabric.nodes().len(), fabric.edges().len());
        Self {
            requests,
            device,
            fabric,
            owners: owners(requests),
            chains: BTreeSet::new(),
            trees: IdVec::filled(Vec::new(), requests.len()),
            used: IdVec::filled(0, edges),
            history: IdVec::filled(0, edges),
            scratch: Scratch::new(nodes, edges),
        }
    }

    /// Rounds of rip-up and reroute of congested owners, until no edge is overfull.
    fn negotiate(&mut self, options: &RouteOptions<'_>) -> Result<(), Refusal> {
        let mut doubt = DOUBT_AFTER.min(options.max_rounds.saturating_sub(1));
        for round in 0..options.max_rounds {
            for owner in self.owners.ids() {
                if !self.is_optional(owner) && (round == 0 || self.is_congested(owner)) {
                    self.tear_up(owner);
                    self.route(owner, round)?;
                }
            }
            if !self.remember_congestion() {
                return Ok(());
            }
            // Most designs are routed after a few rounds. The proof search and the exact search are
            // expensive and therefore rare.
            if round == doubt {
                if let Some(cut) = certificate::overfull(self) {
                    return Err(Refusal::Overfull(cut));
                }
                if exact::repair(self, options) {
                    return Ok(());
                }
                doubt = doubt.saturating_mul(DOUBT_FACTOR);
            }
        }
        Err(self.gave_up(options.max_rounds))
    }

    pub(crate) fn is_optional(&self, owner: OwnerId) -> bool {
        self.members(owner).all(|net| self.request(net).optional)
    }

    pub(crate) fn overuse(&self, edge: Edge) -> u32 {
        self.used[edge].saturating_sub(self.fabric.capacity(edge))
    }

    pub(crate) fn is_congested(&self, owner: OwnerId) -> bool {
        self.members(owner).any(|net| self.trees[net].iter().any(|&edge| self.overuse(edge) > 0))
    }

    fn request(&self, net: NetId) -> &'a Request {
        &self.requests[net.index()]
    }

    fn members(&self, owner: OwnerId) -> impl Iterator<Item = NetId> + '_ {
        self.owners[owner].iter().copied()
    }

    /// The edges an owner uses, each once.
    pub(crate) fn edges_of(&self, owner: OwnerId) -> Vec<Edge> {
        let mut edges: Vec<Edge> =
            self.members(owner).flat_map(|net| self.trees[net].iter().copied()).collect();
        if self.owners[owner].len() > 1 {
            edges.sort_unstable();
            edges.dedup();
        }
        edges
    }

    /// Takes an owner off its edges.
    pub(crate) fn tear_up(&mut self, owner: OwnerId) {
        for edge in self.edges_of(owner) {
            self.used[edge] -= 1;
        }
        for net in self.owners[owner].clone() {
            self.trees[net].clear();
        }
    }

    /// Puts an owner on the edges of its trees.
    pub(crate) fn settle(&mut self, owner: OwnerId) {
        for edge in self.edges_of(owner) {
            self.used[edge] += 1;
        }
    }

    /// Cost of one more net on `edge`: (base + history) x (1 + overuse x weight of the round).
    fn cost(&self, edge: Edge, round: u32) -> u64 {
        let over = (self.used[edge] + 1).saturating_sub(self.fabric.capacity(edge));
        let weight = 1_u64 << round.min(PRESENT_LIMIT);
        (BASE + self.history[edge]).saturating_mul(1 + u64::from(over) * weight)
    }

    /// Routes all members of an owner that is off its edges.
    fn route(&mut self, owner: OwnerId, round: u32) -> Result<(), Refusal> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let done = self.grow_all(owner, &mut scratch, |search, edge| Some(search.cost(edge, round)));
        self.scratch = scratch;
        self.settle(owner);
        done.map_err(Refusal::Unreachable)
    }

    /// Routes all members over free wires only. Returns false, with the owner off its edges, when
    /// there is no path.
    pub(crate) fn route_free(&mut self, owner: OwnerId, cost: impl Fn(&Self, Edge) -> Option<u64>) -> bool {
        let mut scratch = std::mem::take(&mut self.scratch);
        let done = self.grow_all(owner, &mut scratch, cost);
        self.scratch = scratch;
        if done.is_err() {
            self.owners[owner].clone().into_iter().for_each(|net| self.trees[net].clear());
        }
        self.settle(owner);
        done.is_ok()
    }

    fn grow_all(
        &mut self,
        owner: OwnerId,
        scratch: &mut Scratch,
        cost: impl Fn(&Self, Edge) -> Option<u64>,
    ) -> Result<(), NetId> {
        scratch.forget_own();
        if self.chains.contains(&owner) {
            return self.grow_chain(owner, scratch, cost);
        }
        for net in self.owners[owner].clone() {
            let ends = self.ends(net).ok_or(net)?;
            let tree = scratch.grow(&self.fabric, &ends, |edge| cost(self, edge)).ok_or(net)?;
            scratch.own(&tree);
            self.trees[net] = tree;
        }
        Ok(())
    }

    /// A path from sink to sink that is at each switch once. The tree of a member is the part of
    /// the path that ends at its sink.
    fn grow_chain(
        &mut self,
        owner: OwnerId,
        scratch: &mut Scratch,
        cost: impl Fn(&Self, Edge) -> Option<u64>,
    ) -> Result<(), NetId> {
        let mut path: Vec<Edge> = Vec::new();
        // Edges of the path up to each switch that it is at.
        let mut passed = BTreeMap::new();
        for net in self.owners[owner].clone() {
            let mut ends = self.ends(net).ok_or(net)?;
            if let Some(end) = path.last().and_then(|&edge| self.fabric.target(edge)) {
                ends = Ends { source: end, exits: [true; 4], ..ends };
            }
            passed.entry(ends.source).or_insert(path.len());
            if ends.sinks.iter().all(|sink| !passed.contains_key(sink)) {
                let is_new = |edge| self.fabric.target(edge).is_some_and(|node| !passed.contains_key(&node));
                let price = |edge| is_new(edge).then(|| cost(self, edge)).flatten();
                for edge in scratch.grow(&self.fabric, &ends, price).ok_or(net)? {
                    path.push(edge);
                    passed.extend(self.fabric.target(edge).map(|node| (node, path.len())));
                }
            }
            let length = ends.sinks.iter().filter_map(|sink| passed.get(sink)).max();
            self.trees[net] = path[..length.copied().unwrap_or(0)].to_vec();
        }
        Ok(())
    }

    /// The source and the sinks of a request, with the sides that the crossbar lets it leave by.
    /// Returns None when an end is off the array.
    pub(crate) fn ends(&self, net: NetId) -> Option<Ends> {
        let request = self.request(net);
        let node = |end: &crate::NetEnd| self.fabric.node(end.switch);
        let sinks: Option<Vec<Node>> = request.sinks.iter().map(node).collect();
        let exits = crossbar::exits(self.device, request.source);
        let source = node(&request.source)?;
        // A sink at the source's switch that the crossbar does not connect would need a loop
        // through a neighbour. The router does not search for one.
        let joined = |sink: &crate::NetEnd| crossbar::joins(self.device, request.source, sink.port);
        let mut own = request.sinks.iter().filter(|sink| sink.switch == request.source.switch);
        own.all(joined).then_some(Ends { source, sinks: sinks?, exits })
    }

    /// Raises the cost of overfull edges for all later rounds. Returns false when there are none.
    fn remember_congestion(&mut self) -> bool {
        let mut congested = false;
        for edge in self.used.ids() {
            let over = u64::from(self.overuse(edge));
            congested |= over > 0;
            self.history[edge] = self.history[edge].saturating_add(HISTORY * over);
        }
        congested
    }

    /// Routes the optional owners one by one over free wires. Returns the requests without a path.
    fn add_optional(&mut self) -> Vec<NetId> {
        let mut left_out = Vec::new();
        for owner in self.owners.ids() {
            if self.is_optional(owner) && !self.route_free(owner, |search, edge| search.free(edge)) {
                left_out.extend(self.owners[owner].iter().copied());
            }
        }
        left_out.sort_unstable();
        left_out
    }

    /// Cost of an edge with a free wire. It grows slightly with its load.
    pub(crate) fn free(&self, edge: Edge) -> Option<u64> {
        let (used, wires) = (self.used[edge], self.fabric.capacity(edge));
        (used < wires).then(|| FREE.start() + u64::from(used * 16 / wires))
    }

    fn hops(&self) -> Vec<Vec<Hop>> {
        let hops = |tree: &Vec<Edge>| tree.iter().map(|&edge| self.fabric.hop(edge)).collect();
        self.trees.iter().map(hops).collect()
    }

    /// The settings of all switches. If arbiters, rules or FIFOs run out, a net takes a detour
    /// around that switch, or is left out if it is optional.
    fn wire(&mut self, left_out: &mut Vec<NetId>) -> Result<Wiring, Refusal> {
        let mut last = None;
        for _ in 0..DETOURS {
            match wiring::wire(self.requests, &self.hops(), self.device) {
                Ok(wiring) => return Ok(wiring),
                Err(shortage) => {
                    self.go_round(&shortage, left_out);
                    last = Some(shortage);
                }
            }
        }
        let nothing = Refusal::GaveUp { rounds: 0, worst: Vec::new(), nets: Vec::new() };
        Err(last.map_or(nothing, Refusal::NoSettings))
    }

    /// Moves the net of a shortage away from its switch over free wires, or leaves it out if it is
    /// optional.
    fn go_round(&mut self, shortage: &Shortage, left_out: &mut Vec<NetId>) {
        let owns = |owner: &OwnerId| self.owners[*owner].contains(&shortage.net);
        let Some(owner) = self.owners.ids().find(owns) else { return };
        self.tear_up(owner);
        if self.is_optional(owner) {
            left_out.extend(self.owners[owner].iter().copied());
            left_out.sort_unstable();
            return;
        }
        if let Some(node) = self.fabric.node(shortage.switch) {
            let entering: Vec<Edge> = self.fabric.entering(node).map(|(edge, _)| edge).collect();
            entering.into_iter().for_each(|edge| self.history[edge] += BASE * DETOUR);
        }
        if !self
            .route_free(owner, |search, edge| search.free(edge).map(|free| free + 64 * search.history[edge]))
        {
            // Without another path the old shortage stays and is reported.
            self.route_free(owner, |search, edge| search.free(edge));
        }
    }

    fn gave_up(&self, rounds: u32) -> Refusal {
        let mut worst: Vec<EdgeLoad> =
            self.used.ids().filter(|&edge| self.overuse(edge) > 0).map(|edge| self.load(edge)).collect();
        worst.sort_by_key(|load| (Reverse(load.nets - load.wires), load.switch, load.side));
        let congested = self.owners.ids().filter(|&owner| self.is_congested(owner));
        let mut nets: Vec<NetId> = congested.flat_map(|owner| self.members(owner)).collect();
        nets.sort_unstable();
        Refusal::GaveUp { rounds, worst, nets }
    }

    fn load(&self, edge: Edge) -> EdgeLoad {
        let (switch, side) = self.fabric.source(edge);
        EdgeLoad { switch, side, nets: self.used[edge], wires: self.fabric.capacity(edge) }
    }
}

/// The source and the sinks of a net, in numbers of the fabric.
pub(crate) struct Ends {
    pub(crate) source: Node,
    pub(crate) sinks: Vec<Node>,
    /// For each side, in the order of [`Side::ALL`]: true if the crossbar connects the source to
    /// it.
    pub(crate) exits: [bool; 4],
}

impl Ends {
    /// The distinct switches of the sinks, without the source's switch.
    pub(crate) fn far_sinks(&self) -> Vec<Node> {
        let mut far: Vec<Node> = self.sinks.iter().copied().filter(|&sink| sink != self.source).collect();
        far.sort_unstable();
        far.dedup();
        far
    }

    pub(crate) fn may_leave_by(&self, edge: Edge) -> bool {
        edge.from() != self.source || self.exits[edge.side() as usize]
    }
}

#[cfg(test)]
#[path = "pathfinder_tests.rs"]
mod tests;
