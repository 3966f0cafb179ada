//! Cuts: lines across the array that nets must cross, with the wires across them.
//!
//! A net must cross a line if its source is on one side and some sink on the other, whatever its
//! route. It then takes at least one of the wires across. More such nets than wires therefore prove
//! that there is no routing. Columns and rows are tried first, as in `aiecompiler`; other regions
//! only when a search has failed ([`certificate`](crate::certificate)). The streams of one packet
//! group count as one net, because they share wires.

use std::collections::BTreeSet;
use std::fmt;

use aiec_device::Device;
use serde::Serialize;

use crate::fabric::{Fabric, Side};
use crate::request::{NetId, Request, numbered};
use crate::switch::Switch;

/// A line across the array, with a direction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Boundary {
    /// Out of a column (`towards` east or west), over all rows including the shim row.
    Column {
        /// The column that nets leave.
        column: u16,
        /// East or west.
        towards: Side,
    },
    /// Out of a row of switches (`towards` north or south), over all columns.
    Row {
        /// The hardware row that nets leave; 0 is the shim.
        row: u16,
        /// North or south.
        towards: Side,
    },
    /// Out of or into a rectangle of switches.
    Region {
        /// The switch of the south-west corner, inside.
        low: Switch,
        /// North-east corner, inside.
        high: Switch,
        /// True for nets that leave, false for nets that enter.
        outwards: bool,
    },
    /// Out of or into any set of switches.
    Area {
        /// The switches inside, in order.
        switches: Vec<Switch>,
        /// True for nets that leave, false for nets that enter.
        outwards: bool,
    },
}

/// Maximum number of switches of an area that a message names.
const MAX_NAMED: usize = 12;

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column { column, towards } => write!(f, "column {column} going {towards}"),
            Self::Area { switches, outwards } => {
                let way = if *outwards { "out of" } else { "into" };
                let names: Vec<String> =
                    switches.iter().take(MAX_NAMED).map(|s| format!("{},{}", s.column, s.row)).collect();
                let more = switches.len().saturating_sub(MAX_NAMED);
                let more = if more == 0 { String::new() } else { format!(" and {more} more") };
                write!(f, "{way} the switches (column, hardware row) {}{more}", names.join(" "))
            }
            Self::Row { row: 0, towards } => write!(f, "the shim row going {towards}"),
            Self::Row { row, towards } => write!(f, "core row {} going {towards}", row - 1),
            Self::Region { low, high, outwards } => {
                let way = if *outwards { "out of" } else { "into" };
                let columns = format!("columns {} to {}", low.column, high.column);
                write!(f, "{way} {columns}, hardware rows {} to {}", low.row, high.row)
            }
        }
    }
}

/// The nets that must cross a boundary, and the wires across it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The line or region that nets cross.
    pub boundary: Boundary,
    /// The nets that must cross it. Of a packet group only the first.
    pub nets: Vec<NetId>,
    /// Number of wires across it in that direction.
    pub capacity: u32,
}

impl Crossing {
    /// Number of nets that must cross.
    pub fn demand(&self) -> u32 {
        u32::try_from(self.nets.len()).unwrap_or(u32::MAX)
    }

    /// True if the line lies between the interface row and the lowest cores. Its nets cross it in
    /// every placement.
    pub fn is_the_interface(&self) -> bool {
        match self.boundary {
            Boundary::Row { row, towards } => {
                (row == 0 && towards == Side::North) || (row == 1 && towards == Side::South)
            }
            Boundary::Column { .. } | Boundary::Region { .. } | Boundary::Area { .. } => false,
        }
    }

    /// True if more nets must cross than there are wires. Then no routing exists.
    pub fn is_overfull(&self) -> bool {
        self.demand() > self.capacity
    }
}

/// Every column cut from the west (east- and westward), then every row cut from the shim (north-
/// and southward).
pub fn lines(requests: &[Request], device: &Device) -> Vec<Crossing> {
    let spans: Vec<Span> = spans(requests);
    let fabric = Fabric::new(device);
    let mut lines = Vec::new();
    for column in 1..fabric.columns() {
        let mut cut = |column, towards: Side, crosses: &dyn Fn(&Span) -> bool| {
            let capacity = (0..fabric.rows()).map(|row| towards.wires(device, row)).sum();
            lines.push(crossing(Boundary::Column { column, towards }, &spans, capacity, crosses));
        };
        cut(column - 1, Side::East, &|s| s.source.column < column && s.high.column >= column);
        cut(column, Side::West, &|s| s.source.column >= column && s.low.column < column);
    }
    for row in 1..fabric.rows() {
        let columns = u32::from(device.columns);
        let mut cut = |row, towards: Side, crosses: &dyn Fn(&Span) -> bool| {
            let capacity = towards.wires(device, row) * columns;
            lines.push(crossing(Boundary::Row { row, towards }, &spans, capacity, crosses));
        };
        cut(row - 1, Side::North, &|s| s.source.row < row && s.high.row >= row);
        cut(row, Side::South, &|s| s.source.row >= row && s.low.row < row);
    }
    lines
}

/// The overfull column or row cut with the largest excess, the first of equals.
pub(crate) fn overfull_line(requests: &[Request], device: &Device) -> Option<Crossing> {
    let overfull = lines(requests, device).into_iter().filter(Crossing::is_overfull);
    overfull.reduce(|worst, cut| if excess(&cut) > excess(&worst) { cut } else { worst })
}

fn excess(cut: &Crossing) -> u32 {
    cut.demand() - cut.capacity
}

fn crossing(boundary: Boundary, spans: &[Span], capacity: u32, crosses: &dyn Fn(&Span) -> bool) -> Crossing {
    let mut groups = BTreeSet::new();
    let first = |span: &&Span| span.group.is_none_or(|group| groups.insert(group));
    let nets = spans.iter().filter(|span| crosses(span)).filter(first).map(|span| span.net).collect();
    Crossing { boundary, nets, capacity }
}

/// The extent of a net: its source and the rectangle around its sinks.
struct Span {
    net: NetId,
    /// The packet group, whose streams count once.
    group: Option<u32>,
    source: Switch,
    low: Switch,
    high: Switch,
}

fn spans(requests: &[Request]) -> Vec<Span> {
    numbered(requests).map(|(net, request)| Span::of(net, request)).collect()
}

impl Span {
    fn of(net: NetId, request: &Request) -> Self {
        let source = request.source.switch;
        let first = request.sinks.first().map_or(source, |end| end.switch);
        let (mut low, mut high) = (first, first);
        for Switch { column, row } in request.sinks.iter().map(|end| end.switch) {
            low = Switch { column: low.column.min(column), row: low.row.min(row) };
            high = Switch { column: high.column.max(column), row: high.row.max(row) };
        }
        let group = request.kind.group();
        Self { net, group, source, low, high }
    }
}
