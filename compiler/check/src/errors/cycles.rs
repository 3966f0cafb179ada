//! Errors of kernels that wait for each other for ever.

use aiec_diag::{Code, Diagnostic, Span, catalogue, listed};

use super::{fixes, labelled};
use aiec_collectives::Direction;
use aiec_ir::design::local_name;
use aiec_ir::expanded::{Expanded, PortRole};
use aiec_ir::{Carries, CollectiveId, ConnectionId, KernelId, PortId};

/// The kernel whose start is missing, if it is not the producer of a window itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// The kernel contributes to the collective, whose result the window needs.
    Contribution(CollectiveId, KernelId),
    /// The producer of the window reads this cascade or stream in the same run. Its writer is
    /// missing.
    Read(ConnectionId),
}

/// One kernel waits for the window or parameter of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    /// The connection. Its consumer waits.
    pub window: ConnectionId,
    /// Whose start is missing. None when it is the producer itself.
    pub needs: Option<Need>,
}

/// A kernel that waits for ever at a port that gets no buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck {
    /// The kernel that waits.
    pub kernel: KernelId,
    /// The port at which it waits.
    pub port: PortId,
    /// The kernel that must act first.
    pub needs: KernelId,
}

/// Limit on the steps that a message names.
const MOST_NAMED: usize = 6;

/// Every kernel on this cycle, in the order of the data, waits for the one before it. `cycles`
/// counts the cycles that come from the same constructs.
pub(crate) fn sync_cycle(design: &Expanded, cycle: &[Step], cycles: usize) -> Diagnostic {
    // The first window leaves the kernel that the last window enters. Each kernel waits for its
    // predecessor.
    let order: Vec<Step> = cycle.iter().rev().copied().collect();
    let mut names: Vec<String> = order.iter().take(MOST_NAMED).map(|step| sentence(design, step)).collect();
    if order.len() > MOST_NAMED {
        names.push(format!("and so on over {} kernels", order.len()));
    }
    let (code, head) = head(design, cycle);
    let message = format!("{head}: {}", names.join(", "));
    let message = match cycles {
        1 => message,
        _ => format!(
            "{message}; and {} of the same connections",
            super::count(cycles as u64 - 1, "more cycle")
        ),
    };
    let labels = order.iter().flat_map(|step| labels(design, step));
    let diagnostic = labelled(Diagnostic::new(code, message, help(design, cycle)), labels);
    fixes::asynchronous(diagnostic, design, way_out(design, cycle))
}

/// The ends of connections that the help makes asynchronous, each the producing one if the flag is
/// set.
fn way_out(design: &Expanded, cycle: &[Step]) -> Vec<(ConnectionId, bool)> {
    let windows: Vec<ConnectionId> = cycle.iter().map(|step| step.window).collect();
    if windows.iter().any(|&id| is_parameter(design, id) || is_in_instance(design, id)) {
        return Vec::new();
    }
    match (cycle.iter().position(|step| step.needs.is_some()), windows.as_slice()) {
        (Some(at), windows) => {
            let before = at.checked_sub(1).unwrap_or(windows.len() - 1);
            vec![(windows[before], false)]
        }
        (None, &[leaving, .., entering]) => vec![(leaving, true), (entering, false)],
        (None, &[own]) => vec![(own, true), (own, false)],
        (None, []) => Vec::new(),
    }
}

/// The code of a cycle and the first words of its message. An ADF graph does not state that each
/// run reads its cascades, so a cycle through one is a warning there.
fn head(design: &Expanded, cycle: &[Step]) -> (&'static Code, String) {
    let reads = || cycle.iter().filter_map(|step| step.needs);
    let cascade = reads().any(|need| matches!(need, Need::Read(wire) if design.goes_by_cascade(wire)));
    let stream = reads().any(|need| matches!(need, Need::Read(wire) if !design.goes_by_cascade(wire)));
    let parameter = |step: &Step| is_parameter(design, step.window);
    let kinds = [
        (cycle.iter().any(|step| !parameter(step)), "windows"),
        (cycle.iter().any(parameter), "parameters"),
        (cascade, "cascades"),
        (stream, "streams"),
    ];
    let kinds: Vec<&str> = kinds.into_iter().filter_map(|(there, kind)| there.then_some(kind)).collect();
    let is_async = |step: &Step| design.ports[design.connections[step.window].to].asynchronous;
    let how = if cycle.iter().any(is_async) { "" } else { "synchronous " };
    let kinds = format!("{how}{}", listed(kinds, MOST_NAMED));
    match (design.is_adf() && cascade, cascade || stream) {
        (true, _) => (
            &catalogue::MAY_HANG,
            format!("the graph hangs if each run reads its cascades: {kinds} form a cycle"),
        ),
        (false, true) => {
            (&catalogue::SYNC_CYCLE, format!("{kinds} form a cycle and no kernel on it ever ends its run"))
        }
        (false, false) => {
            (&catalogue::SYNC_CYCLE, format!("{kinds} form a cycle and no kernel on it ever starts"))
        }
    }
}

/// True if a connection passes a parameter.
fn is_parameter(design: &Expanded, connection: ConnectionId) -> bool {
    matches!(design.ports[design.connections[connection].to].carries, Some(Carries::Parameter(_)))
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
        Some(Need::Contribution(collective, kernel)) => {
            let (name, rank) = (&design.collectives[collective].name, &design.kernels[kernel].name);
            format!("{waits}, which needs the contribution of {rank} to `{name}`")
        }
        Some(Need::Read(wire)) => {
            let wire = &design.connections[wire];
            let reader = design.owner_name(design.ports[wire.to].owner);
            format!("{waits}, which {reader} sends after it has read {}", design.port_name(wire.from))
        }
        None => waits,
    }
}

