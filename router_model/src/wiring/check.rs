//! The checker of switch settings. It shares no code with the router and simulates the switches.
//!
//! Takes requests, the settings of all switches and the device. Returns the faults; the list is
//! empty when every net arrives exactly at its sinks. It follows each stream from its source port
//! through the settings, wire by wire. Checked:
//! - ports and rules exist on the kind of switch, the crossbar connects them, no wire leads off the
//!   array;
//! - one circuit or one arbiter drives a master port; a slave port takes a circuit or packets, not
//!   both;
//! - no wire, source or sink has two circuits, and packets of different groups never meet;
//! - each packet matches a rule at every switch, rules that match it agree, there are no more rules
//!   than slots, arbiters and selects exist;
//! - streams on one wire have different numbers, and no more of them share it than the tools allow;
//! - every stream reaches all its sinks and no other port, passes the requested FIFOs, and never
//!   returns to a port;
//! - shim ends lie at columns that have them: PLIO channels, or the ports of the shim DMA.
//!
//! Assumed: the neighbours' ports of equal number are joined (AM009), and rates are not modelled.
//! Not checked: deadlock of packets that wait for each other.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Device, Forbidden, Ports, SwitchPorts};
use aiec_ir::Id;

use super::{Settings, Wiring};
use crate::net::NetEnd;
use crate::port::{Bundle, Port, SwitchPort};
use crate::request::{NetId, NetKind, Request, SinkId, numbered};
use crate::switch::Switch;

/// A fault of requests or settings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The net with the fault. None when it belongs to no net.
    pub net: Option<NetId>,
    /// The switch at which the fault shows.
    pub switch: Switch,
    /// What is wrong, in a few words.
    pub what: String,
}

/// Follows every request through the settings. Skips the nets in `left_out`.
pub fn check_wiring(
    requests: &[Request],
    wiring: &Wiring,
    left_out: &[NetId],
    device: &Device,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (&switch, settings) in &wiring.switches {
        let checker = Registers { device, switch, settings };
        faults.extend(checker.faults());
    }
    let mut network = Network { requests, wiring, device, wires: BTreeMap::new(), faults };
    for (net, request) in numbered(requests) {
        if !left_out.contains(&net) {
            network.ends(net, request);
            network.follow(net, request);
        }
    }
    network.idle();
    network.shared_wires();
    network.faults.sort();
    network.faults.dedup();
    network.faults
}

/// The port kinds of the switch at a hardware row: interface, memory tile or core tile.
fn kind(device: &Device, row: u16) -> &SwitchPorts {
    match &device.switch.memory {
        Some(memory) if row > 0 && row < device.first_hardware_row => memory,
        _ if row == 0 => &device.switch.shim,
        _ => &device.switch.core,
    }
}

const fn count(ports: &Ports, bundle: Bundle) -> u32 {
    match bundle {
        Bundle::Core => ports.core,
        Bundle::Dma => ports.dma,
        Bundle::Ctrl => ports.ctrl,
        Bundle::Fifo => ports.fifo,
        Bundle::South => ports.south,
        Bundle::West => ports.west,
        Bundle::North => ports.north,
        Bundle::East => ports.east,
        Bundle::Trace => ports.trace,
    }
}

/// The settings of one switch, checked independently.
struct Registers<'a> {
    device: &'a Device,
    switch: Switch,
    settings: &'a Settings,
}

