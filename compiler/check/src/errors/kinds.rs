//! Errors of ports whose kinds do not fit.

use aiec_diag::{Diagnostic, catalogue};

use super::{and_more, fixes, labelled};
use aiec_ir::expanded::{Expanded, Owner, PacketSwitch};
use aiec_ir::{Carries, ConnectionId, ElementType, PortId};

/// The reason why two ends do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Misfit {
    /// A cascade leads from core to core and nowhere else.
    Cascade,
    /// Packets meet no window and no circuit-switched stream without a split or merge.
    Packets,
    /// A branch of a split or merge is a circuit-switched stream.
    Branch,
    /// The producer of a split writes no headers.
    Split,
    /// Merged packets end at a circuit-switched stream.
    Merge,
}

/// The port as the design declares it, such as `window int32[16]`.
fn said(design: &Expanded, port: PortId) -> String {
    let port = &design.ports[port];
    match (port.owner, port.carries) {
        (Owner::External(_), _) => "an input or output of the array".to_owned(),
        (Owner::Kernel(_), Some(carries)) => format!("`{carries}`"),
        (Owner::Kernel(_), None) => "nothing".to_owned(),
    }
}

/// Nothing converts what one end of `count` connections carries into what the other end does: the
/// first of them.
pub(crate) fn kind_mismatch(design: &Expanded, id: ConnectionId, misfit: Misfit, count: usize) -> Diagnostic {
    let connection = &design.connections[id];
    let [from, to] = [connection.from, connection.to].map(|port| design.port_name(port));
    let (reason, help) = match misfit {
        Misfit::Cascade => (
            "a cascade leads from one core to the next and nowhere else (AM009)",
            match [connection.from, connection.to].map(|port| design.ports[port].owner) {
                [Owner::External(_), _] => {
                    "put a kernel in front that takes the input as a window or stream and writes the cascade, or declare \
                     the port as a `stream` with a number of elements"
                }
                [_, Owner::External(_)] => {
                    "put a kernel behind it that reads the cascade and gives a window or stream, or declare the port as a \
                     `stream` with a number of elements"
                }
                _ => "give both ports the same `cascade` type, or make both a `stream`",
            },
        ),
        Misfit::Packets => (
            "headers are taken off and put on only at a branch of a `split` or `merge`",
            "write `split` or `merge` behind the arrow, or give both ports the same kind",
        ),
        Misfit::Branch => (
            "a branch of a split or merge is a window, whose DMA handles headers, or carries `packets` (UG1079)",
            "declare the port as `packets` and handle headers in the kernel, or as a `window`",
        ),
        Misfit::Split => (
            "the ids in the headers choose the branches, and this port writes no headers",
            "declare the producer as `packets`, or split what comes from an `input`",
        ),
        Misfit::Merge => (
            "merged packets have headers, which a circuit-switched stream does not tell from data",
            "declare the consumer as `packets`",
        ),
    };
    let name = and_more(&format!("{from} -> {to}"), count);
    let message = format!("{name} cannot be connected: {reason}");
    let ends = [connection.from, connection.to].map(|port| {
        let name = design.port_name(port);
        (design.ports[port].span, format!("`{name}` is {}", said(design, port)))
    });
    let diagnostic = Diagnostic::new(&catalogue::KIND_MISMATCH, message, help)
        .label(connection.span, format!("joins `{from}` and `{to}`"));
    labelled(diagnostic, ends)
}

/// The ends of these cascades, made by one construct, have different types.
pub(crate) fn cascade_types(design: &Expanded, connections: &[ConnectionId]) -> Diagnostic {
    let connection = &design.connections[connections[0]];
    let [from, to] = [connection.from, connection.to].map(|port| design.port_name(port));
    let lanes = [connection.from, connection.to].map(|port| match design.ports[port].carries {
        Some(Carries::Cascade(lanes)) => lanes.name(),
        _ => "",
    });
    let name = and_more(&format!("{from} -> {to}"), connections.len());
    let message = format!("{name}: a cascade of {} at one end and of {} at the other", lanes[0], lanes[1]);
    let ends = [connection.from, connection.to].into_iter().zip(lanes);
    let labels = ends.map(|(port, lanes)| (design.ports[port].span, format!("`{lanes}` here")));
    let help = "give both ports the same type, and convert in a kernel";
    let diagnostic = Diagnostic::new(&catalogue::TYPE_MISMATCH, message, help)
        .label(connection.span, format!("joins `{from}` and `{to}`"));
    fixes::same_element(labelled(diagnostic, labels), design, connection)
}

