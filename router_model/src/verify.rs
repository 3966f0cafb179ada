//! The checker of routes. It shares no code with the router.
//!
//! Checked, from the design, the verified placement and the device alone:
//! - exactly one net serves every connection outside shared memory, that of its producing port, and
//!   no net serves anything else; nets come in order of their producing ports; a port whose packets
//!   are split has one net for each branch, any other port one for all;
//! - a circuit with FIFOs at stated or chosen places is a row of nets: each ends where the next
//!   FIFO is filled, and the next one begins where that FIFO is emptied; FIFOs of switches without
//!   a place are asked for as the words of their connection need them;
//! - a net starts and ends at the switches of the modules and shim columns of the placement, at
//!   ports that exist: a DMA channel below the tile's count, the South port of the PLIO channel or
//!   GMIO port, for packets a stream port into the core; no two ends share a port, except those of
//!   streams merged or split there;
//! - streams that end at one port are packets of one group, as are the branches of a split; all
//!   others are circuits;
//! - hops join neighbouring switches of the array; every hop leaves a switch that the net has
//!   reached and enters one that it has not; every sink is reached, and no branch ends elsewhere;
//! - no edge carries more nets than it has wires; packets of one lane count as one net;
//! - the settings of the switches carry every net from its source to all its sinks and nowhere
//!   else, hop by hop along its route.
//!
//! Assumed: the crossbar of every switch is full for data (true of AIE1, AM009), so wires of one
//! edge are interchangeable.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::{Diagnostic, Outcome};
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{Connection, Owner};
use aiec_ir::fifos::{FifoKind, FifoPlace};
use aiec_ir::{ConnectionId, Direction, ExternalId, KernelId, PortId};
use aiec_placer::{Placed, PortBuffers};

use crate::errors;
use crate::net::{EndPort, Hop, Net, NetEnd};
use crate::port::Bundle;
use crate::request::{NetKind, Request};
use crate::routed::Routed;
use crate::routes::{Route, Routes};
use crate::switch::Switch;
use crate::wiring::{Wiring, check_wiring};

/// Verifies `routes` for a placed design.
///
/// # Errors
/// Returns `route/bad-route` for each net that is not a legal tree, or that the settings do not
/// carry, and `route/overfull` for each edge with too many nets.
pub fn verify(checked: &Checked, placed: &Placed, device: &Device, routes: Routes) -> Outcome<Routed> {
    let verifier = Verifier { checked, placed, device };
    let mut diagnostics = verifier.nets(&routes);
    for route in &routes.routes {
        let faults = verifier.ends(route).into_iter().chain(verifier.tree(route));
        diagnostics.extend(faults.map(|fault| errors::bad_route(checked, route.net.from, &fault)));
    }
    diagnostics.extend(verifier.fifos(&routes));
    diagnostics.extend(verifier.distinct_ends(&routes));
    diagnostics.extend(verifier.edges(&routes));
    // The settings of illegal trees are not checked: the trees are already reported.
    if diagnostics.is_empty() {
        diagnostics.extend(verifier.settings(&routes));
    }
    Outcome::new(Routed::new(routes), diagnostics)
}

struct Verifier<'a> {
    checked: &'a Checked,
    placed: &'a Placed,
    device: &'a Device,
}