impl Registers<'_> {
    fn faults(&self) -> Vec<Fault> {
        let mut found = Vec::new();
        let rows = self.device.first_hardware_row + self.device.rows;
        if self.switch.column >= self.device.columns || self.switch.row >= rows {
            found.push("there is no such switch".to_owned());
            return self.named(found);
        }
        for (&master, &slave) in &self.settings.circuits {
            self.pair(slave, master, &mut found);
            if self.settings.arbitrated.contains_key(&master) {
                found.push(format!("master {master} has a circuit and an arbiter"));
            }
            if self.settings.rules.iter().any(|rule| rule.slave == slave) {
                found.push(format!("slave {slave} has a circuit and packet rules"));
            }
        }
        self.rules(&mut found);
        self.named(found)
    }

    fn named(&self, found: Vec<String>) -> Vec<Fault> {
        found.into_iter().map(|what| Fault { net: None, switch: self.switch, what }).collect()
    }

    /// Checks that both ports exist and the crossbar joins them.
    fn pair(&self, slave: Port, master: Port, found: &mut Vec<String>) {
        let ports = kind(self.device, self.switch.row);
        if slave.channel >= count(&ports.slaves, slave.bundle) {
            found.push(format!("there is no slave port {slave}"));
        }
        if master.channel >= count(&ports.masters, master.bundle) {
            found.push(format!("there is no master port {master}"));
        }
        if ports.forbidden.iter().any(|rule| bars(*rule, slave, master)) {
            found.push(format!("the crossbar does not connect {slave} to {master}"));
        }
        let rows = self.device.first_hardware_row + self.device.rows;
        let Switch { column, row } = self.switch;
        let edges = [
            (Bundle::West, column == 0),
            (Bundle::East, column + 1 >= self.device.columns),
            (Bundle::North, row + 1 >= rows),
        ];
        for (side, missing) in edges {
            if missing && (slave.bundle == side || master.bundle == side) {
                found.push(format!("{slave} to {master} crosses the edge of the array"));
            }
        }
    }

    fn rules(&self, found: &mut Vec<String>) {
        let packet = &self.device.switch.packet;
        let mut slots: BTreeMap<Port, u32> = BTreeMap::new();
        for rule in &self.settings.rules {
            *slots.entry(rule.slave).or_default() += 1;
            if rule.arbiter >= packet.arbiters || rule.select >= packet.selects {
                found.push(format!("there is no select {} of arbiter {}", rule.select, rule.arbiter));
            }
            for (&master, sends) in &self.settings.arbitrated {
                if sends.arbiter == rule.arbiter && sends.selects >> rule.select & 1 == 1 {
                    self.pair(rule.slave, master, found);
                }
            }
        }
        for (slave, used) in slots {
            if used > packet.rules {
                found.push(format!("slave {slave} has {used} rules for {} slots", packet.rules));
            }
        }
        for (master, sends) in &self.settings.arbitrated {
            if sends.arbiter >= packet.arbiters || sends.selects >> packet.selects != 0 {
                found.push(format!("master {master} listens to an arbiter or select that is not there"));
            }
        }
    }
}

/// The rules of the crossbars (mlir-aie `isLegalTileConnection`), read from the device file
/// independently.
fn bars(rule: Forbidden, slave: Port, master: Port) -> bool {
    use Bundle::{Core, Ctrl, Dma, East, Fifo, North, South, Trace, West};
    let same_channel = slave.channel == master.channel;
    match (rule, slave.bundle, master.bundle) {
        (Forbidden::CoreToCore, Core, Core) | (Forbidden::CtrlToCtrl, Ctrl, Ctrl) => true,
        (Forbidden::CtrlToDma, Ctrl, Dma) => true,
        (Forbidden::CtrlToDmaExcept5, Ctrl, Dma) => master.channel != 5,
        (Forbidden::DmaToOtherDma, Dma, Dma) => !same_channel,
        (Forbidden::TurnBackToOtherChannel, from, to) => {
            from == to && matches!(from, North | South | East | West) && !same_channel
        }
        (Forbidden::TurnBackToOtherChannelExceptSouth, from, to) => {
            from == to && matches!(from, North | East | West) && !same_channel
        }
        (Forbidden::StraightToOtherChannel, North, South) => !same_channel,
        (Forbidden::StraightToOtherChannel, South, North) => !same_channel,
        (Forbidden::TraceExceptFifoSouthDma0, Trace, Dma) => master.channel != 0,
        (Forbidden::TraceExceptSouthDma5, Trace, Dma) => master.channel != 5,
        (Forbidden::TraceExceptFifoSouthDma0 | Forbidden::TraceExceptFifoSouth, Trace, to) => {
            !matches!(to, Fifo | South)
        }
        (Forbidden::TraceExceptSouthDma5 | Forbidden::TraceExceptSouth, Trace, to) => to != South,
        _ => false,
    }
}

