//! Constraints as JSON: `.aiecst` files, written by hand for `aiecompiler --constraints` or by its
//! mapper (`Work/temp/*_mapped.aiecst`).
//!
//! The form is that of UG1079, "JSON Constraints" (2023.2 to 2026.1), and UG1076 of 2020.2 to
//! 2022.1, where area groups have other switches. Tools write an area group under the same name
//! several times, so entries of one name are all kept.

mod fields;
mod read;

use std::fmt;

use aiec_device::Tile;
use aiec_diag::{Span, Spanned};

pub use read::read;

/// All constraints of a file, each list in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// `NodeConstraints`: kernels, inputs and outputs.
    pub nodes: Vec<Node>,
    /// `PortConstraints`: the buffers of ports and of parameters.
    pub ports: Vec<Port>,
    /// `areaGroup` of `GlobalConstraints`: nodes in parts of the array.
    pub areas: Vec<Area>,
    /// `isomorphicGraphGroup` of `GlobalConstraints`: graphs that are placed alike.
    pub stamps: Vec<Stamp>,
    /// `fifo_locations_records` of `PortConstraints`.
    pub fifos: Vec<Fifo>,
    /// Places that the file states again further down, such as "`shim` of `i`". The last one
    /// counts: AMD's tools take such a file (Xilinx/Vitis-Tutorials, 16-1M-Point-FFT-32Gsps,
    /// `fft_in_13a`).
    pub repeated: Vec<Spanned<String>>,
    /// The entries that aiec does not know. They have no effect here.
    pub unknown: Vec<Unknown>,
}

/// An entry that aiec does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its path, such as `GlobalConstraints.shared`.
    pub path: Spanned<String>,
    /// The known entry at this place with the nearest name. None when none is near.
    pub near: Option<&'static str>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "`{}`", self.path.value)?;
        self.near.map_or(Ok(()), |near| write!(to, " (did you mean `{near}`?)"))
    }
}

/// The constraints of a kernel, an input or an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The hierarchical name of a kernel, such as `g.k1`, or the logical name of a PLIO or GMIO.
    pub name: Spanned<String>,
    /// The tile of a kernel.
    pub tile: Option<Spanned<Tile>>,
    /// The shim column of an input or output.
    pub shim: Option<Spanned<Shim>>,
    /// The place of a kernel's stack, heap and sync area.
    pub reserved_memory: Option<Spanned<Address>>,
    /// What it shares or must not share a place with.
    pub relations: Vec<Relation>,
    /// `relative_nodes`: the nodes at a distance from it.
    pub relative: Vec<Relative>,
}

/// A node at a distance from another: an element of `relative_nodes`, such as `g.k1:(X=1,Y=-2)`
/// (UG1079, "JSON Constraints", "Relative Constraints", 2025.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    /// The name of the node at that distance, with the place of the whole element.
    pub name: Spanned<String>,
    /// `X`: columns to the east from the node that has the list. None for any.
    pub columns: Option<i64>,
    /// `Y`: rows to the north. None for any.
    pub rows: Option<i64>,
}

/// The constraints of a port or of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The hierarchical name, such as `g.k1.in[0]`, or `g.p1` for a parameter.
    pub name: Spanned<String>,
    /// Its buffers: one, or ping and pong.
    pub buffers: Vec<Spanned<Address>>,
    /// The names of its FIFOs in [`Constraints::fifos`].
    pub fifo_locations: Vec<Spanned<String>>,
    /// What it shares or must not share a place with.
    pub relations: Vec<Relation>,
}

/// A shim column, and the stream channel there. GMIOs have no channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shim {
    /// Column, 0 in the west.
    pub column: u16,
    /// Channel of the column.
    pub channel: Option<u32>,
}

/// A place in memory. What is absent is the tool's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The memory module. Without one, the module that the tool chooses.
    pub module: Option<Tile>,
    /// The bank of the module, 0 to 3 on AIE1.
    pub bank: Option<u32>,
    /// Bytes from the start of the bank, or of the module if there is no bank.
    pub offset: Option<u32>,
}

impl Address {
    /// Bytes from the start of the module, for banks of `bank_bytes`. Returns None when the file
    /// leaves it open, or the number is beyond any memory.
    pub fn in_module(&self, bank_bytes: u32) -> Option<u32> {
        bank_bytes.checked_mul(self.bank.unwrap_or(0))?.checked_add(self.offset?)
    }
}

