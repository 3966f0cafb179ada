//! Puts FIFOs of the switches into routed circuits.
//!
//! A request states a number of FIFOs for each sink. They lie where its stream alone passes, behind
//! the last fork: before a fork, a full FIFO would stop the other sinks, too. Each requested FIFO
//! is matched with a free one on this part of the way. The matching is maximum (augmenting paths),
//! so that FIFOs are missing only where no choice has them all.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;

use super::assign::{Step, next_switch};
use super::{Settings, Wiring};
use crate::fabric::ports_of;
use crate::net::{EndPort, NetEnd};
use crate::port::{Bundle, Port};
use crate::request::{NetId, Request, numbered};
use crate::switch::Switch;

/// One FIFO of a switch.
type Fifo = (Switch, u32);

/// A sink with its own part of the way.
struct Way {
    net: NetId,
    /// The sink's position in its request.
    sink: usize,
    /// Number of FIFOs asked for.
    wanted: u32,
    /// The switches that the stream passes for this sink alone, each with the master port it leaves
    /// by. From the sink back to the last fork.
    spots: Vec<(Switch, Port)>,
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
    for (at, way) in ways.iter().enumerate() {
        let found = (0..way.wanted).take_while(|_| matching.serve(at, &mut BTreeSet::new())).count();
        if found < way.wanted as usize {
            wiring.short.insert((way.net, way.sink));
        }
    }
    for (&(switch, number), &way) in &matching.of {
        let spot = ways[way].spots.iter().find(|(at, _)| *at == switch);
        let (Some(settings), Some(&(_, master))) = (wiring.switches.get_mut(&switch), spot) else { continue };
        chain(settings, Port::new(Bundle::Fifo, number), master);
    }
}

/// Puts a FIFO before a master port.
fn chain(settings: &mut Settings, fifo: Port, master: Port) {
    if let Some(feeder) = settings.circuits.insert(master, fifo) {
        settings.circuits.insert(fifo, feeder);
    }
}

/// The sinks for which FIFOs are requested.
fn ways(requests: &[Request], steps: &BTreeMap<NetId, Vec<Step>>) -> Vec<Way> {
    let mut ways = Vec::new();
    for (net, request) in numbered(requests) {
        let Some(steps) = steps.get(&net) else { continue };
        for (sink, (&wanted, &end)) in request.fifos.iter().zip(&request.sinks).enumerate() {
            if wanted > 0 {
                ways.push(Way { net, sink, wanted, spots: spots(steps, end) });
            }
        }
    }
    ways
}

/// The part of a way behind its last fork, from the sink on.
fn spots(steps: &[Step], end: NetEnd) -> Vec<(Switch, Port)> {
    let mut spots = Vec::new();
    let mut next = Some((end.switch, Port::from(end.port)));
    while let Some((switch, master)) = next {
        spots.push((switch, master));
        let step = steps.iter().find(|step| step.switch == switch);
        let Some(step) = step.filter(|step| step.masters.len() == 1) else { break };
        let leads_here = |&&master: &&Port, from| next_switch(from, master) == Some(step.switch);
        next = steps.iter().find_map(|before| {
            let master = before.masters.iter().find(|master| leads_here(master, before.switch))?;
            Some((before.switch, *master))
        });
    }
    spots
}

/// FIFOs matched with ways.
struct Matching<'a> {
    ways: &'a [Way],
    device: &'a Device,
    /// The ends of nets, some of which are FIFOs.
    ends: &'a BTreeSet<NetEnd>,
    /// The way that has each FIFO.
    of: BTreeMap<Fifo, usize>,
}

impl Matching<'_> {
    /// Finds one more FIFO for a way, by an augmenting path that tries each FIFO once. Returns
    /// false if there is none.
    fn serve(&mut self, way: usize, tried: &mut BTreeSet<Fifo>) -> bool {
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
    fn fifos(&self, way: usize) -> Vec<Fifo> {
        let spots = self.ways[way].spots.iter();
        let all = spots.flat_map(|&(switch, _)| {
            (0..ports_of(self.device, switch.row).masters.fifo).map(move |number| (switch, number))
        });
        let is_end =
            |&(switch, number): &Fifo| self.ends.contains(&NetEnd { switch, port: EndPort::Fifo(number) });
        all.filter(|fifo| !is_end(fifo)).collect()
    }
}
