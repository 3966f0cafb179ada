//! The transport of windows from producer to consumer: through shared buffers or over nets.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::expanded::PortRole;
use aiec_ir::rates::gcd;
use aiec_ir::{ConnectionId, Direction, Id, IdVec, KernelId, PortId, WHOLE_CORE, ids};
use aiec_placer::{Placed, PortBuffers};
use aiec_router_model::{Implementation, Route, Routed, detour_cycles, kernel_distance, way_cycles};
use aiec_timing::TimingProfile;

use crate::dealt::{self, Dealt};
use crate::ideal::Ideal;
use crate::time::Time;

ids! {
    /// A net in operation: an entry of [`Links::wires`].
    pub(crate) WireId;
}

/// What happens to a port's buffer when its kernel releases it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// Nothing is connected.
    None,
    /// The port at the other end gets this buffer after the given time.
    Shared(PortId, Time),
    /// This net may start.
    Net(WireId),
}

/// A net in operation.
#[derive(Clone, Debug)]
pub(crate) struct Wire {
    /// The port whose data the net carries.
    pub(crate) from: PortId,
    /// True if it belongs to an input of the array, which always has a window.
    pub(crate) endless: bool,
    /// The first of the nets that share its port, itself if there is none. A port of merged or
    /// split packets carries one net at a time.
    pub(crate) channel: WireId,
    /// The net that keeps this one from starting while it is carried: its channel, or itself where
    /// nets do not wait for each other.
    pub(crate) lane: WireId,
    /// Time on the wire: 32 bits a cycle, or what the input or output at its end takes.
    pub(crate) carrying: Time,
    /// Bytes that it carries at a time.
    pub(crate) bytes: u64,
    /// Time by which its first block comes later.
    pub(crate) first: Time,
    /// Consuming ports of kernels.
    pub(crate) sinks: Vec<Sink>,
    /// For outputs of the array, the time of the last arrival after a start, and the part of it
    /// that is the way.
    pub(crate) outside: Option<(Time, Time)>,
}

/// An end of a net at a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sink {
    /// The port of a kernel that consumes the data.
    pub(crate) port: PortId,
    /// Time from start to arrival.
    pub(crate) arrival: Time,
    /// The part of it that is the way over the array.
    pub(crate) hops: Time,
}

/// All links of a design.
pub(crate) struct Links {
    /// The link of each port.
    pub(crate) of: IdVec<PortId, Link>,
    /// The nets, by id.
    pub(crate) wires: IdVec<WireId, Wire>,
    /// Buffers each port's kernel may take at the start: empty ones for producers, none for
    /// consumers.
    pub(crate) at_start: IdVec<PortId, u32>,
    /// Parts of empty buffers that a net may fill at the start, for each consuming port.
    pub(crate) empty: IdVec<PortId, u32>,
    /// Parts of the block of each port. A net between blocks of different sizes carries their
    /// greatest common divisor at a time.
    pub(crate) parts: IdVec<PortId, u32>,
    /// What the kernels deal out that write the packets of a split.
    pub(crate) dealt: BTreeMap<PortId, Dealt>,
}

/// Where a design lies.
pub(crate) enum Laid<'a> {
    /// On a placement, with its routes.
    On(&'a Placed, &'a Routed),
    /// On a perfect placement. Each kernel takes this share of a core's time, in 1/1000.
    Perfectly(IdVec<KernelId, u32>),
}

/// The inputs for a design's links.
pub(crate) struct Sources<'a> {
    pub(crate) checked: &'a Checked,
    pub(crate) device: &'a Device,
    pub(crate) profile: &'a TimingProfile,
    pub(crate) laid: Laid<'a>,
    /// What is taken as perfect.
    pub(crate) ideal: Ideal,
}

impl<'a> Sources<'a> {
    /// Those of a routed design.
    pub(crate) const fn of(whole: &Implementation<'a>, profile: &'a TimingProfile, ideal: Ideal) -> Self {
        let &Implementation { checked, placed, routed, device } = whole;
        Self { checked, device, profile, laid: Laid::On(placed, routed), ideal }
    }

