//! Turns trees of hops into the settings of every switch: channels, FIFOs, arbiters, selects and
//! rules.
//!
//! Takes requests and trees that use no edge beyond its wires. Circuits always get settings. On a
//! full crossbar any free channel of an edge works. Through the memory tiles of AIE-ML a stream
//! keeps its channel. The streams of one column are then intervals, and interval colouring needs no
//! more channels than the fullest edge has streams. Packet switching can run out of settings; the
//! shortage then names the switch. Where FIFOs run out, streams pass fewer.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_ir::IdVec;

use super::{Wiring, fifos, packets};
use crate::crossbar::keeps_channel;
use crate::fabric::{Side, neighbour, ports_of};
use crate::net::Hop;
use crate::port::{Bundle, Port};
use crate::request::{NetId, NetKind, OwnerId, Request, numbered, owners};
use crate::switch::Switch;

/// The reason why some trees have no settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// The net without settings.
    pub net: NetId,
    /// The switch that lacks a resource.
    pub switch: Switch,
    /// The resource that is missing, in words.
    pub what: String,
}

/// The settings that carry every request over its tree. An empty tree of a net with sinks elsewhere
/// means that the net is left out.
///
/// # Errors
/// Returns the first [`Shortage`] of arbiters, selects or rules.
pub fn wire(requests: &[Request], trees: &[Vec<Hop>], device: &Device) -> Result<Wiring, Shortage> {
    let mut wiring = Wiring { ids: IdVec::filled(None, requests.len()), ..Wiring::default() };
    let channels = Channels::assign(requests, trees, device)?;
    let mut streams = Vec::new();
    let mut circuits = BTreeMap::new();
    for ((net, request), tree) in numbered(requests).zip(trees) {
        let steps = steps(net, request, tree, &channels);
        match request.kind {
            NetKind::Circuit => {
                circuit(&mut wiring, &steps);
                circuits.insert(net, steps);
            }
            NetKind::Packet { .. } => streams.push(Stream { net, steps }),
        }
    }
    fifos::insert(&mut wiring, requests, &circuits, device);
    packets::assign(&mut wiring, device, requests, trees, &streams)?;
    Ok(wiring)
}

/// The ports of a net at one switch: where it enters and where it leaves.
pub(super) struct Step {
    pub(super) switch: Switch,
    pub(super) slave: Port,
    pub(super) masters: BTreeSet<Port>,
}

/// A packet stream with the ports that it takes.
pub(super) struct Stream {
    pub(super) net: NetId,
    /// Parents first. Empty when the net was left out.
    pub(super) steps: Vec<Step>,
}

/// The steps of one net along its tree, parents first. Empty when it was left out.
fn steps(net: NetId, request: &Request, tree: &[Hop], channels: &Channels) -> Vec<Step> {
    let source = request.source.switch;
    if tree.is_empty() && request.sinks.iter().any(|sink| sink.switch != source) {
        return Vec::new();
    }
    let step = |switch, slave| Step { switch, slave, masters: BTreeSet::new() };
    let mut steps = vec![step(source, Port::from(request.source.port))];
    // A net is at each switch once, so its switch identifies the step.
    let mut position = BTreeMap::from([(source, 0)]);
    for &hop in tree {
        let Some((side, channel)) = side_of(hop).zip(channels.of(net, hop)) else { continue };
        if let Some(&at) = position.get(&hop.from) {
            steps[at].masters.insert(Port::new(side.into(), channel));
        }
        position.insert(hop.to, steps.len());
        steps.push(step(hop.to, Port::new(side.opposite().into(), channel)));
    }
    for sink in &request.sinks {
        if let Some(&at) = position.get(&sink.switch) {
            steps[at].masters.insert(Port::from(sink.port));
        }
    }
    steps
}

/// The side of its switch by which a hop between neighbours leaves.
fn side_of(hop: Hop) -> Option<Side> {
    Side::ALL.into_iter().find(|&side| neighbour(hop.from, side) == Some(hop.to))
}

