//! Packet settings of `aie_control.cpp`: rules of slave ports, and arbiters of master ports.
//!
//! Each is a call of aie-rt behind a comment with the nets. `XAie_StrmPktSwSlaveSlotEnable` ends in
//! slot, packet, mask, select and arbiter; `XAie_StrmPktSwMstrPortEnable` in what happens to the
//! header, arbiter and selects. The form is that of 2023.2.

use std::collections::{BTreeMap, BTreeSet};

use super::VendorNet;
use crate::port::Port;
use crate::request::{NetId, Request, numbered};
use crate::switch::Switch;
use crate::wiring::{Arbitrated, Rule, Wiring};

/// The calls.
const SLOT: &str = "XAie_StrmPktSwSlaveSlotEnable(";
const MASTER: &str = "XAie_StrmPktSwMstrPortEnable(";

/// The settings for the packets of a net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packets {
    /// Rules that name the net, by switch, slave port and slot.
    pub rules: BTreeMap<(Switch, Port, u32), Rule>,
    /// Master ports that send its packets.
    pub masters: BTreeMap<(Switch, Port), Arbitrated>,
}

impl Packets {
    /// The numbers that pass a rule at every slave port that has rules for the net, among the first
    /// `ids`.
    pub(super) fn numbers(&self, ids: u32) -> BTreeSet<u32> {
        let slaves: BTreeSet<(Switch, Port)> = self.rules.keys().map(|&(at, slave, _)| (at, slave)).collect();
        let passes = |id: u32, at: (Switch, Port)| {
            let mut rules = self.rules.iter().filter(|((switch, slave, _), _)| (*switch, *slave) == at);
            rules.any(|(_, rule)| rule.takes(id))
        };
        (0..ids).filter(|&id| !slaves.is_empty() && slaves.iter().all(|&at| passes(id, at))).collect()
    }

    /// Adds the settings of another entry of the net.
    pub(super) fn extend(&mut self, more: Self) {
        self.rules.extend(more.rules);
        self.masters.extend(more.masters);
    }

    /// Adds what `line` sets for packets from `slave` or to `master` of `switch`. Returns None when
    /// the line is no such call.
    pub(super) fn add(
        &mut self,
        line: &str,
        switch: Switch,
        slave: Option<Port>,
        master: Port,
    ) -> Option<()> {
        if let Some(slave) = slave {
            let (before, rest) = call(line, SLOT)?.split_once('{')?;
            let (packet, behind) = rest.split_once('}')?;
            let [arbiter, select, mask] = last(behind)?;
            let [_, slot] = last(before)?;
            let id = packet.split_once(".PktId=")?.1.split(',').next()?;
            let rule = Rule {
                slave,
                id: number(id)?,
                mask: number(mask)?,
                arbiter: number(arbiter)?,
                select: number(select)?,
            };
            self.rules.insert((switch, slave, number(slot)?), rule);
        } else {
            let [selects, arbiter, header] = last(call(line, MASTER)?)?;
            let drop_header = header == "XAIE_SS_PKT_DROP_HEADER";
            let arbitrated = Arbitrated { arbiter: number(arbiter)?, selects: number(selects)?, drop_header };
            self.masters.insert((switch, master), arbitrated);
        }
        Some(())
    }
}

/// The arguments of a call of `function` in a line.
fn call<'a>(line: &'a str, function: &str) -> Option<&'a str> {
    line.trim().strip_prefix(function)?.strip_suffix(");")
}

/// The last arguments of a list, the last one first. One before a comma at the end is empty.
fn last<const COUNT: usize>(list: &str) -> Option<[&str; COUNT]> {
    let all: Vec<&str> = list.rsplit(',').take(COUNT).map(str::trim).collect();
    all.try_into().ok()
}

/// A whole number of C.
fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The settings of all switches, with rules and arbiters. `circuits` are those of nets that are
/// circuits. Returns None when a packet stream has no rules in the files, or may have several
/// numbers. A stream whose rules no number passes has the first number of one of its rules, with
/// which it does not arrive.
pub(super) fn with_packets(
    nets: &[VendorNet],
    requests: &[Request],
    circuits: &Wiring,
    ids: u32,
) -> Option<Wiring> {
    let mut wiring = circuits.clone();
    let is_packet = |id: NetId| requests.get(id.index()).is_some_and(|one| one.kind.group().is_some());
    let mut all = Packets::default();
    for (id, net) in numbered(nets).filter(|(id, _)| is_packet(*id)) {
        let numbers = net.packets.numbers(ids);
        let first = net.packets.rules.values().next()?.id;
        if numbers.len() > 1 {
            return None;
        }
        wiring.ids[id] = Some(numbers.first().copied().unwrap_or(first));
        all.extend(net.packets.clone());
    }
    let ruled: BTreeSet<(Switch, Port)> = all.rules.keys().map(|&(at, slave, _)| (at, slave)).collect();
    for (_, net) in numbered(nets).filter(|(id, _)| is_packet(*id)) {
        for arc in net.arcs.iter().filter(|arc| !ruled.contains(&(arc.switch, arc.slave))) {
            wiring.switches.entry(arc.switch).or_default().circuits.insert(arc.master, arc.slave);
        }
    }
    for ((switch, ..), rule) in all.rules {
        wiring.switches.entry(switch).or_default().rules.push(rule);
    }
    for ((switch, port), arbitrated) in all.masters {
        wiring.switches.entry(switch).or_default().arbitrated.insert(port, arbitrated);
    }
    Some(wiring)
}