/// The ends of these streams, made by one construct, have different element types.
pub(crate) fn stream_types(design: &Expanded, connections: &[ConnectionId]) -> Diagnostic {
    let connection = &design.connections[connections[0]];
    let [from, to] = [connection.from, connection.to].map(|port| design.port_name(port));
    let name = and_more(&format!("{from} -> {to}"), connections.len());
    let said = [connection.from, connection.to].map(|port| said(design, port));
    let message = format!("{name}: {} at one end and {} at the other", said[0], said[1]);
    let ends = [connection.from, connection.to].into_iter().zip(said);
    let labels = ends.map(|(port, said)| (design.ports[port].span, format!("{said} here")));
    let help = "give both ports the same type; if the reader takes the bits as they are, write \
                `allow \"check/stream-types\" because \"...\"`";
    let diagnostic = Diagnostic::new(&catalogue::STREAM_TYPES, message, help)
        .label(connection.span, "the bits pass as they are".to_owned());
    fixes::same_element(labelled(diagnostic, labels), design, connection)
}

/// The branches of a split of an input, or of a merge into an output, have different element types.
pub(crate) fn branch_types(
    design: &Expanded,
    switch: &PacketSwitch,
    branches: [(PortId, ElementType); 2],
) -> Diagnostic {
    let (trunk, kind) = (design.port_name(switch.trunk), switch.kind.word());
    let [first, other] = branches.map(|(_, element)| element);
    let message = format!("the branches of `{trunk}` have different element types: {first} and {other}");
    let help =
        format!("give all branches of the {kind} the same type, or each type an input or output of its own");
    let labels = branches.map(|(port, element)| {
        (design.ports[port].span, format!("`{}` has {element}", design.port_name(port)))
    });
    labelled(Diagnostic::new(&catalogue::TYPE_MISMATCH, message, help), labels)
        .label(switch.span, format!("the {kind}"))
}

/// A split begins beyond `missing`, which no branch of its port has.
pub(crate) fn branch_gap(design: &Expanded, split: &PacketSwitch, missing: u32) -> Diagnostic {
    let (port, first) = (design.port_name(split.trunk), split.first);
    let message = format!(
        "no branch of `{port}` has the number {missing}, but one has {first}: the branches of the splits at a port have \
         the numbers from 0 on"
    );
    let help = format!("write `split from {missing}` here, or a split of `{port}` with the missing numbers");
    Diagnostic::new(&catalogue::BRANCH_GAP, message, help)
        .label(split.span, format!("begins at {first}"))
        .fix(
            format!("write `split from {missing}`"),
            split.first_span.map(|span| (span, missing.to_string())),
        )
}

/// These ports are ends of a split or merge and of another connection: each with the branch and the
/// other connection.
pub(crate) fn packet_ends(design: &Expanded, ports: &[(PortId, ConnectionId, ConnectionId)]) -> Diagnostic {
    let (port, branch, other) = ports[0];
    let (port, count) = (design.port_name(port), ports.len());
    let name = and_more(&port, count);
    let verb = if count == 1 { "takes" } else { "take" };
    let message = format!(
        "{name} {verb} part in a split or merge and in another connection, but packets and circuits share no port"
    );
    let help = "connect a port of its own, or make the other connection a branch too";
    Diagnostic::new(&catalogue::PACKET_ENDS, message, help)
        .label(design.connections[branch].span, format!("`{port}` carries packets here"))
        .label(design.connections[other].span, format!("`{port}` is connected again"))
}
