//! Numbers of packet streams that few rules separate.
//!
//! A slave port has few rules, each a number and a mask (AM009: 4). Where the streams that enter by
//! one port leave to different masters, the numbers decide how many rules that takes. Takes numbers
//! and the streams at each slave port. Exchanges numbers within a group by local search until the
//! rules suffice, or gives up after a fixed number of steps.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_ir::IdVec;

use super::Wiring;
use super::assign::{Step, Stream};
use super::packets::cover;
use crate::port::{Port, SwitchPort};
use crate::request::{NetId, NetKind, Request, groups};

/// Exchanges that are tried for each group.
const STEPS: u32 = 4000;

/// The number of each packet stream.
type Numbers = IdVec<NetId, Option<u32>>;

/// The streams that enter by one slave port, by the masters they leave to. At least two sets.
type Fork = Vec<Vec<NetId>>;

/// The streams that enter by one slave port, for each set of masters.
type Ways<'a> = BTreeMap<&'a BTreeSet<Port>, Vec<NetId>>;

/// Exchanges numbers in `wiring` within each group whose slave ports lack rules. Requested numbers
/// stay.
pub(super) fn improve(wiring: &mut Wiring, device: &Device, requests: &[Request], streams: &[Stream]) {
    let forks = forks(streams);
    for members in &groups(requests) {
        let is_free = |&&net: &&NetId| matches!(requests[net.index()].kind, NetKind::Packet { id: None, .. });
        let free: Vec<NetId> = members.iter().filter(is_free).copied().collect();
        let own: Vec<&Fork> =
            forks.iter().filter(|fork| fork.iter().flatten().any(|net| free.contains(net))).collect();
        if !own.is_empty() {
            exchange(&mut wiring.ids, members, &free, &own, device);
        }
    }
}

fn forks(streams: &[Stream]) -> Vec<Fork> {
    let mut entering: BTreeMap<SwitchPort, Ways<'_>> = BTreeMap::new();
    for Stream { net, steps } in streams {
        for Step { switch, slave, masters } in steps {
            let port = SwitchPort { switch: *switch, port: *slave };
            entering.entry(port).or_default().entry(masters).or_default().push(*net);
        }
    }
    let forks = entering.into_values().filter(|ways| ways.len() > 1);
    forks.map(|ways| ways.into_values().collect()).collect()
}

/// Local search: exchanges the numbers of two streams, or takes an unused one, where the ports lack
/// no more rules than before.
fn exchange(ids: &mut Numbers, members: &[NetId], free: &[NetId], forks: &[&Fork], device: &Device) {
    let most = device.switch.packet.ids;
    let mut lack = missing(ids, forks, device);
    let mut random = 0x9e37_79b9_u32;
    for _ in 0..STEPS {
        if lack == 0 {
            return;
        }
        let net = free[draw(&mut random, free.len())];
        let wanted = Some(u32::try_from(draw(&mut random, most as usize)).unwrap_or(0));
        let holder = members.iter().copied().find(|&other| ids[other] == wanted);
        if holder.is_some_and(|other| other == net || !free.contains(&other)) {
            continue;
        }
        let before = ids[net];
        let swap = |ids: &mut Numbers, own, others| {
            ids[net] = own;
            holder.into_iter().for_each(|other| ids[other] = others);
        };
        swap(ids, wanted, before);
        match missing(ids, forks, device) {
            worse if worse > lack => swap(ids, before, wanted),
            found => lack = found,
        }
    }
}

/// Rules that slave ports lack, summed over all of them.
fn missing(ids: &Numbers, forks: &[&Fork], device: &Device) -> usize {
    let packet = &device.switch.packet;
    let numbers = |nets: &[NetId]| -> BTreeSet<u32> { nets.iter().filter_map(|&net| ids[net]).collect() };
    let needed = |fork: &&Fork| {
        let sets: Vec<BTreeSet<u32>> = fork.iter().map(|nets| numbers(nets)).collect();
        let rules = sets.iter().enumerate().map(|(at, set)| {
            let others = sets.iter().enumerate().filter(|(other, _)| *other != at);
            cover(set, &others.flat_map(|(_, set)| set).copied().collect(), packet.ids - 1).len()
        });
        rules.sum::<usize>().saturating_sub(packet.rules as usize)
    };
    forks.iter().map(needed).sum()
}

/// A number below `bound` by xorshift (Marsaglia).
fn draw(state: &mut u32, bound: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state as usize % bound.max(1)
}
