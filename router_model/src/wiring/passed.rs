//! Which nets pass each port: verified routes followed through their settings.

use std::collections::{BTreeMap, BTreeSet};

use super::Settings;
use super::assign::next_switch;
use crate::fabric::Side;
use crate::port::{Bundle, Port, SwitchPort};
use crate::request::{NetId, numbered};
use crate::routes::Routes;

/// The nets at the ports of the switches, by their ids.
pub(super) struct Passed {
    slaves: Nets,
    masters: Nets,
}

type Nets = BTreeMap<SwitchPort, BTreeSet<NetId>>;

impl Passed {
    /// Follows every net of verified routes from its source to its sinks.
    pub(super) fn of(routes: &Routes) -> Self {
        let mut passed = Self { slaves: Nets::new(), masters: Nets::new() };
        for (net, route) in numbered(&routes.routes) {
            let ends = route.net.sinks.iter().map(|&(_, end)| SwitchPort::from(end)).collect();
            passed.follow(net, route.net.source.into(), &ends, routes);
        }
        passed
    }

    fn follow(&mut self, net: NetId, source: SwitchPort, ends: &BTreeSet<SwitchPort>, routes: &Routes) {
        let id = number(routes, net);
        let mut open = vec![source];
        while let Some(slave) = open.pop() {
            let Some(settings) = routes.wiring.switches.get(&slave.switch) else { continue };
            if !self.slaves.entry(slave).or_default().insert(net) {
                continue;
            }
            for port in settings.masters_of(slave.port, id) {
                let master = SwitchPort { port, ..slave };
                self.masters.entry(master).or_default().insert(net);
                if !ends.contains(&master) {
                    open.extend(behind(master));
                }
            }
        }
    }

    /// The nets that enter a switch by a slave port.
    pub(super) fn slave(&self, slave: SwitchPort) -> Vec<NetId> {
        self.slaves.get(&slave).into_iter().flatten().copied().collect()
    }

    /// The nets that leave a switch by a master port.
    pub(super) fn master(&self, master: SwitchPort) -> Vec<NetId> {
        self.masters.get(&master).into_iter().flatten().copied().collect()
    }
}

/// The number in the headers of a net's packets. Returns None when it is a circuit.
pub(super) fn number(routes: &Routes, net: NetId) -> Option<u32> {
    routes.wiring.ids.get(net).copied().flatten()
}

/// The slave port that a master port feeds. Returns None when the port leads out of the network.
fn behind(master: SwitchPort) -> Option<SwitchPort> {
    let SwitchPort { switch, port } = master;
    if port.bundle == Bundle::Fifo {
        return Some(master);
    }
    let side = Side::ALL.into_iter().find(|&side| Bundle::from(side) == port.bundle)?;
    let slave = Port::new(side.opposite().into(), port.channel);
    Some(SwitchPort { switch: next_switch(switch, port)?, port: slave })
}

impl Settings {
    /// The master ports to which the data of a slave port goes: a circuit, or packets with number
    /// `id`.
    fn masters_of(&self, slave: Port, id: Option<u32>) -> Vec<Port> {
        let circuits = self.circuits.iter().filter(|&(_, &from)| from == slave).map(|(&master, _)| master);
        let rule = self.rules.iter().find(|rule| rule.slave == slave && id.is_some_and(|id| rule.takes(id)));
        let packets = self.arbitrated.iter().filter(|(_, sends)| {
            rule.is_some_and(|rule| sends.arbiter == rule.arbiter && sends.selects >> rule.select & 1 == 1)
        });
        circuits.chain(packets.map(|(&master, _)| master)).collect()
    }
}
