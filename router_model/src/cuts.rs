//! Cuts: lines across the array that nets must cross, and the wires there are to cross them.
//!
//! A net must cross a line if its source is on one side and some sink on the other, whatever its route; it then takes at least one of
//! the wires across. So more such nets than wires prove that there is no routing. Columns and rows are tried first, as
//! `aiecompiler` does; rectangles only when a search has failed.

use std::fmt;

use aiec_device::Device;
use aiec_ir::PortId;

use crate::fabric::Side;
use crate::routes::{Net, Switch};

/// A line across the array, with a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Out of a column (`towards` east or west), over all rows including the shim row.
    Column {
        /// The column left.
        column: u16,
        /// East or west.
        towards: Side,
    },
    /// Out of a row of switches (`towards` north or south), over all columns.
    Row {
        /// The hardware row left; 0 is the shim.
        row: u16,
        /// North or south.
        towards: Side,
    },
    /// Out of or into a rectangle of switches.
    Region {
        /// South-west corner.
        low: Switch,
        /// North-east corner, inside.
        high: Switch,
        /// True for nets that leave, false for nets that enter.
        outwards: bool,
    },
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column { column, towards } => write!(f, "column {column} going {towards}"),
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

/// How many nets must cross a boundary and how many wires do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The line.
    pub boundary: Boundary,
    /// The nets that must cross it, by their producing ports.
    pub nets: Vec<PortId>,
    /// Wires across it in that direction.
    pub capacity: u32,
}

impl Crossing {
    /// Number of nets that must cross.
    pub fn demand(&self) -> u32 {
        u32::try_from(self.nets.len()).unwrap_or(u32::MAX)
    }

    /// True if the line lies between the interface row and the lowest cores: what crosses it does so in every placement.
    pub fn is_the_interface(&self) -> bool {
        match self.boundary {
            Boundary::Row { row, towards } => {
                (row == 0 && towards == Side::North) || (row == 1 && towards == Side::South)
            }
            Boundary::Column { .. } | Boundary::Region { .. } => false,
        }
    }

    fn is_overfull(&self) -> bool {
        self.demand() > self.capacity
    }
}

/// Every column cut from the west (east- and westward), then every row cut from the shim (north- and southward).
pub(crate) fn lines(nets: &[Net], device: &Device) -> Vec<Crossing> {
    let spans: Vec<Span> = nets.iter().map(Span::of).collect();
    let mut lines = Vec::new();
    for column in 1..device.columns {
        let rows = u32::from(device.rows) + 1;
        let mut cut = |column, towards, crosses: &dyn Fn(&Span) -> bool| {
            let boundary = Boundary::Column { column, towards };
            lines.push(crossing(boundary, &spans, towards.wires(device) * rows, crosses));
        };
        cut(column - 1, Side::East, &|s| s.source.column < column && s.high.column >= column);
        cut(column, Side::West, &|s| s.source.column >= column && s.low.column < column);
    }
    for row in 1..=device.rows {
        let columns = u32::from(device.columns);
        let mut cut = |row, towards, crosses: &dyn Fn(&Span) -> bool| {
            let boundary = Boundary::Row { row, towards };
            lines.push(crossing(boundary, &spans, towards.wires(device) * columns, crosses));
        };
        cut(row - 1, Side::North, &|s| s.source.row < row && s.high.row >= row);
        cut(row, Side::South, &|s| s.source.row >= row && s.low.row < row);
    }
    lines
}

/// The overfull column or row cut with the largest excess, the first of equals.
pub(crate) fn overfull_line(nets: &[Net], device: &Device) -> Option<Crossing> {
    let overfull = lines(nets, device).into_iter().filter(Crossing::is_overfull);
    overfull.reduce(|worst, cut| if excess(&cut) > excess(&worst) { cut } else { worst })
}

fn excess(cut: &Crossing) -> u32 {
    cut.demand() - cut.capacity
}

/// Most pairs of rectangle and net end that [`overfull_region`] looks at; a few tenths of a second. Enough for about 7000 ends on a VC1902.
const REGION_WORK: usize = 400_000_000;