impl Verifier<'_> {
    /// One net per producing port that needs one, no other nets, each serving exactly its
    /// connections.
    fn nets(&self, routes: &Routes) -> Vec<Diagnostic> {
        // The branches of one number of the splits at a port are a net of their own.
        let number = |id: ConnectionId| self.checked.branch_number(id);
        let key = |from: PortId, id| (from, number(id).filter(|_| self.checked.splits_packets(from)));
        let mut needed: BTreeMap<(PortId, Option<u32>), BTreeSet<ConnectionId>> = BTreeMap::new();
        for (id, connection) in self.checked.connections.enumerate() {
            if !self.placed.is_shared(self.checked, id) && !self.checked.goes_by_cascade(id) {
                needed.entry(key(connection.from, id)).or_default().insert(id);
            }
        }
        let mut faults = Vec::new();
        let mut last = None;
        for net in routes.routes.iter().map(|route| &route.net).filter(|net| !net.leaves_fifo) {
            let served: BTreeSet<ConnectionId> =
                net.sinks.iter().map(|&(connection, _)| connection).collect();
            let known = self.checked.ports.get(net.from).and(served.first());
            let key = known.map_or((net.from, None), |&first| key(net.from, first));
            if last.replace(key).is_some_and(|last| last >= key) {
                faults.push((net.from, "a net is out of order or there twice"));
            }
            match needed.remove(&key) {
                None => faults.push((net.from, "no connection needs this net")),
                Some(wanted) if wanted != served => {
                    faults.push((net.from, "it does not serve its connections"))
                }
                Some(_) if served.len() != net.sinks.len() => {
                    faults.push((net.from, "a connection is served twice"))
                }
                Some(_) => {}
            }
        }
        faults.extend(needed.into_keys().map(|(port, _)| (port, "its net is missing")));
        faults.into_iter().map(|(port, fault)| errors::bad_route(self.checked, port, fault)).collect()
    }

    /// Source and sinks are where the placement puts them, at ports that exist.
    fn ends(&self, route: &Route) -> Vec<String> {
        let net = &route.net;
        let mut faults = Vec::new();
        faults.extend(self.kind(net).err());
        if let (false, Err(fault)) = (net.leaves_fifo, self.end(net.from, Direction::Out, net.source)) {
            faults.push(format!("its source {fault}"));
        }
        for &(connection, end) in &net.sinks {
            let port = self.checked.connections.get(connection).map(|c| c.to);
            if net.kind == NetKind::Circuit && self.fills_fifo(connection, end) {
                continue;
            }
            let result =
                port.map_or_else(|| Err("does not exist".into()), |port| self.end(port, Direction::In, end));
            if let Err(fault) = result {
                faults.push(format!("a sink {fault}"));
            }
        }
        faults
    }

    /// True if a FIFO of the connection is filled at this end.
    fn fills_fifo(&self, connection: ConnectionId, end: NetEnd) -> bool {
        let exists = self.checked.connections.get(connection).is_some();
        let places = if exists { self.placed.fifo_places(self.checked, connection) } else { &[] };
        places.iter().any(|place| self.is_at(place, Direction::In, end))
    }

    /// True if the FIFO at this place is filled (`In`) or emptied (`Out`) at this end.
    fn is_at(&self, place: &FifoPlace, direction: Direction, end: NetEnd) -> bool {
        let row = place.row.map_or(0, |row| row + i64::from(self.device.first_hardware_row));
        let port = match (place.kind, end.port) {
            (FifoKind::Switch { number }, EndPort::Fifo(port)) => number == port,
            (FifoKind::Dma { .. }, EndPort::Dma(channel)) => channel < self.channels(direction),
            _ => false,
        };
        port && place.column == i64::from(end.switch.column) && row == i64::from(end.switch.row)
    }

    /// DMA channels of a tile that take data in or send them out.
    const fn channels(&self, direction: Direction) -> u32 {
        match direction {
            Direction::In => self.device.tile.s2mm,
            Direction::Out => self.device.tile.mm2s,
        }
    }

    /// Number of FIFOs of switches that hold the words of a connection, which states no place.
    fn fifos_of_switches(&self, id: ConnectionId, connection: &Connection) -> u32 {
        let words = connection.fifo.as_ref().map_or(0, |words| words.value);
        let elsewhere =
            connection.lies_in_memory(self.device) || !self.placed.fifo_places(self.checked, id).is_empty();
        if elsewhere { 0 } else { words.div_ceil(self.device.switch.fifo_words.max(1)) }
    }

    /// Every circuit passes the FIFOs with stated or chosen places, in their order.
    fn fifos(&self, routes: &Routes) -> Vec<Diagnostic> {
        let mut rows: BTreeMap<ConnectionId, Vec<(&Net, NetEnd)>> = BTreeMap::new();
        for net in routes.routes.iter().map(|route| &route.net) {
            for &(connection, end) in &net.sinks {
                rows.entry(connection).or_default().push((net, end));
            }
        }
        let mut faults = Vec::new();
        let fault = |connection: &Connection, what| errors::bad_route(self.checked, connection.from, what);
        for (id, row) in rows {
            let Some(connection) = self.checked.connections.get(id) else { continue };
            let circuit = row.iter().all(|(net, _)| net.kind == NetKind::Circuit);
            let places = if circuit { self.placed.fifo_places(self.checked, id) } else { &[] };
            let is_passed = |(place, two): (&FifoPlace, &[(&Net, NetEnd)])| {
                self.is_at(place, Direction::In, two[0].1)
                    && self.is_at(place, Direction::Out, two[1].0.source)
                    && two[1].0.leaves_fifo
            };
            let begins = row.iter().all(|(net, _)| net.from == connection.from) && !row[0].0.leaves_fifo;
            let passed = row.len() == places.len() + 1 && places.iter().zip(row.windows(2)).all(is_passed);
            if !begins || !passed {
                faults.push(fault(connection, "it does not pass the stated FIFOs in order"));
            }
            let asked = if circuit { self.fifos_of_switches(id, connection) } else { 0 };
            if row[0].0.fifos.get(&id).copied().unwrap_or(0) != asked {
                faults.push(fault(connection, "it asks for another number of FIFOs"));
            }
        }
        faults
    }

    fn end(&self, port: PortId, direction: Direction, end: NetEnd) -> Result<(), String> {
        let port_data = self.checked.ports.get(port).ok_or("does not exist")?;
        if port_data.direction != direction {
            return Err("is a port of the wrong direction".into());
        }
        match port_data.owner {
            Owner::External(external) => self.shim_end(external, end),
            Owner::Kernel(kernel) if self.checked.is_stream(port) => self.core_end(kernel, direction, end),
            Owner::Kernel(_) => self.dma_end(port, end),
        }
    }

    fn takes_packets(&self, port: PortId) -> bool {
        self.checked.joins_packets(port)
    }

    /// Packets are grouped by the port where they are merged or split, and no other net is packets.
    fn kind(&self, net: &Net) -> Result<(), String> {
        if self.checked.ports.get(net.from).is_some() && self.checked.splits_packets(net.from) {
            return match net.kind {
                NetKind::Packet { group, .. } if group == net.from.0 => Ok(()),
                _ => Err("it is no packet stream of its split".into()),
            };
        }
        let mut ends = net.sinks.iter().filter_map(|&(id, _)| self.checked.connections.get(id));
        let port = ends.find(|connection| self.takes_packets(connection.to)).map(|connection| connection.to);
        match (net.kind, port) {
            (NetKind::Circuit, None) => Ok(()),
            (NetKind::Packet { group, .. }, Some(port)) if group == port.0 && net.sinks.len() == 1 => Ok(()),
            (NetKind::Circuit, Some(_)) => Err("it is a circuit, but ends where packets are merged".into()),
            (NetKind::Packet { .. }, _) => Err("it is a stream of packets of another group".into()),
        }
    }

    fn core_end(&self, kernel: KernelId, direction: Direction, end: NetEnd) -> Result<(), String> {
        let tile = self.placed.kernels[kernel];
        let row = end.switch.row.checked_sub(self.device.first_hardware_row);
        if (end.switch.column, row) != (tile.column, Some(tile.row)) {
            return Err(format!("is not at the core but at {}", errors::switch_name(end.switch)));
        }
        let tile = &self.device.tile;
        let (ports, way) = match direction {
            Direction::In => (tile.streams_in, "into"),
            Direction::Out => (tile.streams_out, "out of"),
        };
        match end.port {
            EndPort::Core(port) if port < ports => Ok(()),
            EndPort::Core(port) => Err(format!("uses stream port {port} of {ports} {way} the core")),
            _ => Err("is not a stream port of the core".into()),
        }
    }

    fn dma_end(&self, port: PortId, end: NetEnd) -> Result<(), String> {
        let PortBuffers::Own(spots) = &self.placed.buffers[port] else {
            return Err("has no buffers of its own".into());
        };
        let placed = |spot: &aiec_placer::Spot| {
            spot.tile.column == end.switch.column
                && Some(spot.tile.row) == end.switch.row.checked_sub(self.device.first_hardware_row)
        };
        if spots.is_empty() || !spots.iter().all(placed) {
            return Err(format!(
                "is not at the module of its buffers but at {}",
                errors::switch_name(end.switch)
            ));
        }
        let channels = self.channels(self.checked.ports[port].direction);
        match end.port {
            EndPort::Dma(channel) if channel < channels => Ok(()),
            EndPort::Dma(channel) => Err(format!("uses DMA channel {channel} of {channels}")),
            EndPort::South(_) => Err("is a South port, but only a shim has one".into()),
            _ => Err("is not a DMA channel".into()),
        }
    }

    fn shim_end(&self, external: ExternalId, end: NetEnd) -> Result<(), String> {
        let spot = self.placed.shims[external];
        if end.switch != (Switch { column: spot.column, row: 0 }) {
            return Err(format!("is not at shim {} but at {}", spot.column, errors::switch_name(end.switch)));
        }
        let expected =
            match (&self.checked.externals[external].endpoint, self.checked.externals[external].direction) {
                (Endpoint::Plio { .. }, Direction::Out) => {
                    Some(spot.channel).filter(|&c| c < self.device.shim.plio_in_channels)
                }
                (Endpoint::Plio { .. }, Direction::In) => {
                    Some(spot.channel).filter(|&c| c < self.device.shim.plio_out_channels)
                }
                (Endpoint::Gmio { .. }, Direction::Out) => {
                    self.device.shim.gmio_in_ports.get(spot.channel as usize).copied()
                }
                (Endpoint::Gmio { .. }, Direction::In) => {
                    self.device.shim.gmio_out_ports.get(spot.channel as usize).copied()
                }
            };
        match (end.port, expected) {
            (EndPort::South(port), Some(expected)) if port == expected => Ok(()),
            (EndPort::South(port), _) => {
                Err(format!("uses South port {port}, which is not that of its channel"))
            }
            _ => Err("is no South port, by which alone the shim is entered".into()),
        }
    }

    /// The hops form a tree from the source over neighbouring switches to every sink and nowhere
    /// else.
    fn tree(&self, route: &Route) -> Vec<String> {
        let mut faults = Vec::new();
        let mut reached = BTreeSet::from([route.net.source.switch]);
        let mut unfinished = BTreeSet::new();
        for hop in &route.hops {
            if self.wires(*hop).is_none() {
                faults.push(format!("no wires lead {}", hop_name(hop)));
            }
            if !reached.contains(&hop.from) {
                faults.push(format!("the hop {} starts where the net has not been", hop_name(hop)));
            }
            if !reached.insert(hop.to) {
                faults.push(format!("the hop {} enters a switch for the second time", hop_name(hop)));
            }
            unfinished.remove(&hop.from);
            unfinished.insert(hop.to);
        }
        for (_, end) in &route.net.sinks {
            unfinished.remove(&end.switch);
            if !reached.contains(&end.switch) {
                faults.push(format!("the sink at {} is not reached", errors::switch_name(end.switch)));
            }
        }
        faults.extend(
            unfinished
                .iter()
                .map(|&s| format!("a branch ends at {}, where no sink is", errors::switch_name(s))),
        );
        faults
    }

    /// Wires of the edge of a hop. Returns None when it does not join neighbouring switches of the
    /// array.
    fn wires(&self, hop: Hop) -> Option<u32> {
        let rows = self.device.first_hardware_row + self.device.rows;
        let inside = |s: Switch| s.column < self.device.columns && s.row < rows;
        if !inside(hop.from) || !inside(hop.to) {
            return None;
        }
        let kinds = &self.device.switch;
        let masters = match (hop.from.row, &kinds.memory) {
            (0, _) => &kinds.shim.masters,
            (row, Some(memory)) if row < self.device.first_hardware_row => &memory.masters,
            _ => &kinds.core.masters,
        };
        let east = i32::from(hop.to.column) - i32::from(hop.from.column);
        let north = i32::from(hop.to.row) - i32::from(hop.from.row);
        match (east, north) {
            (1, 0) => Some(masters.east),
            (-1, 0) => Some(masters.west),
            (0, 1) => Some(masters.north),
            (0, -1) => Some(masters.south),
            _ => None,
        }
    }

    /// No port of a switch serves two ends. An input and an output of the same number are different
    /// ports.
    fn distinct_ends(&self, routes: &Routes) -> Vec<Diagnostic> {
        // The group of the nets at each port: nets of a group begin or end at one port.
        let mut taken: BTreeMap<(Direction, NetEnd), Option<u32>> = BTreeMap::new();
        let mut diagnostics = Vec::new();
        for net in routes.routes.iter().map(|route| &route.net) {
            let sinks: BTreeSet<_> = net.sinks.iter().map(|&(_, end)| (Direction::In, end)).collect();
            for (direction, end) in std::iter::once((Direction::Out, net.source)).chain(sinks) {
                let group = net.kind.group();
                let first = taken.insert((direction, end), group);
                // Packets share the port that is their group's: the source of a split, else the
                // end.
                let shares =
                    group.is_some_and(|group| (group == net.from.0) == (direction == Direction::Out));
                if first.is_some_and(|first| !shares || first != group) {
                    let fault =
                        format!("another net has the same port at {}", errors::switch_name(end.switch));
                    diagnostics.push(errors::bad_route(self.checked, net.from, &fault));
                }
            }
        }
        diagnostics
    }

    /// The settings implement the routes: every net arrives at its sinks alone, over as many wires
    /// of each edge as the routes.
    fn settings(&self, routes: &Routes) -> Vec<Diagnostic> {
        let nets: Vec<PortId> = routes.routes.iter().map(|route| route.net.from).collect();
        let requests: Vec<Request> = routes.routes.iter().map(|route| Request::from(&route.net)).collect();
        let faults = check_wiring(&requests, &routes.wiring, &[], self.device).into_iter();
        let mut found: Vec<(Option<PortId>, Switch, String)> = faults
            .map(|fault| (fault.net.and_then(|net| nets.get(net.index()).copied()), fault.switch, fault.what))
            .collect();
        let (wanted, set) = (hops_by_edge(routes), wires_by_edge(&routes.wiring));
        for &(switch, side) in wanted.keys().chain(set.keys()).collect::<BTreeSet<_>>() {
            let count = |edges: &BTreeMap<_, u32>| edges.get(&(switch, side)).copied().unwrap_or(0);
            let (wanted, set) = (count(&wanted), count(&set));
            if wanted != set {
                found.push((None, switch, format!("{set} nets are sent {side}, the routes send {wanted}")));
            }
        }
        let said = |(net, switch, what): (Option<PortId>, Switch, String)| {
            let fault = format!("the settings of {} are wrong: {what}", errors::switch_name(switch));
            net.or(nets.first().copied()).map(|net| errors::bad_route(self.checked, net, &fault))
        };
        found.into_iter().filter_map(said).collect()
    }

    fn edges(&self, routes: &Routes) -> Vec<Diagnostic> {
        let mut users: BTreeMap<Hop, Vec<PortId>> = BTreeMap::new();
        let mut lanes = BTreeSet::new();
        for route in &routes.routes {
            for &hop in &route.hops {
                let nets = users.entry(hop).or_default();
                match route.net.kind {
                    NetKind::Packet { group, lane, .. } if !lanes.insert((hop, group, lane)) => {}
                    _ => nets.push(route.net.from),
                }
            }
        }
        let overfull = users.into_iter().filter_map(|(hop, nets)| {
            let wires = self.wires(hop)?;
            (nets.len() > wires as usize)
                .then(|| errors::overfull_edge(self.checked, hop.from, hop.to, &nets, wires))
        });
        overfull.collect()
    }
}

