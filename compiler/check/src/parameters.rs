//! Run-time parameters: both ends agree, the host has the values they need, and each has one writer
//! or one reader. A kernel that runs several times in an iteration has a synchronous one only from
//! a kernel that runs as often.
//!
//! A synchronous parameter holds its kernel up until it has a new value in each run. An
//! asynchronous one has its first value before the first run, then keeps it (UG1079, "Runtime
//! Parameter Specification"). The host program of an ADF graph has its values.

use std::ops::RangeInclusive;

use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::errors::parameters as errors;
use aiec_collectives::{Direction, ElementType};
use aiec_device::Board;
use aiec_ir::expanded::{Connection, DataEnd, Expanded, HostParameter};
use aiec_ir::{Carries, ConnectionId, Decimal, ParameterId, ParameterType, PortId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = mismatches(context);
    if context.expanded.is_adf() {
        found.extend(sources(context));
        return found;
    }
    found.extend(unlike(context));
    found.extend(out_of_step(context));
    found.extend(context.expanded.parameters.ids().filter_map(|id| values(context, id)));
    found.extend(sources(context));
    found.extend(readers(context));
    found.extend(starved(context));
    found.extend(unused(context));
    found.extend(of_card(context));
    found
}

/// The type of a parameter, whichever way it goes.
fn type_of(context: &Context, port: PortId) -> Option<(ElementType, Option<u32>)> {
    match context.expanded.ports[port].carries? {
        Carries::Parameter(ParameterType { element, elements }) => Some((element, elements)),
        _ => None,
    }
}

/// Connections from or to a parameter whose other end is none, or one of another type. A parameter
/// is no stream, so an input or output through the interface row is no end for it.
fn mismatches(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let (from, to) = (type_of(context, connection.from), type_of(context, connection.to));
        let inside = design.kernel_of(connection.from).is_some() && design.kernel_of(connection.to).is_some();
        let alike = from == to || (design.is_adf() && from.is_some() == to.is_some());
        let fault = (from.is_some() || to.is_some()) && (!alike || !inside);
        let ends = (context.declaration(connection.from), context.declaration(connection.to));
        fault.then_some(((ends, connection.span), id))
    });
    let groups = grouped(faults);
    groups.values().map(|ids: &Vec<ConnectionId>| errors::mismatch(design, ids)).collect()
}

/// Parameters between kernels with one synchronous and one asynchronous end.
fn out_of_step(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, wire)| {
        let (from, to) = (type_of(context, wire.from)?, type_of(context, wire.to)?);
        let differ = design.ports[wire.from].asynchronous != design.ports[wire.to].asynchronous;
        let ends = (context.declaration(wire.from), context.declaration(wire.to));
        (from == to && differ).then_some(((ends, wire.span), id))
    });
    grouped(faults).values().map(|ids: &Vec<ConnectionId>| errors::out_of_step(design, ids)).collect()
}

/// Parameters of the host that lead to ports of different types.
fn unlike(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.parameters.enumerate().filter_map(|(id, host)| {
        let first = *host.ports.first()?;
        let other = host.ports.iter().find(|&&port| type_of(context, port) != type_of(context, first))?;
        Some(((host.family, context.declaration(first), context.declaration(*other)), (id, first, *other)))
    });
    let groups = grouped(faults);
    let one_of = |all: &Vec<(ParameterId, PortId, PortId)>| {
        let (id, first, other) = all[0];
        errors::unlike(design, id, first, other)
    };
    groups.values().map(one_of).collect()
}

/// What is wrong with the values of a parameter of the host.
fn values(context: &Context, id: ParameterId) -> Option<Diagnostic> {
    let design = context.expanded;
    let host = &design.parameters[id];
    let initial = &host.values.initial;
    let first = *host.ports.first()?;
    if initial.is_empty() {
        return None;
    }
    // One diagnostic for each declaration, not for each element of an array.
    if design.parameters.ids().any(|other| other < id && design.parameters[other].family == host.family) {
        return None;
    }
    if host.direction == Direction::In {
        return Some(errors::initial_of_output(host));
    }
    if host.values.file.is_some() {
        return Some(errors::initial_and_file(host));
    }
    let (element, _) = type_of(context, first)?;
    let is_synchronous = |port: &&PortId| !design.ports[**port].asynchronous;
    if let Some(&port) = host.ports.iter().find(is_synchronous) {
        return Some(errors::initial_of_synchronous(design, host, port));
    }
    let block = design.data_carries(DataEnd::Parameter(id))?.block()?;
    let needed = u64::from(block.elements) * u64::from(element.parts());
    if initial.len() as u64 != needed {
        return Some(errors::initial_count(design, host, first, needed));
    }
    out_of_range(host, element).map(|value| errors::initial_range(design, host, first, value))
}

/// The first initial value that the type cannot hold.
fn out_of_range(host: &HostParameter, element: ElementType) -> Option<Decimal> {
    let range = range(element)?;
    let fits = |value: &Decimal| value.whole().is_some_and(|whole| range.contains(&i128::from(whole)));
    host.values.initial.iter().copied().find(|value| !fits(value))
}

