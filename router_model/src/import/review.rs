//! Turns nets of the vendor's files into requests and trees, and checks them.
//!
//! Nets that start or end at one port and together demand more than a stream are refused, as by the
//! vendor's router. If they demand less, they are the packet streams of a split or merge, and may
//! share wires. The settings go to the checker of switch settings, which follows every net through
//! them. `aie_control.cpp` has rules and arbiters of packets, from which each stream's number
//! follows. Other files do not name the numbers, so each packet stream is then followed alone,
//! through its own settings. Lines are counted with the demands. If no file has settings, aiec
//! routes the nets.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_diag::Diagnostic;
use aiec_ir::IdVec;

use super::groups::Ends;
use super::node::{Node, beyond};
use super::packets::with_packets;
use super::{Arc, VendorEnds, VendorNet, WHOLE, errors};
use crate::cuts::{self, Crossing};
use crate::net::{Hop, NetEnd};
use crate::pathfinder::{Refusal, RouteOptions, route_requests};
use crate::port::{Port, SwitchPort};
use crate::request::{NetId, Request, numbered};
use crate::switch::Switch;
use crate::wiring::{Fault, Wiring, check_wiring};

/// The result of a review. The vectors have one entry for each net.
#[derive(Clone, Debug)]
pub struct Review {
    /// The names of the nets.
    pub names: Vec<String>,
    /// The requests of the nets.
    pub requests: Vec<Request>,
    /// Their trees, from the files or from aiec's router.
    pub trees: Vec<Vec<Hop>>,
    /// The numbers of packet streams whose rules the files have. None for every other net.
    pub numbers: Vec<Option<u32>>,
    /// True if the trees come from the files.
    pub theirs: bool,
    /// True if every net has a tree.
    pub routed: bool,
    /// The overfull line that proves that there is no routing.
    pub proof: Option<Crossing>,
    /// What reading and checking found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reviews the nets of [`import`](super::import).
pub fn review(nets: Vec<VendorNet>, device: &Device, options: &RouteOptions<'_>) -> Review {
    let theirs = nets.iter().any(|net| !net.arcs.is_empty());
    let Complete { nets, ends, groups, mut diagnostics } = complete(nets, theirs);
    let all = nets.iter().zip(ends).zip(groups);
    let requests: Vec<Request> = all.map(|((net, ends), group)| request(net, ends, group)).collect();
    let overfull = overfull(&nets, &requests, device);
    diagnostics.extend(overfull.iter().map(|(cut, demand)| errors::overfull(&nets, cut, *demand)));
    let mut review = Review {
        names: nets.iter().map(|net| net.name.clone()).collect(),
        trees: vec![Vec::new(); nets.len()],
        numbers: vec![None; nets.len()],
        theirs,
        routed: false,
        proof: overfull.into_iter().next().map(|(cut, _)| cut),
        requests,
        diagnostics,
    };
    if theirs {
        review.judge(&nets, device);
    } else if review.proof.is_none() {
        review.route(&nets, device, options);
    }
    review
}

impl Review {
    /// Checks the files' routes.
    fn judge(&mut self, nets: &[VendorNet], device: &Device) {
        let Settings { circuits, streams, mut unsound } = settings(nets, &self.requests);
        for (id, fault) in &unsound {
            self.diagnostics.extend(nets.get(id.index()).map(|net| errors::bad_route(net, fault, true)));
        }
        for (id, net) in numbered(nets).filter(|(_, net)| net.arcs.is_empty()) {
            unsound.insert(id, String::new());
            self.diagnostics.push(errors::bad_route(net, "the files have no route for it", true));
        }
        let mut left_out: Vec<NetId> = unsound.keys().copied().collect();
        let ids = device.switch.packet.ids;
        if let Some(wiring) = with_packets(nets, &self.requests, &circuits, ids) {
            self.check(nets, &wiring, &left_out, !unsound.is_empty(), device);
            self.numbers = wiring.ids.iter().copied().collect();
        } else {
            for (id, wiring) in streams.iter().filter(|(id, _)| !unsound.contains_key(id)) {
                self.follow(nets, *id, wiring, device);
            }
            left_out.extend(streams.keys());
            self.check(nets, &circuits, &left_out, !unsound.is_empty(), device);
        }
        self.trees = nets.iter().zip(&self.requests).map(|(net, request)| tree(net, request)).collect();
        self.routed = self.diagnostics.is_empty();
    }

