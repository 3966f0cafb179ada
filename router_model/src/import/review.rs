//! Turns nets of the vendor's files into requests and trees, and checks them.
//!
//! Two nets that start or end at one port and together demand more than a stream are refused, as by
//! the vendor's router. A net with several sinks is one net with one name. The settings go to the
//! checker of switch settings, which follows every net through them. Lines are counted with the
//! demands. If no file has settings, aiec routes the nets.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_diag::Diagnostic;
use aiec_ir::IdVec;

use super::node::{Node, beyond};
use super::{Arc, VendorEnds, VendorNet, WHOLE, errors};
use crate::cuts::{self, Crossing};
use crate::net::{Hop, NetEnd};
use crate::pathfinder::{Refusal, RouteOptions, route_requests};
use crate::port::{Port, SwitchPort};
use crate::request::{NetId, Request, numbered};
use crate::switch::Switch;
use crate::wiring::{Wiring, check_wiring};

/// The result of a review. The vectors have one entry for each net.
#[derive(Clone, Debug)]
pub struct Review {
    /// The names of the nets.
    pub names: Vec<String>,
    /// The requests of the nets.
    pub requests: Vec<Request>,
    /// Their trees, from the files or from aiec's router.
    pub trees: Vec<Vec<Hop>>,
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
    let (nets, ends, mut diagnostics) = complete(nets, theirs);
    let requests: Vec<Request> = nets.iter().zip(ends).map(|(net, ends)| request(net, ends)).collect();
    let overfull = overfull(&nets, &requests, device);
    diagnostics.extend(overfull.iter().map(|(cut, demand)| errors::overfull(&nets, cut, *demand)));
    let mut review = Review {
        names: nets.iter().map(|net| net.name.clone()).collect(),
        trees: vec![Vec::new(); nets.len()],
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
        let (wiring, mut unsound) = settings(nets);
        for (id, fault) in &unsound {
            self.diagnostics.extend(nets.get(id.index()).map(|net| errors::bad_route(net, fault, true)));
        }
        for (id, net) in numbered(nets).filter(|(_, net)| net.arcs.is_empty()) {
            unsound.insert(id, String::new());
            self.diagnostics.push(errors::bad_route(net, "the files have no route for it", true));
        }
        let left_out: Vec<NetId> = unsound.keys().copied().collect();
        self.check(nets, &wiring, &left_out, device);
        self.trees = nets.iter().zip(&self.requests).map(|(net, request)| tree(net, request)).collect();
        self.routed = self.diagnostics.is_empty();
    }

