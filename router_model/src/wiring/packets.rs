//! Packet switching: numbers for streams, and arbiters, selects and rules for every switch they
//! pass.
//!
//! A rule sends packets to a select of an arbiter, and the packets of a select go to all masters
//! that listen to it. The streams at a switch therefore need one select for each different set of
//! masters. Sets that meet must be on one arbiter, and a master is on one arbiter only (AM009: 6
//! arbiters of 4 selects, 4 rules for each slave port). Other sets get arbiters of their own as
//! long as there are some: packets on one arbiter wait for each other, and AMD's boards hang where
//! two streams meet on shared arbiters in opposite order (hardware verdicts of mlir-aie).

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;

use super::assign::{Shortage, Step, Stream};
use super::{Arbitrated, Rule, Wiring, numbers};
use crate::net::Hop;
use crate::port::Port;
use crate::request::{NetId, NetKind, Request, groups};
use crate::switch::Switch;

/// One stream at one switch.
struct Visit {
    net: NetId,
    id: u32,
    slave: Port,
    masters: BTreeSet<Port>,
}

/// One of the selects of an arbiter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Select {
    /// The arbiter's number in the switch.
    arbiter: u32,
    /// Its number at the arbiter.
    number: u32,
}

/// The select of each set of masters at a switch.
type Selects = BTreeMap<BTreeSet<Port>, Select>;

/// Adds the settings of all packet streams to `wiring`.
pub(super) fn assign(
    wiring: &mut Wiring,
    device: &Device,
    requests: &[Request],
    trees: &[Vec<Hop>],
    streams: &[Stream],
) -> Result<(), Shortage> {
    number(wiring, device, requests, trees)?;
    numbers::improve(wiring, device, requests, streams);
    let mut visits: BTreeMap<Switch, Vec<Visit>> = BTreeMap::new();
    for Stream { net, steps } in streams {
        let Some(id) = wiring.ids.get(*net).copied().flatten() else { continue };
        for Step { switch, slave, masters } in steps {
            let visit = Visit { net: *net, id, slave: *slave, masters: masters.clone() };
            visits.entry(*switch).or_default().push(visit);
        }
    }
    for (switch, visits) in visits {
        let short = |net, what: &str| Shortage { net, switch, what: what.to_owned() };
        let selects = selects(&visits, device).map_err(|net| short(net, "arbiters and selects"))?;
        let rules = rules(&visits, &selects, device).map_err(|net| short(net, "packet rules"))?;
        let settings = wiring.switches.entry(switch).or_default();
        settings.rules.extend(rules);
        for (masters, &Select { arbiter, number }) in &selects {
            for &master in masters {
                let entry = Arbitrated { arbiter, selects: 0, drop_header: super::drops_header(master) };
                settings.arbitrated.entry(master).or_insert(entry).selects |= 1 << number;
            }
        }
    }
    Ok(())
}

/// Gives the streams of each group different numbers: the requested ones, else the lowest free
/// ones. A lane gets a block of numbers that one mask separates from all others, if one is free.
/// Neighbours in the group's tree get adjacent numbers so that few rules distinguish them.
fn number(
    wiring: &mut Wiring,
    device: &Device,
    requests: &[Request],
    trees: &[Vec<Hop>],
) -> Result<(), Shortage> {
    for members in groups(requests) {
        let (mut taken, mut free) = (BTreeSet::new(), BTreeMap::<u32, Vec<NetId>>::new());
        for member in members {
            match requests[member.index()].kind {
                NetKind::Circuit => {}
                NetKind::Packet { id: Some(id), .. } => {
                    taken.insert(id);
                    wiring.ids[member] = Some(id);
                }
                NetKind::Packet { id: None, lane, .. } => free.entry(lane).or_default().push(member),
            }
        }
        for mut lane in free.into_values() {
            lane.sort_by_key(|&member| (trees.get(member.index()), member));
            let first = block(&taken, lane.len(), device.switch.packet.ids);
            for member in lane {
                let Some(id) =
                    (first..device.switch.packet.ids).chain(0..first).find(|id| !taken.contains(id))
                else {
                    let switch = requests[member.index()].source.switch;
                    return Err(Shortage { net: member, switch, what: "packet ids".to_owned() });
                };
                taken.insert(id);
                wiring.ids[member] = Some(id);
            }
        }
    }
    Ok(())
}

/// The first number of the lowest free block of 2^n numbers, at a multiple of 2^n, that holds
/// `streams`. 0 if there is none.
fn block(taken: &BTreeSet<u32>, streams: usize, ids: u32) -> u32 {
    let size = u32::try_from(streams.next_power_of_two()).unwrap_or(u32::MAX);
    let starts = (0..ids).step_by(size as usize);
    starts
        .filter(|start| start.saturating_add(size) <= ids)
        .find(|start| taken.range(start..&(start + size)).next().is_none())
        .unwrap_or(0)
}