    /// Those of a design on a perfect placement.
    pub(crate) fn perfect(checked: &'a Checked, device: &'a Device, profile: &'a TimingProfile) -> Self {
        let laid = Laid::Perfectly(checked.core_shares());
        Self { checked, device, profile, laid, ideal: Ideal::Tiles }
    }

    /// The placement. Returns None when it is a perfect one.
    pub(crate) const fn placed(&self) -> Option<&'a Placed> {
        match self.laid {
            Laid::On(placed, _) => Some(placed),
            Laid::Perfectly(_) => None,
        }
    }
}

impl Links {
    pub(crate) fn new(sources: &Sources<'_>) -> Self {
        let ports = &sources.checked.ports;
        let nets = sources.nets();
        let mut wires: Vec<Wire> = nets.iter().map(|(from, sinks)| sources.wire(*from, sinks)).collect();
        share_channels(sources.checked, &mut wires);
        let mut links = Self {
            of: ports.iter().map(|_| Link::None).collect(),
            wires: wires.into_iter().collect(),
            at_start: ports.iter().map(|_| 0).collect(),
            empty: ports.iter().map(|_| 0).collect(),
            parts: ports.ids().map(|port| sources.parts(port)).collect(),
            dealt: dealt::of(sources.checked, &nets),
        };
        for port in ports.ids() {
            sources.prepare(port, &mut links);
        }
        for (id, wire) in links.wires.enumerate() {
            links.of[wire.from] = Link::Net(id);
            for sink in &wire.sinks {
                links.of[sink.port] = Link::Net(id);
            }
        }
        sources.idealise(&mut links);
        links
    }
}

