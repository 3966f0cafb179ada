//! The nets of a placed design: which connections need one, and where each net starts and ends.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_ir::expanded::Owner;
use aiec_ir::fifos::{FifoKind, FifoPlace};
use aiec_ir::{ConnectionId, Direction, ExternalId, KernelId, PortId};
use aiec_placer::{Placed, PortBuffers};

use crate::net::{EndPort, Net, NetEnd};
use crate::request::NetKind;
use crate::switch::Switch;

/// The nets of a placed design, in order of their producing ports: one per port whose connections
/// are not shared memory. A port whose packets are split has one net for each number of a branch:
/// if it feeds several splits, their branches of that number get the same packets.
///
/// A stream begins or ends at a stream port of the core, numbered in order of the ports. The DMA
/// channels of a module are numbered in order of the ports they serve, MM2S for producers and S2MM
/// for consumers, and then of the FIFOs in its memory. A PLIO channel is the South port of the same
/// number. A GMIO channel has the South port that the device names for it.
pub fn nets(checked: &Checked, placed: &Placed, device: &Device) -> Vec<Net> {
    let mut ends = Ends {
        checked,
        placed,
        device,
        fifos: BTreeMap::new(),
        channels: BTreeMap::new(),
        streams: BTreeMap::new(),
    };
    let sources: Vec<(PortId, NetEnd)> = ends.of(Direction::Out);
    let sinks: BTreeMap<PortId, NetEnd> = ends.of(Direction::In).into_iter().collect();
    let sinks_of = |from: PortId| -> Vec<(ConnectionId, NetEnd)> {
        let connections = checked.ports[from].connections.iter();
        connections.filter_map(|&c| Some((c, *sinks.get(&checked.connections[c].to)?))).collect()
    };
    let mut nets = Vec::new();
    for (from, source) in sources {
        let (kind, sinks) = (kind(checked, from), sinks_of(from));
        let net = Net { from, kind, leaves_fifo: false, source, sinks, fifos: BTreeMap::new() };
        if net.kind == NetKind::Circuit {
            let fifos = fifos(checked, placed, device, from);
            ends.divide(Net { fifos, ..net }, 0, &mut nets);
        } else if checked.splits_packets(from) {
            let branches = by_number(checked, net.sinks.clone()).into_values();
            nets.extend(branches.map(|sinks| Net { sinks, ..net.clone() }));
        } else {
            nets.push(net);
        }
    }
    nets
}

/// The FIFOs of switches that connections of a port need, without a stated place.
fn fifos(checked: &Checked, placed: &Placed, device: &Device, from: PortId) -> BTreeMap<ConnectionId, u32> {
    let asked = |&id: &ConnectionId| {
        let connection = &checked.connections[id];
        let is_open = placed.fifo_places(checked, id).is_empty();
        let words = connection.fifo.as_ref().filter(|_| is_open)?.value;
        (words > 0 && !connection.lies_in_memory(device))
            .then(|| (id, words.div_ceil(device.switch.fifo_words.max(1))))
    };
    checked.ports[from].connections.iter().filter_map(asked).collect()
}

/// The sinks of a port that is split, by the number of their branch.
fn by_number<T>(
    checked: &Checked,
    sinks: Vec<(ConnectionId, T)>,
) -> BTreeMap<Option<u32>, Vec<(ConnectionId, T)>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for sink in sinks {
        found.entry(checked.branch_number(sink.0)).or_default().push(sink);
    }
    found
}

/// Streams merged into one port, and the branches of a split, are a packet group with the number of
/// the port that they share. Any other net is a circuit.
fn kind(checked: &Checked, from: PortId) -> NetKind {
    let packet = |port: PortId| NetKind::Packet { group: port.0, lane: 0, id: None };
    if checked.splits_packets(from) {
        return packet(from);
    }
    let sinks = checked.ports[from].connections.iter().map(|&id| checked.connections[id].to);
    let group = sinks.into_iter().find(|&to| checked.joins_packets(to));
    group.map_or(NetKind::Circuit, packet)
}

/// The switch of a core tile, at its hardware row. The shim row and memory tiles lie below (UG1076,
/// aie-rt).
pub(crate) const fn switch_of(tile: Tile, device: &Device) -> Switch {
    Switch { column: tile.column, row: device.hardware_row(tile.row) }
}

/// The switch at the stated place of a FIFO. Returns None when the place is off every array.
pub(crate) fn switch_of_fifo(place: &FifoPlace, device: &Device) -> Option<Switch> {
    let column = u16::try_from(place.column).ok()?;
    match place.row {
        None => Some(Switch { column, row: 0 }),
        Some(row) => Some(switch_of(Tile::new(column, u16::try_from(row).ok()?), device)),
    }
}

/// Assigns end ports.
struct Ends<'a> {
    checked: &'a Checked,
    placed: &'a Placed,
    device: &'a Device,
    /// The channels of the FIFOs in memory, S2MM and MM2S.
    fifos: BTreeMap<(Tile, FifoKind), (u32, u32)>,
    /// Next free channel of each module's DMA.
    channels: BTreeMap<(Tile, Direction), u32>,
    /// Next free stream port of each core.
    streams: BTreeMap<(Tile, Direction), u32>,
}