    /// Follows a packet stream through its own settings, as if it were a circuit.
    fn follow(&mut self, nets: &[VendorNet], id: NetId, wiring: &Wiring, device: &Device) {
        let (Some(net), Some(request)) = (nets.get(id.index()), self.requests.get(id.index())) else {
            return;
        };
        let alone = [Request::circuit(request.source, request.sinks.clone())];
        let faults = check_wiring(&alone, wiring, &[], device);
        let said = faults.iter().map(|fault| errors::bad_route(net, &place_of(fault), true));
        self.diagnostics.extend(said);
    }

    /// Follows every net through the settings, except those in `left_out`. `has_faults` is true if
    /// some of these are reported.
    fn check(
        &mut self,
        nets: &[VendorNet],
        wiring: &Wiring,
        left_out: &[NetId],
        has_faults: bool,
        device: &Device,
    ) {
        for fault in check_wiring(&self.requests, wiring, left_out, device) {
            let at = place_of(&fault);
            match fault.net.map(|net| nets.get(net.index())) {
                Some(net) => self.diagnostics.extend(net.map(|net| errors::bad_route(net, &at, self.theirs))),
                // Faults that follow from a reported one are not reported again.
                None if has_faults => {}
                None => self.diagnostics.push(errors::bad_settings(
                    &setters(nets, fault.switch),
                    &at,
                    self.theirs,
                )),
            }
        }
    }