/// The smallest rectangle that more nets must leave or enter than it has wires, if the array is small enough to try all.
pub(crate) fn overfull_region(nets: &[Net], device: &Device) -> Option<Crossing> {
    let (columns, rows) = (device.columns, device.rows + 1);
    let rectangles = triangle(columns).saturating_mul(triangle(rows));
    if rectangles.saturating_mul(nets.iter().map(|net| 1 + net.sinks.len()).sum()) > REGION_WORK {
        return None;
    }
    let spans: Vec<Span> = nets.iter().map(Span::of).collect();
    for (width, height) in sizes(columns, rows) {
        for (column, row) in places(columns - width, rows - height) {
            let low = Switch { column, row };
            let high = Switch { column: column + width - 1, row: row + height - 1 };
            for outwards in [true, false] {
                let boundary = Boundary::Region { low, high, outwards };
                let capacity = region_capacity(device, low, high, outwards);
                let cut = crossing(boundary, &spans, capacity, &|s| s.crosses(low, high, outwards));
                if cut.is_overfull() {
                    return Some(cut);
                }
            }
        }
    }
    None
}

fn triangle(n: u16) -> usize {
    let n = usize::from(n);
    n * (n + 1) / 2
}

/// Widths and heights of rectangles, smallest area first.
fn sizes(columns: u16, rows: u16) -> Vec<(u16, u16)> {
    let mut sizes: Vec<(u16, u16)> = places(columns - 1, rows - 1).map(|(w, h)| (w + 1, h + 1)).collect();
    sizes.sort_by_key(|&(w, h)| (u32::from(w) * u32::from(h), w));
    sizes
}

fn places(columns: u16, rows: u16) -> impl Iterator<Item = (u16, u16)> {
    (0..=columns).flat_map(move |column| (0..=rows).map(move |row| (column, row)))
}

fn region_capacity(device: &Device, low: Switch, high: Switch, outwards: bool) -> u32 {
    let (width, height) = (u32::from(high.column - low.column) + 1, u32::from(high.row - low.row) + 1);
    let sides = [
        (Side::North, width, high.row < device.rows),
        (Side::South, width, low.row > 0),
        (Side::East, height, high.column + 1 < device.columns),
        (Side::West, height, low.column > 0),
    ];
    let wires = |side: Side| if outwards { side.wires(device) } else { side.opposite().wires(device) };
    sides.into_iter().filter(|&(_, _, open)| open).map(|(side, length, _)| wires(side) * length).sum()
}

fn crossing(boundary: Boundary, spans: &[Span], capacity: u32, crosses: &dyn Fn(&Span) -> bool) -> Crossing {
    let nets = spans.iter().filter(|span| crosses(span)).map(|span| span.from).collect();
    Crossing { boundary, nets, capacity }
}

/// A net as cuts see it: its source, its sinks and the rectangle around the sinks.
struct Span<'a> {
    from: PortId,
    source: Switch,
    net: &'a Net,
    low: Switch,
    high: Switch,
}

impl<'a> Span<'a> {
    fn of(net: &'a Net) -> Self {
        let source = net.source.switch;
        let (mut low, mut high) =
            net.sinks.first().map_or((source, source), |(_, end)| (end.switch, end.switch));
        for (_, end) in &net.sinks {
            let Switch { column, row } = end.switch;
            low = Switch { column: low.column.min(column), row: low.row.min(row) };
            high = Switch { column: high.column.max(column), row: high.row.max(row) };
        }
        Self { from: net.from, source, net, low, high }
    }

    /// True if the net must leave (or enter) the rectangle.
    fn crosses(&self, low: Switch, high: Switch, outwards: bool) -> bool {
        let inside = |s: Switch| {
            (low.column..=high.column).contains(&s.column) && (low.row..=high.row).contains(&s.row)
        };
        if outwards {
            inside(self.source) && !(inside(self.low) && inside(self.high))
        } else {
            !inside(self.source) && self.net.sinks.iter().any(|(_, end)| inside(end.switch))
        }
    }
}