/// A constraint relative to other nodes or ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// What the constraint requires of the node or port and the others.
    pub kind: RelationKind,
    /// The names of the others.
    pub others: Vec<Spanned<String>>,
    /// Source location of the whole entry.
    pub span: Span,
}

/// The kinds of relative constraints (UG1079, "Node Constraints", "Port Constraints"). For a node
/// they are about tiles, for the buffers of a port about banks; for a port and nodes about tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// `colocated_nodes`: on the tile of the others.
    ColocatedNodes,
    /// `not_colocated_nodes`
    NotColocatedNodes,
    /// `colocated_ports`: in the same bank as the others.
    ColocatedPorts,
    /// `not_colocated_ports`
    NotColocatedPorts,
    /// `exclusive_colocated_ports`: in the same bank as the others, where no other buffer is.
    ExclusiveColocatedPorts,
    /// `colocated_reserved_memories`: a kernel on the tile where the stacks of the others lie, or
    /// buffers in the bank of these stacks.
    ColocatedReservedMemories,
    /// `not_colocated_reserved_memories`
    NotColocatedReservedMemories,
}

impl RelationKind {
    /// All kinds, in the order of the enum.
    pub const ALL: [Self; 7] = [
        Self::ColocatedNodes,
        Self::NotColocatedNodes,
        Self::ColocatedPorts,
        Self::NotColocatedPorts,
        Self::ExclusiveColocatedPorts,
        Self::ColocatedReservedMemories,
        Self::NotColocatedReservedMemories,
    ];

    /// The word of the file.
    pub const fn word(self) -> &'static str {
        match self {
            Self::ColocatedNodes => "colocated_nodes",
            Self::NotColocatedNodes => "not_colocated_nodes",
            Self::ColocatedPorts => "colocated_ports",
            Self::NotColocatedPorts => "not_colocated_ports",
            Self::ExclusiveColocatedPorts => "exclusive_colocated_ports",
            Self::ColocatedReservedMemories => "colocated_reserved_memories",
            Self::NotColocatedReservedMemories => "not_colocated_reserved_memories",
        }
    }
}

/// An area group: nodes that stay in a part of the array, or a part that others avoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// Its name. None when the file gives none.
    pub name: Option<Spanned<String>>,
    /// `nodeGroup`: the nodes that it is about.
    pub nodes: Vec<Spanned<String>>,
    /// `tileGroup`: rectangles of core tiles.
    pub tiles: Vec<Spanned<Tiles>>,
    /// `shimGroup`: ranges of shim columns.
    pub shims: Vec<Spanned<Shims>>,
    /// `contain_routing`: the nets between its nodes stay inside.
    pub contain_routing: bool,
    /// `exclude_routing`: all other nets stay outside.
    pub exclude_routing: bool,
    /// `exclude_placement`: all other nodes stay outside.
    pub exclude_placement: bool,
    /// `exclude` of UG1076 2020.2: nothing is mapped to the area.
    pub exclude: bool,
    /// `issoft` of UG1076 2020.2: the router may use an excluded area.
    pub soft: bool,
    /// Source location of the whole entry.
    pub span: Span,
}

/// A rectangle of core tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// The south-western tile.
    pub from: Tile,
    /// The north-eastern tile, which belongs to the rectangle.
    pub to: Tile,
}

/// A range of shim columns, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shims {
    /// The westernmost column.
    pub from: Shim,
    /// The easternmost column.
    pub to: Shim,
}

/// Graphs that are placed alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Its name. None when the file gives none.
    pub name: Option<Spanned<String>>,
    /// The graph that is placed.
    pub reference: Option<Spanned<String>>,
    /// The graphs that repeat its placement.
    pub stamped: Vec<Spanned<String>>,
    /// Source location of the whole entry.
    pub span: Span,
}

/// The place of a FIFO.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fifo {
    /// Its name, which ports refer to.
    pub name: Spanned<String>,
    /// True for a DMA FIFO in memory, false for one of a stream switch.
    pub dma: bool,
    /// `tile_type`: `core`, `shim` or `mem`.
    pub tile_type: Option<String>,
    /// The tile that holds it.
    pub tile: Tile,
    /// The channel of a FIFO in a switch.
    pub channel: Option<u32>,
    /// The bank of a DMA FIFO.
    pub bank: Option<u32>,
    /// Bytes from the start of the bank, or of the module if there is no bank.
    pub offset: Option<u32>,
    /// Its size in words of 32 bits.
    pub words: Option<u32>,
    /// Source location of the whole entry.
    pub span: Span,
}

#[cfg(test)]
mod tests;
