//! Faults of waiting.

use aiec_diag::{Diagnostic, catalogue};

use super::labelled;
use crate::expanded::Expanded;
use crate::ids::ConnectionId;

/// Kernels named in a message before it is cut.
const MOST_NAMED: usize = 6;

/// Every kernel on this cycle of connections, in the order data goes, waits for the one before it; so do those on the others of
/// the `cycles` that come from the same constructs.
pub(crate) fn sync_cycle(design: &Expanded, cycle: &[ConnectionId], cycles: usize) -> Diagnostic {
    let waits = |id: ConnectionId| {
        let wire = &design.connections[id];
        let waiting = design.owner_name(design.ports[wire.to].owner);
        format!("{waiting} waits for {}", design.port_name(wire.from))
    };
    // The kernel that the first connection leaves is the one that the last one enters; each waits for its predecessor.
    let order: Vec<ConnectionId> = cycle.iter().rev().copied().collect();
    let mut names: Vec<String> = order.iter().take(MOST_NAMED).map(|&id| waits(id)).collect();
    if order.len() > MOST_NAMED {
        names.push(format!("and so on over {} kernels", order.len()));
    }
    let message =
        format!("synchronous windows form a cycle and no kernel on it ever starts: {}", names.join(", "));
    let message = match cycles {
        1 => message,
        _ => format!(
            "{message}; and {} of the same connections",
            super::count(cycles as u64 - 1, "more cycle")
        ),
    };
    let labels = order.iter().map(|&id| (design.connections[id].span, waits(id)));
    labelled(Diagnostic::new(&catalogue::SYNC_CYCLE, message, help(design, cycle)), labels)
}

/// Lets the first kernel of the cycle start: its input is asynchronous, and its output, which it must give away before it
/// asks for the input.
fn help(design: &Expanded, cycle: &[ConnectionId]) -> String {
    let (Some(&leaving), Some(&entering)) = (cycle.first(), cycle.last()) else { return String::new() };
    let ends = |id: ConnectionId| {
        let wire = &design.connections[id];
        (design.port_name(wire.from), design.port_name(wire.to))
    };
    let ((out, next), (previous, input)) = (ends(leaving), ends(entering));
    let kernel = design.owner_name(design.ports[design.connections[entering].to].owner);
    let and = if leaving == entering {
        format!("write `connect async {out} -> async {input}`")
    } else {
        format!("write `connect {previous} -> async {input}` and `connect async {out} -> {next}`")
    };
    format!(
        "{and}; `{kernel}` then starts at once and calls window_acquire and window_release on both itself, \
         releasing `{out}` before it acquires `{input}`"
    )
}
