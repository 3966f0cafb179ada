//! Kinds of ports: the ends of a connection carry the same, or what a DMA or a packet switch converts
//! (UG1079, "Connections", "Explicit Packet Switching").

use aiec_diag::{Diagnostic, Span};

use super::context::{Context, grouped};
use crate::errors::kinds as errors;
use aiec_ir::expanded::{Connection, Expanded, Owner, SwitchKind};
use aiec_ir::{Carries, ConnectionId, PortId};

/// The reason why two ends do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Misfit {
    /// A cascade leads from core to core and nowhere else.
    Cascade,
    /// A parameter has no stream.
    Parameter,
    /// Packets meet no window and no circuit-switched stream without a split or merge.
    Packets,
    /// A branch of a split or merge is a circuit-switched stream.
    Branch,
    /// The producer of a split writes no headers.
    Split,
    /// Merged packets end at a circuit-switched stream.
    Merge,
}

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let misfits = design.connections.enumerate().filter_map(|(id, connection)| {
        let misfit = misfit(design, connection)?;
        Some(((connection.span, misfit), (id, misfit)))
    });
    let groups = grouped(misfits);
    let mut found: Vec<Diagnostic> = groups
        .values()
        .map(|connections| {
            errors::kind_mismatch(design, connections[0].0, connections[0].1, connections.len())
        })
        .collect();
    found.extend(cascade_types(context));
    found.extend(shared_ends(context));
    found
}

fn misfit(design: &Expanded, connection: &Connection) -> Option<Misfit> {
    let ends = [connection.from, connection.to];
    let [from, to] = ends.map(|port| design.ports[port].carries);
    let outside = ends.map(|port| matches!(design.ports[port].owner, Owner::External(_)));
    let (from, to) = (from?, to?);
    let is = |test: fn(&Carries) -> bool| (test(&from), test(&to));
    if let (true, _) | (_, true) = is(|end| matches!(end, Carries::Cascade(_))) {
        let both = design.is_cascade(connection.from) && design.is_cascade(connection.to);
        return (!both || connection.switch.is_some()).then_some(Misfit::Cascade);
    }
    if let (true, _) | (_, true) = is(|end| matches!(end, Carries::Parameter(_))) {
        let both = is(|end| matches!(end, Carries::Parameter(_))) == (true, true);
        return (!both || outside.contains(&true) || connection.switch.is_some())
            .then_some(Misfit::Parameter);
    }
    let is_stream = |end: Carries, outside: bool| matches!(end, Carries::Stream(_)) && !outside;
    let is_packets = |end: Carries| matches!(end, Carries::Packets(_));
    match connection.switch.map(|switch| design.switches[switch].kind) {
        None => (is_packets(from) != is_packets(to)).then_some(Misfit::Packets),
        Some(SwitchKind::Split) if !is_packets(from) => Some(Misfit::Split),
        Some(SwitchKind::Split) => is_stream(to, outside[1]).then_some(Misfit::Branch),
        Some(SwitchKind::Merge | SwitchKind::OrderedMerge) => match () {
            () if is_stream(to, outside[1]) => Some(Misfit::Merge),
            () => is_stream(from, outside[0]).then_some(Misfit::Branch),
        },
    }
}

/// Cascades whose ends have different types.
fn cascade_types(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let ends = [connection.from, connection.to].map(|port| match design.ports[port].carries {
            Some(Carries::Cascade(lanes)) => Some(lanes),
            _ => None,
        });
        let [Some(from), Some(to)] = ends else { return None };
        (from != to).then_some((connection.span, id))
    });
    let groups = grouped(faults);
    groups.values().map(|connections| errors::cascade_types(design, connections)).collect()
}

/// Ports of a split or merge that have another connection besides: a trunk has the connections of
/// its switch, a branch has one.
fn shared_ends(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let stray = |port: PortId| -> Option<((Span, Span), (PortId, ConnectionId, ConnectionId))> {
        let connections = &design.ports[port].connections;
        let switched = |&&id: &&ConnectionId| design.connections[id].switch.is_some();
        let branch = *connections.iter().find(switched)?;
        let switch = design.connections[branch].switch?;
        let is_trunk = design.switches[switch].trunk == port;
        let belongs =
            |id: ConnectionId| id == branch || (is_trunk && design.connections[id].switch == Some(switch));
        let other = connections.iter().copied().find(|&id| !belongs(id))?;
        let spans = (design.connections[branch].span, design.connections[other].span);
        Some((spans, (port, branch, other)))
    };
    let groups = grouped(design.ports.ids().filter_map(stray));
    groups.values().map(|ports| errors::packet_ends(design, ports)).collect()
}