/// The least and the largest number of a type of whole numbers. Returns None when the type is a
/// float, which takes the nearest number to each one of 64 bits.
fn range(element: ElementType) -> Option<RangeInclusive<i128>> {
    let signed = |bits: u32| -(1i128 << (bits - 1))..=(1i128 << (bits - 1)) - 1;
    let unsigned = |bits: u32| 0..=(1i128 << bits) - 1;
    Some(match element {
        ElementType::Int8 => signed(8),
        ElementType::Int16 | ElementType::Cint16 => signed(16),
        ElementType::Int32 | ElementType::Cint32 => signed(32),
        ElementType::Int64 => signed(64),
        ElementType::Uint8 => unsigned(8),
        ElementType::Uint16 => unsigned(16),
        ElementType::Uint32 => unsigned(32),
        ElementType::Uint64 => unsigned(64),
        ElementType::Float | ElementType::Cfloat => return None,
    })
}

/// Inputs of kernels that take their parameter from several: the host, or other kernels.
fn sources(context: &Context) -> Vec<Diagnostic> {
    several(context, Direction::In).iter().map(|ports| errors::sources(context.expanded, ports)).collect()
}

/// Parameters that a kernel gives back to more than one reader.
fn readers(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let is_shared = |port: &PortId| {
        !design.is_adf()
            && !design.ports[*port].connections.is_empty()
            && hosts_of(context, *port).next().is_some()
    };
    let mut found = Vec::new();
    for ports in several(context, Direction::Out) {
        let (shared, others): (Vec<_>, Vec<_>) = ports.into_iter().partition(is_shared);
        found.extend((!shared.is_empty()).then(|| errors::shared(design, &shared)));
        found.extend((!others.is_empty()).then(|| errors::readers(design, &others)));
    }
    found
}

/// Synchronous parameters of kernels that run more often in an iteration than the other end gives
/// or takes values. The host of a design gives and takes one in each iteration; that of an ADF
/// graph may do so more often, and so may what a design connects with a component. A kernel waits
/// for the reader of another one when its buffers are full.
fn starved(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let runs = |port: PortId| design.kernel_of(port).map(|kernel| design.kernels[kernel].repetitions);
    let waits = |port: PortId| type_of(context, port).is_some() && !design.ports[port].asynchronous;
    let fault = |port: PortId, most: u32, span| {
        let fault = waits(port) && runs(port)? > most;
        fault.then_some(((context.declaration(port), span), (port, most)))
    };
    let hosts = design.parameters.iter().filter(|_| !design.is_adf() && !design.is_component);
    let hosts = hosts.flat_map(|host| host.ports.iter().filter_map(move |&port| fault(port, 1, host.span)));
    let wires = design.connections.iter();
    let wires = wires.filter_map(|wire| {
        let (written, read) = (runs(wire.from)?, runs(wire.to)?);
        let fills = || fills_up(design, wire, written, read);
        fault(wire.to, written, wire.span).or_else(|| fault(wire.from, read, wire.span).filter(|_| fills()))
    });
    grouped(hosts.chain(wires)).iter().map(|((_, span), ends)| errors::starved(design, ends, *span)).collect()
}

/// True if the values that nobody reads, `written - read` in each iteration, pass what the buffers
/// of the connection hold.
fn fills_up(design: &Expanded, wire: &Connection, written: u32, read: u32) -> bool {
    u64::from(written.saturating_sub(read)) * u64::from(design.iterations) > wire.buffering.copies().into()
}

/// Ports with a parameter and more than one other end, by declaration.
fn several(context: &Context, direction: Direction) -> Vec<Vec<PortId>> {
    let design = context.expanded;
    let faults = design.ports.enumerate().filter_map(|(id, port)| {
        type_of(context, id)?;
        let ends = hosts_of(context, id).count() + port.connections.len();
        // Several connections into one port are a fan-in already.
        let is_reported = direction == Direction::In && port.connections.len() > 1;
        let fault = port.direction == direction && design.kernel_of(id).is_some() && ends > 1 && !is_reported;
        fault.then(|| (context.declaration(id), id))
    });
    grouped(faults).into_values().collect()
}

/// The parameters of the host that are connected to a port, each once for every connection.
fn hosts_of<'a>(context: &'a Context, port: PortId) -> impl Iterator<Item = ParameterId> + 'a {
    let all = context.expanded.parameters.enumerate();
    all.flat_map(move |(id, host)| host.ports.iter().filter(move |&&at| at == port).map(move |_| id))
}

/// Parameters of the host that nothing is connected to.
fn unused(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.parameters.enumerate().filter(|(_, host)| host.ports.is_empty());
    let groups = grouped(faults.map(|(id, host)| (host.family, id)));
    groups.values().map(|ids| errors::unused(design, ids)).collect()
}

/// Parameters of the host of a card: no document shows a server that writes one.
fn of_card(context: &Context) -> Option<Diagnostic> {
    let design = context.expanded;
    let first = design.parameters.iter().next()?;
    (design.board == Board::Vck5000)
        .then(|| errors::of_card(design, first.span, &first.name, design.parameters.len()))
}
