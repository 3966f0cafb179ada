//! Diagnostics of routing and of the verification of routes.

use aiec_check::Checked;
use aiec_diag::{Diagnostic, Span, catalogue, count};
use aiec_ir::PortId;
use aiec_ir::expanded::Owner;

use crate::cuts::{Boundary, Crossing};
use crate::fabric::Side;
use crate::net::Net;
use crate::pathfinder::{EdgeLoad, Refusal};
use crate::request::NetId;
use crate::switch::Switch;
use crate::wiring::Shortage;

/// Maximum number of constructs that one diagnostic points at.
const MAX_LABELS: usize = 8;
/// Maximum number of nets that one label names.
const MAX_NAMES: usize = 3;
/// Maximum number of edges that one diagnostic names.
const MAX_EDGES: usize = 4;

/// Help for a sink without a path.
pub(crate) const UNREACHABLE_HELP: &str = "place one end in another tile: not every crossbar joins all ports of its switch; in a device \
     file of your own, check the `[switch]` numbers, since a side without wires separates rows or columns";

/// The diagnostic for a refusal, in terms of the design.
pub(crate) fn refusal(checked: &Checked, nets: &[Net], refusal: &Refusal) -> Diagnostic {
    let ports = |ids: &[NetId]| -> Vec<PortId> {
        ids.iter().filter_map(|id| nets.get(id.index())).map(|net| net.from).collect()
    };
    match refusal {
        Refusal::Overfull(cut) => overfull_cut(checked, cut, &ports(&cut.nets)),
        Refusal::NoSettings(shortage) => no_settings(checked, shortage, &ports(&[shortage.net])),
        Refusal::Unreachable(net) => unreachable(checked, &ports(&[*net])),
        Refusal::GaveUp { rounds, worst, nets } => gave_up(checked, *rounds, worst, &ports(nets)),
    }
}

/// More nets must cross a line than it has wires: this placement has no routing. If the line lies
/// between the interface row and the array, no placement has one, because every net of a PLIO or
/// GMIO crosses it.
fn overfull_cut(checked: &Checked, cut: &Crossing, nets: &[PortId]) -> Diagnostic {
    let (demand, capacity) = (cut.demand(), cut.capacity);
    let scope = if cut.is_the_interface() { "" } else { "in this placement " };
    let message = format!(
        "{scope}{} must cross {}, which has {}",
        count(demand.into(), "net"),
        cut.boundary,
        count(capacity.into(), "wire")
    );
    let advice = advice(checked, cut, nets);
    let help = match vendor_wording(cut, demand) {
        Some(vendor) => format!("{advice}; aiecompiler would say \"{vendor}\""),
        None => advice.to_owned(),
    };
    with_nets(Diagnostic::new(&catalogue::OVERFULL, message, help), checked, nets, "must cross")
}

/// Help that fits most of the nets that must cross. A placement can keep nets between kernels from
/// crossing. Nets of inputs and outputs end at the columns with PLIO and NoC.
fn advice(checked: &Checked, cut: &Crossing, nets: &[PortId]) -> &'static str {
    let outside = nets.iter().filter(|&&net| ends_outside(checked, net)).count();
    if cut.is_the_interface() {
        "send one input to several kernels, and combine results before they leave the array"
    } else if 2 * outside > nets.len() {
        "place the kernels of these inputs and outputs on the side where the PLIO and GMIO columns are, over more columns, or combine \
         what they send before it leaves the array"
    } else {
        "place kernels that exchange windows where they share memory, or on the same side of this line"
    }
}

/// True if the net of `port` comes from an input or goes to an output.
fn ends_outside(checked: &Checked, port: PortId) -> bool {
    let is_external = |port: PortId| matches!(checked.ports[port].owner, Owner::External(_));
    let connections = &checked.ports[port].connections;
    is_external(port) || connections.iter().any(|&id| is_external(checked.connections[id].to))
}

/// The wording of `aiecompiler` for a full column (message 35-3253 of its router, as published by
/// users).
pub(crate) fn vendor_wording(cut: &Crossing, demand: u32) -> Option<String> {
    let Boundary::Column { column, towards } = &cut.boundary else { return None };
    let towards = towards.to_string().to_uppercase();
    let capacity = cut.capacity;
    Some(format!(
        "[aiecompiler 35-3253] AIE Router found too many nets on Column: {column} going {towards}, {demand}/{capacity}"
    ))
}