type Edges = BTreeMap<(Switch, Bundle), u32>;

/// Wires that all routes use on each edge, by source switch and side. Packets of one lane use one.
fn hops_by_edge(routes: &Routes) -> Edges {
    let mut edges = Edges::new();
    let mut lanes = BTreeSet::new();
    for (kind, hop) in
        routes.routes.iter().flat_map(|route| route.hops.iter().map(|hop| (route.net.kind, hop)))
    {
        if kind != NetKind::Circuit && !lanes.insert((kind, *hop)) {
            continue;
        }
        let side = match (hop.to.column.cmp(&hop.from.column), hop.to.row.cmp(&hop.from.row)) {
            (Ordering::Greater, _) => Bundle::East,
            (Ordering::Less, _) => Bundle::West,
            (_, Ordering::Greater) => Bundle::North,
            _ => Bundle::South,
        };
        *edges.entry((hop.from, side)).or_default() += 1;
    }
    edges
}

/// Wires of each edge that the settings drive.
fn wires_by_edge(wiring: &Wiring) -> Edges {
    let mut edges = Edges::new();
    for (&switch, settings) in &wiring.switches {
        for master in settings.circuits.keys().chain(settings.arbitrated.keys()) {
            let inner = match master.bundle {
                Bundle::North | Bundle::East | Bundle::West => true,
                Bundle::South => switch.row > 0,
                _ => false,
            };
            if inner {
                *edges.entry((switch, master.bundle)).or_default() += 1;
            }
        }
    }
    edges
}

fn hop_name(hop: &Hop) -> String {
    format!("from {} to {}", errors::switch_name(hop.from), errors::switch_name(hop.to))
}