/// Connects one circuit.
fn circuit(wiring: &mut Wiring, steps: &[Step]) {
    for step in steps {
        let settings = wiring.switches.entry(step.switch).or_default();
        settings.circuits.extend(step.masters.iter().map(|&master| (master, step.slave)));
    }
}

/// The switch behind a master port. Returns None when the port leads out of the network.
pub(super) fn next_switch(switch: Switch, master: Port) -> Option<Switch> {
    let side = Side::ALL.into_iter().find(|&side| Bundle::from(side) == master.bundle)?;
    neighbour(switch, side)
}

/// The wire that each owner has on each edge.
struct Channels {
    owner: IdVec<NetId, Option<OwnerId>>,
    by_hop: BTreeMap<(OwnerId, Hop), u32>,
}

impl Channels {
    fn of(&self, net: NetId, hop: Hop) -> Option<u32> {
        self.by_hop.get(&((*self.owner.get(net)?)?, hop)).copied()
    }

    /// Gives every owner a wire on each edge of its trees, lowest numbers first.
    fn assign(requests: &[Request], trees: &[Vec<Hop>], device: &Device) -> Result<Self, Shortage> {
        let mut channels = Self { owner: IdVec::filled(None, requests.len()), by_hop: BTreeMap::new() };
        let mut chains: Vec<(OwnerId, Vec<Hop>)> = Vec::new();
        let owners = owners(requests);
        for (owner, members) in owners.enumerate() {
            members.iter().for_each(|&member| channels.owner[member] = Some(owner));
            let trees = members.iter().filter_map(|member| trees.get(member.index()));
            let hops: BTreeSet<Hop> = trees.flatten().copied().collect();
            chains.extend(chained(&hops, device).into_iter().map(|chain| (owner, chain)));
        }
        // Interval colouring in order of the starts never needs more colours than the largest
        // overlap.
        chains.sort_by_key(|(owner, chain)| (chain.first().copied().map(start), *owner));
        let mut taken: BTreeMap<Hop, BTreeSet<u32>> = BTreeMap::new();
        for (owner, chain) in chains {
            let is_free = |&channel: &u32| {
                chain.iter().all(|hop| taken.get(hop).is_none_or(|taken| !taken.contains(&channel)))
            };
            let wires = chain.iter().filter_map(|&hop| Some(side_of(hop)?.wires(device, hop.from.row))).min();
            let Some(channel) = (0..wires.unwrap_or(0)).find(is_free) else {
                let net = owners[owner][0];
                let switch = chain.first().map_or(requests[net.index()].source.switch, |hop| hop.from);
                return Err(Shortage { net, switch, what: "wires of one number".to_owned() });
            };
            for hop in chain {
                taken.entry(hop).or_default().insert(channel);
                channels.by_hop.insert((owner, hop), channel);
            }
        }
        Ok(channels)
    }
}

/// Order of hops along their streams: northwards from below, southwards from above.
fn start(hop: Hop) -> (bool, u16, Hop) {
    let south = hop.to.row < hop.from.row;
    (south, if south { u16::MAX - hop.from.row } else { hop.from.row }, hop)
}

/// The hops of one owner in runs that must keep their channel, each in its direction.
fn chained(hops: &BTreeSet<Hop>, device: &Device) -> Vec<Vec<Hop>> {
    let follows = |hop: &Hop| -> Option<Hop> {
        let side = side_of(*hop)?;
        let next = Hop { from: hop.to, to: neighbour(hop.to, side)? };
        let keeps = keeps_channel(ports_of(device, hop.to.row), side.opposite(), side);
        (keeps && hops.contains(&next)).then_some(next)
    };
    let behind: BTreeSet<Hop> = hops.iter().filter_map(follows).collect();
    let first = hops.iter().filter(|hop| !behind.contains(hop));
    first.map(|&hop| std::iter::successors(Some(hop), follows).collect()).collect()
}
