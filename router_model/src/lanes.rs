//! Lanes and chains: the streams of a large split on wires where few rules separate them.
//!
//! A slave port has few rules, each a number and a mask (AM009: 4). On a wire with all 32 numbers,
//! one stream that leaves takes a rule, and the 31 others take five. On a wire with eight numbers
//! the others take three. Three branches of two, three and three streams take five rules. So a lane
//! of eight streams is a chain: its wire leads from sink to sink, and at each one stream leaves.

use std::collections::BTreeSet;

use aiec_device::Device;

use crate::request::{NetId, NetKind, OwnerId, Owners, Request, groups};
use crate::switch::Switch;

/// Puts at most eight streams of each split on one lane; sinks of neighbouring columns share lanes.
/// A split has at most as many lanes as its source port has rules. Returns false if no split needs
/// chains: the numbers of few streams take a rule each.
pub(crate) fn spread(requests: &mut [Request], device: &Device) -> bool {
    let rules = device.switch.packet.rules;
    // With n rules: one for the stream that leaves, n - 1 for 2^(n - 1) - 1 others.
    let most = 1_usize << rules.saturating_sub(1).min(usize::BITS - 1);
    let mut is_any = false;
    for mut members in groups(requests) {
        if !is_chain(&members, requests, device) || members.len().div_ceil(most) > rules as usize {
            continue;
        }
        is_any = true;
        members.sort_by_key(|net| (sink(*net, requests), *net));
        for (number, part) in (0..).zip(members.chunks(most)) {
            for net in part {
                if let NetKind::Packet { lane, .. } = &mut requests[net.index()].kind {
                    *lane = number;
                }
            }
        }
    }
    is_any
}

/// True for the streams of a split that are more than rules.
fn is_chain(members: &[NetId], requests: &[Request], device: &Device) -> bool {
    let source = members.first().map(|net| requests[net.index()].source);
    let is_branch = |net: &NetId| {
        let request = &requests[net.index()];
        request.kind != NetKind::Circuit && Some(request.source) == source && request.sinks.len() == 1
    };
    members.len() > device.switch.packet.rules as usize && members.iter().all(is_branch)
}

/// The chains. Sorts the streams of each as its wire passes them: up one column and down the next,
/// from the end that is nearer to the source.
pub(crate) fn sorted(owners: &mut Owners, requests: &[Request], device: &Device) -> BTreeSet<OwnerId> {
    let is_long = |&owner: &OwnerId| is_chain(&owners[owner], requests, device);
    let chains: BTreeSet<OwnerId> = owners.ids().filter(is_long).collect();
    for &owner in &chains {
        let members = &mut owners[owner];
        let Some(source) = members.first().map(|net| requests[net.index()].source.switch) else { continue };
        let mut columns: Vec<u16> =
            members.iter().filter_map(|net| Some(sink(*net, requests)?.column)).collect();
        columns.sort_unstable();
        columns.dedup();
        let far = |column: Option<&u16>| column.map_or(0, |column| column.abs_diff(source.column));
        if far(columns.last()) < far(columns.first()) {
            columns.reverse();
        }
        let place = |net: &NetId| {
            let Switch { column, row } = sink(*net, requests).unwrap_or(source);
            let at = columns.iter().position(|&one| one == column).unwrap_or(0);
            let row = i32::from(row);
            (at, if at % 2 == 0 { row } else { -row }, *net)
        };
        members.sort_by_key(place);
    }
    chains
}

/// The switch where the only sink of a stream is.
fn sink(net: NetId, requests: &[Request]) -> Option<Switch> {
    requests[net.index()].sinks.first().map(|end| end.switch)
}
