//! Compares the numbers of windows that kernels acquired in each run, and of elements of streams
//! that they moved, with the numbers that the design states.
//!
//! Takes the design and the events of the simulated program, and returns a diagnostic for every
//! port with another number. Of asynchronous ports it looks at those of inputs and outputs, since
//! host program and data files follow the design there, and at ports whose number the design
//! states. Of streams it looks at those with a stated number. A channel may move fewer elements.
//! One that was misused moves more for the reason that the misuse names. A window that a kernel
//! never released is no wrong number.

use aiec_check::Checked;
use aiec_diag::{Diagnostic, Span, count};
use aiec_ir::expanded::{Owner, PortRole};
use aiec_ir::{Carries, Direction, Flow, PortId};

use crate::errors::{self, Departure, FlowPort, Stopped, WindowsPort};
use crate::events::{Acquired, Blocked, Event, PortRef};

/// The ports that acquired another number of windows, or moved another number of elements, in a run
/// than the design states. `place` is the source location of a line of code.
pub fn faults(
    checked: &Checked,
    events: &[Event],
    mut place: impl FnMut(&str) -> Option<Span>,
) -> Vec<Diagnostic> {
    let misused = |at: &PortRef| {
        let is_channel = |port: PortId| matches!(checked.ports[port].role, PortRole::Channel(_));
        let same = |event: &Event| matches!(event, Event::Misuse { port, .. } if port == at);
        port(checked, at).is_some_and(is_channel) && events.iter().any(same)
    };
    let is_held = |at: &PortRef| {
        events.iter().any(|event| matches!(event, Event::MissingRelease { port, .. } if port == at))
    };
    let reports = events.iter().filter_map(|event| match event {
        Event::Windows(acquired) if is_held(&acquired.port) => None,
        Event::Windows(acquired) => found(checked, acquired),
        Event::Moved(moved) if misused(&moved.port) => None,
        Event::Moved(moved) => moved_otherwise(checked, moved),
        _ => None,
    });
    let mut groups: Vec<(PortId, Departure, usize)> = Vec::new();
    for (port, departure) in reports {
        let same =
            groups.iter_mut().find(|(first, of, _)| *of == departure && are_alike(checked, *first, port));
        match same {
            Some((_, _, more)) => *more += 1,
            None => groups.push((port, departure, 0)),
        }
    }
    let begun = |at: PortId| {
        events.iter().find_map(|event| match event {
            Event::Moved(moved) if moved.open && port(checked, &moved.port) == Some(at) => {
                moved.line.as_deref()
            }
            _ => None,
        })
    };
    let mut stopped = |at: PortId, departure: Departure| {
        if matches!(departure, Departure::Unended(_)) {
            return begun(at).map(|line| Stopped { iteration: None, place: place(line) });
        }
        let mut sites = events.iter().flat_map(blocked).filter(|one| port(checked, &one.port) == Some(at));
        sites.next().map(|Blocked { site, .. }| Stopped {
            iteration: site.iteration,
            place: site.line.as_deref().and_then(&mut place),
        })
    };
    let fault =
        |(port, departure, more)| fault(checked, port, departure, more, stopped(port, departure).as_ref());
    groups.into_iter().map(fault).collect()
}

/// The waiting kernels of a deadlock.
fn blocked(event: &Event) -> &[Blocked] {
    match event {
        Event::Deadlock { blocked, .. } => blocked,
        _ => &[],
    }
}

/// True for the same port of two instances of a family.
pub fn are_alike(checked: &Checked, a: PortId, b: PortId) -> bool {
    let family = |port: PortId| match checked.ports[port].owner {
        Owner::Kernel(kernel) => Some(checked.kernels[kernel].family),
        Owner::External(_) => None,
    };
    family(a) == family(b) && checked.ports[a].name == checked.ports[b].name
}

