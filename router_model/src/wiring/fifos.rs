//! Puts FIFOs of the switches into routed circuits.
//!
//! A request states a number of FIFOs for each sink. They lie where its stream alone passes, behind
//! the last fork: before a fork, a full FIFO would stop the other sinks, too. Each requested FIFO
//! is matched with a free one on this part of the way. The matching is maximum (augmenting paths),
//! so that FIFOs are missing only where no choice has them all.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_ir::{Id, IdVec, ids};

use super::assign::{Step, next_switch};
use super::{Settings, Wiring};
use crate::fabric::ports_of;
use crate::net::{EndPort, NetEnd};
use crate::port::{Bundle, Port, SwitchPort};
use crate::request::{NetId, Request, SinkId, numbered};
use crate::switch::Switch;

ids! {
    /// A sink for which FIFOs are requested.
    WayId;
}

/// One FIFO of a switch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fifo {
    switch: Switch,
    /// Its number in the switch, from 0.
    number: u32,
}

/// A sink with its own part of the way.
struct Way {
    net: NetId,
    sink: SinkId,
    /// Number of FIFOs asked for.
    wanted: u32,
    /// The switches that the stream passes for this sink alone, each with the master port it leaves
    /// by. From the sink back to the last fork.
    spots: Vec<SwitchPort>,
}

/// Puts FIFOs into the settings of circuits. Notes the sinks that get fewer than requested.
pub(super) fn insert(
    wiring: &mut Wiring,
    requests: &[Request],
    steps: &BTreeMap<NetId, Vec<Step>>,
    device: &Device,
) {
    let ways = ways(requests, steps);
    if ways.is_empty() {
        return;
    }
    let ends: BTreeSet<NetEnd> = requests.iter().flat_map(|request| request.sinks.iter().copied()).collect();
    let mut matching = Matching { ways: &ways, device, ends: &ends, of: BTreeMap::new() };
    for (id, way) in ways.enumerate() {
        let found = (0..way.wanted).take_while(|_| matching.serve(id, &mut BTreeSet::new())).count();
        if found < way.wanted as usize {
            wiring.short.insert((way.net, way.sink));
        }
    }
    for (fifo, &way) in &matching.of {
        let spot = ways[way].spots.iter().find(|spot| spot.switch == fifo.switch);
        let (Some(settings), Some(spot)) = (wiring.switches.get_mut(&fifo.switch), spot) else { continue };
        chain(settings, Port::new(Bundle::Fifo, fifo.number), spot.port);
    }
}

/// Puts a FIFO before a master port.
fn chain(settings: &mut Settings, fifo: Port, master: Port) {
    if let Some(feeder) = settings.circuits.insert(master, fifo) {
        settings.circuits.insert(fifo, feeder);
    }
}

/// The sinks for which FIFOs are requested.
fn ways(requests: &[Request], steps: &BTreeMap<NetId, Vec<Step>>) -> IdVec<WayId, Way> {
    let mut ways = IdVec::new();
    for (net, request) in numbered(requests) {
        let Some(steps) = steps.get(&net) else { continue };
        for (sink, (&wanted, &end)) in request.fifos.iter().zip(&request.sinks).enumerate() {
            if wanted > 0 {
                let sink = SinkId::from_index(sink);
                ways.push(Way { net, sink, wanted, spots: spots(steps, end) });
            }
        }
    }
    ways
}

/// The part of a way behind its last fork, from the sink on.
fn spots(steps: &[Step], end: NetEnd) -> Vec<SwitchPort> {
    let mut spots = Vec::new();
    let mut next = Some(SwitchPort::from(end));
    while let Some(spot) = next {
        spots.push(spot);
        let step = steps.iter().find(|step| step.switch == spot.switch);
        let Some(step) = step.filter(|step| step.masters.len() == 1) else { break };
        let leads_here = |&&master: &&Port, from| next_switch(from, master) == Some(step.switch);
        next = steps.iter().find_map(|before| {
            let master = before.masters.iter().find(|master| leads_here(master, before.switch))?;
            Some(SwitchPort { switch: before.switch, port: *master })
        });
    }
    spots
}

/// FIFOs matched with ways.
struct Matching<'a> {
    ways: &'a IdVec<WayId, Way>,
    device: &'a Device,
    /// The ends of nets, some of which are FIFOs.
    ends: &'a BTreeSet<NetEnd>,
    /// The way that has each FIFO.
    of: BTreeMap<Fifo, WayId>,
}

impl Matching<'_> {
    /// Finds one more FIFO for a way, by an augmenting path that tries each FIFO once. Returns
    /// false if there is none.
    fn serve(&mut self, way: WayId, tried: &mut BTreeSet<Fifo>) -> bool {
        for fifo in self.fifos(way) {
            if !tried.insert(fifo) {
                continue;
            }
            let holder = self.of.get(&fifo).copied();
            if holder.is_none_or(|holder| self.serve(holder, tried)) {
                self.of.insert(fifo, way);
                return true;
            }
        }
        false
    }

    /// The FIFOs that a way may have, nearest to its sink first.
    fn fifos(&self, way: WayId) -> Vec<Fifo> {
        let spots = self.ways[way].spots.iter();
        let all = spots.flat_map(|&SwitchPort { switch, .. }| {
            (0..ports_of(self.device, switch.row).masters.fifo).map(move |number| Fifo { switch, number })
        });
        let end = |fifo: &Fifo| NetEnd { switch: fifo.switch, port: EndPort::Fifo(fifo.number) };
        all.filter(|fifo| !self.ends.contains(&end(fifo))).collect()
    }
}
