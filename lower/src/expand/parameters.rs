//! Run-time parameters between kernels, whose ends pass values in one way.
//!
//! A parameter between kernels is synchronous or asynchronous as one end says. If neither end says
//! it, the parameter is synchronous (UG1076 2020.2, "Run-Time Parameter Support Summary").

use std::collections::BTreeMap;

use aiec_ir::expanded::{Owner, PortRole};
use aiec_ir::{Carries, Design, PortId};

use super::Expansion;

impl Expansion<'_> {
    /// Gives the ends of parameters between kernels the way of passing that one of them says. Ends
    /// that say different things keep what they say.
    pub fn agree(&mut self, design: &Design) {
        let mut readers: BTreeMap<PortId, Vec<PortId>> = BTreeMap::new();
        for wire in self.connections.iter().filter(|wire| self.is_parameter(wire.from)) {
            readers.entry(wire.from).or_default().push(wire.to);
        }
        for (writer, readers) in readers {
            if !self.says_how(design, writer) {
                let waits = |&port: &PortId| !self.says_how(design, port) || !self.ports[port].asynchronous;
                self.ports[writer].asynchronous = !readers.iter().any(waits);
            }
            for reader in readers {
                if !self.says_how(design, reader) {
                    self.ports[reader].asynchronous = self.ports[writer].asynchronous;
                }
            }
        }
    }

    fn is_parameter(&self, port: PortId) -> bool {
        matches!(self.ports[port].carries, Some(Carries::Parameter(_)))
    }

    /// Does the declaration of a kernel's port say `sync` or `async`?
    fn says_how(&self, design: &Design, port: PortId) -> bool {
        let (Owner::Kernel(kernel), PortRole::User(at)) = (self.ports[port].owner, self.ports[port].role)
        else {
            return true;
        };
        let family = &design.families[self.kernels[kernel].family];
        family.ports.get(at as usize).is_none_or(|port| port.says_how)
    }
}
