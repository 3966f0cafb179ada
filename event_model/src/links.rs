//! The transport of windows from producer to consumer: through shared buffers or over nets.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::{ConnectionId, Direction, IdVec, PortId};
use aiec_placer::{Placed, PortBuffers};
use aiec_router_model::{Routed, detour_cycles, kernel_distance, way_cycles};
use aiec_timing::TimingProfile;

use crate::time::Time;

/// What happens to a port's buffer when its kernel releases it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// Nothing is connected.
    None,
    /// The port at the other end gets this buffer after the given time.
    Shared(PortId, Time),
    /// The net with this number may start.
    Net(usize),
}

/// A net in operation.
#[derive(Clone, Debug)]
pub(crate) struct Wire {
    /// The producing port.
    pub(crate) from: PortId,
    /// True if it belongs to an input of the array, which always has a window.
    pub(crate) endless: bool,
    /// The first of the nets that share its port, itself if there is none. A port of merged packets
    /// carries one net at a time.
    pub(crate) channel: usize,
    /// Time on the wire: 32 bits a cycle.
    pub(crate) carrying: Time,
    /// Consuming ports of kernels, with the time from start to arrival.
    pub(crate) sinks: Vec<(PortId, Time)>,
    /// For outputs of the array, the time of the last arrival after a start.
    pub(crate) outside: Option<Time>,
}

/// All links of a design.
pub(crate) struct Links {
    /// The link of each port.
    pub(crate) of: IdVec<PortId, Link>,
    /// The nets.
    pub(crate) wires: Vec<Wire>,
    /// Buffers each port's kernel may take at the start: empty ones for producers, none for
    /// consumers.
    pub(crate) at_start: IdVec<PortId, u32>,
    /// Empty buffers that a net may fill at the start, for each consuming port.
    pub(crate) empty: IdVec<PortId, u32>,
}

/// The inputs for a design's links.
pub(crate) struct Sources<'a> {
    pub(crate) checked: &'a Checked,
    pub(crate) placed: &'a Placed,
    pub(crate) routed: &'a Routed,
    pub(crate) device: &'a Device,
    pub(crate) profile: &'a TimingProfile,
}

impl Links {
    pub(crate) fn new(sources: &Sources<'_>) -> Self {
        let ports = &sources.checked.ports;
        let mut wires: Vec<Wire> = sources.routed.routes.iter().map(|route| sources.wire(route)).collect();
        share_channels(sources.checked, &mut wires);
        let mut links = Self {
            of: ports.iter().map(|_| Link::None).collect(),
            wires,
            at_start: ports.iter().map(|_| 0).collect(),
            empty: ports.iter().map(|_| 0).collect(),
        };
        for port in ports.ids() {
            sources.prepare(port, &mut links);
        }
        for (number, wire) in links.wires.iter().enumerate() {
            links.of[wire.from] = Link::Net(number);
            for &(sink, _) in &wire.sinks {
                links.of[sink] = Link::Net(number);
            }
        }
        links
    }
}

impl Sources<'_> {
    /// Buffers and shared links of one port.
    fn prepare(&self, port: PortId, links: &mut Links) {
        let buffers = |port: PortId| match &self.placed.buffers[port] {
            PortBuffers::Own(spots) => u32::try_from(spots.len()).unwrap_or(u32::MAX),
            PortBuffers::None | PortBuffers::Shared => 0,
        };
        if self.checked.is_stream(port) {
            // Packets that wait in the network: at most one of each sender, which its DMA has begun
            // to send.
            links.empty[port] = u32::try_from(self.checked.ports[port].connections.len()).unwrap_or(u32::MAX);
            return;
        }
        match (self.checked.ports[port].direction, self.shared_consumer(port)) {
            (Direction::Out, Some(consumer)) => {
                let locks = self.profile.window.acquire + self.profile.window.release;
                let transit = Time::rounded(self.profile.window.shared_latency - locks as f64);
                links.of[port] = Link::Shared(consumer, transit);
                links.of[consumer] = Link::Shared(port, Time::default());
                links.at_start[port] = buffers(consumer);
            }
            (Direction::Out, None) => links.at_start[port] = buffers(port),
            (Direction::In, _) => links.empty[port] = buffers(port),
        }
    }

    fn shared_consumer(&self, port: PortId) -> Option<PortId> {
        let connection = *self.checked.ports[port].connections.first()?;
        (self.checked.connections[connection].from == port && self.placed.is_shared(self.checked, connection))
            .then(|| self.checked.connections[connection].to)
    }

    fn wire(&self, route: &aiec_router_model::Route) -> Wire {
        let from = route.net.from;
        let bytes = self.checked.ports[from]
            .carries
            .and_then(aiec_ir::Carries::per_run)
            .map_or(0, aiec_ir::WindowType::bytes);
        let mut wire = Wire {
            from,
            channel: 0,
            endless: self.checked.kernel_of(from).is_none(),
            carrying: whole(self.profile.stream(bytes) + self.header(from)),
            sinks: Vec::new(),
            outside: None,
        };
        for &(connection, _) in &route.net.sinks {
            let arrival = self.arrival(connection, route.hops_to(connection).unwrap_or(0), bytes);
            let to = self.checked.connections[connection].to;
            match self.checked.kernel_of(to) {
                Some(_) => wire.sinks.push((to, arrival)),
                None => wire.outside = wire.outside.max(Some(arrival)),
            }
        }
        wire
    }

    /// Cycles of the header, if the windows of a port leave as packets.
    fn header(&self, from: PortId) -> u64 {
        if self.checked.is_merged(from) { self.profile.packet_header() } else { 0 }
    }

    /// Time from the start of a net to the arrival of the whole window, or of the first words of a
    /// packet. Latencies were measured from kernel to kernel, so the time of the locks at both ends
    /// is subtracted.
    fn arrival(&self, connection: ConnectionId, hops: u32, bytes: u64) -> Time {
        let window = &self.profile.window;
        match kernel_distance(self.checked, self.placed, connection) {
            Some(distance) => {
                let locks = (window.acquire + window.release) as f64;
                // A packet is read as it comes.
                let carried =
                    if self.checked.is_merged(self.checked.connections[connection].from) { 0 } else { bytes };
                let rest = self.profile.stream(carried.saturating_sub(window.measured_bytes));
                let detour = detour_cycles(hops, distance, self.device);
                Time::rounded(self.profile.dma_latency(distance) - locks).after(whole(rest + detour))
            }
            None => whole(way_cycles(hops, self.device)).after(whole(self.profile.stream(bytes))),
        }
    }
}

/// Gives nets that end at one stream of packets one channel.
fn share_channels(checked: &Checked, wires: &mut [Wire]) {
    let mut first: BTreeMap<PortId, usize> = BTreeMap::new();
    for (number, wire) in wires.iter_mut().enumerate() {
        let merged = wire.sinks.iter().map(|&(port, _)| port).find(|&port| checked.joins_packets(port));
        wire.channel = merged.map_or(number, |port| *first.entry(port).or_insert(number));
    }
}

fn whole(cycles: u64) -> Time {
    Time::cycles(i64::try_from(cycles).unwrap_or(i64::MAX))
}
