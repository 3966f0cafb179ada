//! How many windows kernels acquired in each run, held against what the design says.
//!
//! In come the design and what the simulated program reported; out comes a diagnostic for every asynchronous port that passed another
//! number. Ports of inputs and outputs are looked at, since host program and data files follow the design there, and ports whose
//! number the design says.

use aiec_check::Checked;
use aiec_diag::Diagnostic;
use aiec_ir::expanded::{Owner, PortRole};
use aiec_ir::{KernelId, PortId};

use crate::errors;
use crate::events::{Acquired, Event, PortRef};

/// What a port did, where that is not what the design says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// The same other number in every run.
    Always(u64),
    /// Numbers from the first to the second.
    Varying(u64, u64),
    /// More in a run that did not end; the kernel has so many, or waits for the last of them.
    TooMany(u64),
}

/// The ports that passed another number of windows in a run than the design says.
pub fn faults(checked: &Checked, events: &[Event]) -> Vec<Diagnostic> {
    let reports = events.iter().filter_map(|event| match event {
        Event::Windows(acquired) => Some(acquired),
        _ => None,
    });
    reports.filter_map(|acquired| fault(checked, acquired)).collect()
}

fn fault(checked: &Checked, acquired: &Acquired) -> Option<Diagnostic> {
    let port = port(checked, &acquired.port)?;
    let end = &checked.ports[port];
    let watched = matches!(end.role, PortRole::User(_))
        && end.asynchronous
        && (far_end(checked, port).is_some() || checked.stated_windows(port).is_some());
    let wanted = checked.windows_per_run(port).unwrap_or(1);
    let departure = departure(acquired, wanted).filter(|_| watched)?;
    let stated = checked.stated_windows(port).map(|windows| windows.span);
    let wires = end.connections.iter().map(|&id| checked.connections[id].span);
    let span = stated.or_else(|| wires.into_iter().next()).unwrap_or(end.span);
    Some(errors::windows_per_run(
        (&checked.port_name(port), stated.is_some(), span),
        far_end(checked, port).as_deref(),
        wanted,
        departure,
    ))
}

/// The port of the design that a program's port stands for: kernels are created in the order of their ids.
pub fn port(checked: &Checked, at: &PortRef) -> Option<PortId> {
    let kernel = checked.kernels.get(KernelId(u32::try_from(at.kernel).ok()?))?;
    let ports = if at.direction == "in" { &kernel.inputs } else { &kernel.outputs };
    ports.get(at.port).copied()
}

/// The input or output that a port is connected to.
fn far_end(checked: &Checked, port: PortId) -> Option<String> {
    let connections = checked.ports[port].connections.iter().map(|&id| &checked.connections[id]);
    let ends = connections.flat_map(|connection| [connection.from, connection.to]);
    ends.into_iter().find_map(|end| match checked.ports[end].owner {
        Owner::External(external) => Some(checked.externals[external].name.clone()),
        Owner::Kernel(_) => None,
    })
}

fn departure(acquired: &Acquired, wanted: u64) -> Option<Departure> {
    let Acquired { firings, fewest, most, now, .. } = *acquired;
    match firings {
        1.. if fewest != most => Some(Departure::Varying(fewest, most)),
        1.. if most != wanted => Some(Departure::Always(most)),
        1.. if now > wanted => Some(Departure::Varying(most, now)),
        _ if now > wanted => Some(Departure::TooMany(now)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::PortRef;

    #[test]
    fn a_run_that_did_not_end_is_blamed_only_for_too_many() {
        let port = PortRef { kernel: 0, direction: "in".into(), port: 0 };
        let of = |firings, fewest, most, now| Acquired { port: port.clone(), firings, fewest, most, now };
        assert_eq!(departure(&of(2, 80, 80, 0), 80), None);
        assert_eq!(departure(&of(2, 1, 1, 0), 80), Some(Departure::Always(1)));
        assert_eq!(departure(&of(2, 1, 80, 0), 80), Some(Departure::Varying(1, 80)));
        assert_eq!(departure(&of(0, 0, 0, 40), 80), None, "it may wait for something else");
        assert_eq!(departure(&of(0, 0, 0, 81), 80), Some(Departure::TooMany(81)));
        assert_eq!(departure(&of(1, 80, 80, 81), 80), Some(Departure::Varying(80, 81)));
    }
}
