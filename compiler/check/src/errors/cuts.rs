//! Errors of lines that more nets must cross than they have wires.

use aiec_device::Device;
use aiec_diag::{Diagnostic, Span, catalogue};

use super::{count, labelled};
use crate::cuts::{Line, LineLoad, Remedy, remedies, taken};
use aiec_ir::PortId;
use aiec_ir::expanded::Expanded;

/// Names of nets that a label gives.
const MOST_NAMES: usize = 3;

/// More nets must cross a line than it has wires.
pub(crate) fn overfull_line(design: &Expanded, load: &LineLoad, device: &Device) -> Diagnostic {
    let (demand, wires) = (load.nets.len(), load.wires);
    let (name, vendor) = words(load);
    let message = format!(
        "{demand} nets must cross {name}, which has {wires} wires on {}: the design fixes their ends on both sides",
        device.name
    );
    let help = format!("{}{vendor}", remedy(design, load, device));
    let diagnostic = Diagnostic::new(&catalogue::LINE_WIRES, message, help);
    labelled(diagnostic, groups(design, &load.nets))
}

/// The name of a line, and the vendor's message for it.
fn words(load: &LineLoad) -> (String, String) {
    let vendor = |column: u16, way: &str| {
        format!(
            "; aiecompiler would say \"[aiecompiler 35-3253] AIE Router found too many nets on Column: {column} going {way}, {}/{}\"",
            load.nets.len(),
            load.wires
        )
    };
    let row =
        |row: u16| row.checked_sub(1).map_or("the shim row".to_owned(), |row| format!("core row {row}"));
    match load.line {
        Line::East(column) => (format!("column {column} going east"), vendor(column, "EAST")),
        Line::West(column) => (format!("column {column} going west"), vendor(column, "WEST")),
        Line::North(at) => (format!("{} going north", row(at)), String::new()),
        Line::South(at) => (format!("{} going south", row(at)), String::new()),
    }
}

/// The smallest sets of remedies that take enough nets off the line. Without any, the general one.
fn remedy(design: &Expanded, load: &LineLoad, device: &Device) -> String {
    let one = |remedy: Remedy| change(remedy, taken(design, load, &[remedy]), load, device);
    let together = |set: Vec<Remedy>| {
        let changes: Vec<String> = set.iter().map(|&remedy| one(remedy)).collect();
        if changes.len() > 1 {
            format!("only together: {}", changes.join("; and "))
        } else {
            changes.concat()
        }
    };
    let enough: Vec<String> = remedies(design, load).into_iter().map(together).collect();
    let excess = u64::try_from(load.excess()).unwrap_or(0);
    let general = format!("move the kernels of {} to one side of the line", count(excess, "net"));
    if enough.is_empty() { general } else { format!("{}; or {general}", enough.join("; or ")) }
}

/// A remedy for this number of nets, in words.
fn change(remedy: Remedy, nets: usize, load: &LineLoad, device: &Device) -> String {
    let last = device.shim.pl_columns.map_or(0, |columns| columns.last);
    let beyond = matches!(load.line, Line::East(column) if column >= last);
    match remedy {
        Remedy::Inputs if beyond => format!(
            "{nets} of them come from inputs: let kernels beyond column {last}, the last with PLIO, read fewer different inputs, such as one whose packets a `split` gives to several"
        ),
        Remedy::Inputs => format!(
            "{nets} of them come from inputs: state columns for these inputs on the other side, or send one input to several kernels, as it is or as packets (`split`)"
        ),
        Remedy::Broadcasts => format!(
            "{nets} of them are broadcasts: put all readers of one broadcast on the side of its sender"
        ),
        Remedy::Packets => format!(
            "{nets} of them have a sender in common with another: send these as packets (`split`), which share a wire"
        ),
    }
}

/// The nets by the constructs that make them, the largest group first.
fn groups(design: &Expanded, nets: &[PortId]) -> Vec<(Span, String)> {
    let mut groups: Vec<(Span, Vec<PortId>)> = Vec::new();
    for &net in nets {
        let connection = design.ports[net].connections.first();
        let span = connection.map_or(design.ports[net].span, |&id| design.connections[id].span);
        match groups.iter_mut().find(|(known, _)| *known == span) {
            Some((_, group)) => group.push(net),
            None => groups.push((span, vec![net])),
        }
    }
    groups.sort_by_key(|(span, group)| (std::cmp::Reverse(group.len()), *span));
    let label = |(span, group): (Span, Vec<PortId>)| {
        let names = group.iter().take(MOST_NAMES).map(|&net| format!("`{}`", design.port_name(net)));
        let more = match group.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let names: Vec<String> = names.collect();
        (span, format!("{}: {} cross", names.join(", ") + &more, count(group.len() as u64, "net")))
    };
    groups.into_iter().map(label).collect()
}
