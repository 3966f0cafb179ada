//! What a connection costs, in the terms of LogP: overhead, latency and gap.
//!
//! Takes a routed design and a profile. Returns the times of each connection in this placement.
//! They are those of the event model, which the tests of this module compare with runs of it.

use aiec_check::Checked;
use aiec_ir::{Carries, ConnectionId, IdVec, PortId};
use aiec_placer::PortBuffers;
use aiec_router_model::Implementation;
use aiec_timing::TimingProfile;
use serde::Serialize;

use crate::ideal::Ideal;
use crate::links::{Link, Links, Sources, Wire};
use crate::time::Time;

/// The cost of one message over a connection, in array cycles. A message is a window, what one run
/// moves through a stream, a packet of a channel to any peer, or the largest message of a mailbox,
/// request or reply.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LogP {
    /// Bytes of the message. Of a split or merge those of one packet, without its header.
    #[serde(skip)]
    pub bytes: u64,
    /// Cycles of the sending core: its locks, or the words of a stream. None when the sender is an
    /// input of the array.
    pub send: Option<f64>,
    /// Cycles from the end of the send until all of the message is there.
    pub latency: f64,
    /// Cycles of the receiving core: its locks, or the words of a stream, which it reads as they
    /// come. None when the receiver is an output of the array.
    pub receive: Option<f64>,
    /// Cycles from the start of the send to the end of the receive.
    pub message: f64,
    /// Least cycles from one message to the next, whatever the kernels do. The slowest of: both
    /// cores, the way, and the turn of a buffer, divided by the number of buffers.
    pub gap: f64,
}

/// The costs of each connection. An entry is None when the connection is a run-time parameter, a
/// stream whose amount the design does not state, or a cascade: no document states its latency.
pub fn logp(whole: &Implementation<'_>, profile: &TimingProfile) -> IdVec<ConnectionId, Option<LogP>> {
    let sources = Sources::of(whole, profile, Ideal::Nothing);
    let links = Links::new(&sources);
    whole.checked.connections.ids().map(|id| Costs { sources: &sources, links: &links }.of(id)).collect()
}

struct Costs<'a> {
    sources: &'a Sources<'a>,
    links: &'a Links,
}

impl Costs<'_> {
    fn of(&self, id: ConnectionId) -> Option<LogP> {
        let (checked, profile) = (self.sources.checked, self.sources.profile);
        let connection = &checked.connections[id];
        if matches!(checked.ports[connection.from].carries, Some(Carries::Parameter(_))) {
            return None;
        }
        if let Link::Shared(_, transit) = self.links.of[connection.from] {
            return self.in_memory(connection.from, transit);
        }
        let wire = self.links.wires.iter().find(|wire| wire.serves(checked, id))?;
        let end = if checked.kernel_of(connection.to).is_some() { connection.to } else { connection.from };
        let message = checked.message_at(end);
        let is_switched = self.sources.is_switched(connection.from) || checked.joins_packets(connection.to);
        let bytes = match &message {
            Some(message) => Some(message.packet),
            None if is_switched => Some(wire.bytes),
            None => checked.ports[end].carries?.per_run().map(aiec_ir::WindowType::bytes),
        };
        let bytes = bytes.filter(|&bytes| bytes > 0)?;
        let words = profile.stream(bytes);
        let arrival = match wire.sinks.iter().find(|sink| sink.port == connection.to) {
            Some(sink) => sink.arrival,
            None => wire.outside?.0,
        };
        let (send, receive) = (self.overhead(connection.from, words), self.overhead(connection.to, words));
        let cores = [send, receive].into_iter().flatten();
        let turns =
            [self.turn(connection.from, send, wire.carrying), self.turn(connection.to, receive, arrival)];
        // What a core writes to a stream leaves at once, in the parts that the net carries. What it
        // reads has just arrived. An input or output of the array may take longer than the core.
        let is_written = send.is_some() && checked.is_stream(connection.from);
        // A message is what the net carries; a firing may write several parts.
        let parts = if is_written && message.is_none() { bytes / wire.bytes.max(1) } else { 1 };
        let further = parts.saturating_sub(1);
        let rest = wire.carrying.times(further);
        let written = if is_written { words } else { 0 };
        let cycles = |cycles: u64| Time::cycles(i64::try_from(cycles).unwrap_or(i64::MAX));
        // Words that the arrival leaves out: of messages, which the model does not time, and of
        // packets whose reader takes the time.
        let carried = profile.stream(wire.bytes);
        let left_out = match &message {
            Some(_) => words.saturating_sub(carried),
            None if self.sources.reads_packet(id) => carried.saturating_add(profile.packet_header()),
            None => 0,
        };
        let latency = arrival.after(rest).after(cycles(left_out)).since(cycles(written)).as_cycles();
        let after = receive.filter(|_| !checked.is_stream(connection.to));
        Some(LogP {
            bytes,
            send,
            latency,
            receive,
            message: send.unwrap_or(0.0) + latency + after.unwrap_or(0.0),
            gap: cores
                .chain(turns.into_iter().flatten())
                .fold(wire.carrying.after(rest).as_cycles(), f64::max),
        })
    }

    /// Through buffers of both kernels.
    fn in_memory(&self, from: PortId, transit: Time) -> Option<LogP> {
        if self.sources.checked.is_cascade(from) {
            return None;
        }
        let bytes = self.sources.block(from);
        let locks = self.sources.profile.locks(1) as f64;
        let latency = transit.as_cycles();
        let message = 2.0 * locks + latency;
        let turn = message / f64::from(self.links.at_start[from].max(1));
        Some(LogP { bytes, send: Some(locks), latency, receive: Some(locks), message, gap: turn.max(locks) })
    }

    /// Cycles of the core at a port: a word a cycle through a stream (AM009), or the locks of a
    /// window. Returns None when the port is an input or output of the array.
    fn overhead(&self, port: PortId, words: u64) -> Option<f64> {
        let (checked, profile) = (self.sources.checked, self.sources.profile);
        checked.kernel_of(port)?;
        Some(if checked.is_stream(port) { words as f64 } else { profile.locks(1) as f64 })
    }

    /// Cycles of a buffer at a port from one message to the next, divided by the number of buffers.
    /// Returns None when the port has no buffers of its own, or `overhead` is None.
    fn turn(&self, port: PortId, overhead: Option<f64>, busy: Time) -> Option<f64> {
        let PortBuffers::Own(spots) = &self.sources.placed()?.buffers[port] else { return None };
        Some((overhead? + busy.as_cycles()) / spots.len().max(1) as f64)
    }
}

impl Wire {
    fn serves(&self, checked: &Checked, id: ConnectionId) -> bool {
        let connection = &checked.connections[id];
        let ends = self.sinks.iter().any(|sink| sink.port == connection.to);
        self.from == connection.from && (ends || checked.kernel_of(connection.to).is_none())
    }
}