/// All switches together.
struct Network<'a> {
    requests: &'a [Request],
    wiring: &'a Wiring,
    device: &'a Device,
    /// The nets at each slave port, which a wire or a source feeds (false), and those at each local
    /// master port (true).
    wires: BTreeMap<(SwitchPort, bool), BTreeSet<NetId>>,
    faults: Vec<Fault>,
}

impl Network<'_> {
    fn fault(&mut self, net: NetId, switch: Switch, what: impl Into<String>) {
        self.faults.push(Fault { net: Some(net), switch, what: what.into() });
    }

    /// Checks that the ends exist and a packet id fits its field.
    fn ends(&mut self, net: NetId, request: &Request) {
        for (end, is_source) in
            std::iter::once((request.source, true)).chain(request.sinks.iter().map(|&end| (end, false)))
        {
            let rows = self.device.first_hardware_row + self.device.rows;
            let port = Port::from(end.port);
            if end.switch.column >= self.device.columns || end.switch.row >= rows {
                self.fault(net, end.switch, "an end lies off the array");
                continue;
            }
            let kind = kind(self.device, end.switch.row);
            let ports = if is_source { &kind.slaves } else { &kind.masters };
            if port.channel >= count(ports, port.bundle) {
                self.fault(net, end.switch, format!("there is no port {port} to start or end at"));
            }
            if port.bundle == Bundle::South && !self.is_interface(end, is_source) {
                self.fault(net, end.switch, format!("{port} leads to neither PL nor NoC"));
            }
        }
        if let (NetKind::Packet { .. }, id) = (request.kind, self.wiring.ids.get(net)) {
            if id.copied().flatten().is_none_or(|id| id >= self.device.switch.packet.ids) {
                self.fault(net, request.source.switch, "it has no packet id that fits the header");
            }
            if request.fifos.iter().any(|&fifos| fifos > 0) {
                self.fault(net, request.source.switch, "FIFOs are for circuits");
            }
        }
    }

    /// True if a South port of a shim switch is connected: to the PL at the PLIO columns, to the
    /// shim DMA at the NoC columns.
    fn is_interface(&self, end: NetEnd, is_source: bool) -> bool {
        let (shim, NetEnd { switch, port }) = (&self.device.shim, end);
        let channel = Port::from(port).channel;
        let pl = shim.pl_columns.as_ref().is_some_and(|c| (c.first..=c.last).contains(&switch.column));
        let dma = if is_source { &shim.gmio_in_ports } else { &shim.gmio_out_ports };
        switch.row == 0 && (pl || (shim.noc_columns.contains(&switch.column) && dma.contains(&channel)))
    }

    /// Follows a stream from its source and records every port it passes.
    fn follow(&mut self, net: NetId, request: &Request) {
        let mut open = vec![(SwitchPort::from(request.source), 0)];
        let mut missing: BTreeSet<SwitchPort> =
            request.sinks.iter().map(|&end| SwitchPort::from(end)).collect();
        if missing.len() != request.sinks.len() {
            self.fault(net, request.source.switch, "two sinks are one port");
        }
        while let Some((input, fifos)) = open.pop() {
            let SwitchPort { switch, port: slave } = input;
            if !self.wires.entry((input, false)).or_default().insert(net) {
                self.fault(net, switch, format!("the stream comes to {slave} twice"));
                continue;
            }
            let masters = self.step(net, switch, slave);
            // Behind a fork a stream passes FIFOs for its own sink.
            let fifos = if masters.len() > 1 { 0 } else { fifos };
            if masters.is_empty() {
                self.fault(net, switch, format!("the stream ends at {slave}, which leads nowhere"));
            }
            for master in masters {
                let output = SwitchPort { switch, port: master };
                let is_sink = missing.remove(&output);
                match self.beyond(output).filter(|_| !is_sink) {
                    Some(next) => open.push((next, fifos + u32::from(master.bundle == Bundle::Fifo))),
                    None if is_sink => {
                        self.wires.entry((output, true)).or_default().insert(net);
                        self.fifos(net, request, output, fifos);
                    }
                    None => self.fault(
                        net,
                        switch,
                        format!("the stream leaves by {master}, which is no sink of it"),
                    ),
                }
            }
        }
        for SwitchPort { switch, port } in missing {
            self.fault(net, switch, format!("the sink {port} is not reached"));
        }
    }

    /// Checks that `passed`, the FIFOs on the way to a sink alone, are as many as requested.
    fn fifos(&mut self, net: NetId, request: &Request, sink: SwitchPort, passed: u32) {
        let mut ends = request.sinks.iter().map(|&end| SwitchPort::from(end));
        let Some(position) = ends.position(|end| end == sink) else { return };
        let wanted = request.fifos.get(position).copied().unwrap_or(0);
        if passed < wanted && !self.wiring.short.contains(&(net, SinkId::from_index(position))) {
            self.fault(net, sink.switch, format!("{passed} FIFOs on the way, not {wanted}"));
        }
    }

    /// The master ports to which a switch sends the stream of a slave port.
    fn step(&mut self, net: NetId, switch: Switch, slave: Port) -> Vec<Port> {
        let Some(settings) = self.wiring.switches.get(&switch) else { return Vec::new() };
        let circuits = settings.circuits.iter().filter(|&(_, &from)| from == slave);
        let circuits: Vec<Port> = circuits.map(|(&master, _)| master).collect();
        if !circuits.is_empty() {
            return circuits;
        }
        let id = self.wiring.ids.get(net).copied().flatten();
        let rules = settings.rules.iter().filter(|rule| rule.slave == slave);
        if id.is_none() && rules.clone().count() > 0 {
            self.fault(net, switch, format!("a circuit meets the packet rules of {slave}"));
            return Vec::new();
        }
        let matching: Vec<_> =
            rules.filter(|rule| id.is_some_and(|id| id & rule.mask == rule.id & rule.mask)).collect();
        if matching.windows(2).any(|two| (two[0].arbiter, two[0].select) != (two[1].arbiter, two[1].select)) {
            self.fault(net, switch, format!("rules of {slave} send its packets to different selects"));
        }
        let Some(rule) = matching.first() else { return Vec::new() };
        let sends = settings.arbitrated.iter();
        let sends = sends.filter(|(_, to)| to.arbiter == rule.arbiter && to.selects >> rule.select & 1 == 1);
        sends.map(|(&master, _)| master).collect()
    }

    /// The slave port behind a master port. Returns None when the port leads out of the network.
    fn beyond(&self, master: SwitchPort) -> Option<SwitchPort> {
        let SwitchPort { switch, port } = master;
        let Switch { column, row } = switch;
        let (to, bundle) = match port.bundle {
            Bundle::Fifo => (switch, Bundle::Fifo),
            Bundle::North => (Switch { column, row: row + 1 }, Bundle::South),
            Bundle::South => (Switch { column, row: row.checked_sub(1)? }, Bundle::North),
            Bundle::East => (Switch { column: column + 1, row }, Bundle::West),
            Bundle::West => (Switch { column: column.checked_sub(1)?, row }, Bundle::East),
            Bundle::Core | Bundle::Dma | Bundle::Ctrl | Bundle::Trace => return None,
        };
        Some(SwitchPort { switch: to, port: Port::new(bundle, port.channel) })
    }

    /// Checks that nets on one wire are packets of one group with different numbers, and not too
    /// many.
    fn shared_wires(&mut self) {
        let most = self.device.most_merged_streams();
        for ((SwitchPort { switch, port }, leaving), nets) in std::mem::take(&mut self.wires) {
            let Some(&first) = nets.first().filter(|_| nets.len() > 1) else { continue };
            let group = |net: &NetId| self.requests[net.index()].kind.group();
            if group(&first).is_none() || nets.iter().any(|net| group(net) != group(&first)) {
                self.fault(first, switch, format!("another net uses {port}"));
                continue;
            }
            let ids: BTreeSet<Option<u32>> =
                nets.iter().map(|&net| self.wiring.ids.get(net).copied().flatten()).collect();
            if ids.len() < nets.len() {
                self.fault(first, switch, format!("two streams at {port} have one packet id"));
            }
            if !leaving && nets.len() > most as usize {
                self.fault(first, switch, format!("{} streams share {port}, at most {most} may", nets.len()));
            }
        }
    }

    /// Checks that a stream uses every setting.
    fn idle(&mut self) {
        for (&switch, settings) in &self.wiring.switches {
            let slaves =
                settings.circuits.values().copied().chain(settings.rules.iter().map(|rule| rule.slave));
            let idle: BTreeSet<Port> = slaves
                .filter(|&slave| !self.wires.contains_key(&(SwitchPort { switch, port: slave }, false)))
                .collect();
            let what = |slave: Port| format!("{slave} is connected, but no stream comes by it");
            let faults = idle.into_iter().map(|slave| Fault { net: None, switch, what: what(slave) });
            self.faults.extend(faults);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crossbar::connects;
    use aiec_device::builtin;

    /// All ports of one direction.
    fn all(ports: &Ports) -> Vec<Port> {
        use Bundle::{Core, Ctrl, Dma, East, Fifo, North, South, Trace, West};
        let of = |bundle| (0..count(ports, bundle)).map(move |channel| Port::new(bundle, channel));
        [Core, Dma, Ctrl, Fifo, South, West, North, East, Trace].into_iter().flat_map(of).collect()
    }

    /// Pairs of ports, with the verdicts of the router and of the checker.
    fn pairs(ports: &SwitchPorts) -> Vec<(Port, Port, bool, bool)> {
        let masters = all(&ports.masters);
        let pair = |slave: Port, master: Port| {
            let bars = ports.forbidden.iter().any(|&rule| bars(rule, slave, master));
            (slave, master, connects(ports, slave, master), !bars)
        };
        all(&ports.slaves)
            .into_iter()
            .flat_map(|slave| masters.iter().map(move |&m| pair(slave, m)))
            .collect()
    }

    #[test]
    fn router_and_checker_read_the_crossbars_alike() {
        for name in ["xcvc1902", "toy", "xcve2802", "xcve2302"] {
            let device = builtin(name).and_then(|outcome| outcome.into_parts().0).expect("built in");
            let kinds = [Some(&device.switch.core), Some(&device.switch.shim), device.switch.memory.as_ref()];
            for (slave, master, may, passes) in kinds.into_iter().flatten().flat_map(pairs) {
                assert_eq!(may, passes, "{name}: {slave} to {master}");
            }
        }
    }

    // aie-rt, executed; mlir-aie `isLegalTileConnection`.
    #[test]
    fn the_shim_of_aie_ml_connects_any_south_port_to_any_other() {
        let device = builtin("xcve2802").and_then(|outcome| outcome.into_parts().0).expect("built in");
        let south = |port: Port| port.bundle == Bundle::South;
        let found = pairs(&device.switch.shim).into_iter().filter(|&(from, to, ..)| south(from) && south(to));
        assert_eq!(found.filter(|&(.., may, passes)| may && passes).count(), 8 * 6);
    }
}