fn labels(design: &Expanded, step: &Step) -> Vec<(Span, String)> {
    let mut labels = vec![(design.connections[step.window].span, waits(design, step.window))];
    labels.extend(step.needs.map(|need| match need {
        Need::Contribution(collective, kernel) => {
            let (collective, rank) = (&design.collectives[collective], &design.kernels[kernel].name);
            (collective.span, format!("`{}` needs `{rank}` to start", collective.name))
        }
        Need::Read(wire) => {
            let wire = &design.connections[wire];
            let (reader, writer) = (design.ports[wire.to].owner, design.ports[wire.from].owner);
            let (reader, writer) = (design.owner_name(reader), design.owner_name(writer));
            (wire.span, format!("`{reader}` ends its run only after `{writer}` has started"))
        }
    }));
    labels
}

/// The help that lets one kernel of the cycle start.
fn help(design: &Expanded, cycle: &[Step]) -> String {
    let need = cycle.iter().enumerate().find_map(|(at, step)| Some((at, step.needs?)));
    let windows: Vec<ConnectionId> = cycle.iter().map(|step| step.window).collect();
    if let Some(&parameter) = windows.iter().find(|&&id| is_parameter(design, id)) {
        return keep_value(design, parameter);
    }
    match (need, windows.as_slice()) {
        (Some((at, need)), windows) => {
            // The window before the one that needs the kernel is the window that enters it.
            let before = at.checked_sub(1).unwrap_or(windows.len() - 1);
            match need {
                Need::Contribution(collective, rank) => {
                    contribute_first(design, windows[before], collective, rank)
                }
                Need::Read(read) => write_first(design, windows[before], read),
            }
        }
        (None, &[leaving, .., entering]) => give_first(design, leaving, entering),
        (None, &[own]) => give_first(design, own, own),
        (None, []) => String::new(),
    }
}

/// The help: the host gives the parameter of this connection.
fn keep_value(design: &Expanded, parameter: ConnectionId) -> String {
    if design.is_adf() {
        return format!(
            "make `{}` asynchronous with `async`, and give it a first value with `initial_value`",
            design.port_name(design.connections[parameter].to)
        );
    }
    format!(
        "let the host give `{}`, or leave out a connection of the cycle: a parameter between kernels has no value \
         before its writer has run, `async` or not",
        design.port_name(design.connections[parameter].to)
    )
}

/// The help: the writer of `read` takes its window `entering` after it has written.
fn write_first(design: &Expanded, entering: ConnectionId, read: ConnectionId) -> String {
    let wire = &design.connections[entering];
    let (from, to) = (written(design, wire.from), design.port_name(wire.to));
    let (writer, port) = (design.ports[wire.to].owner, design.connections[read].from);
    format!(
        "write `connect {from} -> async {to}`; `{}` then starts at once, writes `{}`, and acquires and \
         releases `{to}` itself after that",
        design.owner_name(writer),
        design.port_name(port)
    )
}

/// The help: the rank takes its window `entering` after its call.
fn contribute_first(
    design: &Expanded,
    entering: ConnectionId,
    collective: CollectiveId,
    rank: KernelId,
) -> String {
    let wire = &design.connections[entering];
    let (from, to) = (written(design, wire.from), design.port_name(wire.to));
    let (rank, name) = (&design.kernels[rank].name, local_name(&design.collectives[collective].name));
    format!(
        "write `connect {from} -> async {to}`; `{rank}` then starts at once, calls `comm.{name}`, and acquires \
         and releases `{to}` itself after that"
    )
}

/// True if a component connects an end of this connection.
fn is_in_instance(design: &Expanded, connection: ConnectionId) -> bool {
    let wire = &design.connections[connection];
    let names = [wire.from, wire.to].map(|port| design.owner_name(design.ports[port].owner));
    !design.is_adf() && names.into_iter().any(|name| local_name(name) != name)
}

/// The port as the source refers to it.
fn written(design: &Expanded, port: PortId) -> String {
    match design.ports[port].role {
        PortRole::Result(id) => format!("{}.result", design.collectives[id].name),
        PortRole::Cycles(id) => format!("{}.cycles", design.collectives[id].name),
        PortRole::User(_)
        | PortRole::External
        | PortRole::Link(_)
        | PortRole::Channel(_)
        | PortRole::Packets(_) => design.port_name(port),
    }
}

/// The help: the first kernel of the cycle gets an asynchronous input and an asynchronous output.
/// It must give the output away before it asks for the input.
fn give_first(design: &Expanded, leaving: ConnectionId, entering: ConnectionId) -> String {
    let ends = |id: ConnectionId| {
        let wire = &design.connections[id];
        [written(design, wire.from), design.port_name(wire.to)]
    };
    let ([out, next], [previous, input]) = (ends(leaving), ends(entering));
    let kernel = design.owner_name(design.ports[design.connections[entering].to].owner);
    let and = if is_in_instance(design, leaving) || is_in_instance(design, entering) {
        format!("write `async` where the component connects `{input}`, and where it connects `{out}`")
    } else if leaving == entering {
        format!("write `connect async {out} -> async {input}`")
    } else {
        format!("write `connect {previous} -> async {input}` and `connect async {out} -> {next}`")
    };
    format!(
        "{and}; `{kernel}` then starts at once and acquires and releases both itself, \
         releasing `{out}` before it acquires `{input}`"
    )
}
