//! Inputs that lead to outputs without a kernel.
//!
//! An input or output carries what a kernel's port does. If an input of a broadcast, or the way
//! through a component, leads straight to an output, the output carries what the input does for its
//! other readers. Without a kernel at either end nothing says what passes, and that is an error.

use std::collections::BTreeSet;

use aiec_ir::expanded::Owner;
use aiec_ir::{ConnectionId, ParameterId, PortId};

use super::Expansion;
use crate::errors;

impl Expansion<'_> {
    /// Gives both ends of a connection without a kernel what one of them carries, and reports those
    /// that carry nothing.
    pub fn straight(&mut self) {
        let is_outside = |port: PortId| matches!(self.ports[port].owner, Owner::External(_));
        let straight: Vec<ConnectionId> = self
            .connections
            .enumerate()
            .filter(|(_, connection)| is_outside(connection.from) && is_outside(connection.to))
            .map(|(id, _)| id)
            .collect();
        let mut reported = BTreeSet::new();
        for id in straight {
            let connection = &self.connections[id];
            let (from, to, span) = (connection.from, connection.to, connection.span);
            self.lend(from, to);
            self.lend(to, from);
            if self.ports[from].carries.is_none() && reported.insert(span) {
                let ends = [from, to].map(|port| self.ports[port].span);
                let fault = errors::no_kernel_between(ends[0], ends[1]);
                self.diagnostics.push(fault.label(span, "connected here"));
            }
        }
    }

    /// Reports two parameters of the host that are connected to each other.
    pub fn straight_parameter(&mut self, from: ParameterId, to: ParameterId) {
        let ends = [from, to].map(|id| self.parameters[id].span);
        self.diagnostics.push(errors::no_kernel_between(ends[0], ends[1]));
    }
}