/// The arbiter and select of each set of masters at a switch.
///
/// # Errors
/// Returns the net of a set that finds none.
fn selects(visits: &[Visit], device: &Device) -> Result<Selects, NetId> {
    let mut components: Vec<(NetId, BTreeSet<BTreeSet<Port>>)> = Vec::new();
    for visit in visits {
        let meets = |sets: &BTreeSet<BTreeSet<Port>>| sets.iter().any(|set| !set.is_disjoint(&visit.masters));
        let (meeting, apart): (Vec<_>, Vec<_>) = components.into_iter().partition(|(_, sets)| meets(sets));
        components = apart;
        let mut merged = (visit.net, BTreeSet::from([visit.masters.clone()]));
        for (net, sets) in meeting {
            merged.0 = merged.0.min(net);
            merged.1.extend(sets);
        }
        components.push(merged);
    }
    // First fit decreasing: the largest first fills arbiters best.
    components.sort_by_key(|(net, sets)| (std::cmp::Reverse(sets.len()), *net));
    let packet = &device.switch.packet;
    // A packet holds its arbiter until its last word has passed. On an arbiter of its own it holds
    // up no packets to other masters.
    let spread = components.len() <= packet.arbiters as usize;
    let mut used = vec![0_u32; packet.arbiters as usize];
    let mut selects = BTreeMap::new();
    for (net, sets) in components {
        let size = u32::try_from(sets.len()).unwrap_or(u32::MAX);
        let free = |used: u32| (used == 0 || !spread) && packet.selects - used >= size;
        let arbiter = (0_u32..).zip(&mut used).find(|(_, used)| free(**used));
        let Some((arbiter, used)) = arbiter else { return Err(net) };
        for (number, set) in (*used..).zip(sets) {
            selects.insert(set, Select { arbiter, number });
        }
        *used += size;
    }
    Ok(selects)
}

/// Rules that send every stream of each slave port to its select.
///
/// # Errors
/// Returns the net of a port with too few slots.
fn rules(visits: &[Visit], selects: &Selects, device: &Device) -> Result<Vec<Rule>, NetId> {
    let mut slaves: BTreeMap<Port, BTreeMap<Select, BTreeSet<u32>>> = BTreeMap::new();
    for visit in visits {
        if let Some(&select) = selects.get(&visit.masters) {
            slaves.entry(visit.slave).or_default().entry(select).or_default().insert(visit.id);
        }
    }
    let mut rules = Vec::new();
    for (slave, targets) in slaves {
        let before = rules.len();
        for (&target, ids) in &targets {
            let Select { arbiter, number: select } = target;
            let others: BTreeSet<u32> = targets
                .iter()
                .filter(|(other, _)| **other != target)
                .flat_map(|(_, ids)| ids)
                .copied()
                .collect();
            let covers = cover(ids, &others, device.switch.packet.ids - 1);
            rules.extend(covers.into_iter().map(|(id, mask)| Rule { slave, id, mask, arbiter, select }));
        }
        if rules.len() - before > device.switch.packet.rules as usize {
            let net = visits.iter().find(|visit| visit.slave == slave).map_or(NetId(0), |visit| visit.net);
            return Err(net);
        }
    }
    Ok(rules)
}

/// Numbers and masks that match all of `ids` and none of `others`. Greedy, with few entries.
pub(super) fn cover(ids: &BTreeSet<u32>, others: &BTreeSet<u32>, all_bits: u32) -> Vec<(u32, u32)> {
    let mut left = ids.clone();
    let mut covers = Vec::new();
    while let Some(&id) = left.first() {
        let mut mask = all_bits;
        for bit in (0..u32::BITS).rev().map(|bit| 1 << bit).filter(|bit| all_bits & bit != 0) {
            let wider = mask & !bit;
            if others.iter().all(|other| other & wider != id & wider) {
                mask = wider;
            }
        }
        left.retain(|other| other & mask != id & mask);
        covers.push((id & mask, mask));
    }
    covers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_that_go_the_same_way_need_one_rule() {
        assert_eq!(cover(&(0..32).collect(), &BTreeSet::new(), 31), [(0, 0)]);
    }

    #[test]
    fn halves_of_the_numbers_are_told_apart_by_one_bit() {
        let (low, high) = ((0..8).collect(), (8..16).collect());
        assert_eq!(cover(&low, &high, 31), [(0, 8)]);
        assert_eq!(cover(&high, &low, 31), [(8, 8)]);
    }

    #[test]
    fn mixed_numbers_take_several_rules_that_match_no_other() {
        let (ids, others) = (BTreeSet::from([1, 2, 4]), BTreeSet::from([0, 3, 5, 6, 7]));
        let covers = cover(&ids, &others, 31);
        let matches = |id: u32| covers.iter().any(|(number, mask)| id & mask == *number);
        assert!(ids.iter().all(|&id| matches(id)) && !others.iter().any(|&id| matches(id)), "{covers:?}");
    }
}