/// The port with a wrong number of windows, and how it differs.
fn found(checked: &Checked, acquired: &Acquired) -> Option<(PortId, Departure)> {
    let port = port(checked, &acquired.port)?;
    let end = &checked.ports[port];
    let watched = matches!(end.role, PortRole::User(_))
        && end.asynchronous
        && (far_end(checked, port).is_some() || checked.ports[port].windows.is_some());
    let wanted = checked.windows_per_run(port).unwrap_or(1);
    Some((port, departure(acquired, wanted).filter(|_| watched)?))
}

/// The stream with a wrong number of elements, and how it differs. The report is in bytes. Returns
/// None when the design does not state the amount of the stream.
fn moved_otherwise(checked: &Checked, moved: &Acquired) -> Option<(PortId, Departure)> {
    let port = port(checked, &moved.port)?;
    let flow = stated(checked, port)?;
    let size = u64::from(flow.element.bytes());
    let elements = |bytes: u64| bytes.div_ceil(size);
    let whole = Acquired {
        fewest: elements(moved.fewest),
        most: elements(moved.most),
        now: elements(moved.now),
        ..moved.clone()
    };
    let wanted = u64::from(flow.per_run?);
    // A kernel may open a channel for fewer elements.
    let free =
        matches!(checked.ports[port].role, PortRole::Channel(_)) && whole.most.max(whole.now) <= wanted;
    let departure = departure(&whole, wanted).filter(|_| !free)?;
    let most = whole.most.max(whole.now);
    // Headers behind a packet without an end count as its data.
    let is_unended = moved.open && most > wanted;
    Some((port, if is_unended { Departure::Unended(most) } else { departure }))
}

/// What streams moved whose amounts the design leaves open: a line for each port of a family, if
/// some kernel with it ended a run.
pub fn amounts(checked: &Checked, events: &[Event]) -> Vec<String> {
    let mut seen: Vec<(PortId, u64, u64)> = Vec::new();
    for event in events {
        let Event::Moved(moved) = event else { continue };
        let is_open = |&port: &PortId| {
            checked.has_open_amount(port) && matches!(checked.ports[port].role, PortRole::User(_))
        };
        let open = port(checked, &moved.port).filter(is_open);
        let Some(port) = open.filter(|_| moved.firings > 0) else { continue };
        match seen.iter_mut().find(|(first, ..)| are_alike(checked, *first, port)) {
            Some((_, fewest, most)) => {
                (*fewest, *most) = ((*fewest).min(moved.fewest), (*most).max(moved.most))
            }
            None => seen.push((port, moved.fewest, moved.most)),
        }
    }
    seen.into_iter().filter_map(|(port, fewest, most)| amount(checked, port, fewest, most)).collect()
}

/// Elements of channels that are left since their receivers are some runs behind: a line for each
/// port of a family. The next run of the graph would take them.
pub fn behind(checked: &Checked, events: &[Event]) -> Vec<String> {
    let mut seen: Vec<(PortId, &str, usize)> = Vec::new();
    for event in events {
        let Event::Misuse { port: at, what, severity, .. } = event else { continue };
        let is_end = |&port: &PortId| matches!(checked.ports[port].role, PortRole::Channel(_));
        let Some(port) = port(checked, at).filter(is_end).filter(|_| severity == "note") else { continue };
        match seen.iter_mut().find(|(first, ..)| are_alike(checked, *first, port)) {
            Some((.., more)) => *more += 1,
            None => seen.push((port, what, 0)),
        }
    }
    let line = |(port, what, more): (PortId, &str, usize)| {
        let name = checked.port_name(port);
        let others =
            if more > 0 { format!("; so at {}", count(more as u64, "more kernel")) } else { String::new() };
        format!("`{name}`: {what}, so the next run would take them{others}")
    };
    seen.into_iter().map(line).collect()
}

/// What a stream moved in one run, from the fewest bytes to the most.
fn amount(checked: &Checked, port: PortId, fewest: u64, most: u64) -> Option<String> {
    let (kind, flow) = match checked.ports[port].carries? {
        Carries::Stream(flow) => ("stream", flow),
        Carries::Packets(flow) => ("packets", flow),
        _ => return None,
    };
    let [fewest, most] = [fewest, most].map(|bytes| bytes.div_ceil(flow.element.bytes().into()));
    let (name, element) = (checked.port_name(port), flow.element);
    Some(if fewest == most && most > 0 {
        format!("`{name}` moved {most} elements in each run: `{kind} {element}[{most}]` states it")
    } else {
        format!("`{name}` moved {fewest} to {most} elements in a run, which no port can state")
    })
}

