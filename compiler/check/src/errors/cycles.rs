//! Faults of waiting.

use aiec_diag::{Diagnostic, Span, catalogue};

use super::labelled;
use crate::{Step, Stuck};
use aiec_collectives::Direction;
use aiec_ir::expanded::{Expanded, PortRole};
use aiec_ir::{CollectiveId, ConnectionId, KernelId, PortId};

/// Steps named in a message before it is cut.
const MOST_NAMED: usize = 6;

/// Every kernel on this cycle, in the order data goes, waits for the one before it; so do those on the others of
/// the `cycles` that come from the same constructs.
pub(crate) fn sync_cycle(design: &Expanded, cycle: &[Step], cycles: usize) -> Diagnostic {
    // The kernel that the first window leaves is the one that the last one enters; each waits for its predecessor.
    let order: Vec<Step> = cycle.iter().rev().copied().collect();
    let mut names: Vec<String> = order.iter().take(MOST_NAMED).map(|step| sentence(design, step)).collect();
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
    let labels = order.iter().flat_map(|step| labels(design, step));
    labelled(Diagnostic::new(&catalogue::SYNC_CYCLE, message, help(design, cycle)), labels)
}

/// These kernels wait for each other, some of them for an empty buffer.
pub(crate) fn stuck(design: &Expanded, cycle: &[Stuck]) -> Diagnostic {
    let sentence = |stuck: &Stuck| {
        let (kernel, port) = (&design.kernels[stuck.kernel].name, design.port_name(stuck.port));
        let needs = &design.kernels[stuck.needs].name;
        match design.ports[stuck.port].direction {
            _ if design.kernel_of(stuck.port) != Some(stuck.kernel) => {
                format!("{kernel} waits for the call of {needs}")
            }
            Direction::Out => format!("{kernel} waits for an empty buffer at {port}, of {needs}"),
            Direction::In => format!("{kernel} waits for data at {port}, of {needs}"),
        }
    };
    let mut names: Vec<String> = cycle.iter().take(MOST_NAMED).map(sentence).collect();
    if cycle.len() > MOST_NAMED {
        names.push(format!("and so on over {} kernels", cycle.len()));
    }
    let labels = cycle.iter().flat_map(|stuck| {
        let wires = design.ports[stuck.port].connections.iter().map(|&id| design.connections[id].span);
        wires.take(1).map(|span| (span, sentence(stuck)))
    });
    let message =
        format!("kernels wait for each other when the buffers between them are full: {}", names.join(", "));
    let help = "make the synchronous window of the kernel that has not started `async`, so that it starts and takes part in its \
                calls before it acquires that window";
    labelled(Diagnostic::new(&catalogue::SYNC_CYCLE, message, help.to_owned()), labels)
}

/// `b waits for a.y`.
fn waits(design: &Expanded, window: ConnectionId) -> String {
    let wire = &design.connections[window];
    let waiting = design.owner_name(design.ports[wire.to].owner);
    format!("{waiting} waits for {}", design.port_name(wire.from))
}

fn sentence(design: &Expanded, step: &Step) -> String {
    let waits = waits(design, step.window);
    match step.needs {
        Some((collective, kernel)) => {
            let (name, rank) = (&design.collectives[collective].name, &design.kernels[kernel].name);
            format!("{waits}, which needs the contribution of {rank} to `{name}`")
        }
        None => waits,
    }
}

fn labels(design: &Expanded, step: &Step) -> Vec<(Span, String)> {
    let mut labels = vec![(design.connections[step.window].span, waits(design, step.window))];
    labels.extend(step.needs.map(|(collective, kernel)| {
        let (collective, rank) = (&design.collectives[collective], &design.kernels[kernel].name);
        (collective.span, format!("`{}` needs `{rank}` to start", collective.name))
    }));
    labels
}

/// Lets one kernel of the cycle start.
fn help(design: &Expanded, cycle: &[Step]) -> String {
    let contribution = cycle.iter().enumerate().find_map(|(at, step)| Some((at, step.needs?)));
    let windows: Vec<ConnectionId> = cycle.iter().map(|step| step.window).collect();
    match (contribution, windows.as_slice()) {
        (Some((at, needs)), windows) => {
            // What enters the rank is the window before the one that needs it.
            let before = at.checked_sub(1).unwrap_or(windows.len() - 1);
            contribute_first(design, windows[before], needs)
        }
        (None, &[leaving, .., entering]) => give_first(design, leaving, entering),
        (None, &[own]) => give_first(design, own, own),
        (None, []) => String::new(),
    }
}

/// The rank takes its window `entering` after its call.
fn contribute_first(
    design: &Expanded,
    entering: ConnectionId,
    (collective, rank): (CollectiveId, KernelId),
) -> String {
    let wire = &design.connections[entering];
    let (from, to) = (written(design, wire.from), design.port_name(wire.to));
    let (rank, name) = (&design.kernels[rank].name, &design.collectives[collective].name);
    format!(
        "write `connect {from} -> async {to}`; `{rank}` then starts at once, calls `comm.{name}`, and calls \
         window_acquire and window_release on `{to}` itself after that"
    )
}

/// The port as designs refer to it.
fn written(design: &Expanded, port: PortId) -> String {
    match design.ports[port].role {
        PortRole::Result(id) => format!("{}.result", design.collectives[id].name),
        PortRole::Cycles(id) => format!("{}.cycles", design.collectives[id].name),
        PortRole::User(_) | PortRole::External | PortRole::Link(_) | PortRole::Packets(_) => {
            design.port_name(port)
        }
    }
}

/// The first kernel of the cycle has an asynchronous input, and an asynchronous output, which it must give away before it
/// asks for the input.
fn give_first(design: &Expanded, leaving: ConnectionId, entering: ConnectionId) -> String {
    let ends = |id: ConnectionId| {
        let wire = &design.connections[id];
        [written(design, wire.from), design.port_name(wire.to)]
    };
    let ([out, next], [previous, input]) = (ends(leaving), ends(entering));
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
