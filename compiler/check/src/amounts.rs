//! Amounts at ports where a design leaves them open, for models of time. Takes those that a run
//! counted. Returns the design with them, and with those that follow from the other end of a
//! connection.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::Spanned;
use aiec_ir::expanded::{Expanded, PortRole};
use aiec_ir::{Carries, ConnectionId, PortId};

use crate::checked::Checked;

impl Checked {
    /// True if only the code of a kernel determines how many elements of a stream one run of it
    /// moves through this port, or how many windows it locks there. Of ports that the user
    /// declared.
    pub fn is_open(&self, port: PortId) -> bool {
        let end = &self.ports[port];
        let is_users = matches!(end.role, PortRole::User(_)) && !end.connections.is_empty();
        is_users && (is_locked(self, port) || self.has_open_amount(port))
    }

    /// The same design with amounts at open ports: elements of a stream, or windows, in one run of
    /// the kernel. Leaves out what was `counted` at connections whose ends then disagree. Where one
    /// end of a stream has an amount, the other one follows. No check depends on them. Only models
    /// of time use the result.
    #[must_use]
    pub fn with_amounts(&self, counted: &BTreeMap<PortId, u32>) -> Self {
        let mut design = self.expanded().clone();
        let usable = counted.iter().filter(|&(&port, &amount)| amount > 0 && self.is_open(port));
        let given: BTreeSet<PortId> = usable.clone().map(|(&port, _)| port).collect();
        usable.for_each(|(&port, &amount)| state(&mut design, port, Some(amount)));
        let mut dropped: BTreeSet<PortId> = BTreeSet::new();
        loop {
            let disagreeing = design.connections.ids().filter(|&id| disagree(&design, id));
            let ends = disagreeing.flat_map(|id| [design.connections[id].from, design.connections[id].to]);
            let found: Vec<PortId> =
                ends.filter(|port| given.contains(port) && !dropped.contains(port)).collect();
            if found.is_empty() {
                break;
            }
            found.iter().for_each(|&port| state(&mut design, port, None));
            dropped.extend(found);
        }
        // The second time for the other readers of a stream that one reader determines.
        for _ in 0..2 {
            for id in self.connections.ids() {
                follow(&mut design, id, &dropped);
            }
        }
        Self::new(design)
    }
}

/// True if the user's kernel locks the windows of a port itself, and nothing states how often.
fn is_locked(design: &Expanded, port: PortId) -> bool {
    let end = &design.ports[port];
    let is_users = matches!(end.role, PortRole::User(_));
    is_users && end.window().is_some() && end.asynchronous && end.windows.is_none()
}

/// States the amount of an open port, or takes it back.
fn state(design: &mut Expanded, port: PortId, amount: Option<u32>) {
    let port = &mut design.ports[port];
    match &mut port.carries {
        Some(Carries::Stream(flow) | Carries::Packets(flow)) => flow.per_run = amount,
        _ => port.windows = amount.map(|value| Spanned { value, span: port.span }),
    }
}

/// True if the ends of a connection between kernels move unequal amounts, or if a kernel locks the
/// windows at one end itself, any number of times.
fn disagree(design: &Expanded, id: ConnectionId) -> bool {
    let connection = &design.connections[id];
    let (from, to) = (connection.from, connection.to);
    let amounts = per_iteration(design, from).zip(per_iteration(design, to));
    let is_open = is_locked(design, from) || is_locked(design, to);
    !is_switched(design, id) && (is_open || amounts.is_some_and(|(from, to)| from != to))
}

/// True if a port at the connection shares its packets with other connections.
fn is_switched(design: &Expanded, id: ConnectionId) -> bool {
    let connection = &design.connections[id];
    connection.switch.is_some() || design.joins_packets(connection.to)
}

/// Bytes that all runs of a kernel in an iteration pass through a port. Returns None when
/// they are open.
fn per_iteration(design: &Expanded, port: PortId) -> Option<u64> {
    let kernel = design.kernel_of(port)?;
    design.bytes_per_run(port)?.checked_mul(design.kernels[kernel].repetitions.into())
}

/// Gives a stream without an amount that of the other end of a connection.
fn follow(design: &mut Expanded, id: ConnectionId, dropped: &BTreeSet<PortId>) {
    let connection = &design.connections[id];
    if is_switched(design, id) {
        return;
    }
    for (open, known) in [(connection.from, connection.to), (connection.to, connection.from)] {
        let is_users = matches!(design.ports[open].role, PortRole::User(_));
        if is_users && design.has_open_amount(open) && !dropped.contains(&open) {
            let amount = elements(design, open, known);
            return state(design, open, amount);
        }
    }
}

/// Elements in one run of the kernel at `open`, so that it moves what the other end does. Returns
/// None when that is unknown or no whole number.
fn elements(design: &Expanded, open: PortId, known: PortId) -> Option<u32> {
    let runs = u64::from(design.kernels[design.kernel_of(open)?].repetitions);
    let element = u64::from(design.ports[open].carries?.element()?.bytes());
    let (bytes, each) = (per_iteration(design, known)?, runs.checked_mul(element)?);
    let elements = bytes.checked_div(each).filter(|elements| elements * each == bytes && *elements > 0)?;
    u32::try_from(elements).ok()
}
