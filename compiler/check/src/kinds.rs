//! Kinds of ports: which of them a connection may join.
//!
//! A window and a stream fit together, since a DMA moves words between memory and the stream
//! network (UG1079, "Connecting Streams and Windows"). A cascade runs from core to core beside the
//! network, and a parameter lies in memory that the host writes. Both fit their own kind alone.

use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::errors::kinds as errors;
use aiec_ir::{Carries, PortId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    // The kind of an input or output is that of its first connection, so it says nothing here.
    let kind = |port: PortId| {
        let carries = design.ports[port].carries.filter(|_| design.kernel_of(port).is_some());
        carries.map_or("", Carries::word)
    };
    let alone = ["cascade", "parameter"];
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let kinds = [kind(connection.from), kind(connection.to)];
        let mixed = kinds[0] != kinds[1] && kinds.iter().any(|kind| alone.contains(kind));
        mixed.then_some(((connection.span, kinds), id))
    });
    grouped(faults).values().map(|connections| errors::port_kinds(design, connections)).collect()
}