impl Ends<'_> {
    /// The ports of one direction that are ends of nets, in order, each with its end.
    fn of(&mut self, direction: Direction) -> Vec<(PortId, NetEnd)> {
        let ports = self.checked.ports.ids().filter(|&port| self.checked.ports[port].direction == direction);
        let needed: Vec<PortId> = ports.filter(|&port| self.needs_net(port)).collect();
        needed.into_iter().filter_map(|port| Some((port, self.end(port)?))).collect()
    }

    fn needs_net(&self, port: PortId) -> bool {
        let net =
            |&c: &ConnectionId| !self.placed.is_shared(self.checked, c) && !self.checked.goes_by_cascade(c);
        self.checked.ports[port].connections.iter().any(net)
    }

    fn end(&mut self, port: PortId) -> Option<NetEnd> {
        match self.checked.ports[port].owner {
            Owner::External(external) => self.shim_end(external),
            Owner::Kernel(kernel) if self.checked.is_stream(port) => {
                Some(self.core_end(kernel, self.checked.ports[port].direction))
            }
            Owner::Kernel(_) => self.dma_end(port),
        }
    }

    fn core_end(&mut self, kernel: KernelId, direction: Direction) -> NetEnd {
        let tile = self.placed.kernels[kernel];
        let next = self.streams.entry((tile, direction)).or_default();
        let port = EndPort::Core(*next);
        *next += 1;
        NetEnd { switch: switch_of(tile, self.device), port }
    }

    fn dma_end(&mut self, port: PortId) -> Option<NetEnd> {
        let PortBuffers::Own(spots) = &self.placed.buffers[port] else { return None };
        let tile = spots.first()?.tile;
        let channel = self.channel(tile, self.checked.ports[port].direction);
        Some(NetEnd { switch: switch_of(tile, self.device), port: EndPort::Dma(channel) })
    }

    fn channel(&mut self, tile: Tile, direction: Direction) -> u32 {
        let next = self.channels.entry((tile, direction)).or_default();
        let channel = *next;
        *next += 1;
        channel
    }

    /// Divides a net at the places of its FIFOs, of which its connections have passed
    /// `passed`.
    fn divide(&mut self, net: Net, passed: usize, nets: &mut Vec<Net>) {
        let mut behind: Vec<Net> = Vec::new();
        let mut sinks = Vec::new();
        for &(connection, end) in &net.sinks {
            let place = self.placed.fifo_places(self.checked, connection).get(passed);
            let Some((enter, leave)) = place.and_then(|place| self.fifo(place)) else {
                sinks.push((connection, end));
                continue;
            };
            sinks.push((connection, enter));
            match behind.iter_mut().find(|net| net.source == leave) {
                Some(net) => net.sinks.push((connection, end)),
                None => behind.push(Net {
                    leaves_fifo: true,
                    source: leave,
                    sinks: vec![(connection, end)],
                    fifos: BTreeMap::new(),
                    ..net
                }),
            }
        }
        nets.push(Net { sinks, ..net });
        behind.into_iter().for_each(|net| self.divide(net, passed + 1, nets));
    }

    /// Where a FIFO is filled and where it is emptied.
    fn fifo(&mut self, place: &FifoPlace) -> Option<(NetEnd, NetEnd)> {
        let switch = switch_of_fifo(place, self.device)?;
        let end = |port| NetEnd { switch, port };
        match place.kind {
            FifoKind::Switch { number } => Some((end(EndPort::Fifo(number)), end(EndPort::Fifo(number)))),
            FifoKind::Dma { .. } => {
                let tile = Tile::new(switch.column, u16::try_from(place.row?).ok()?);
                let known = self.fifos.get(&(tile, place.kind)).copied();
                let (fills, empties) = known.unwrap_or_else(|| {
                    (self.channel(tile, Direction::In), self.channel(tile, Direction::Out))
                });
                self.fifos.insert((tile, place.kind), (fills, empties));
                Some((end(EndPort::Dma(fills)), end(EndPort::Dma(empties))))
            }
        }
    }

    fn shim_end(&self, external: ExternalId) -> Option<NetEnd> {
        let spot = self.placed.shims[external];
        let switch = Switch { column: spot.column, row: 0 };
        let port = south_port(self.checked, self.device, external, spot.channel)?;
        Some(NetEnd { switch, port: EndPort::South(port) })
    }
}

fn south_port(checked: &Checked, device: &Device, external: ExternalId, channel: u32) -> Option<u32> {
    let external = &checked.externals[external];
    if matches!(external.endpoint, aiec_ir::design::Endpoint::Plio { .. }) {
        return Some(channel);
    }
    let ports = match external.direction {
        Direction::Out => &device.shim.gmio_in_ports,
        Direction::In => &device.shim.gmio_out_ports,
    };
    ports.get(usize::try_from(channel).ok()?).copied()
}