    /// Routes nets that have no routes.
    fn route(&mut self, nets: &[VendorNet], device: &Device, options: &RouteOptions<'_>) {
        match route_requests(&self.requests, device, options) {
            Ok(routing) => {
                let left_out = &routing.left_out;
                self.check(nets, &routing.wiring, left_out, !left_out.is_empty(), device);
                let left_out = routing.left_out.iter().filter_map(|id| nets.get(id.index()));
                self.diagnostics.extend(errors::left_out(&left_out.collect::<Vec<_>>()));
                self.trees = routing.trees;
                self.routed = self.diagnostics.is_empty();
            }
            Err(refusal) => {
                self.diagnostics.push(errors::refused(nets, &refusal));
                self.proof = match refusal {
                    Refusal::Overfull(cut) => Some(cut),
                    _ => None,
                };
            }
        }
    }
}

/// A fault with its switch, in words.
fn place_of(fault: &Fault) -> String {
    format!("at switch ({}, {}): {}", fault.switch.column, fault.switch.row, fault.what)
}

/// The nets with known ends, their ends and groups, and the diagnostics of the others.
#[derive(Default)]
struct Complete {
    nets: Vec<VendorNet>,
    ends: Vec<VendorEnds>,
    /// The packet group of each net. None when it shares no end.
    groups: Vec<Option<u32>>,
    diagnostics: Vec<Diagnostic>,
}

/// Finds the ends of `nets`. `theirs` is true if the files have routes.
fn complete(nets: Vec<VendorNet>, theirs: bool) -> Complete {
    let (mut all, mut shared) = (Complete::default(), Ends::default());
    for net in nets {
        let mut ends = match net.ends.clone().map_or_else(|| ends_of(&net.arcs), Ok) {
            Ok(ends) => ends,
            Err(fault) => {
                all.diagnostics.push(errors::bad_route(&net, &fault, theirs));
                continue;
            }
        };
        let mut known = BTreeSet::new();
        ends.sinks.retain(|sink| known.insert(*sink));
        match shared.add(&net, &ends, &all.nets) {
            Ok(()) => {
                all.ends.push(ends);
                all.nets.push(net);
            }
            Err(fault) => all.diagnostics.push(fault),
        }
    }
    Complete { groups: shared.groups(), ..all }
}

/// Source and sinks of a net, from its settings alone.
fn ends_of(arcs: &[Arc]) -> Result<VendorEnds, String> {
    let end = |arc: &Arc, port: Port, slave: bool| Node { switch: arc.switch, port, slave }.end();
    let sources: BTreeSet<NetEnd> = arcs.iter().filter_map(|arc| end(arc, arc.slave, true)).collect();
    let sinks: BTreeSet<NetEnd> = arcs.iter().filter_map(|arc| end(arc, arc.master, false)).collect();
    let sources: Vec<NetEnd> = sources.into_iter().collect();
    match sources.as_slice() {
        _ if sinks.is_empty() => Err("it reaches no sink".into()),
        [source] => Ok(VendorEnds { source: *source, sinks: sinks.into_iter().collect() }),
        [] => Err("it starts at no source".into()),
        many => Err(format!("it starts at {} sources", many.len())),
    }
}

/// A packet stream of `group`, or a circuit. Whether a circuit that needs less than a whole stream
/// shares wires, the files do not say, so it never forbids a routing.
fn request(net: &VendorNet, ends: VendorEnds, group: Option<u32>) -> Request {
    match group {
        Some(group) => Request::packet(group, ends.source, ends.sinks),
        None => Request {
            optional: net.demand.is_some_and(|demand| demand < WHOLE),
            ..Request::circuit(ends.source, ends.sinks)
        },
    }
}

/// The lines whose demand exceeds their wires, the largest excess first, with the demand in whole
/// streams.
fn overfull(nets: &[VendorNet], requests: &[Request], device: &Device) -> Vec<(Crossing, u32)> {
    let streams = |cut: &Crossing| {
        let of = cut.nets.iter().filter_map(|id| nets.get(id.index()));
        let demand: u64 = of.map(|net| u64::from(net.demand.unwrap_or(WHOLE))).sum();
        u32::try_from(demand.div_ceil(u64::from(WHOLE))).unwrap_or(u32::MAX)
    };
    let cuts = cuts::lines(requests, device).into_iter().map(|cut| (streams(&cut), cut));
    let mut overfull: Vec<(Crossing, u32)> =
        cuts.filter(|(demand, cut)| *demand > cut.capacity).map(|(demand, cut)| (cut, demand)).collect();
    overfull.sort_by_key(|(cut, demand)| std::cmp::Reverse(demand - cut.capacity));
    overfull
}

/// The settings of all switches.
#[derive(Default)]
struct Settings {
    /// Those of circuits.
    circuits: Wiring,
    /// Those of each packet stream.
    streams: BTreeMap<NetId, Wiring>,
    /// The nets that need a port which another net has, with the fault.
    unsound: BTreeMap<NetId, String>,
}

/// The settings of the nets. Streams of one group may share ports.
fn settings(nets: &[VendorNet], requests: &[Request]) -> Settings {
    let empty = |nets: usize| Wiring { ids: IdVec::filled(None, nets), ..Wiring::default() };
    let mut all = Settings { circuits: empty(nets.len()), ..Settings::default() };
    let mut owners: BTreeMap<(Switch, Port, bool), NetId> = BTreeMap::new();
    let group = |id: NetId| requests.get(id.index()).and_then(|request| request.kind.group());
    for (id, net) in numbered(nets) {
        let own = group(id);
        let wiring = match own {
            Some(_) => all.streams.entry(id).or_insert_with(|| empty(1)),
            None => &mut all.circuits,
        };
        for arc in &net.arcs {
            let ports = [(arc.switch, arc.slave, true), (arc.switch, arc.master, false)];
            let other = ports.into_iter().find_map(|port| {
                let owner = *owners.entry(port).or_insert(id);
                let is_shared = own.is_some() && own == group(owner);
                (owner != id && !is_shared).then_some((port.1, owner))
            });
            if let Some((port, owner)) = other {
                let demand = |net: &VendorNet| u64::from(net.demand.unwrap_or(WHOLE));
                let both = demand(net) + demand(&nets[owner.index()]);
                let Switch { column, row } = arc.switch;
                let other = &nets[owner.index()].name;
                all.unsound.entry(id).or_insert(format!(
                    "port {port} of switch ({column}, {row}) belongs to `{other}`; together they demand {both} of {WHOLE}"
                ));
                continue;
            }
            let circuits = &mut wiring.switches.entry(arc.switch).or_default().circuits;
            if circuits.insert(arc.master, arc.slave).is_some_and(|before| before != arc.slave) {
                let Switch { column, row } = arc.switch;
                let fault = format!("port {} of switch ({column}, {row}) is fed twice", arc.master);
                all.unsound.entry(id).or_insert(fault);
            }
        }
    }
    all
}

/// The nets with settings at a switch.
fn setters(nets: &[VendorNet], switch: Switch) -> Vec<&VendorNet> {
    nets.iter().filter(|net| net.arcs.iter().any(|arc| arc.switch == switch)).collect()
}

/// The hops of a net, parents first: all that is reachable from its source through its settings.
fn tree(net: &VendorNet, request: &Request) -> Vec<Hop> {
    let mut masters: BTreeMap<SwitchPort, BTreeSet<Port>> = BTreeMap::new();
    for arc in &net.arcs {
        let slave = SwitchPort { switch: arc.switch, port: arc.slave };
        masters.entry(slave).or_default().insert(arc.master);
    }
    let mut hops = Vec::new();
    let mut open = vec![SwitchPort::from(request.source)];
    while let Some(slave) = open.pop() {
        // Removing entries makes the walk end on a cycle.
        for port in masters.remove(&slave).into_iter().flatten() {
            let Some(next) = beyond(SwitchPort { port, ..slave }) else { continue };
            if next.switch != slave.switch {
                hops.push(Hop { from: slave.switch, to: next.switch });
            }
            open.push(next);
        }
    }
    hops
}
