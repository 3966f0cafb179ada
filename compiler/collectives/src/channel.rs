//! Channel: ranks send to each other element by element while their kernels compute. A kernel opens
//! a link for a number of elements, as in the Streaming Message Interface, and no call moves whole
//! blocks.
//!
//! A rank sends to at most one other over a stream of its own (`direct`). Or it names the other
//! rank when it opens, and the root carries packets from any rank to any other (`relay`).

use super::sendrecv::{class, partner_links};
use super::table::{Algorithm, Call, NOTHING, PLAIN, Row, Waits};
use super::{Class, Link, Plan, Rank, Seat, Shape};

pub(crate) static ROW: Row = Row {
    name: "channel",
    noun: "channel",
    call: Call::Opened,
    names_partners: true,
    default: Shape::Direct,
    algorithms: &[
        Algorithm {
            word: "direct",
            links: |plan, _| partner_links(plan),
            opened: true,
            class: |seat| class("channel_end", seat),
            outside: "channel_outside",
            waits: Waits::Nobody,
            ..NOTHING
        },
        Algorithm {
            word: "relay",
            links: |plan, _| relay_links(plan),
            opened: true,
            most_links: |_, ranks| ranks.saturating_sub(1).saturating_mul(2),
            header: |_| "channel_any",
            class: relay_class,
            outside: "channel_any_outside",
            waits: Waits::Nobody,
            ..NOTHING
        },
    ],
    sentence: "each of {ranks} kernels sends up to {block} to one other, element by element, and receives the same",
    ..PLAIN
};

/// The packets of a channel to any peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relay {
    /// Words of a packet behind its header, at most.
    pub packet: u32,
    /// Words of memory at each rank for packets that come before their elements are asked for.
    pub depth: u32,
}

impl Plan {
    /// Bytes of the arrays that `rank` of a channel to any peer has for packets (`channel_any.h`):
    /// the packet that it fills; the words of `depth` and one packet, each with a position in 16
    /// bits; and two positions and the credit of each other rank. Of the owner of active messages:
    /// the largest array of a request. 0 for others.
    pub fn packet_bytes(&self, rank: Rank) -> u64 {
        if self.is_active() && rank == self.root {
            return 4 * u64::from(self.handled_elements());
        }
        let Some(Relay { packet, depth }) = self.relay.filter(|_| rank != self.root) else { return 0 };
        let (packet, depth, senders) = (u64::from(packet), u64::from(depth), u64::from(self.size) - 1);
        4 * packet + 6 * (depth + packet) + 6 * senders
    }

    /// Bytes on the way to the root (`to_root`) or from it for a packet of a channel to any peer:
    /// its words, its header and, before it, a request of two words. 0 for others.
    pub fn relayed_bytes(&self, to_root: bool) -> u64 {
        self.relay.map_or(0, |relay| 4 * (u64::from(relay.packet) + if to_root { 3 } else { 1 }))
    }

    /// Bytes that the busiest core reads and writes for `bytes` of elements. Of a channel to any
    /// peer that is the root: it takes and gives each packet with its header, and takes a request
    /// and gives a grant of two words. A message of a mailbox has a header and a length, and a
    /// request a header.
    pub fn streamed_bytes(&self, bytes: u64) -> u64 {
        if self.is_mailbox() {
            return bytes.saturating_add(8);
        }
        if self.is_active() {
            return bytes.saturating_add(4);
        }
        let Some(relay) = &self.relay else { return bytes };
        let packets = bytes.div_ceil(4 * u64::from(relay.packet.max(1)));
        bytes.saturating_mul(2).saturating_add(packets.saturating_mul(24))
    }
}

/// From each other rank to the root, which merges them, then from the root to all of them.
pub(crate) fn relay_links(plan: &Plan) -> Vec<Link> {
    let others = || Rank::all(plan.size).filter(|&rank| rank != plan.root);
    let up = others().map(|rank| Link { from: rank, to: vec![plan.root] });
    up.chain([Link { from: plan.root, to: others().collect() }]).collect()
}

fn relay_class(seat: &Seat<'_>) -> Class {
    Class::new(if seat.is_root() { "channel_relay" } else { "channel_any" }, [])
}