/// The flow of a user's stream or packets, or of a channel, whose elements per run the design
/// states.
fn stated(checked: &Checked, port: PortId) -> Option<Flow> {
    let end = &checked.ports[port];
    match end.carries {
        Some(Carries::Stream(flow) | Carries::Packets(flow))
            if matches!(end.role, PortRole::User(_) | PortRole::Channel(_)) =>
        {
            flow.per_run.is_some().then_some(flow)
        }
        _ => None,
    }
}

/// The fault of a port, and of as many `more` instances of its family.
fn fault(
    checked: &Checked,
    port: PortId,
    departure: Departure,
    more: usize,
    stopped: Option<&Stopped>,
) -> Diagnostic {
    let fault = match stated(checked, port) {
        Some(flow) => {
            let end = &checked.ports[port];
            let name = checked.port_name(port);
            let kind = match (end.role, end.carries) {
                (PortRole::Channel(_), _) => "channel",
                (_, Some(Carries::Packets(_))) => "packets",
                _ => "stream",
            };
            let takes = end.direction == Direction::In;
            let edge = far_end(checked, port);
            let port = FlowPort { name: &name, kind, takes, flow, span: end.span, edge: edge.as_deref() };
            // A port with too few elements may wait for something else.
            let is_at_fault = !matches!(departure, Departure::Always(_));
            errors::stream_amount(port, departure, stopped.filter(|_| is_at_fault))
        }
        None => window_fault(checked, port, departure),
    };
    if more == 0 { fault } else { fault.quoting(&format!("; the same at {more} more of the family")) }
}

fn window_fault(checked: &Checked, port: PortId, departure: Departure) -> Diagnostic {
    let end = &checked.ports[port];
    let wanted = checked.windows_per_run(port).unwrap_or(1);
    let stated = checked.ports[port].windows.as_ref().map(|windows| windows.span);
    let wires = end.connections.iter().map(|&id| checked.connections[id].span);
    let span = stated.or_else(|| wires.into_iter().next()).unwrap_or(end.span);
    errors::windows_per_run(
        WindowsPort { name: &checked.port_name(port), stated: stated.is_some(), span },
        far_end(checked, port).as_deref(),
        wanted,
        departure,
    )
}

/// The port of the design for a port of the program: kernels are created in the order of their ids.
pub fn port(checked: &Checked, at: &PortRef) -> Option<PortId> {
    let kernel = checked.kernels.get(at.kernel.id())?;
    let ports = match at.direction.as_str() {
        "in" => &kernel.inputs,
        "inout" => &kernel.inouts,
        _ => &kernel.outputs,
    };
    ports.get(at.port).copied()
}

/// The input or output to which a port is connected.
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
    use crate::events::{KernelNumber, PortRef};

    #[test]
    fn a_run_that_did_not_end_is_blamed_only_for_too_many() {
        let port = PortRef { kernel: KernelNumber(0), direction: "in".into(), port: 0 };
        let of = |firings, fewest, most, now| Acquired {
            port: port.clone(),
            firings,
            fewest,
            most,
            now,
            open: false,
            line: None,
        };
        assert_eq!(departure(&of(2, 80, 80, 0), 80), None);
        assert_eq!(departure(&of(2, 1, 1, 0), 80), Some(Departure::Always(1)));
        assert_eq!(departure(&of(2, 1, 80, 0), 80), Some(Departure::Varying(1, 80)));
        assert_eq!(departure(&of(0, 0, 0, 40), 80), None, "it may wait for something else");
        assert_eq!(departure(&of(0, 0, 0, 81), 80), Some(Departure::TooMany(81)));
        assert_eq!(departure(&of(1, 80, 80, 81), 80), Some(Departure::Varying(80, 81)));
    }
}
