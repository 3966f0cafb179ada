//! The stream switches and the edges between neighbours, as dense numbers for the router.
//!
//! Built from a device. Contains only edges between two switches of the array with at least one
//! wire. The shim row is row 0 and an ordinary routing row: it has lateral wires like any other
//! (AM009, interface tiles). Memory tiles have none.

use std::fmt;

use aiec_device::{Device, Ports, SwitchPorts};
use aiec_ir::{Id, IdVec};
use serde::Serialize;

use crate::net::Hop;
use crate::switch::Switch;

/// The side of a switch towards a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Towards higher rows.
    North,
    /// Towards the shim.
    South,
    /// Towards higher columns.
    East,
    /// Towards lower columns.
    West,
}

impl Side {
    /// All four sides, in the order of the enum.
    pub const ALL: [Self; 4] = [Self::North, Self::South, Self::East, Self::West];

    /// The side of the neighbour that faces this one.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::South => Self::North,
            Self::East => Self::West,
            Self::West => Self::East,
        }
    }

    /// The number of ports on this side.
    pub(crate) const fn of(self, ports: &Ports) -> u32 {
        match self {
            Self::North => ports.north,
            Self::South => ports.south,
            Self::East => ports.east,
            Self::West => ports.west,
        }
    }

    /// Wires that leave a switch of hardware row `row` on this side, if a neighbour is there.
    pub fn wires(self, device: &Device, row: u16) -> u32 {
        self.of(&ports_of(device, row).masters)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::North => "north",
            Self::South => "south",
            Self::East => "east",
            Self::West => "west",
        })
    }
}

aiec_ir::ids! {
    /// A switch's dense number: `column * rows + row`.
    pub(crate) Node;
    /// An edge's dense number: `node * 4 + side`.
    pub(crate) Edge;
}

/// Edges that leave a switch, one for each side, those off the array included.
const SIDES: u32 = Side::ALL.len() as u32;

impl Edge {
    /// The switch that the edge leaves.
    pub(crate) const fn from(self) -> Node {
        Node(self.0 / SIDES)
    }

    /// The side on which it leaves.
    pub(crate) const fn side(self) -> Side {
        Side::ALL[(self.0 % SIDES) as usize]
    }
}

/// The switches of one device with the capacities of their edges.
pub(crate) struct Fabric {
    columns: u16,
    rows: u16,
    /// Wires of each edge. 0 if it leads off the array.
    wires: IdVec<Edge, u32>,
}

impl Fabric {
    /// The switches of `device`: shim row, memory tiles, core rows.
    pub(crate) fn new(device: &Device) -> Self {
        let rows = u16::try_from(device.switch_rows()).unwrap_or(u16::MAX);
        let mut fabric = Self { columns: device.columns, rows, wires: IdVec::new() };
        fabric.wires = fabric.edges().map(|edge| fabric.wires_of(edge, device)).collect();
        fabric
    }

    /// The same switches with one wire from each to each neighbour.
    pub(crate) fn open(&self) -> Self {
        let mut open = Self { columns: self.columns, rows: self.rows, wires: IdVec::new() };
        open.wires = open.edges().map(|edge| u32::from(open.target(edge).is_some())).collect();
        open
    }

    fn wires_of(&self, edge: Edge, device: &Device) -> u32 {
        let (switch, side) = self.source(edge);
        let inside = self.target(edge).is_some();
        if inside { side.of(&ports_of(device, switch.row).masters) } else { 0 }
    }

    pub(crate) const fn columns(&self) -> u16 {
        self.columns
    }

    pub(crate) const fn rows(&self) -> u16 {
        self.rows
    }

    /// All switches in order.
    pub(crate) fn nodes(&self) -> impl ExactSizeIterator<Item = Node> + Clone + use<> {
        ids(usize::from(self.columns) * usize::from(self.rows))
    }

    /// All edges in order, those off the array included.
    pub(crate) fn edges(&self) -> impl ExactSizeIterator<Item = Edge> + Clone + use<> {
        ids(self.nodes().len() * Side::ALL.len())
    }

    pub(crate) fn node(&self, switch: Switch) -> Option<Node> {
        let inside = switch.column < self.columns && switch.row < self.rows;
        inside.then(|| Node(u32::from(switch.column) * u32::from(self.rows) + u32::from(switch.row)))
    }

    pub(crate) fn switch(&self, node: Node) -> Switch {
        let rows = u32::from(self.rows);
        // Node numbers come from `node`, so both parts are below 2^16.
        Switch { column: (node.0 / rows) as u16, row: (node.0 % rows) as u16 }
    }

    /// Wires of `edge`. 0 if it leads off the array.
    pub(crate) fn capacity(&self, edge: Edge) -> u32 {
        self.wires[edge]
    }

