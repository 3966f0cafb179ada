//! Errors of the kinds of ports.

use aiec_diag::{Diagnostic, catalogue};

use super::{and_more, connection, labelled};
use aiec_ir::expanded::Expanded;
use aiec_ir::{Carries, ConnectionId, PortId};

/// One end of these connections, all of one `connect`, carries a cascade or a parameter, and the
/// other end does not.
pub(crate) fn port_kinds(design: &Expanded, connections: &[ConnectionId]) -> Diagnostic {
    let wire = &design.connections[connections[0]];
    let name = and_more(&connection(design, connections[0]), connections.len());
    let kind = |port: PortId| match design.ports[port].carries {
        Some(carries) if design.kernel_of(port).is_some() => format!("a {}", carries.word()),
        _ => "a port of the array".to_owned(),
    };
    let kinds = [wire.from, wire.to].map(kind);
    let is_cascade = [wire.from, wire.to].iter().any(|&port| {
        matches!(design.ports[port].carries, Some(Carries::Cascade(_))) && design.kernel_of(port).is_some()
    });
    let leaves = [wire.from, wire.to].iter().any(|&port| design.kernel_of(port).is_none());
    let (why, help) = if leaves && is_cascade {
        (
            "a cascade leads from one core to the next one and to nothing else",
            "declare the kernel's port as a stream or a window",
        )
    } else if is_cascade {
        (
            "a cascade leads from one core to the next one and to nothing else",
            "declare both ends `cascade` with one type, or both as streams",
        )
    } else {
        (
            "a parameter is memory that the host or another kernel's parameter writes",
            "declare both ends `parameter`, or connect it to an `input ... from host`",
        )
    };
    let message = format!("{name} joins {} and {}: {why}", kinds[0], kinds[1]);
    let diagnostic = Diagnostic::new(&catalogue::PORT_KINDS, message, help)
        .label(wire.span, format!("from {} to {}", kinds[0], kinds[1]));
    let ports = [wire.from, wire.to].into_iter().filter(|&port| design.kernel_of(port).is_some());
    labelled(
        diagnostic,
        ports.map(|port| {
            let carries = design.ports[port].carries.map_or_else(String::new, |carries| carries.to_string());
            (design.ports[port].span, format!("`{}` is {carries}", design.port_name(port)))
        }),
    )
}
