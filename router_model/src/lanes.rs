//! Lanes: the streams of a large split on several wires, so that few rules tell them apart.
//!
//! A slave port has few rules, each a number and a mask (AM009: 4). On a wire with all 32 numbers,
//! one stream that leaves takes a rule, and the 31 others take five. On a wire with eight numbers
//! the others take three. Takes requests, and changes their lanes.

use aiec_device::Device;

use crate::request::{NetId, NetKind, Request, groups};

/// The most streams of one wire of which any one can leave by itself: with n rules, one for that
/// stream and n - 1 for 2^(n - 1) - 1 others.
pub(crate) fn most(device: &Device) -> usize {
    1 << device.switch.packet.rules.saturating_sub(1).min(usize::BITS - 1)
}

/// Puts at most `most` streams of each split on one lane. Sinks of neighbouring columns share
/// lanes. A split stays as it is if it has more lanes than its source port has rules. Returns true
/// if a stream has another lane than before.
pub(crate) fn spread(requests: &mut [Request], most: usize, device: &Device) -> bool {
    let rules = device.switch.packet.rules as usize;
    let mut changed = false;
    for mut members in groups(requests) {
        let source = members.first().map(|net| requests[net.index()].source);
        let is_split = members.iter().all(|net| Some(requests[net.index()].source) == source);
        if !is_split || members.len() <= most || members.len().div_ceil(most) > rules {
            continue;
        }
        let place = |net: &NetId| requests[net.index()].sinks.first().map(|sink| sink.switch);
        members.sort_by_key(|net| (place(net), *net));
        for (lane, part) in (0..).zip(members.chunks(most)) {
            for net in part {
                changed |= enter(&mut requests[net.index()], lane);
            }
        }
    }
    changed
}

/// Puts a stream on a lane. Returns true if it was on another one.
const fn enter(request: &mut Request, number: u32) -> bool {
    match &mut request.kind {
        NetKind::Circuit => false,
        NetKind::Packet { lane, .. } => {
            let changed = *lane != number;
            *lane = number;
            changed
        }
    }
}
