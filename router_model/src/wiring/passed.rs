//! Which nets pass each port: verified routes followed through their settings.

use std::collections::{BTreeMap, BTreeSet};

use aiec_ir::Id;

use super::Settings;
use super::assign::next_switch;
use crate::fabric::Side;
use crate::port::{Bundle, Port};
use crate::request::NetId;
use crate::routes::Routes;
use crate::switch::Switch;

/// The nets at the ports of the switches, by their positions among the routes.
pub(super) struct Passed {
    slaves: Nets,
    masters: Nets,
}

type Nets = BTreeMap<(Switch, Port), BTreeSet<usize>>;

impl Passed {
    /// Follows every net of verified routes from its source to its sinks.
    pub(super) fn of(routes: &Routes) -> Self {
        let mut passed = Self { slaves: Nets::new(), masters: Nets::new() };
        for (at, route) in routes.routes.iter().enumerate() {
            let ends = route.net.sinks.iter().map(|(_, end)| (end.switch, Port::from(end.port)));
            let ends: BTreeSet<(Switch, Port)> = ends.collect();
            let source = route.net.source;
            passed.follow(at, (source.switch, Port::from(source.port)), &ends, routes);
        }
        passed
    }

    fn follow(
        &mut self,
        net: usize,
        source: (Switch, Port),
        ends: &BTreeSet<(Switch, Port)>,
        routes: &Routes,
    ) {
        let id = number(routes, net);
        let mut open = vec![source];
        while let Some((switch, slave)) = open.pop() {
            let Some(settings) = routes.wiring.switches.get(&switch) else { continue };
            if !self.slaves.entry((switch, slave)).or_default().insert(net) {
                continue;
            }
            for master in settings.masters_of(slave, id) {
                self.masters.entry((switch, master)).or_default().insert(net);
                if !ends.contains(&(switch, master)) {
                    open.extend(behind(switch, master));
                }
            }
        }
    }

    /// The nets that enter a switch by a slave port.
    pub(super) fn slave(&self, switch: Switch, slave: Port) -> Vec<usize> {
        self.slaves.get(&(switch, slave)).into_iter().flatten().copied().collect()
    }

    /// The nets that leave a switch by a master port.
    pub(super) fn master(&self, switch: Switch, master: Port) -> Vec<usize> {
        self.masters.get(&(switch, master)).into_iter().flatten().copied().collect()
    }
}

/// The number in the headers of a net's packets. Returns None when it is a circuit.
pub(super) fn number(routes: &Routes, net: usize) -> Option<u32> {
    routes.wiring.ids.get(NetId::from_index(net)).copied().flatten()
}

/// The slave port that a master port feeds. Returns None when the port leads out of the network.
fn behind(switch: Switch, master: Port) -> Option<(Switch, Port)> {
    if master.bundle == Bundle::Fifo {
        return Some((switch, master));
    }
    let side = Side::ALL.into_iter().find(|&side| Bundle::from(side) == master.bundle)?;
    Some((next_switch(switch, master)?, Port::new(side.opposite().into(), master.channel)))
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