    /// Follows every net through the settings.
    fn check(&mut self, nets: &[VendorNet], wiring: &Wiring, left_out: &[NetId], device: &Device) {
        for fault in check_wiring(&self.requests, wiring, left_out, device) {
            let at = format!("at switch ({}, {}): {}", fault.switch.column, fault.switch.row, fault.what);
            match fault.net.map(|net| nets.get(net.index())) {
                Some(net) => self.diagnostics.extend(net.map(|net| errors::bad_route(net, &at, self.theirs))),
                // Faults that follow from a net left out are not reported again.
                None if !left_out.is_empty() => {}
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
                self.check(nets, &routing.wiring, &routing.left_out, device);
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

/// The nets with known ends, one for each source, their ends, and the diagnostics of the others.
/// `theirs` is true if the files have routes.
fn complete(nets: Vec<VendorNet>, theirs: bool) -> (Vec<VendorNet>, Vec<VendorEnds>, Vec<Diagnostic>) {
    let (mut kept, mut ends, mut faults) = (Vec::<VendorNet>::new(), Vec::<VendorEnds>::new(), Vec::new());
    let mut by_source: BTreeMap<NetEnd, usize> = BTreeMap::new();
    let mut by_sink: BTreeMap<NetEnd, usize> = BTreeMap::new();
    for net in nets {
        let VendorEnds { source, sinks } = match net.ends.clone().map_or_else(|| ends_of(&net.arcs), Ok) {
            Ok(ends) => ends,
            Err(fault) => {
                faults.push(errors::bad_route(&net, &fault, theirs));
                continue;
            }
        };
        let full = |at: &usize| kept.get(*at).filter(|other| !have_room(other, &net));
        let at_source = by_source.get(&source).and_then(full).map(|other| (other, source, true));
        let mut at_sinks = sinks.iter().filter_map(|sink| Some((full(by_sink.get(sink)?)?, *sink, false)));
        if let Some((other, end, starts)) = at_source.or_else(|| at_sinks.next()) {
            faults.push(errors::shared_port(other, &net, end, starts));
            continue;
        }
        let at = *by_source.entry(source).or_insert(kept.len());
        let new = |sink: &NetEnd| by_sink.insert(*sink, at) != Some(at);
        let sinks: Vec<NetEnd> = sinks.into_iter().filter(new).collect();
        if let (Some(same), Some(known)) = (kept.get_mut(at), ends.get_mut(at)) {
            known.sinks.extend(sinks);
            same.name.push_str(&format!("+{}", net.name));
            same.demand = same.demand.max(net.demand);
            super::add_arcs(&mut same.arcs, net.arcs);
        } else {
            ends.push(VendorEnds { source, sinks });
            kept.push(net);
        }
    }
    (kept, ends, faults)
}

/// True if one port can carry both nets.
fn have_room(one: &VendorNet, other: &VendorNet) -> bool {
    u64::from(one.demand) + u64::from(other.demand) <= u64::from(WHOLE)
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

/// A net that needs less than a whole stream may share wires in ways the files do not say. It never
/// forbids a routing.
fn request(net: &VendorNet, ends: VendorEnds) -> Request {
    Request { optional: net.demand < WHOLE, ..Request::circuit(ends.source, ends.sinks) }
}

/// The lines whose demand exceeds their wires, the largest excess first, with the demand in whole
/// streams.
fn overfull(nets: &[VendorNet], requests: &[Request], device: &Device) -> Vec<(Crossing, u32)> {
    let streams = |cut: &Crossing| {
        let of = cut.nets.iter().filter_map(|id| nets.get(id.index()));
        let demand: u64 = of.map(|net| u64::from(net.demand)).sum();
        u32::try_from(demand.div_ceil(u64::from(WHOLE))).unwrap_or(u32::MAX)
    };
    let cuts = cuts::lines(requests, device).into_iter().map(|cut| (streams(&cut), cut));
    let mut overfull: Vec<(Crossing, u32)> =
        cuts.filter(|(demand, cut)| *demand > cut.capacity).map(|(demand, cut)| (cut, demand)).collect();
    overfull.sort_by_key(|(cut, demand)| std::cmp::Reverse(demand - cut.capacity));
    overfull
}

/// The settings of all switches, and the nets that need a port which another net has.
fn settings(nets: &[VendorNet]) -> (Wiring, BTreeMap<NetId, String>) {
    let mut wiring = Wiring { ids: IdVec::filled(None, nets.len()), ..Wiring::default() };
    let mut owners: BTreeMap<(Switch, Port, bool), NetId> = BTreeMap::new();
    let mut unsound: BTreeMap<NetId, String> = BTreeMap::new();
    for (id, net) in numbered(nets) {
        for arc in &net.arcs {
            let ports = [(arc.switch, arc.slave, true), (arc.switch, arc.master, false)];
            let other = ports.into_iter().find_map(|port| {
                let owner = *owners.entry(port).or_insert(id);
                (owner != id).then_some((port.1, owner))
            });
            if let Some((port, owner)) = other {
                let both = u64::from(net.demand) + u64::from(nets[owner.index()].demand);
                let Switch { column, row } = arc.switch;
                let other = &nets[owner.index()].name;
                unsound.entry(id).or_insert(format!(
                    "port {port} of switch ({column}, {row}) belongs to `{other}`; together they demand {both} of {WHOLE}"
                ));
                continue;
            }
            let circuits = &mut wiring.switches.entry(arc.switch).or_default().circuits;
            if circuits.insert(arc.master, arc.slave).is_some_and(|before| before != arc.slave) {
                let Switch { column, row } = arc.switch;
                let fault = format!("port {} of switch ({column}, {row}) is fed twice", arc.master);
                unsound.entry(id).or_insert(fault);
            }
        }
    }
    (wiring, unsound)
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