    /// The switch that an edge leaves, and the side.
    pub(crate) fn source(&self, edge: Edge) -> (Switch, Side) {
        (self.switch(edge.from()), edge.side())
    }

    /// The destination node of an edge. Returns None when it is off the array.
    pub(crate) fn target(&self, edge: Edge) -> Option<Node> {
        let (switch, side) = self.source(edge);
        self.node(neighbour(switch, side)?)
    }

    /// The hop over an edge that has wires.
    pub(crate) fn hop(&self, edge: Edge) -> Hop {
        let (from, side) = self.source(edge);
        Hop { from, to: neighbour(from, side).unwrap_or(from) }
    }

    /// The edges that leave `node`, with their destination nodes.
    pub(crate) fn leaving(&self, node: Node) -> impl Iterator<Item = (Edge, Node)> + '_ {
        let first = node.0 * SIDES;
        (first..first + SIDES)
            .map(Edge)
            .filter(|&edge| self.wires[edge] > 0)
            .map(move |edge| (edge, self.beyond(node, edge.side())))
    }

    /// The edges that enter `node`, with their source nodes.
    pub(crate) fn entering(&self, node: Node) -> impl Iterator<Item = (Edge, Node)> + '_ {
        (0..).zip(Side::ALL).filter_map(move |(side, way)| {
            let from = self.node(neighbour(self.switch(node), way.opposite())?)?;
            let edge = Edge(from.0 * SIDES + side);
            (self.wires[edge] > 0).then_some((edge, from))
        })
    }

    /// The node next to `node` on a side that has a neighbour.
    const fn beyond(&self, node: Node, side: Side) -> Node {
        Node(match side {
            Side::North => node.0 + 1,
            Side::South => node.0 - 1,
            Side::East => node.0 + self.rows as u32,
            Side::West => node.0 - self.rows as u32,
        })
    }
}

/// The first `count` ids.
pub(crate) fn ids<I: Id>(count: usize) -> impl ExactSizeIterator<Item = I> + Clone {
    (0..count).map(I::from_index)
}

/// The kind of the tile that a switch belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SwitchKind {
    /// The interface row.
    Shim,
    /// A memory tile.
    Memory,
    /// A tile with a core.
    Core,
}

/// The kind of the switches of a hardware row.
pub(crate) const fn kind_of(device: &Device, row: u16) -> SwitchKind {
    match device.switch.memory {
        _ if row == 0 => SwitchKind::Shim,
        Some(_) if row < device.first_hardware_row => SwitchKind::Memory,
        _ => SwitchKind::Core,
    }
}

/// The ports of the switches of a hardware row.
pub(crate) fn ports_of(device: &Device, row: u16) -> &SwitchPorts {
    match (&device.switch.memory, kind_of(device, row)) {
        (_, SwitchKind::Shim) => &device.switch.shim,
        (Some(memory), SwitchKind::Memory) => memory,
        _ => &device.switch.core,
    }
}

/// The switch next to `switch`. It may lie beyond the array's north and east edges.
pub(crate) fn neighbour(switch: Switch, side: Side) -> Option<Switch> {
    let Switch { column, row } = switch;
    Some(match side {
        Side::North => Switch { column, row: row.checked_add(1)? },
        Side::South => Switch { column, row: row.checked_sub(1)? },
        Side::East => Switch { column: column.checked_add(1)?, row },
        Side::West => Switch { column: column.checked_sub(1)?, row },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fabric() -> Fabric {
        Fabric::new(&aiec_device::builtin("xcvc1902").and_then(|o| o.into_parts().0).expect("built in"))
    }

    #[test]
    fn the_wires_between_columns_and_rows_are_those_aiecompiler_prints() {
        let fabric = fabric();
        let sum = |side, wanted: &dyn Fn(Switch) -> bool| -> u32 {
            let edges = fabric.edges().filter(|&edge| {
                let (switch, towards) = fabric.source(edge);
                towards == side && wanted(switch)
            });
            edges.map(|edge| fabric.capacity(edge)).sum()
        };
        assert_eq!(sum(Side::East, &|s| s.column == 8), 36, "9 rows of 4, the shim row included");
        assert_eq!(sum(Side::West, &|s| s.column == 9), 36);
        assert_eq!(sum(Side::North, &|s| s.row == 0), 300, "50 columns of 6");
        assert_eq!(sum(Side::South, &|s| s.row == 1), 200, "50 columns of 4");
    }

    #[test]
    fn no_wire_leaves_the_array() {
        let fabric = fabric();
        let corner = fabric.node(Switch { column: 49, row: 8 }).expect("on the array");
        let sides: Vec<Side> = fabric.leaving(corner).map(|(edge, _)| fabric.source(edge).1).collect();
        assert_eq!(sides, [Side::South, Side::West]);
        assert_eq!(fabric.node(Switch { column: 0, row: 9 }), None);
    }
}
