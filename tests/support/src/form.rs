//! The form of an expanded design without names, source locations and paths, for comparisons.

use std::fmt::Debug;

use aiec_diag::Spanned;
use aiec_ir::Expanded;
use aiec_ir::blocks::{Block, BlockPlace};
use aiec_ir::design::{Body, Endpoint};

/// The first difference between two designs besides names, source locations and paths of files that
/// hold C++. Returns None when they have one form: the same kernels, ports, connections and
/// constraints, each in the same order.
pub fn first_difference(a: &Expanded, b: &Expanded) -> Option<String> {
    let (a, b) = (form(a), form(b));
    let different = a.iter().zip(&b).find(|(a, b)| a != b);
    let different = different.map(|(a, b)| format!("{a}\nis not\n{b}"));
    different.or_else(|| (a.len() != b.len()).then(|| format!("{} and {} lines", a.len(), b.len())))
}

fn value<T: Debug>(spanned: &Option<Spanned<T>>) -> String {
    format!("{:?}", spanned.as_ref().map(|spanned| &spanned.value))
}

/// One line for each entry of each table.
fn form(design: &Expanded) -> Vec<String> {
    let mut lines = vec![format!("{} {:?}", design.device.value, design.port_kind)];
    for kernel in design.kernels.ids() {
        let (one, body) = (&design.kernels[kernel], code(design.body(kernel)));
        let ports = (&one.inputs, &one.outputs, &one.inouts);
        lines.push(format!(
            "kernel {kernel:?} {:?} {} {ports:?} {} {body}",
            one.family, one.index, one.repetitions
        ));
    }
    for (id, port) in design.ports.enumerate() {
        let carries = port.carries.map(|carries| carries.to_string());
        let rest = (&port.connections, port.asynchronous, port.switch, port.role);
        lines.push(format!(
            "port {id:?} {:?} {:?} {carries:?} {rest:?} {}",
            port.owner,
            port.slot,
            value(&port.windows)
        ));
    }
    for (id, wire) in design.connections.enumerate() {
        let ends = (wire.from, wire.to, wire.buffering, wire.switch);
        let windows = (value(&wire.windows.from), value(&wire.windows.to));
        lines.push(format!("connection {id:?} {ends:?} {} {windows:?}", value(&wire.fifo)));
    }
    for (id, external) in design.externals.enumerate() {
        let end = endpoint(&external.endpoint);
        lines.push(format!(
            "external {id:?} {:?} {} {:?} {end}",
            external.family, external.index, external.direction
        ));
    }
    for (id, host) in design.parameters.enumerate() {
        lines.push(format!("parameter {id:?} {:?} {:?} {:?}", host.direction, host.ports, host.values));
    }
    for (id, switch) in design.switches.enumerate() {
        lines.push(format!("switch {id:?} {:?} {:?} {:?}", switch.kind, switch.trunk, switch.branches));
    }
    lines.extend(
        design.cascades.iter().map(|one| format!("cascade {:?} {:?} {:?}", one.from, one.to, one.origin)),
    );
    lines.extend(constraints(design));
    lines
}

fn code(body: &Body) -> String {
    let numbers =
        [&body.stack, &body.heap, &body.runtime, &body.program, &body.repetitions, &body.cycles].map(value);
    let arguments = (&body.template, &body.arguments);
    format!("{} {arguments:?} {} {numbers:?}", body.function, value(&body.init))
}

fn endpoint(endpoint: &Endpoint) -> String {
    match endpoint {
        Endpoint::Plio { bits, file, frequency } => {
            format!("plio {} {file} {}", bits.value, value(frequency))
        }
        Endpoint::Gmio { file, burst, bandwidth } => {
            format!("gmio {file:?} {} {}", value(burst), value(bandwidth))
        }
    }
}

fn constraints(design: &Expanded) -> Vec<String> {
    let mut lines: Vec<String> =
        design.places.iter().map(|at| format!("place {:?} {} {}", at.kernel, at.column, at.row)).collect();
    let all = &design.constraints;
    lines.extend(
        all.offsets
            .iter()
            .map(|one| format!("{:?} at {:?} + {} {}", one.kernel, one.from, one.columns, one.rows)),
    );
    lines.extend(all.regions.iter().map(|one| format!("region {:?} {:?}", one.kernels, one.areas)));
    lines.extend(all.together.iter().map(|one| format!("together {:?}", one.kernels)));
    lines.extend(all.apart.iter().map(|one| format!("apart {:?}", one.kernels)));
    lines.extend(all.distinct.iter().map(|one| format!("by core {:?}", one.kernels)));
    lines.extend(
        all.aligned
            .iter()
            .map(|one| format!("{:?} at {:?} {:?} {}", one.kernel, one.from, one.axis, one.distance)),
    );
    lines.extend(
        design.shims.iter().map(|one| format!("shim {:?} {} {:?}", one.external, one.column, one.channel)),
    );
    lines.extend(all.keepouts.iter().map(|one| format!("keepout {:?}", one.area)));
    lines.extend(design.blocks.places.iter().map(block));
    lines.extend(design.blocks.apart.iter().map(|one| format!("apart {:?}", one.ports)));
    lines
}

fn block<K: Debug, P: Debug>(place: &BlockPlace<K, P>) -> String {
    let name = match &place.block {
        Block::Stack(kernel) => format!("stack of {kernel:?}"),
        Block::Buffers(port) => format!("buffers of {port:?}"),
    };
    format!("{name} {:?}", place.spots)
}