impl Sources<'_> {
    /// Buffers and shared links of one port.
    fn prepare(&self, port: PortId, links: &mut Links) {
        let buffers = |port: PortId| match self.placed().map(|placed| &placed.buffers[port]) {
            Some(PortBuffers::Own(spots)) => u32::try_from(spots.len()).unwrap_or(u32::MAX),
            Some(PortBuffers::None | PortBuffers::Shared) => 0,
            None => self.checked.copies(port),
        };
        if let Some(consumer) = self.cascade_consumer(port) {
            // The words of one run, which leave as the kernel writes them.
            links.of[port] = Link::Shared(consumer, Time::default());
            links.of[consumer] = Link::Shared(port, Time::default());
            links.at_start[port] = 1;
            return;
        }
        if self.checked.is_stream(port) && self.checked.ports[port].direction == Direction::Out {
            // The words of one run, which leave as the kernel writes them.
            links.at_start[port] = 1;
            return;
        }
        if self.checked.is_stream(port) {
            // Packets that wait in the network: at most one of each sender, which its DMA has begun
            // to send.
            let senders = u32::try_from(self.checked.ports[port].connections.len()).unwrap_or(u32::MAX);
            links.empty[port] = senders.max(links.parts[port]).saturating_add(self.fifo_parts(port));
            return;
        }
        match (self.checked.ports[port].direction, self.shared_consumer(port)) {
            (Direction::Out, Some(consumer)) => {
                links.of[port] = Link::Shared(consumer, self.transit());
                links.of[consumer] = Link::Shared(port, Time::default());
                links.at_start[port] = buffers(consumer);
            }
            (Direction::Out, None) => links.at_start[port] = buffers(port),
            (Direction::In, _) => links.empty[port] = buffers(port).saturating_mul(links.parts[port]),
        }
    }

    /// Time of a buffer in shared memory from the release to the acquisition. The measured latency
    /// contains the locks.
    pub(crate) fn transit(&self) -> Time {
        Time::rounded(self.profile.window.shared_latency - self.profile.locks(1) as f64)
    }

    /// The consumer of a port that sends along the cascade.
    fn cascade_consumer(&self, port: PortId) -> Option<PortId> {
        let id = *self.checked.ports[port].connections.first()?;
        let connection = &self.checked.connections[id];
        (connection.from == port && self.checked.goes_by_cascade(id)).then_some(connection.to)
    }

    /// Parts of blocks that the switches and the FIFO hold before a stream port. A part of which
    /// some words fit counts whole: they leave while the last ones are read.
    fn fifo_parts(&self, port: PortId) -> u32 {
        let Some(&id) = self.checked.ports[port].connections.first() else { return 0 };
        let connection = &self.checked.connections[id];
        if self.is_switched(port) || self.checked.joins_packets(port) {
            return 0;
        }
        let held = connection.held_words(self.device);
        let bytes = 4 * (u64::from(held) + u64::from(self.device.switch.hop_words));
        u32::try_from(bytes.div_ceil(self.chunk(connection.from).max(1))).unwrap_or(u32::MAX)
    }

    fn shared_consumer(&self, port: PortId) -> Option<PortId> {
        let connection = *self.checked.ports[port].connections.first()?;
        (self.checked.connections[connection].from == port
            && self.placed().is_some_and(|placed| placed.is_shared(self.checked, connection)))
        .then(|| self.checked.connections[connection].to)
    }

    /// Bytes of the block of a port; 0 if the design does not determine them.
    pub(crate) fn block(&self, port: PortId) -> u64 {
        let carries = self.checked.ports[port].carries;
        carries.and_then(aiec_ir::Carries::per_run).map_or(0, aiec_ir::WindowType::bytes)
    }

    /// Bytes that the net of an output carries at a time: what divides the blocks at all its ends.
    fn chunk(&self, from: PortId) -> u64 {
        let connections = &self.checked.ports[from].connections;
        let sinks = connections.iter().map(|&id| self.block(self.checked.connections[id].to));
        sinks.filter(|&bytes| bytes > 0).fold(self.block(from), gcd)
    }

    /// True if the port is an end of a split or merge, where a packet is a block.
    pub(crate) fn is_switched(&self, port: PortId) -> bool {
        let mut connections = self.checked.ports[port].connections.iter();
        self.checked.is_merged(port) || connections.any(|&id| self.checked.connections[id].switch.is_some())
    }

    /// Packets that a run of a kernel takes from a merge at a time. A window holds one, and a
    /// collective reads one.
    fn packets(&self, port: PortId) -> u32 {
        let own = &self.checked.ports[port];
        let runs = |port| self.checked.kernel_of(port).map_or(0, |id| self.checked.kernels[id].repetitions);
        if !matches!(own.role, PortRole::User(_)) || !self.checked.is_stream(port) {
            return 1;
        }
        let sent = own.connections.iter().map(|&id| {
            let from = self.checked.connections[id].from;
            self.checked.packets_of_branch(id, port).unwrap_or_else(|| runs(from).into())
        });
        let sent = sent.fold(0, u64::saturating_add) / u64::from(runs(port).max(1));
        u32::try_from(sent).unwrap_or(u32::MAX).max(1)
    }

    /// Parts of the block of a port.
    fn parts(&self, port: PortId) -> u32 {
        let own = &self.checked.ports[port];
        if own.direction == Direction::In && self.checked.joins_packets(port) {
            return self.packets(port);
        }
        let from = match (own.direction, own.connections.first()) {
            (Direction::In, Some(&id)) => self.checked.connections[id].from,
            _ => port,
        };
        if self.is_switched(port) || self.checked.joins_packets(port) {
            return 1;
        }
        u32::try_from(self.block(port) / self.chunk(from).max(1)).unwrap_or(u32::MAX).max(1)
    }

    /// The port and the connections of each net. On a perfect placement these are the nets of all
    /// connections, also of those that need none.
    fn nets(&self) -> Vec<(PortId, Vec<ConnectionId>)> {
        if let Laid::On(_, routed) = self.laid {
            let sinks = |route: &Route| route.net.sinks.iter().map(|&(id, _)| id).collect();
            return routed.from_ports().map(|route| (route.net.from, sinks(route))).collect();
        }
        let mut nets: BTreeMap<(PortId, Option<u32>), Vec<ConnectionId>> = BTreeMap::new();
        for (id, connection) in self.checked.connections.enumerate() {
            if !self.checked.goes_by_cascade(id) {
                let is_split = self.checked.splits_packets(connection.from);
                let branch = if is_split { self.checked.branch_number(id) } else { None };
                nets.entry((connection.from, branch)).or_default().push(id);
            }
        }
        nets.into_iter().map(|((from, _), sinks)| (from, sinks)).collect()
    }

    /// Hops of a connection over a net. Returns None when it needs none.
    pub(crate) fn hops(&self, id: ConnectionId) -> Option<u32> {
        match &self.laid {
            Laid::On(_, routed) => {
                routed.hops_of(self.checked.connections[id].from, id).map(|hops| self.ideal.hops(hops))
            }
            Laid::Perfectly(_) if self.checked.goes_by_cascade(id) => None,
            Laid::Perfectly(shares) => Some(self.apart(id, shares)),
        }
    }

    /// Tiles between two kernels. Returns None when one of the ends is an input or output.
    fn distance(&self, id: ConnectionId) -> Option<u32> {
        match &self.laid {
            Laid::On(placed, _) => {
                kernel_distance(self.checked, placed, id).map(|tiles| self.ideal.hops(tiles))
            }
            Laid::Perfectly(shares) => self.kernels(id).map(|_| self.apart(id, shares)),
        }
    }

    fn kernels(&self, id: ConnectionId) -> Option<(KernelId, KernelId)> {
        let connection = &self.checked.connections[id];
        self.checked.kernel_of(connection.from).zip(self.checked.kernel_of(connection.to))
    }

    /// The least tiles between the ends of a connection: 0 if they may share a core.
    fn apart(&self, id: ConnectionId, shares: &IdVec<KernelId, u32>) -> u32 {
        let fits = |(a, b): (KernelId, KernelId)| shares[a].saturating_add(shares[b]) <= WHOLE_CORE;
        u32::from(!self.kernels(id).is_some_and(fits))
    }

    fn wire(&self, from: PortId, sinks: &[ConnectionId]) -> Wire {
        let bytes = if self.is_switched(from) { self.bytes(from, sinks) } else { self.chunk(from) };
        let ends = sinks.iter().map(|&id| self.checked.connections[id].to);
        // The header passes the ports of the array, too.
        let header = if self.sends_packets(from) { self.profile.hardware.stream_bytes } else { 0 };
        let edge = self.edge_cycles(from, ends, bytes + header);
        let mut wire = Wire {
            from,
            channel: WireId(0),
            lane: WireId(0),
            endless: self.checked.kernel_of(from).is_none(),
            carrying: whole((self.profile.stream(bytes) + self.header(from)).max(edge)),
            bytes,
            first: self.first_access(from),
            sinks: Vec::new(),
            outside: None,
        };
        for &connection in sinks {
            let port = self.checked.connections[connection].to;
            let hops = self.hops(connection).unwrap_or(0);
            let (arrival, hops) = self.arrival(connection, hops, bytes);
            // What the ports of the array leave of the pace of a stream.
            let arrival = arrival.after(whole(edge.saturating_sub(self.profile.stream(bytes))));
            match self.checked.kernel_of(port) {
                Some(_) => wire.sinks.push(Sink { port, arrival, hops }),
                None => wire.outside = wire.outside.max(Some((arrival, hops))),
            }
        }
        wire
    }

    /// Time of one word from end to end of a connection, and the part of it that is the way.
    pub(crate) fn way_of_word(&self, id: ConnectionId) -> (Time, Time) {
        if self.checked.goes_by_cascade(id) {
            return (Time::ZERO, Time::ZERO);
        }
        let connection = &self.checked.connections[id];
        let bytes = self.profile.hardware.stream_bytes;
        let edge = self.edge_cycles(connection.from, std::iter::once(connection.to), bytes);
        let (arrival, hops) = self.arrival(id, self.hops(id).unwrap_or(0), bytes);
        let first = self.first_access(connection.from);
        (arrival.after(whole(edge.saturating_sub(self.profile.stream(bytes)))).after(first), hops)
    }

    /// Bytes that the net carries at a time: those of its producer, but of its consumer if it is
    /// one branch of a split.
    fn bytes(&self, from: PortId, sinks: &[ConnectionId]) -> u64 {
        let branch = sinks.first().filter(|_| self.checked.splits_packets(from));
        let port = branch.map_or(from, |&id| self.checked.connections[id].to);
        let carries = self.checked.ports[port].carries;
        carries.and_then(aiec_ir::Carries::per_run).map_or(0, aiec_ir::WindowType::bytes)
    }

    /// Cycles of the header, if what a port sends leaves as packets.
    pub(crate) fn header(&self, from: PortId) -> u64 {
        if self.sends_packets(from) { self.profile.packet_header() } else { 0 }
    }

    fn sends_packets(&self, from: PortId) -> bool {
        self.checked.is_merged(from) || self.checked.splits_packets(from)
    }

    /// Time from the start of a net to the arrival of the whole window, or of the first words of a
    /// packet that a kernel reads, and the part of it that is the way. Latencies of DMA were
    /// measured from kernel to kernel, so the time of the locks at both ends is subtracted. From
    /// stream to stream words only pass the switches.
    fn arrival(&self, connection: ConnectionId, hops: u32, bytes: u64) -> (Time, Time) {
        let (checked, device) = (self.checked, self.device);
        let distance = self.distance(connection);
        let carried = if self.reads_packet(connection) { 0 } else { bytes };
        let Some(distance) = distance.filter(|_| !checked.goes_by_stream(connection)) else {
            let way = whole(way_cycles(hops, device));
            return (way.after(whole(self.profile.stream(carried))), way);
        };
        let rest = self.profile.stream(carried.saturating_sub(self.profile.window.measured_bytes));
        let detour = whole(detour_cycles(hops, distance, device));
        let latency = self.latency(distance);
        let way = latency.since(self.latency(0)).after(detour);
        (latency.after(whole(rest)).after(detour), way)
    }

    /// True if a step of a collective reads what the connection carries word by word, as it comes.
    /// Its work has the time of the words. The words of other ports pass beside the work.
    pub(crate) fn reads_packet(&self, connection: ConnectionId) -> bool {
        let port = self.checked.connections[connection].to;
        matches!(self.checked.ports[port].role, PortRole::Packets(_)) && self.distance(connection).is_some()
    }

    /// Time of a smallest window through DMA without the locks at both ends.
    pub(crate) fn latency(&self, distance: u32) -> Time {
        Time::rounded(self.profile.dma_latency(distance) - self.profile.locks(1) as f64)
    }
}

/// Gives nets that begin or end at one stream of packets one channel.
fn share_channels(checked: &Checked, wires: &mut [Wire]) {
    let mut first: BTreeMap<PortId, WireId> = BTreeMap::new();
    for (index, wire) in wires.iter_mut().enumerate() {
        let id = WireId::from_index(index);
        let merges = |from: PortId| {
            let ends = checked.ports[from].connections.iter().map(|&id| checked.connections[id].to);
            ends.into_iter().find(|&port| checked.joins_packets(port))
        };
        let shared = if checked.splits_packets(wire.from) { Some(wire.from) } else { merges(wire.from) };
        wire.channel = shared.map_or(id, |port| *first.entry(port).or_insert(id));
        wire.lane = wire.channel;
    }
}

fn whole(cycles: u64) -> Time {
    Time::cycles(i64::try_from(cycles).unwrap_or(i64::MAX))
}