/// The search ended without a legal routing and without a proof that there is none.
fn gave_up(checked: &Checked, rounds: u32, worst: &[EdgeLoad], nets: &[PortId]) -> Diagnostic {
    let mut edges: Vec<String> = worst.iter().take(MAX_EDGES).map(edge_load).collect();
    if worst.len() > MAX_EDGES {
        edges.push(format!("{} more", worst.len() - MAX_EDGES));
    }
    let message = format!("no legal routing after {rounds} rounds; still overfull: {}", edges.join(", "));
    let help = "place the kernels of these connections farther from the crowded edges, or where they share memory; \
                more rounds may help when few edges are left";
    with_nets(
        Diagnostic::new(&catalogue::ROUTE_GAVE_UP, message, help),
        checked,
        nets,
        "compete for these edges",
    )
}

/// A switch has too few FIFOs, arbiters or packet rules for its nets.
fn no_settings(checked: &Checked, shortage: &Shortage, nets: &[PortId]) -> Diagnostic {
    let message =
        format!("{} lacks {} for the nets that pass it", switch_name(shortage.switch), shortage.what);
    let help = "place the kernels of this connection elsewhere, or let fewer packet streams meet in one split or merge";
    with_nets(Diagnostic::new(&catalogue::ROUTE_GAVE_UP, message, help), checked, nets, "got no settings")
}

/// No wires of the device connect a net's source and sink.
fn unreachable(checked: &Checked, nets: &[PortId]) -> Diagnostic {
    let message = format!("no wires lead from {} to all of its consumers", names(checked, nets));
    with_nets(
        Diagnostic::new(&catalogue::UNREACHABLE, message, UNREACHABLE_HELP),
        checked,
        nets,
        "has no way",
    )
}

/// A route breaks a rule; `fault` says which.
pub(crate) fn bad_route(checked: &Checked, port: PortId, fault: &str) -> Diagnostic {
    let name =
        if checked.ports.get(port).is_some() { checked.port_name(port) } else { "an unknown port".into() };
    let message = format!("the route of `{name}` is not legal: {fault}");
    let help = "let aiec route the design itself; if it did, please report this as a fault of aiec";
    let diagnostic = Diagnostic::new(&catalogue::BAD_ROUTE, message, help);
    diagnostic.label_at(span_of(checked, port), "this connection is routed")
}

/// An edge carries more nets than it has wires.
pub(crate) fn overfull_edge(
    checked: &Checked,
    from: Switch,
    to: Switch,
    nets: &[PortId],
    wires: u32,
) -> Diagnostic {
    let message = format!(
        "{} nets use the edge from {} to {}, which has {}",
        nets.len(),
        switch_name(from),
        switch_name(to),
        count(wires.into(), "wire")
    );
    let help = "move some of these nets to another edge";
    with_nets(Diagnostic::new(&catalogue::OVERFULL, message, help), checked, nets, "use this edge")
}

fn edge_load(load: &EdgeLoad) -> String {
    let EdgeLoad { switch, side, nets, wires } = load;
    let way = if matches!(side, Side::North | Side::South) { "vertical" } else { "lateral" };
    format!(
        "{} going {side} ({} on {})",
        switch_name(*switch),
        count((*nets).into(), "net"),
        count((*wires).into(), &format!("{way} wire"))
    )
}

/// A switch in the terms of placements: the shim of a column, or a tile.
pub(crate) fn switch_name(switch: Switch) -> String {
    match switch.row.checked_sub(1) {
        None => format!("shim {}", switch.column),
        Some(row) => format!("tile ({}, {row})", switch.column),
    }
}

/// Labels the constructs that the nets come from, each once with the number of its nets.
fn with_nets(mut diagnostic: Diagnostic, checked: &Checked, nets: &[PortId], what: &str) -> Diagnostic {
    let mut groups: Vec<(Span, Vec<PortId>)> = Vec::new();
    for &net in nets {
        let Some(span) = span_of(checked, net) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == span) {
            Some((_, group)) => group.push(net),
            None => groups.push((span, vec![net])),
        }
    }
    groups.sort_by_key(|(span, group)| (std::cmp::Reverse(group.len()), *span));
    for (span, group) in groups.into_iter().take(MAX_LABELS) {
        let count = group.len();
        let plural = if count == 1 { "" } else { "s" };
        diagnostic =
            diagnostic.label(span, format!("{}: {count} net{plural} that {what}", names(checked, &group)));
    }
    diagnostic
}

/// The names of the first nets, and the number of the others.
fn names(checked: &Checked, nets: &[PortId]) -> String {
    let first = nets.iter().take(MAX_NAMES).map(|&net| format!("`{}`", checked.port_name(net)));
    let first = first.collect::<Vec<_>>().join(", ");
    match nets.len().saturating_sub(MAX_NAMES) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

fn span_of(checked: &Checked, port: PortId) -> Option<Span> {
    let port = checked.ports.get(port)?;
    Some(port.connections.first().map_or(port.span, |&connection| checked.connections[connection].span))
}
